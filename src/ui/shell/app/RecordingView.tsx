import { Download, Keyboard, Table2 } from "lucide-react";
import { memo, useCallback, useEffect, useId, useMemo } from "react";
import type { ExtraEvent, Filter } from "../../../core/types.ts";
import { callTabs } from "../../../model/calls/profile-words.ts";
import { forgetRoots } from "../../../model/flame/package-roots.ts";
import type { Find } from "../../../model/query/find.ts";
import type { QueryState } from "../../../model/query/query.ts";
import { oneId } from "../../../model/query/scope.ts";
import { statedChip } from "../../../model/query/stated-chip.ts";
import type { UndoableAction } from "../../../model/query/undo.ts";
import { wholeContention } from "../../../model/recording/contention.ts";
import { kindsWith, otherEvents } from "../../../model/recording/other-events.ts";
import { chooseProfile, profileTabs } from "../../../model/recording/profile-tabs.ts";
import { shownNames } from "../../../model/recording/shown-names.ts";
import { showsTrace } from "../../../model/trace/shows-trace.ts";
import { formatCount, formatCounted } from "../../../model/words/format.ts";
import { chooseMeasure, type Measured, measured } from "../../../model/words/measure.ts";
import { visible } from "../../../model/words/text.ts";
import type { CallsOverview, InputFile, Overview } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { Named } from "../../parts/answers/symbol-store.ts";
import { Grown, useAnswer, useSamples } from "../../parts/answers/use-answer.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { Chips, MeasureChoice } from "../../parts/chips/Chips.tsx";
import { InferredContext } from "../../parts/chips/InferredContext.tsx";
import { runCommand, useCommand } from "../../parts/commands/commands.ts";
import { Explorer } from "../../parts/explorer/Explorer.tsx";
import { LIST_FIELDS } from "../../parts/explorer/use-rank.ts";
import type { ExportDialogProps } from "../../parts/export/ExportDialog.tsx";
import { AddFiles } from "../../parts/files/add-files.ts";
import { currentOutline, inferredIn, type Outlined, useOutline } from "../../parts/selection/use-outline.ts";
import { useRecordingSymbols } from "../../parts/symbols/use-recording-symbols.ts";
import { Boundary } from "../../primitives/boundary/Boundary.tsx";
import { useLazyDialog } from "../../primitives/dialog/use-lazy-dialog.ts";
import { Button, Icon, IconButton } from "../../primitives/icon/Icon.tsx";
import { useKeys } from "../../primitives/keys/use-keys.ts";
import { Lazy, likelySoon, useLazy } from "../../primitives/lazy/lazy.ts";
import { OnFailure } from "../../primitives/lazy/on-failure.ts";
import { ListToggle, Panes } from "../../primitives/panes/Panes.tsx";
import { useListPane } from "../../primitives/panes/use-list-pane.ts";
import { useDark } from "../../primitives/theme/dark.ts";
import { AboutRecording } from "../about/AboutRecording.tsx";
import { AnalysisPanel, useParts } from "../analysis/AnalysisPanel.tsx";
import { usePart } from "../analysis/use-part.ts";
import type { Collected } from "../collection/use-collection.ts";
import { FindBox } from "../find/FindBox.tsx";
import type { Take } from "../open/use-drop.ts";
import { OtherEvents } from "../topbar/OtherEvents.tsx";
import { ProfileTabs } from "../topbar/ProfileTabs.tsx";
import { Share } from "../topbar/Share.tsx";
import { TopBar } from "../topbar/TopBar.tsx";
import css from "./App.module.css";
import { NothingKnown } from "./NothingKnown.tsx";
import { PageSurroundings } from "./PageSurroundings.tsx";
import { useTitle } from "./PrintHead.tsx";
import { type PanelProps, panelsAt } from "./panels.tsx";
import { useRecordingActions } from "./use-recording-actions.ts";

interface Props extends Pick<PanelProps, "names" | "overview" | "reports" | "undoable" | "onStop"> {
  act: (action: UndoableAction) => void;
  bar: Omit<Parameters<typeof TopBar>[0], "about" | "search" | "children">;
  /** The collection that the files belong to. */
  collected: Collected | null;
  /** Shows a table of the open files. */
  onTable: () => void;
  /** Other files are opened. */
  onTake: Take;
}

const NO_FILTER_OF_CALLS = "No filter: all calls are selected.";
const FILE_STEPS = new Lazy(() => import("../collection/FileSteps.tsx").then(({ FileSteps }) => FileSteps));
const SELECTING = ["filter", "shape", "look"] as const;

/** A recording that was read, wholly or in part. It is not rendered for the progress of other files. */
export const RecordingView = memo(function RecordingView(props: Props) {
  const shown = useProfile(props.overview, props.undoable.query);
  const { onFailure, ...actions } = useRecordingActions({ ...props, profile: shown.profile });
  const { onTake } = props;
  const onAdd = useCallback((files: InputFile[]) => onTake(files, "add"), [onTake]);
  return (
    <OnFailure value={onFailure}>
      <AddFiles value={onAdd}>
        <Grown value={props.overview}>
          <Page {...props} {...shown} {...actions} />
        </Grown>
      </AddFiles>
    </OnFailure>
  );
});

interface PageProps extends Props, Omit<PanelProps, "selecting" | "outlined"> {
  onFind: (find: Find) => void;
}

function Page(props: PageProps) {
  const { names, overview, undoable, act, bar, onTake, tabs, profile, user } = props;
  const onCompareWith = useCallback((files: InputFile[]) => onTake(files, "compare"), [onTake]);
  const panel = useId();
  const { query } = undoable;
  const outlined = useOutline(query);
  useTitle(query, outlined, names);
  // Hues belong to the packages of one recording.
  useEffect(() => forgetRoots, []);
  const isAway = query.view === "overview" || isWaterfall(overview, query);
  const pane = useListPane(query.filter, isAway);
  const selecting = usePart(query, SELECTING);
  const named = useRecordingSymbols({ overview, query, profile, act: user });
  const page = { ...props, selecting, outlined };
  return (
    <Named value={named}>
      {profile !== null && (
        <Button
          className={css.skip}
          testId="skip"
          onClick={() => document.getElementById(`${panel}-view`)?.focus({ preventScroll: true })}
        >
          Skip to the view
        </Button>
      )}
      <Top {...props} query={query} outlined={outlined} />
      {panelsAt("notices", page)}
      <div className={css.bar}>
        <section className={css.profiles} aria-label="Profiles">
          {profile !== null && <ListToggle {...pane} />}
          <Profiles {...{ overview, tabs, profile, outlined, query, panel }} act={user} />
        </section>
        {profile !== null && <Filters {...{ undoable, overview, tabs, profile, outlined, selecting, user }} />}
      </div>
      {profile === null ? (
        <NothingKnown id={panel} overview={overview} onFiles={bar.onFiles} />
      ) : (
        <main className={css.body} tabIndex={-1} aria-label={fileWords(names)}>
          <PageSurroundings
            hasCalls={overview.calls !== null}
            filter={query.filter}
            selecting={selecting}
            profile={profile}
          >
            <Panes pane={pane} list={<List {...{ profile, overview, query, outlined, act, user }} />}>
              <AnalysisPanel
                id={panel}
                inferredOf={(totals) => inferredIn(outlined, profile, totals)}
                {...{ tabs, profile, query, onCompareWith }}
                files={names}
                rows={overview.rows}
                calls={overview.calls}
                traces={overview.traces}
                act={user}
              >
                {panelsAt("selection", page)}
              </AnalysisPanel>
            </Panes>
          </PageSurroundings>
        </main>
      )}
    </Named>
  );
}

/** The spans of a trace need the room of the list. */
function isWaterfall({ traces }: Overview, { view, trace, filter }: QueryState): boolean {
  return view === "trace" && traces !== null && showsTrace(trace, filter, traces.traces);
}

/** The top bar of a page with a recording. */
function Top(props: PageProps & Pick<ProfilesProps, "query" | "outlined">) {
  const { names, overview, reports, profile, tabs, query, outlined, bar, collected, onTable, user, onFind } = props;
  const dark = useDark();
  const parts = useParts({ ...overview, tabs });
  const onOnly = useCallback((name: string) => user({ kind: "add", chip: { kind: "file", name } }), [user]);
  const label = tabs.find(({ type }) => type === profile?.type)?.label ?? "";
  return (
    <TopBar
      {...bar}
      onOnly={onOnly}
      about={
        <>
          {names.length > 1 || collected !== null ? <Steps {...{ collected, onTable }} /> : null}
          <AboutRecording overview={overview} reports={reports} tabs={tabs} />
        </>
      }
      search={
        profile !== null && (
          <FindBox
            {...{ tabs, profile, query, parts, onFind }}
            act={user}
            onTheme={() => bar.onTheme(dark ? "light" : "dark")}
          />
        )
      }
    >
      {profile !== null && <Export {...{ names, overview, profile, query, outlined }} label={label} />}
      {profile !== null && <Share {...{ names, overview, profile, query }} inputs={bar.files} />}
      <Help />
    </TopBar>
  );
}

/** Ways to the other files of a collection, or to the table of the open files. */
function Steps({ collected, onTable }: Pick<Props, "collected" | "onTable">) {
  const Loaded = useLazy(collected === null ? null : FILE_STEPS);
  if (collected === null)
    return <IconButton icon={Table2} label="Table of files" testId="file-table" onClick={onTable} />;
  return Loaded !== null && <Loaded collected={collected} />;
}

type FiltersProps = Pick<ViewProps, "profile"> &
  Pick<PanelProps, "undoable" | "overview" | "tabs" | "outlined" | "selecting" | "user">;

/** `202 of 2,411 wall samples`. */
function passingWords(profile: Measured, label: string, outlined: Outlined | null): string {
  const of = outlined?.outline.split.find(({ profile: id }) => id === profile.id);
  const all = formatCounted(profile.samples, `${visible(label, 40)} sample`);
  return outlined === null ? all : `${formatCount(of?.totals.samples ?? 0)} of ${all}`;
}

/** The filters in force, inferred context, and the measure. */
function Filters({ undoable, overview, tabs, profile, outlined, selecting, user }: FiltersProps) {
  const { past, future, query } = undoable;
  const { inferred } = query;
  const { stated, threadNames } = currentOutline(outlined, query) ?? {};
  const asOne = useMemo(() => statedChip(query.filter, stated), [query.filter, stated]);
  const labels = useMemo(() => new Map(tabs.map(({ type, label }) => [type, label])), [tabs]);
  const measures = useMemo(
    () => (
      <>
        <InferredContext {...{ overview, labels, inferred }} query={selecting} act={user} />
        <MeasureChoice profile={profile} onMeasure={(name) => user({ kind: "measure", measure: name })} />
      </>
    ),
    [overview, labels, inferred, selecting, profile, user],
  );
  return (
    <Chips
      query={selecting}
      asOne={asOne}
      past={past.length}
      future={future.length}
      zeros={overview.rows}
      threads={threadNames}
      act={user}
      onAdd={() => runCommand("find")}
      passing={profile.exact ? "" : passingWords(profile, labels.get(profile.type) ?? profile.type, outlined)}
      {...(overview.calls !== null && { none: NO_FILTER_OF_CALLS })}
    >
      {measures}
    </Chips>
  );
}

type ListProps = Pick<ViewProps, "profile" | "query"> &
  Pick<PageProps, "overview" | "act" | "user"> &
  Pick<PanelProps, "outlined">;

/** What the samples can be narrowed to. */
function List({ profile, overview, query, outlined, act, user }: ListProps) {
  const part = usePart(query, LIST_FIELDS);
  const outline = oneId(query) === null ? null : currentOutline(outlined, query);
  return (
    <Boundary what="The list" resetOn={query} onReset={() => act({ kind: "defaults" })}>
      <Explorer
        profile={profile}
        attributeKeys={overview.attributeKeys}
        zeros={overview.rows}
        query={part}
        endpoint={outline?.endpoint ?? ""}
        act={user}
      />
    </Boundary>
  );
}

/** The profiles, and the selected one by the selected measure; null without a profile. */
function useProfile(overview: Overview, { extra, type, measure: name, filter }: QueryState) {
  const { calls } = overview;
  const tabs = useMemo(() => {
    const all = profileTabs(kindsWith(extra), overview.profiles, overview.settings);
    return calls === null ? all : callTabs(all);
  }, [extra, overview, calls]);
  const chosen = chooseProfile(tabs, type);
  const measure = chosen === null ? 0 : chooseMeasure(chosen, name);
  const whole = useMemo(() => (chosen === null ? null : measured(chosen, measure)), [chosen, measure]);
  return { tabs, profile: useSharedProfile(whole, calls, filter) };
}

interface ProfilesProps
  extends Pick<ViewProps, "query" | "act">,
    Pick<PanelProps, "overview" | "tabs" | "profile" | "outlined"> {
  /** Id of the panel that shows the chosen profile. */
  panel: string;
}

/** A tab for each profile, and the events that can become one. */
function Profiles({ overview, tabs, profile, outlined, query, act, panel }: ProfilesProps) {
  const filtered = useMemo(
    () => outlined && new Map(outlined.outline.split.map(({ profile: id, totals }) => [id, totals.samples])),
    [outlined],
  );
  const onSelect = useCallback((type: string) => act({ kind: "type", type }), [act]);
  const onAdd = useCallback((extra: ExtraEvent) => act({ kind: "add-event", extra }), [act]);
  const onRemove = useCallback((extra: ExtraEvent) => act({ kind: "remove-event", extra }), [act]);
  const others = useMemo(() => otherEvents(overview.eventTypes), [overview]);
  return (
    <>
      <ProfileTabs
        tabs={tabs}
        selected={profile?.type ?? ""}
        filtered={filtered}
        onSelect={onSelect}
        controls={panel}
      />
      <OtherEvents types={others} extra={query.extra} onAdd={onAdd} onRemove={onRemove} />
    </>
  );
}

function fileWords(names: string[]): string {
  const shown = shownNames(names).map((name) => visible(name, 60));
  return shown.join(", ").slice(0, 200);
}

/** The profile of the selected calls, of which the other filters show a part. */
const NO_FILTER: Filter = {};
const ignored = () => {};

/** Shares are those of the selected calls, or of contention. Until its total is known it is that of the profile. */
function useSharedProfile(whole: Measured | null, calls: CallsOverview | null, filter: Filter): Measured | null {
  const selecting = useMemo(() => (calls === null ? NO_FILTER : callsOf(filter)), [calls, filter]);
  const samples = useSamples(whole ?? NONE, selecting);
  const isPart = whole !== null && (calls !== null || wholeContention(whole, filter) !== null);
  const question = isPart ? samples : null;
  // The views ask the same, and show why there is no answer.
  const answered = useAnswer(question, (asked) => viewer.totals(asked), false, ignored);
  return useMemo(() => {
    if (whole === null || answered === null || answered.question !== question) return whole;
    return { ...whole, ...answered.answer };
  }, [whole, answered, question]);
}

function callsOf({ calls, time, file }: Filter): Filter {
  return {
    ...(calls !== undefined && { calls }),
    ...(time !== undefined && { time }),
    ...(file !== undefined && { file }),
  };
}

const NONE = { id: 0, measure: 0 };

const EXPORT = likelySoon(() => import("../../parts/export/ExportDialog.tsx"));

type ExportProps = Omit<ExportDialogProps, "open" | "onClose">;

/** The dialog is kept after its first use, with the user's choices. */
function Export(props: ExportProps) {
  const { loaded, open, show, close } = useLazyDialog(EXPORT);
  useCommand("export", show);
  return (
    <>
      <Button testId="export" tip="Save the selection to a file, or send it" aria-haspopup="dialog" onClick={show}>
        <Icon of={Download} size={14} /> Export…
      </Button>
      {loaded !== null && <loaded.ExportDialog {...props} open={open} onClose={close} />}
    </>
  );
}

const SHORTCUTS = likelySoon(() => import("../shortcuts/ShortcutsDialog.tsx"));

/** Opens the overview of keys: by `?`, or by the button. */
const Help = memo(function Help() {
  const { loaded, open, show, close } = useLazyDialog(SHORTCUTS);
  useCommand("shortcuts", show);
  const onKey = useCallback(
    (event: KeyboardEvent) => {
      const isHelp = event.key === "?" && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (isHelp) show();
      return isHelp;
    },
    [show],
  );
  useKeys(onKey);
  return (
    <>
      <IconButton
        icon={Keyboard}
        label="Keyboard shortcuts"
        tip="Keyboard shortcuts (?)"
        testId="shortcuts"
        aria-haspopup="dialog"
        onClick={show}
      />
      {loaded !== null && <loaded.ShortcutsDialog open={open} onClose={close} />}
    </>
  );
});
