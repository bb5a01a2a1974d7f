/** Durations of calls of dumps: their sums in words, and where the time of one went. */
import type { BreakdownPart } from "../../../model/span-time/breakdown.ts";
import { callTime } from "../../../model/span-time/call-time.ts";
import { pathWords } from "../../../model/why/sentence.ts";
import { formatCounted, formatPercent } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import type { CallPage, CallRow } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer } from "../../parts/answers/use-answer.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { PartKey, TimeBar } from "../../parts/drawing/TimeBar.tsx";
import css from "./CallsView.module.css";
import { timeOf } from "./call-columns.tsx";

const NANOS = 1_000_000;
const MOST_PATHS = 3;

type Sums = Pick<CallPage, "count" | "duration" | "suspension">;

/** How many calls, and how long they took. */
export function totalWords({ count, duration, suspension }: Sums): string {
  const suspended = suspension === 0 ? "" : `, of which ${timeOf(suspension)} suspended`;
  return `${formatCounted(count, "call")}, ${timeOf(duration)} in all${suspended}`;
}

/** The parts of the duration of a call for a bar. */
export function barOfCall(call: CallRow): BreakdownPart[] {
  return callTime(call).map(({ part, shown }) => {
    const nano = BigInt(Math.round(shown * NANOS));
    return { part, nano, low: nano, high: nano, measured: nano, samples: 0 };
  });
}

/** Where the time of the selected call went: a bar with the names of its parts and its hot paths, as in Overview. */
export function CallTime({ call, samples, own }: { call: CallRow; samples: ViewProps["samples"]; own: string }) {
  const told = useAnswer(samples, (asked) => viewer.sentence(asked, own), true);
  const paths = told?.question === samples ? (told.answer.story?.parts ?? []).slice(0, MOST_PATHS) : [];
  const parts = callTime(call);
  if (parts.length === 0) return null;
  return (
    <section className={css.time} aria-label="Where the time of the call went" data-testid="call-time">
      <p className={css.ofCall}>
        <bdi>{visible(call.title ?? call.name, 120)}</bdi>
        <span className={css.duration}>{timeOf(call.duration)}</span>
      </p>
      <TimeBar breakdown={barOfCall(call)} />
      <ul className={css.legend}>
        {parts.map(({ part, name, ms }) => (
          <li key={part} data-testid={`call-part-${part}`}>
            <PartKey part={part} /> {name} {timeOf(ms)}
          </li>
        ))}
      </ul>
      {paths.length > 0 && (
        <ol className={css.paths} aria-label="Hot paths of the call" data-testid="call-paths">
          {paths.map((path) => (
            <li key={pathWords(path)} title={pathWords(path)}>
              <span className={css.share}>{formatPercent(path.share, 1)}</span> <bdi>{pathWords(path)}</bdi>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
