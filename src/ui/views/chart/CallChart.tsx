import { ChevronLeft, ChevronRight } from "lucide-react";
import { useMemo } from "react";
import type { Filter } from "../../../core/types.ts";
import { slowestCount, slowestOf } from "../../../model/calls/call-parts.ts";
import { callColumns } from "../../../model/chart/call-columns.ts";
import type { ChartColumns } from "../../../model/chart/columns.ts";
import { callConditions } from "../../../model/query/call-chips.ts";
import { filterKey } from "../../../model/query/query.ts";
import { formatCount, formatNanos } from "../../../model/words/format.ts";
import { namePartsOf } from "../../../model/words/short-name.ts";
import { visible } from "../../../model/words/text.ts";
import type { CallFrames, CallRow, Result } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer } from "../../parts/answers/use-answer.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { ViewTools } from "../../parts/view/ViewTools.tsx";
import { IconButton } from "../../primitives/icon/Icon.tsx";
import { ChartPanel } from "./ChartPanel.tsx";
import css from "./ChartView.module.css";
import { InvocationPanel } from "./InvocationPanel.tsx";

/** Characters of a title that are shown. */
const TITLE_CAP = 200;
/** Ns of a millisecond. */
const MS = 1e6;

/** The selected call in the order of time; of several, the slowest first. */
export function CallChart({ query, act }: ViewProps) {
  const { chart } = query;
  const { call, place, count } = useCall(query.filter, chart.place);
  const onStep = (next: number) => act({ kind: "chart", chart: { place: next, zoom: null } });
  const charted = useCharted(call);
  return (
    <>
      <ViewTools>
        {call !== null && count !== null && <CallSteps call={call} place={place} count={count} onStep={onStep} />}
      </ViewTools>
      {count === 0 && <p className={css.none}>No call is selected. The filters above leave none.</p>}
      {call !== null && charted !== null && (
        <ChartPanel
          key={call.number}
          columns={charted.columns}
          place={chart.place}
          label={`Flame chart of ${titleOf(call)}`}
          title={titleOf(call)}
          whole="whole call"
          query={query}
          act={act}
          detail={(box) => <InvocationPanel {...charted} box={box} />}
        />
      )}
    </>
  );
}

function titleOf({ title, name }: CallRow): string {
  return visible(title === null || title === "" ? name : title, TITLE_CAP);
}

/** Without the package where the method is the title. */
function shortTitleOf(call: CallRow): string {
  const title = titleOf(call);
  if (call.title !== null && call.title !== "") return title;
  const { owner, method } = namePartsOf(title);
  return owner + method;
}

interface StepsProps {
  call: CallRow;
  place: number;
  count: number;
  onStep: (place: number) => void;
}

/** Which call is shown, and the ways to the others of the selection. */
function CallSteps({ call, place, count, onStep }: StepsProps) {
  const title = titleOf(call);
  return (
    <div className={css.call} data-testid="chart-call" data-id={call.id}>
      {count > 1 && (
        <IconButton
          icon={ChevronLeft}
          label="Slower call"
          tip="The next slower call of the selection"
          aria-disabled={place === 0}
          testId="chart-slower"
          onClick={() => onStep(Math.max(0, place - 1))}
        />
      )}
      <span className={css.title} title={title}>
        {shortTitleOf(call)}
      </span>
      <span className={css.facts}>
        {formatNanos(call.duration * MS)}
        {count > 1 && ` · ${formatCount(place + 1)} of ${formatCount(count)}`}
      </span>
      {count > 1 && (
        <IconButton
          icon={ChevronRight}
          label="Faster call"
          tip="The next faster call of the selection"
          aria-disabled={place === count - 1}
          testId="chart-faster"
          onClick={() => onStep(Math.min(count - 1, place + 1))}
        />
      )}
    </div>
  );
}

/** A call of the selection by its place, the slowest first. */
function useCall(filter: Filter, place: number) {
  const key = filterKey(filter);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is that of the filter
  const question = useMemo(() => ({ filter, place }), [key, place]);
  const page = useAnswer(question, (asked) => askCall(asked.filter, asked.place))?.answer ?? null;
  const call = page?.rows[0] ?? null;
  const slowest = slowestOf(filter.calls ?? []);
  const all = page?.count ?? null;
  // Null until it is known.
  const count = slowest === null || all === null ? all : slowestCount(slowest, all);
  return { call, place: page?.offset ?? 0, count };
}

function askCall(filter: Filter, place: number) {
  return viewer.ofCalls("list", { ...callConditions(filter), sort: "duration", reversed: false }, place, 1);
}

interface Charted {
  frames: CallFrames;
  columns: ChartColumns;
}

function useCharted(call: CallRow | null): Charted | null {
  const answered = useAnswer(call, askFrames);
  return answered === null || answered.question !== call ? null : answered.answer;
}

async function askFrames({ number, duration }: CallRow): Promise<Result<Charted>> {
  const frames = await viewer.ofCalls("frames", number);
  if (!frames.ok) return frames;
  const { start, from, total } = frames.value;
  let [first, last] = [start, start + duration];
  for (let i = 0; i < from.length; i++) {
    first = Math.min(first, start + from[i]);
    last = Math.max(last, start + from[i] + total[i]);
  }
  const pauses = await viewer.ofCalls("pauses", number, first, last);
  if (!pauses.ok) return pauses;
  return { ok: true, value: { frames: frames.value, columns: callColumns(frames.value, duration, pauses.value) } };
}
