import { useEffect, useId, useMemo } from "react";
import { forgetRoots } from "../../model/flame/package-roots.ts";
import type { QueryAction, QueryState } from "../../model/query/query.ts";
import type { Undoable, UndoableAction } from "../../model/query/undo.ts";
import { chooseMeasure, type Measured, measured } from "../../model/recording/measure.ts";
import { kindsWith, otherEvents } from "../../model/recording/other-events.ts";
import { chooseProfile, type ProfileTab, profileTabs } from "../../model/recording/profile-tabs.ts";
import { visible } from "../../model/words/text.ts";
import type { Failure, InputFile, Overview } from "../../worker/api.ts";
import { AboutRecording } from "../about/AboutRecording.tsx";
import { AnalysisPanel } from "../analysis/AnalysisPanel.tsx";
import { Boundary } from "../boundary/Boundary.tsx";
import { Chips } from "../chips/Chips.tsx";
import { MeasureChoice } from "../chips/MeasureChoice.tsx";
import { Explorer } from "../explorer/Explorer.tsx";
import { FindBox } from "../find/FindBox.tsx";
import { Diagnostics, FailureMessage } from "../messages/Messages.tsx";
import { OtlpReports } from "../messages/OtlpReports.tsx";
import { SlowNotice } from "../messages/SlowNotice.tsx";
import type { FileReport } from "../messages/use-otlp-reports.ts";
import { ListToggle } from "../panes/ListToggle.tsx";
import { Panes } from "../panes/Panes.tsx";
import { useListPane } from "../panes/use-list-pane.ts";
import { SelectionHeader } from "../selection/SelectionHeader.tsx";
import { type Outlined, useOutline } from "../selection/use-outline.ts";
import { Help } from "../shortcuts/Help.tsx";
import { Export } from "../topbar/Export.tsx";
import { OtherEvents } from "../topbar/OtherEvents.tsx";
import { ProfileTabs } from "../topbar/ProfileTabs.tsx";
import { Share } from "../topbar/Share.tsx";
import { TopBar } from "../topbar/TopBar.tsx";
import css from "./App.module.css";
import { NothingKnown } from "./NothingKnown.tsx";
import { PageSurroundings } from "./PageSurroundings.tsx";
import { PrintHead } from "./PrintHead.tsx";
import { useRecordingActions } from "./use-recording-actions.ts";
import { useTitle } from "./use-title.ts";

interface Props {
  names: string[];
  overview: Overview;
  /** On those of the files that are OTLP profiles. */
  reports: FileReport[];
  undoable: Undoable;
  act: (action: UndoableAction) => void;
  dark: boolean;
  bar: Omit<Parameters<typeof TopBar>[0], "about" | "search" | "children">;
  /** Other files are opened, and the selection is compared with them. */
  onCompareWith: (files: InputFile[]) => void;
  /** The decoder is gone, and the recording with it. */
  onFatal: (failure: Failure) => void;
  /** Ends the decoder's work, and reads the files again. */
  onStop: () => void;
}

/** A recording that was read, wholly or in part. */
export function RecordingView(props: Props) {
  const { names, overview, reports, undoable, act, dark, bar, onCompareWith, onStop } = props;
  const panel = useId();
  const { query } = undoable;
  const { tabs, profile } = useProfile(overview, query);
  const { failure, onFailure, user, onFind } = useRecordingActions({ ...props, query, profile });
  const outlined = useOutline(query, onFailure);
  useTitle(query, outlined, names);
  // Hues belong to the packages of one recording.
  useEffect(() => forgetRoots, []);
  const pane = useListPane(query.filter);
  return (
    <>
      <TopBar
        {...bar}
        onOnly={(name) => user({ kind: "add", chip: { kind: "file", name } })}
        about={<AboutRecording overview={overview} reports={reports} onFailure={onFailure} />}
        search={
          profile !== null && (
            <FindBox
              {...{ tabs, profile, query, onFind, onFailure }}
              act={user}
              onTheme={() => bar.onTheme(dark ? "light" : "dark")}
            />
          )
        }
      >
        {profile !== null && <Export {...{ names, overview, profile, query, outlined, onFailure }} />}
        {profile !== null && <Share {...{ names, overview, profile, query }} />}
        <Help onFailure={onFailure} />
      </TopBar>
      {failure !== null && <FailureMessage failure={failure} />}
      <SlowNotice onStop={onStop} />
      <Diagnostics diagnostics={overview.diagnostics} files={overview.files} cancelled={overview.cancelled} />
      <OtlpReports reports={reports} />
      {profile !== null && <PrintHead names={names} profile={profile} search={query.search} />}
      <div className={css.bar}>
        <section className={css.profiles} aria-label="Profiles">
          {profile !== null && <ListToggle {...pane} />}
          <Profiles {...{ overview, tabs, profile, outlined, query, panel }} act={user} />
        </section>
        {profile !== null && (
          <Chips undoable={undoable} zeros={overview.rows} act={user}>
            <MeasureChoice profile={profile} onMeasure={(name) => user({ kind: "measure", measure: name })} />
          </Chips>
        )}
      </div>
      {profile === null ? (
        <NothingKnown id={panel} overview={overview} />
      ) : (
        <main className={css.body} tabIndex={-1} aria-label={fileWords(names)}>
          <PageSurroundings onFailure={onFailure}>
            <Panes pane={pane} list={<List {...{ profile, overview, query, act, user, onFailure }} />}>
              <AnalysisPanel
                id={panel}
                tabs={tabs}
                profile={profile}
                files={names}
                rows={overview.rows}
                query={query}
                act={user}
                dark={dark}
                onCompareWith={onCompareWith}
                onFailure={onFailure}
              >
                {/* Not above the list, which must stay under the pointer that chooses from it. */}
                <SelectionHeader {...{ query, outlined, tabs }} zeros={overview.rows} type={profile.type} act={user} />
              </AnalysisPanel>
            </Panes>
          </PageSurroundings>
        </main>
      )}
    </>
  );
}

interface ListProps extends Pick<Props, "overview" | "act"> {
  profile: Measured;
  query: QueryState;
  user: (action: UndoableAction) => void;
  onFailure: (failure: Failure) => void;
}

/** What the samples can be narrowed to. */
function List({ profile, overview, query, act, user, onFailure }: ListProps) {
  return (
    <Boundary what="The list" resetOn={query} onReset={() => act({ kind: "defaults" })}>
      <Explorer
        profile={profile}
        attributeKeys={overview.attributeKeys}
        zeros={overview.rows}
        query={query}
        act={user}
        onFailure={onFailure}
      />
    </Boundary>
  );
}

/** The profiles, and the selected one by the selected measure; null without a profile. */
function useProfile(overview: Overview, { extra, type, measure: name }: QueryState) {
  const tabs = useMemo(() => profileTabs(kindsWith(extra), overview.profiles, overview.settings), [extra, overview]);
  const chosen = chooseProfile(tabs, type);
  const measure = chosen === null ? 0 : chooseMeasure(chosen, name);
  const profile = useMemo(() => (chosen === null ? null : measured(chosen, measure)), [chosen, measure]);
  return { tabs, profile };
}

interface ProfilesProps {
  overview: Overview;
  tabs: ProfileTab[];
  profile: Measured | null;
  outlined: Outlined | null;
  query: QueryState;
  act: (action: QueryAction) => void;
  /** Id of the panel that shows the chosen profile. */
  panel: string;
}

/** A tab for each profile, and the events that can become one. */
function Profiles({ overview, tabs, profile, outlined, query, act, panel }: ProfilesProps) {
  const filtered = useMemo(
    () => outlined && new Map(outlined.outline.split.map(({ profile: id, totals }) => [id, totals.samples])),
    [outlined],
  );
  const others = useMemo(() => otherEvents(overview.eventTypes), [overview]);
  return (
    <>
      <ProfileTabs
        tabs={tabs}
        selected={profile?.type ?? ""}
        filtered={filtered}
        onSelect={(type) => act({ kind: "type", type })}
        controls={panel}
      />
      <OtherEvents
        types={others}
        extra={query.extra}
        onAdd={(event) => act({ kind: "add-event", extra: event })}
        onRemove={(event) => act({ kind: "remove-event", extra: event })}
      />
    </>
  );
}

function fileWords(names: string[]): string {
  const shown = names.map((name) => visible(name, 60));
  return shown.join(", ").slice(0, 200);
}
