import { type KeyboardEvent, type PointerEvent, useId, useMemo, useRef, useState } from "react";
import type { TimeRange } from "../../../core/types.ts";
import {
  type Bins,
  binAt,
  binsOf,
  fileHistogram,
  type FileHistogram as Histogram,
  rangeOf,
  steppedBins,
} from "../../../model/collection/histogram.ts";
import { type FileRow, filesIn } from "../../../model/collection/rows.ts";
import { formatCounted } from "../../../model/words/format.ts";
import { formatMoment } from "../../../model/words/moments.ts";
import css from "./CollectionView.module.css";

interface Props {
  rows: readonly FileRow[];
  time: TimeRange | null;
  onTime: (time: TimeRange | null) => void;
}

const BINS = 96;
const PERCENT = 100;

/** How many files begin when. A drag over it, or keys, select the files of a range. */
export function FileHistogram({ rows, time, onTime }: Props) {
  const hint = useId();
  const histogram = useMemo(() => fileHistogram(rows, BINS), [rows]);
  const kept = histogram === null || time === null ? null : binsOf(histogram, time);
  const { bins, handlers } = useBrush(histogram, kept, onTime);
  if (histogram === null) return null;
  const { range, counts, most } = histogram;
  const shown = bins === null ? null : rangeOf(histogram, bins);
  return (
    <section className={css.histogram} aria-label="Files over time">
      <div
        className={css.bars}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys move a range, which no other role has
        tabIndex={0}
        role="application"
        aria-roledescription="histogram"
        aria-label={`Files by start, at most ${formatCounted(most, "file")} in a column`}
        aria-describedby={hint}
        data-testid="file-histogram"
        {...handlers}
      >
        {counts.map((count, bin) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: bins do not move
            key={bin}
            className={css.bar}
            data-in={bins !== null && bin >= bins.first && bin < bins.last}
            style={{ height: count === 0 ? 0 : `max(3px, ${(PERCENT * count) / most}%)` }}
          />
        ))}
        {bins !== null && <Brush bins={bins} of={counts.length} />}
      </div>
      <p className={css.ends}>
        <span>{formatMoment(range.from, 0)}</span>
        <span className={css.range} role="status" data-testid="file-range">
          {shown !== null &&
            `${formatMoment(shown.from, 0)} to ${formatMoment(shown.to, 0)}: ${formatCounted(filesIn(rows, shown).length, "file")}`}
        </span>
        <span>{formatMoment(range.to, 0)}</span>
      </p>
      <p id={hint} className="visually-hidden">
        Arrow keys move a range of time, with Shift they move its end, and its files are selected. Escape clears it.
      </p>
    </section>
  );
}

function Brush({ bins: { first, last }, of }: { bins: Bins; of: number }) {
  const percent = (bin: number) => `${(PERCENT * bin) / of}%`;
  return (
    <span
      className={css.brush}
      data-testid="file-brush"
      style={{ left: percent(first), width: percent(last - first) }}
    />
  );
}

/** The range while it is dragged, and the one that keys have moved. */
function useBrush(histogram: Histogram | null, kept: Bins | null, onTime: (time: TimeRange | null) => void) {
  const [draft, setDraft] = useState<Bins | null>(null);
  const from = useRef<number | null>(null);
  const select = (bins: Bins | null) => {
    setDraft(null);
    if (histogram !== null) onTime(bins === null ? null : rangeOf(histogram, bins));
  };
  const at = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return histogram === null ? 0 : binAt(histogram, (clientX - left) / Math.max(1, width));
  };
  const between = (a: number, b: number): Bins => ({ first: Math.min(a, b), last: Math.max(a, b) + 1 });
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0 || !event.isPrimary) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      from.current = at(event);
    },
    onPointerMove: (event: PointerEvent) => {
      if (from.current !== null) setDraft(between(from.current, at(event)));
    },
    onPointerUp: (event: PointerEvent) => {
      const first = from.current;
      from.current = null;
      if (first === null) return;
      // A click beside the files of a range clears it.
      const bins = between(first, at(event));
      const isEmpty = histogram === null || histogram.counts.slice(bins.first, bins.last).every((count) => count === 0);
      select(isEmpty ? null : bins);
    },
    onPointerCancel: () => {
      from.current = null;
      setDraft(null);
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || histogram === null) return;
      const next = steppedBins(histogram, kept, event.key, event.shiftKey);
      if (next !== null) select(next);
      else if (event.key === "Escape" && kept !== null) select(null);
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
  return { bins: draft ?? kept, handlers };
}
