/** Where the time of the selected call went: a bar with the names of its parts, as Overview has for requests. */
import { callTime } from "../../../model/calls/call-time.ts";
import { formatNanos } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import type { CallRow } from "../../../worker/api.ts";
import { PartKey, TimeBar } from "../../parts/drawing/TimeBar.tsx";
import css from "./CallTime.module.css";

const NANOS = 1_000_000;
const time = (ms: number) => formatNanos(ms * NANOS);

export function CallTime({ call }: { call: CallRow }) {
  const parts = callTime(call);
  if (parts.length === 0) return null;
  const breakdown = parts.map(({ part, shown }) => {
    const nano = BigInt(Math.round(shown * NANOS));
    return { part, nano, low: nano, high: nano, measured: nano, samples: 0 };
  });
  return (
    <section className={css.time} aria-label="Where the time of the call went" data-testid="call-time">
      <p className={css.name}>
        <bdi>{visible(call.title ?? call.name, 120)}</bdi>
        <span className={css.duration}>{time(call.duration)}</span>
      </p>
      <TimeBar breakdown={breakdown} />
      <ul className={css.legend}>
        {parts.map(({ part, name, ms }) => (
          <li key={part} data-testid={`call-part-${part}`}>
            <PartKey part={part} /> {name} {time(ms)}
          </li>
        ))}
      </ul>
    </section>
  );
}
