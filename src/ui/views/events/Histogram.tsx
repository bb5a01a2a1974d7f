import { formatCount, formatCounted, formatValue } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import type { EventPage } from "../../../worker/api.ts";
import css from "./EventsView.module.css";

type Props = NonNullable<EventPage["histogram"]> & {
  /** The field. */
  of: string;
};

/** Edges that have a label, at most. */
const MOST_LABELS = 5;

/** How often which values occur; the edges of the bars are on the axis, in the unit of the field. */
export function Histogram({ unit, bins, of }: Props) {
  const most = bins.reduce((highest, { count }) => Math.max(highest, count), 1);
  const peak = bins.find(({ count }) => count === most)!;
  const all = bins.reduce((sum, { count }) => sum + count, 0);
  const words = (edge: number) => formatValue(edge, unit);
  const rangeOf = ({ from, to }: (typeof bins)[number]) => `${words(from)} to ${words(to)}`;
  const edges = [...bins.map(({ from }) => from), bins.at(-1)!.to];
  const step = Math.ceil(bins.length / (MOST_LABELS - 1));
  const name = visible(of, 80);
  const summary = `Histogram of ${name}: ${formatCounted(all, "event")}, ${formatCount(most)} of them from ${rangeOf(peak)}`;
  return (
    <div className={css.histogram}>
      <span className={css.most} aria-hidden="true">
        {formatCount(most)}
      </span>
      <ul className={css.bars} aria-label={summary} data-testid="event-histogram">
        {bins.map((bin) => {
          const told = `${formatCounted(bin.count, "event")} of ${rangeOf(bin)}`;
          return (
            <li
              key={bin.from}
              className={css.slot}
              data-testid="event-bin"
              data-count={bin.count}
              data-tip={told}
              aria-hidden={bin.count === 0}
            >
              <span className="visually-hidden">{told}</span>
              {bin.count > 0 && <span className={css.bar} style={{ height: `${(100 * bin.count) / most}%` }} />}
            </li>
          );
        })}
      </ul>
      <div className={css.axis} aria-hidden="true">
        {edges.map(
          (edge, i) =>
            i % step === 0 && (
              <span key={edge} style={{ left: `${(100 * i) / bins.length}%` }}>
                {words(edge)}
              </span>
            ),
        )}
      </div>
    </div>
  );
}
