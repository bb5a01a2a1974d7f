import { type ReactNode, useCallback, useId, useMemo, useState } from "react";
import type { Find } from "../../model/query/find.ts";
import { chooseIdKind } from "../../model/query/find.ts";
import type { Undoable, UndoableAction } from "../../model/query/undo.ts";
import { chooseMeasure, measured } from "../../model/recording/measure.ts";
import { kindsWith, otherEvents } from "../../model/recording/other-events.ts";
import { chooseProfile, profileTabs } from "../../model/recording/profile-tabs.ts";
import { visible } from "../../model/words/text.ts";
import type { Failure, InputFile, Overview } from "../../worker/api.ts";
import { viewer } from "../../worker/client.ts";
import { AboutRecording } from "../about/AboutRecording.tsx";
import { AnalysisPanel } from "../analysis/AnalysisPanel.tsx";
import { Boundary } from "../boundary/Boundary.tsx";
import { Chips } from "../chips/Chips.tsx";
import { MeasureChoice } from "../chips/MeasureChoice.tsx";
import { Drawer } from "../explorer/Drawer.tsx";
import { Explorer } from "../explorer/Explorer.tsx";
import { Diagnostics, FailureMessage } from "../messages/Messages.tsx";
import { OtlpReports } from "../messages/OtlpReports.tsx";
import { SlowNotice } from "../messages/SlowNotice.tsx";
import type { FileReport } from "../messages/use-otlp-reports.ts";
import { namedApart } from "../open/inputs.ts";
import { Help } from "../shortcuts/Help.tsx";
import { Export } from "../topbar/Export.tsx";
import { IdBox } from "../topbar/IdBox.tsx";
import { OtherEvents } from "../topbar/OtherEvents.tsx";
import { ProfileTabs } from "../topbar/ProfileTabs.tsx";
import { Share } from "../topbar/Share.tsx";
import { TopBar } from "../topbar/TopBar.tsx";
import css from "./App.module.css";
import { NothingKnown } from "./NothingKnown.tsx";
import { PrintHead } from "./PrintHead.tsx";

interface Props {
  names: string[];
  overview: Overview;
  /** On those of the files that are OTLP profiles. */
  reports: FileReport[];
  undoable: Undoable;
  act: (action: UndoableAction) => void;
  dark: boolean;
  bar: Omit<Parameters<typeof TopBar>[0], "about" | "profiles" | "children">;
  /** About files that were to take the place of this recording. */
  refused: ReactNode;
  /** The decoder is gone, and the recording with it. */
  onFatal: (failure: Failure) => void;
  /** Ends what the decoder does, and reads the files again. */
  onStop: () => void;
}

/** A recording that was read, wholly or in part. */
export function RecordingView(props: Props) {
  const { names, overview, reports, undoable, act, dark, bar, refused, onFatal, onStop } = props;
  const panel = useId();
  const [failure, setFailure] = useState<Failure | null>(null);
  const { query } = undoable;
  const { extra } = query;
  const tabs = useMemo(() => profileTabs(kindsWith(extra), overview.profiles, overview.settings), [extra, overview]);
  const others = useMemo(() => otherEvents(overview.eventKinds), [overview]);
  const chosen = chooseProfile(tabs, query.type);
  const measure = chosen === null ? 0 : chooseMeasure(chosen, query.measure);
  const profile = useMemo(() => (chosen === null ? null : measured(chosen, measure)), [chosen, measure]);

  const onFailure = useCallback(
    (error: Failure) => (error.lost === true ? onFatal(error) : setFailure(error)),
    [onFatal],
  );
  const user = useCallback(
    (action: UndoableAction) => {
      setFailure(null);
      act(action);
    },
    [act],
  );

  const onCompareWith = (added: InputFile[]) => {
    const all = namedApart([...bar.files, ...added]);
    const [first, other] = [all[0], all[bar.files.length]];
    if (first === undefined || other === undefined) return;
    const file = query.filter.file ?? first.name;
    bar.onChange(all, () => user({ kind: "baseline", baseline: `file:${other.name}`, file }));
  };

  const onFind = async (find: Exclude<Find, { kind: "error" }>) => {
    if (find.kind === "chip") return user({ kind: "add", chip: find.chip });
    const { id } = find;
    const answers = await Promise.all(
      overview.profiles.map((each) => viewer.totals({ profile: each.id, measure: 0, filter: { localRoot: id } })),
    );
    const kind = chooseIdKind(
      id,
      answers.flatMap((answer) => (answer.ok ? [answer.value] : [])),
    );
    user({ kind: "only-id", chip: { kind, id } });
  };

  return (
    <>
      <TopBar
        {...bar}
        onOnly={(name) => user({ kind: "add", chip: { kind: "file", name } })}
        about={<AboutRecording overview={overview} reports={reports} onFailure={onFailure} />}
        profiles={
          <>
            <ProfileTabs
              tabs={tabs}
              selected={profile?.type ?? ""}
              onSelect={(type) => user({ kind: "type", type })}
              controls={panel}
            />
            <OtherEvents
              kinds={others}
              extra={extra}
              onAdd={(event) => user({ kind: "add-event", extra: event })}
              onRemove={(event) => user({ kind: "remove-event", extra: event })}
            />
          </>
        }
      >
        {profile !== null && <IdBox onFind={(find) => void onFind(find)} />}
        {profile !== null && (
          <Export names={names} overview={overview} profile={profile} query={query} onFailure={onFailure} />
        )}
        {profile !== null && <Share names={names} />}
        <Help onFailure={onFailure} />
      </TopBar>
      {refused}
      {failure !== null && <FailureMessage failure={failure} />}
      <SlowNotice onStop={onStop} />
      <Diagnostics diagnostics={overview.diagnostics} cancelled={overview.cancelled} />
      <OtlpReports reports={reports} />
      {profile === null ? (
        <NothingKnown id={panel} overview={overview} />
      ) : (
        <>
          <PrintHead names={names} profile={profile} search={query.search} />
          <Chips undoable={undoable} start={overview.time?.from ?? 0n} act={user}>
            <MeasureChoice profile={profile} onMeasure={(name) => user({ kind: "measure", measure: name })} />
          </Chips>
          <main
            className={css.body}
            tabIndex={-1}
            aria-label={names
              .map((name) => visible(name, 60))
              .join(", ")
              .slice(0, 200)}
          >
            <Drawer label="Roots, spans and values">
              <Boundary what="The list" resetOn={query} onReset={() => act({ kind: "defaults" })}>
                <Explorer
                  profile={profile}
                  attributeKeys={overview.attributeKeys}
                  start={overview.time?.from ?? 0n}
                  query={query}
                  act={user}
                  onFailure={onFailure}
                />
              </Boundary>
            </Drawer>
            <AnalysisPanel
              id={panel}
              tabs={tabs}
              profile={profile}
              files={names}
              time={overview.time}
              query={query}
              act={user}
              dark={dark}
              onCompareWith={onCompareWith}
              onFailure={onFailure}
            />
          </main>
        </>
      )}
    </>
  );
}
