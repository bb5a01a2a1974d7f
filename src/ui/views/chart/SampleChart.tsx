import { useMemo, useState } from "react";
import type { Marks, OrderedSamples } from "../../../core/view-types.ts";
import type { ChartColumns } from "../../../model/chart/columns.ts";
import {
  type ChartSpans,
  type LeftOut,
  type StateColumns,
  sampleColumns,
} from "../../../model/chart/sample-columns.ts";
import { isRun, widthWords } from "../../../model/chart/words.ts";
import { functionAction } from "../../../model/flame/frame-actions.ts";
import { foldStacks } from "../../../model/flame/prefix.ts";
import { BREAKDOWN } from "../../../model/span-time/breakdown.ts";
import { PART_WORDS } from "../../../model/span-time/words.ts";
import { formatCount, formatCounted } from "../../../model/words/format.ts";
import type { Query, Result, TraceSpans } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer } from "../../parts/answers/use-answer.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { PartKey } from "../../parts/drawing/TimeBar.tsx";
import { Button } from "../../primitives/icon/Icon.tsx";
import { SlowRequests } from "../overview/SlowRequests.tsx";
import { useTrace } from "../trace/use-trace.ts";
import { ChartPanel } from "./ChartPanel.tsx";
import css from "./ChartView.module.css";
import { SamplePanel } from "./SamplePanel.tsx";

/** Samples that are drawn, the first in time: deep stacks without gaps in common are 40 boxes for each sample. */
const MOST_SAMPLES = 20_000;

/** The samples in the order of time. Of a large recording without a selection they would be a blur: it is asked for. */
export function SampleChart(props: ViewProps) {
  const { samples, profile } = props;
  const [isWanted, setWanted] = useState(false);
  const { rawNames: _, file: __, ...selecting } = samples.filter;
  if (isWanted || Object.keys(selecting).length > 0 || profile.samples <= MOST_SAMPLES) return <Selected {...props} />;
  return (
    <div className={css.ask} data-testid="chart-ask">
      <p>
        {formatCounted(profile.samples, "sample")} are too many to tell apart. Select a request below, or drag over the
        timeline.
      </p>
      <SlowRequests {...props} />
      <Button testId="chart-first" onClick={() => setWanted(true)}>
        Show the first {formatCount(MOST_SAMPLES)}
      </Button>
    </div>
  );
}

/** The selected samples, a lane for each thread, with the spans of their trace and the pauses. */
function Selected({ samples, tabs, profile, files, traces, query, act }: ViewProps) {
  const answered = useAnswer(samples, askSamples);
  const trace = useShownTrace({ traces, query });
  const asked = answered?.answer ?? null;
  const isOne = files.length === 1;
  const { folded } = query.look;
  const { span, localRoot, spans } = answered?.question.filter ?? {};
  const ofRequests = (span ?? localRoot ?? spans) !== undefined;
  const charted = useMemo(
    () => (asked === null || trace === undefined ? null : chartedOf(asked, trace, { isOne, ofRequests, folded })),
    [asked, trace, isOne, ofRequests, folded],
  );
  const known = tabs.find(({ type }) => type === profile.type)?.profile ?? profile;
  if (asked === null || charted === null) return <p className={css.none}>Reading the samples…</p>;
  const { columns, left } = charted;
  const note = leftWords(asked.samples, left);
  return (
    <>
      {note !== "" && (
        <p className={css.note} data-testid="chart-left">
          {note}
        </p>
      )}
      <ChartPanel
        // Another selection begins at its first box.
        key={`${columns.origin} ${columns.lane.length}`}
        {...{ columns, query, act }}
        place={0}
        label="Flame chart of the selection"
        title="Flame chart"
        whole="whole selection"
        detail={(box) => <SamplePanel {...{ columns, box, act }} trace={trace ?? null} />}
        onChosen={(box) => chooseFunction(columns, box, act)}
        legend={<SampleLegend width={widthWords(known)} hasInferred={columns.rule !== null} part={columns.part} />}
      />
    </>
  );
}

/** The sandwich is of the function that was clicked. */
function chooseFunction(columns: ChartColumns, box: number, act: ViewProps["act"]): void {
  const { lanes, lane, names, name } = columns;
  if (lanes[lane[box]].beside !== undefined || isRun(columns, box)) return;
  const action = functionAction("sandwich", names[name[box]] ?? "");
  if (action?.kind === "function") act({ ...action, stays: true });
}

interface LegendProps {
  part: ChartColumns["part"] | undefined;
  width: string;
  hasInferred: boolean;
}

/** The colours of states, what the width of a sample means, and the mark of inferred context. */
function SampleLegend({ width, hasInferred, part }: LegendProps) {
  const states = new Set(part);
  return (
    <span className={css.legend} data-testid="chart-width">
      {BREAKDOWN.map(
        (name, i) =>
          states.has(i + 1) && (
            <span key={name} className={css.state} data-testid="chart-state" data-tip={PART_WORDS[name].about}>
              <PartKey part={name} /> {PART_WORDS[name].name}
            </span>
          ),
      )}
      {hasInferred && (
        <span className={css.inferred} data-testid="chart-inferred">
          Context inferred
        </span>
      )}
      {width}
    </span>
  );
}

/** The trace of the span or root in the filter, else the one that is chosen; undefined until it is there. */
function useShownTrace({ traces, query }: Pick<ViewProps, "traces" | "query">) {
  const { filter, trace } = query;
  const ids = [filter.span, filter.localRoot].flatMap((each) => each ?? []);
  const isNamed = trace.id !== "" && trace.id !== "all";
  const isWanted = traces !== null && (ids.length > 0 || isNamed || traces.traces === 1);
  const id = ids.length === 0 && isNamed ? trace.id : "";
  const found = useTrace(isWanted ? id : null, filter);
  if (!isWanted) return null;
  // Without a trace of these ids the worker answers another one.
  const isOther = found != null && ids.length > 0 && !ids.some((each) => found.id.includes(each));
  return isOther ? null : found;
}

interface Asked {
  samples: OrderedSamples;
  marks: Marks;
  states: StateColumns;
}

async function askSamples(query: Query): Promise<Result<Asked>> {
  const [samples, marks] = await Promise.all([viewer.ordered(query, MOST_SAMPLES), viewer.marks()]);
  if (!samples.ok) return samples;
  if (!marks.ok) return marks;
  const { threadRows, origin } = samples.value;
  const states = await viewer.stateColumns(query.filter, threadRows, origin);
  if (!states.ok) return states;
  return { ok: true, value: { samples: samples.value, marks: marks.value, states: states.value } };
}

interface How {
  /** Of one recording: its pauses stop all threads. */
  isOne: boolean;
  ofRequests: boolean;
  /** The first frames are one, as in the graph. */
  folded: boolean;
}

function chartedOf({ samples, marks, states }: Asked, trace: TraceSpans | null, { isOne, ofRequests, folded }: How) {
  const spans = trace === null ? null : spansBeside(samples, trace);
  return sampleColumns(folded ? foldStacks(samples) : samples, spans, marks, isOne, ofRequests, states);
}

/** The spans on the clock of the recording; null where the trace was at another time than the samples. */
function spansBeside(samples: OrderedSamples, trace: TraceSpans): ChartSpans | null {
  const start = trace.start + BigInt(Math.round(trace.offset ?? 0));
  const { at, origin } = samples;
  const last = at.reduce((most, each) => Math.max(most, each), 0);
  const begins = Number(start - origin);
  if (at.length > 0 && (begins > last || begins + trace.duration < 0)) return null;
  return { ...trace, start };
}

/** `The chart has the first 20,000 of 300,000 samples. 3 threads are left out.` */
function leftWords({ count, timed, at }: OrderedSamples, { threads, spans }: LeftOut): string {
  const words: string[] = [];
  if (at.length < timed) {
    words.push(`The chart has the first ${formatCount(at.length)} of ${formatCounted(timed, "sample")}.`);
    words.push("Select a request, a span or a shorter time to see all.");
  }
  if (timed < count) words.push(`${formatCounted(count - timed, "sample")} without a time cannot be drawn.`);
  if (threads > 0) words.push(`${formatCounted(threads, "thread")} with fewer samples left out.`);
  if (spans > 0) words.push(`${formatCounted(spans, "span")} beside others left out.`);
  return words.join(" ");
}
