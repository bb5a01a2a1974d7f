import type { CallPart } from "../../../core/types.ts";
import { listedParts } from "../../../model/query/call-chips.ts";
import { callTime } from "../../../model/span-time/call-time.ts";
import { formatCount, formatPercent } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import type { CallDetail, CallKind, SelectedCalls } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer, useSame } from "../../parts/answers/use-answer.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { TimeBar } from "../../parts/drawing/TimeBar.tsx";
import { FrameName, MiddleText } from "../../parts/grid/FrameName.tsx";
import { Button } from "../../primitives/icon/Icon.tsx";
import { barOfCall, CallTime, totalWords } from "../calls/CallTime.tsx";
import { timeOf } from "../calls/call-columns.tsx";
import view from "./OverviewView.module.css";
import rows from "./Rows.module.css";
import css from "./SlowRequests.module.css";

const SHOWN = 8;

/** The selected calls of dumps: the slowest of them, and where the time of one went; then their methods. */
export function CallsOverview({ query, samples, act }: ViewProps) {
  const question = useSame({ filter: samples.filter });
  const answered = useAnswer(question, ({ filter }) => viewer.ofCalls("selected", filter, SHOWN));
  const kinds = useAnswer(question, ({ filter }) => viewer.ofCalls("kinds", filter, SHOWN));
  if (answered === null) return null;
  const { answer } = answered;
  const parts = listedParts(query.filter.calls ?? []);
  const select = (part: CallPart) => act({ kind: "calls", calls: [part, ...parts] });
  const only = answer.count === 1 ? answer.rows[0] : undefined;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys have to reach that
    <section className={view.why} data-testid="calls-overview" tabIndex={0} aria-label="Overview of the calls">
      {only === undefined && <p className={view.sums}>{totalWords(answer)}</p>}
      {only === undefined && <SlowCalls selected={answer} onSelect={(id) => select({ part: "ids", ids: [id] })} />}
      {only !== undefined && <CallTime call={only} samples={samples} own={query.look.own} />}
      {kinds !== null && kinds.answer.length > 1 && (
        <div className={view.sections}>
          <Kinds kinds={kinds.answer} whole={answer.duration} onSelect={(text) => select({ part: "method", text })} />
        </div>
      )}
    </section>
  );
}

function SlowCalls({ selected, onSelect }: { selected: SelectedCalls; onSelect: (id: string) => void }) {
  const most = selected.rows[0]?.duration ?? 0;
  return (
    <section className={css.section} aria-labelledby="slow-calls">
      <h2 id="slow-calls" className={css.title}>
        Slowest calls
      </h2>
      <ol className={css.list}>
        {selected.rows.map((call) => (
          <li key={call.id}>
            <Button className={css.row} testId="slow-call" data-id={call.id} onClick={() => onSelect(call.id)}>
              <span className={css.name}>
                {call.title === null ? (
                  <FrameName text={visible(call.name)} />
                ) : (
                  <MiddleText text={visible(call.title, 120)} />
                )}
              </span>
              <span className={css.duration}>{timeOf(call.duration)}</span>
              <span className={css.picture}>
                <TimeBar breakdown={barOfCall(call)} width={most === 0 ? 0 : call.duration / most} />
              </span>
              <span className={css.cause}>{causeOf(call)}</span>
              <span className={css.alike}>
                <MiddleText text={visible(call.thread, 80)} />
              </span>
            </Button>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** `61 % waiting`: the largest part of its duration. */
function causeOf(call: CallDetail): string {
  const [largest] = callTime(call).sort((a, b) => b.shown - a.shown);
  return largest === undefined ? "" : `${formatPercent(largest.shown, call.duration)} ${largest.name}`;
}

interface KindsProps {
  kinds: readonly CallKind[];
  /** Duration of all selected calls. */
  whole: number;
  onSelect: (method: string) => void;
}

function Kinds({ kinds, whole, onSelect }: KindsProps) {
  const most = kinds[0]?.duration ?? 0;
  return (
    <section className={view.section} aria-labelledby="call-kinds">
      <h2 id="call-kinds" className={view.title}>
        Methods by time of their calls
      </h2>
      <p className={`${rows.row} ${rows.kind} ${rows.heads}`} aria-hidden="true">
        <span className={rows.name}>method</span>
        <span>time</span>
        <span>share</span>
        <span>calls</span>
        <span>max</span>
      </p>
      <ol>
        {kinds.map(({ name, count, duration, longest }) => (
          <li key={name}>
            <Button
              className={`${rows.row} ${rows.kind}`}
              testId="call-kind"
              data-id={name}
              onClick={() => onSelect(name)}
            >
              <span className={view.bar} style={{ width: `${most === 0 ? 0 : (100 * duration) / most}%` }} />
              <span className={rows.name}>
                <FrameName text={visible(name)} />
              </span>
              <span>{timeOf(duration)}</span>
              <span>{formatPercent(duration, whole)}</span>
              <span>{formatCount(count)}</span>
              <span>{timeOf(longest)}</span>
            </Button>
          </li>
        ))}
      </ol>
    </section>
  );
}
