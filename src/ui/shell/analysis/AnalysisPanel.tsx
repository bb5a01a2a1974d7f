import { memo, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { TimeRow } from "../../../core/answers/time-rows.ts";
import type { SelectionTotals } from "../../../core/types.ts";
import { FORMS, filterOf, isFlameForm, type QueryState, type ViewName } from "../../../model/query/query.ts";
import type { Measured } from "../../../model/words/measure.ts";
import type { InputFile, Query, Result } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { useForesight } from "../../parts/answers/ahead.ts";
import { useNamed } from "../../parts/answers/symbol-store.ts";
import { type Answered, samplesOf, useAnswer, useSame, useSamples } from "../../parts/answers/use-answer.ts";
import { framesQuestion } from "../../parts/answers/use-frames.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { sandwichQuestion, whyQuestion } from "../../parts/answers/view-questions.ts";
import { knownWidth, useWidth } from "../../parts/drawing/use-width.ts";
import { CallTimelinePane, TimelinePane } from "../../parts/timeline/TimelinePane.tsx";
import { TIME_FIELDS, type TimeQuery } from "../../parts/timeline/time-query.ts";
import { NoSamples } from "../../parts/view/NoSamples.tsx";
import { NoWeight } from "../../parts/view/NothingDrawn.tsx";
import { ProfileNote } from "../../parts/view/ProfileNote.tsx";
import { StatusLine } from "../../parts/view/StatusLine.tsx";
import { FootSlot, SideSlot, ToolSlot } from "../../parts/view/ViewTools.tsx";
import { Boundary } from "../../primitives/boundary/Boundary.tsx";
import { useKeys } from "../../primitives/keys/use-keys.ts";
import { prefetchLikely, useLazy } from "../../primitives/lazy/lazy.ts";
import { Tabs } from "../../primitives/tabs/Tabs.tsx";
import { type Parts, shownView, unmetNeed, type View, viewOf, viewsOf } from "../../views/views.ts";
import css from "./AnalysisPanel.module.css";
import { usePart } from "./use-part.ts";

interface Props extends Pick<ViewProps, "profile" | "query" | "act" | "tabs" | "files" | "calls" | "traces"> {
  id: string;
  /** Samples of a selection whose context is inferred. */
  inferredOf: (totals: SelectionTotals) => number;
  /** The time of each file; empty where no sample has a time. */
  rows: TimeRow[];
  /** Puts more files on the page, the first of them to compare the selection with. */
  onCompareWith: (files: InputFile[]) => void;
  /** Below the timeline, so that the timeline stays under the pointer that selects a range. */
  children: ReactNode;
}

const NOTHING: SelectionTotals = { samples: 0, value: 0n };
const CHIPPED = ["filter", "shape"] as const;

interface Question {
  samples: Query;
  profile: Measured;
  /** The totals of the profile are known from the overview. */
  isKnown: boolean;
}

/** The overview has the totals of whole profiles: the first graph of a recording does not wait for the worker's. */
function knownTotals({ samples, profile, isKnown }: Question): SelectionTotals | null {
  const isWhole = isKnown && Object.keys(samples.filter).length === 0 && samples.shape === undefined;
  return isWhole ? { samples: profile.samples, value: profile.value } : null;
}

async function totalsOf(question: Question): Promise<Result<SelectionTotals>> {
  const known = knownTotals(question);
  return known === null ? viewer.totals(question.samples) : { ok: true, value: known };
}

/** Until the first answer those that are known, then the newest answer. */
function useTotals(question: Question): Answered<Question, SelectionTotals> | null {
  const answered = useAnswer(question, totalsOf);
  return useMemo(() => {
    const answer = answered === null ? knownTotals(question) : null;
    return answer === null ? answered : { question, answer };
  }, [answered, question]);
}

/** The selection: its timeline, its totals, and one of the views of it. */
export function AnalysisPanel(props: Props) {
  const { id, children, ...page } = props;
  const { tabs, profile, rows, calls, query, act } = page;
  const [slot, setSlot] = useState<HTMLDivElement | null>(null);
  const [foot, setFoot] = useState<HTMLDivElement | null>(null);
  const [side, setSide] = useState<HTMLDivElement | null>(null);
  const [legend, setLegend] = useState<Element | null>(null);
  const ruler = useRef<HTMLDivElement>(null);
  const width = useWidth(ruler, "view");
  const samples = useSamples(profile, filterOf(query), query);
  const isKnown = calls === null;
  const question = useSame({ samples, profile, isKnown });
  const totals = useTotals(question);
  const present = useMemo(
    () => tabs.flatMap((tab) => (tab.profile === null ? [] : [{ profile: tab.profile, label: tab.label }])),
    [tabs],
  );
  const onReset = useCallback(() => act({ kind: "defaults" }), [act]);
  useEffect(prefetchLikely, []);
  const parts = useParts(props);
  useFirstQuestion({ query, profile, parts, width });
  const view = shownView(query.view, parts);
  useSentenceAhead(samples, query.look.own, isKnown && profile.samples >= MANY && view.id !== "overview");
  const unmet = totals === null ? null : unmetNeed(view, totals.answer);
  const isShown = totals !== null || view.needs.length === 0;
  useViewKeys(view.id, parts, act);
  const time = usePart(query, TIME_FIELDS);
  const label = (type: string) => tabs.find((tab) => tab.type === type)?.label ?? type;

  return (
    <section id={id} className={css.panel} role="tabpanel" aria-label={label(profile.type)}>
      <Head view={view.id} parts={parts} act={act} controls={`${id}-view`} slot={setSlot} />
      <Boundary what="The timeline" resetOn={query} onReset={onReset}>
        <Timelines {...{ profile, rows, calls, act, legend }} query={time} />
      </Boundary>
      {children}
      <div id={`${id}-view`} tabIndex={-1} className={css.view} role="tabpanel" aria-label={view.title}>
        <div className={css.shown}>
          {/* As wide as the graph will be, whatever is shown meanwhile. */}
          <div ref={ruler} className={css.ruler} />
          {totals !== null && unmet === "samples" && (
            <NoSamples
              profile={totals.question.profile}
              profiles={present}
              filter={totals.question.samples.filter}
              label={label(totals.question.profile.type)}
              onType={(type) => act({ kind: "type", type })}
              onTrace={(trace, chip) => act({ kind: "only-id", chip, trace, view: "trace" })}
              onClear={() => act({ kind: "clear" })}
            />
          )}
          {totals !== null && unmet === "weight" && (
            <NoWeight samples={totals.answer.samples} profile={totals.question.profile} act={act} />
          )}
          {isShown && unmet === null && (
            <Boundary what={`The view “${view.title}”`} resetOn={query} onReset={onReset}>
              <Shown
                {...page}
                {...{ slot, foot, side, view, samples, width }}
                zeros={rows}
                totals={totals?.answer ?? NOTHING}
              />
            </Boundary>
          )}
        </div>
        <div ref={setSide} className={css.side} />
      </div>
      <div className={css.foot} data-of-calls={profile.exact}>
        <div ref={setFoot} className={css.ofView} />
        {totals !== null && <Status {...totals} isKnown={isKnown} inferredOf={props.inferredOf} />}
        <Note {...{ profile, tabs, query, act }} label={label(profile.type)} marks={setLegend} />
      </div>
    </section>
  );
}

/** A view's own key opens it; T goes from the merged stacks to the order of time and back. */
function useViewKeys(view: ViewName, parts: Parts, act: Props["act"]): void {
  const onKey = useCallback(
    ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      const isBetween = key.toLowerCase() === "t" && (view === "chart" || (isFlameForm(view) && parts.times));
      const other = view === "chart" ? "flame" : "chart";
      const next = isBetween ? other : viewsOf(parts).find((each) => each.key === key)?.id;
      if (next === undefined || ctrlKey || metaKey || altKey) return false;
      act({ kind: "view", view: next });
      return true;
    },
    [view, parts, act],
  );
  useKeys(onKey);
}

/** Parts of the recording: the same object as long as it has the same. */
export function useParts({ tabs, rows, calls, traces }: Pick<Props, "tabs" | "rows" | "calls" | "traces">): Parts {
  const [hasCalls, hasTraces, times] = [calls !== null, traces !== null, rows.length > 0];
  const present = tabs.flatMap(({ profile }) => profile ?? []);
  const roots = present.some(({ samplesWithRoot }) => samplesWithRoot > 0);
  const spansAlone = present.length > 0 && present.every(({ exact }) => exact === "spans");
  return useSame({ calls: hasCalls, traces: hasTraces, times, roots, spansAlone });
}

interface StatusProps extends Answered<Question, SelectionTotals>, Pick<Props, "inferredOf"> {
  isKnown: boolean;
}

function Status({ question: { profile }, answer, isKnown, inferredOf }: StatusProps) {
  return <StatusLine profile={profile} totals={answer} ofCalls={!isKnown} inferred={inferredOf(answer)} />;
}

interface TimelinesProps extends Pick<Props, "profile" | "rows" | "calls" | "act"> {
  query: TimeQuery;
  legend: Element | null;
}

/** The timeline of samples, or where none has a time that of calls. */
function Timelines({ profile, rows, calls, ...props }: TimelinesProps) {
  if (rows.length > 0) return <TimelinePane {...props} profile={profile} rows={rows} />;
  return calls !== null && calls.count > 0 && <CallTimelinePane {...props} calls={calls} />;
}

interface NoteProps extends Pick<Props, "profile" | "tabs" | "query" | "act"> {
  label: string;
  marks: (place: Element | null) => void;
}

function Note({ query, tabs, ...props }: NoteProps) {
  const chipped = usePart(query, CHIPPED);
  const about = tabs.find(({ type }) => type === props.profile.type)?.about ?? "";
  return <ProfileNote {...props} about={about} query={chipped} />;
}

interface HeadProps extends Pick<Props, "act"> {
  view: QueryState["view"];
  parts: Parts;
  controls: string;
  /** Takes the place of the view's tools. */
  slot: (element: HTMLDivElement | null) => void;
}

const Head = memo(function Head({ view, parts, act, controls, slot }: HeadProps) {
  const shared = { view, controls, onView: (chosen: ViewName) => act({ kind: "view", view: chosen }) };
  const isForm = isFlameForm(view);
  return (
    <div className={css.heads}>
      <div className={css.head}>
        <ViewTabs {...shared} parts={parts} />
        <div
          className={css.tools}
          data-forms={isForm || undefined}
          data-wide={view === "diff" || view === "calls" || undefined}
        >
          {isForm && <FormTabs {...shared} />}
          <div ref={slot} className={css.slot} />
        </div>
      </div>
    </div>
  );
});

type Place = "slot" | "foot" | "side";

/** A view, and its tools in their place beside the tabs. */
function Shown({ view, slot, foot, side, ...props }: ViewProps & { view: View } & Record<Place, Element | null>) {
  const Loaded = useLazy(view.load);
  return (
    <ToolSlot value={slot}>
      <FootSlot value={foot}>
        <SideSlot value={side}>{Loaded !== null && <Loaded {...props} />}</SideSlot>
      </FootSlot>
    </ToolSlot>
  );
}

interface ViewTabsProps {
  view: ViewName;
  parts: Parts;
  onView: (view: ViewName) => void;
  controls: string;
}

/** The views of one selection; the forms of the flame graph are under one tab. */
export function ViewTabs({ view, parts, onView, controls }: ViewTabsProps) {
  const rows = useMemo(
    () =>
      viewsOf(parts)
        .filter(({ id }) => id === FORMS[0] || !isFlameForm(id))
        .map(({ id, label, about, key }) => ({ id, label, tip: about, keys: key, testId: `view-${id}` })),
    [parts],
  );
  return (
    <Tabs
      label="Views"
      look="underlined"
      tabs={rows}
      selected={isFlameForm(view) ? FORMS[0] : view}
      onSelect={(id) => onView(id as ViewName)}
      controls={controls}
    />
  );
}

const FORM_TABS = FORMS.map((id) => {
  const { form = "", about } = viewOf(id);
  return { id, label: form, tip: about, testId: id === FORMS[0] ? "view-graph" : `view-${id}` };
});

/** The forms of the flame graph, beside the tools of the one that is shown. */
function FormTabs({ view, onView, controls }: Omit<ViewTabsProps, "parts">) {
  return (
    <Tabs
      label="Forms of the flame graph"
      look="segmented"
      tabs={FORM_TABS}
      selected={view}
      onSelect={(id) => onView(id as ViewName)}
      controls={controls}
    />
  );
}

/** What the page asks first in a state, for ahead.ts: the question of its view about the selected samples. */
interface Panel extends Pick<ViewProps, "profile" | "query"> {
  parts: Parts;
  width: number;
}

/** Fields of the state that decide about the profile, which is known for the state on the page only. */
const OF_PROFILE = ["type", "measure", "extra", "inferred"] as const;

function useFirstQuestion({ query, profile, parts, width }: Panel): void {
  const named = useNamed();
  useForesight((next) => {
    if (parts.calls || OF_PROFILE.some((field) => next[field] !== query[field])) return null;
    const samples = samplesOf(profile, filterOf(next), next, named);
    const { id } = shownView(next.view, parts);
    if (id === "overview") return whyQuestion(samples);
    const half = knownWidth("sandwich");
    if (id === "sandwich" && half > 0) return sandwichQuestion(viewer, samples, next.function, half);
    return id === "flame" && width > 0 ? framesQuestion(viewer, samples, next, width) : null;
  });
}

/** Samples from which the sentence of Overview takes so long that it is counted ahead. */
const MANY = 300_000;
/** Nothing else was selected for so long, in ms. */
const STILL_MS = 1000;

/** The worker counts the sentence about a selection that the user views otherwise, and keeps it. */
function useSentenceAhead(samples: Query, own: string, isAhead: boolean): void {
  useEffect(() => {
    if (!isAhead) return;
    const timer = setTimeout(() => void viewer.sentence(samples, own), STILL_MS);
    return () => clearTimeout(timer);
  }, [samples, own, isAhead]);
}
