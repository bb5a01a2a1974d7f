import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Filter, ProfileSummary, SelectionTotals } from "../core/types.ts";
import { chipsOf } from "../model/query/chips.ts";
import { filterOf } from "../model/query/query.ts";
import { hasLevel } from "../model/query/root-by.ts";
import type { Undoable, UndoableAction } from "../model/query/undo.ts";
import { kindsWith } from "../model/recording/other-events.ts";
import { chooseProfile, profileTabs } from "../model/recording/profile-tabs.ts";
import { chooseMeasure, type Measured, measured } from "../model/words/measure.ts";
import { type Around, Surroundings, useSurroundings } from "../ui/parts/answers/surroundings.ts";
import { useAnswer, useSamples } from "../ui/parts/answers/use-answer.ts";
import type { ViewProps } from "../ui/parts/answers/view-props.ts";
import { Chips } from "../ui/parts/chips/Chips.tsx";
import { useWidth } from "../ui/parts/drawing/use-width.ts";
import { StatusLine } from "../ui/parts/view/StatusLine.tsx";
import { SideSlot, ToolSlot } from "../ui/parts/view/ViewTools.tsx";
import { Choice } from "../ui/primitives/choice/Choice.tsx";
import { Lazy, useLazy } from "../ui/primitives/lazy/lazy.ts";
import { OnFailure } from "../ui/primitives/lazy/on-failure.ts";
import { Diagnostics } from "../ui/shell/messages/Messages.tsx";
import { FlameView } from "../ui/views/flame/FlameView.tsx";
import type { Failure, GraphOverview, Graphs } from "../worker/api.ts";
import { Failed } from "./Failed.tsx";
import { isSuperseded, profilesOf, viewerOf } from "./recording.ts";
import type { Announce, ErrorDetail, ViewerOptions, ViewerRecording } from "./types.ts";
import { useViewerQuery } from "./use-viewer-query.ts";
import css from "./Viewer.module.css";

interface Props {
  recording: ViewerRecording;
  graphs: Graphs;
  overview: GraphOverview;
  /** The conditions of the options; the user may add others. */
  filter: Filter;
  options: ViewerOptions;
  keys: { current: HTMLElement | null };
  announce: Announce;
}

/** A recording that is open: its selection, in one of the views. */
export function View({ recording, graphs, overview, filter, options, keys, announce }: Props) {
  const [undo, act] = useViewerQuery(filter, options);
  const events = useFrameEvents(announce);
  const around = useMemo(
    (): Around => ({
      viewer: viewerOf(graphs),
      keys: keys.current ?? window,
      source: null,
      isPage: false,
      settings: null,
      popover: null,
      ...events,
    }),
    [graphs, keys, events],
  );
  const { profile, missing } = useProfile(overview, undo.query.type, undo.query.measure);
  const { failure, onFailure } = useLastFailure(undo.query, announce);
  useEffect(() => {
    if (missing !== null) announce("error", missing);
  }, [missing, announce]);
  if (missing !== null || profile === null) return missing && <Failed error={missing} />;
  return (
    <Surroundings value={around}>
      <Diagnostics diagnostics={overview.diagnostics} files={overview.files} cancelled={false} />
      {failure !== null && <Failed error={failure} />}
      <Filters undo={undo} overview={overview} act={act} />
      <OnFailure value={onFailure}>
        <Selected {...{ recording, overview, profile, act, announce }} query={undo.query} />
      </OnFailure>
    </Surroundings>
  );
}

interface FiltersProps {
  undo: Undoable;
  overview: GraphOverview;
  act: (action: UndoableAction) => void;
}

/** The filters of options and user; absent where there was never one. */
function Filters({ undo: { query, past, future }, overview, act }: FiltersProps) {
  if (chipsOf(query).length + past.length + future.length === 0) return null;
  const steps = { past: past.length, future: future.length };
  return (
    <div className={css.filters} part="filters">
      <Chips {...steps} query={query} zeros={overview.rows} act={act} none="No filter." />
    </div>
  );
}

const FLAME = Lazy.ready(FlameView);
const SANDWICH = new Lazy(() => import("../ui/views/sandwich/SandwichView.tsx").then((module) => module.SandwichView));

const VIEWS: { value: "flame" | "sandwich"; label: string; title: string }[] = [
  { value: "flame", label: "Flame", title: "All stacks, merged from the root down" },
  { value: "sandwich", label: "Sandwich", title: "Callers and callees of one function" },
];

function emptyWords({ attributes = [] }: Filter, profile: ProfileSummary): string {
  const unknown = attributes.find(({ key, exclude }) => exclude !== true && !hasLevel({ keys: [key] }, profile));
  const why = unknown === undefined ? "" : `: none has the attribute ${JSON.stringify(unknown.key)}`;
  return `No sample passes the filter${why}.`;
}

interface SelectedProps extends Pick<ViewProps, "profile" | "query">, Pick<Props, "recording"> {
  overview: GraphOverview;
  act: (action: UndoableAction) => void;
  announce: Announce;
}

/** The selected samples: tools, graph, totals. */
function Selected({ recording, overview, profile, query, act, announce }: SelectedProps) {
  const { viewer } = useSurroundings();
  const [slot, setSlot] = useState<HTMLDivElement | null>(null);
  const [side, setSide] = useState<HTMLDivElement | null>(null);
  const ruler = useRef<HTMLDivElement>(null);
  const width = useWidth(ruler);
  const samples = useSamples(profile, filterOf(query), query);
  const question = useMemo(() => ({ samples, profile }), [samples, profile]);
  const totals = useAnswer(question, (asked) => viewer.totals(asked.samples));
  useReady(recording, overview, totals?.question.profile ?? null, totals?.answer ?? null, announce);
  const Shown = useLazy(query.view === "sandwich" ? SANDWICH : FLAME);
  return (
    <>
      <div className={css.head} part="toolbar">
        <Choice
          legend="View"
          options={VIEWS}
          value={query.view === "sandwich" ? "sandwich" : "flame"}
          onChange={(view) => act({ kind: "view", view })}
          testId="view"
        />
        <div ref={setSlot} className={css.slot} />
      </div>
      <div className={css.view}>
        <div className={css.shown}>
          <div ref={ruler} className={css.ruler} />
          {totals !== null && totals.answer.value === 0n && (
            <p className={css.message} role="status" data-testid="no-samples">
              {totals.answer.samples === 0 ? emptyWords(filterOf(query), profile) : "The samples add up to 0."}
            </p>
          )}
          {totals !== null && totals.answer.value !== 0n && Shown !== null && (
            <ToolSlot value={slot}>
              <SideSlot value={side}>
                <Shown
                  {...{ profile, samples, query, act, width }}
                  tabs={NO_TABS}
                  files={NO_FILES}
                  zeros={overview.rows}
                  totals={totals.answer}
                  calls={null}
                  traces={null}
                  onCompareWith={nothing}
                />
              </SideSlot>
            </ToolSlot>
          )}
        </div>
        <div ref={setSide} className={css.side} />
      </div>
      <div className={css.foot} part="status">
        {totals !== null && <StatusLine profile={totals.question.profile} totals={totals.answer} />}
      </div>
    </>
  );
}

/** Props of the page's views that no view here has. */
const NO_TABS: ViewProps["tabs"] = [];
const NO_FILES: string[] = [];
const nothing = () => {};

/** The profile of the wanted type by the wanted measure; `missing` if there is no such profile. */
function useProfile(overview: GraphOverview, type: string, measure: string) {
  return useMemo(() => {
    const tabs = profileTabs(kindsWith([]), overview.profiles, overview.settings);
    const chosen = chooseProfile(tabs, type);
    const profile = chosen && measured(chosen, chooseMeasure(chosen, measure));
    const types = tabs.flatMap((tab) => (tab.profile === null ? [] : [tab.type]));
    const measures = chosen?.measures.map(({ name }) => name) ?? [];
    const missing =
      absent("type", "The data contains no profile of the type", type, types) ??
      absent("measure", "The profile has no measure", measure, measures);
    return { profile, missing };
  }, [overview, type, measure]);
}

function absent(option: string, words: string, name: string, known: string[]): ErrorDetail | null {
  if (name === "" || known.includes(name)) return null;
  return { code: `option.${option}`, message: `${words} ${JSON.stringify(name)}, but ${known.join(", ")}.` };
}

/** The last question about these samples that failed; a later failure takes its place. */
function useLastFailure(query: Undoable["query"], announce: Announce) {
  const [failed, setFailed] = useState<{ of: Undoable["query"]; failure: Failure } | null>(null);
  const asked = useRef(query);
  asked.current = query;
  const onFailure = useCallback(
    (failure: Failure) => {
      if (isSuperseded(failure)) return;
      setFailed({ of: asked.current, failure });
      announce("error", { code: failure.code, message: failure.message });
    },
    [announce],
  );
  return { failure: failed?.of === query ? failed.failure : null, onFailure };
}

/** The event `ready`, of each profile that is shown. */
function useReady(
  recording: ViewerRecording,
  overview: GraphOverview,
  profile: Measured | null,
  totals: SelectionTotals | null,
  announce: Announce,
): void {
  const told = useRef<Measured | null>(null);
  useEffect(() => {
    if (profile === null || totals === null || told.current === profile) return;
    told.current = profile;
    announce("ready", {
      recording,
      profiles: profilesOf(overview),
      type: profile.type,
      unit: profile.unit,
      samples: totals.samples,
      value: totals.value,
    });
  }, [recording, overview, profile, totals, announce]);
}

/** The events `select` and `zoom` of the user's actions in an element's graphs. */
function useFrameEvents(announce: Announce): Required<Pick<Around, "onFrame" | "onZoomed">> {
  const last = useRef("");
  return useMemo(
    () => ({
      onFrame: ({ name, path, total: value, self, whole: total, unit, upward }) => {
        const direction = upward ? "callers" : "callees";
        // A frame that is selected and then zoomed to is one selection. A marker has the path of the frame above it.
        const key = JSON.stringify([name, path, direction]);
        if (key === last.current) return;
        last.current = key;
        announce("select", { name, path, value, self, total, unit, direction });
      },
      onZoomed: (path, upward) => announce("zoom", { path, direction: upward ? "callers" : "callees" }),
    }),
    [announce],
  );
}
