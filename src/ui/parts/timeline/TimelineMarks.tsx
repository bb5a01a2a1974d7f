import { useMemo } from "react";
import type { TimeRange } from "../../../core/types.ts";
import type { Marks } from "../../../core/view-types.ts";
import { legend, pausePaths, placedGaps } from "../../../model/timeline/marks.ts";
import { PausesButton } from "./Pauses.tsx";
import css from "./TimelineMarks.module.css";

interface Props {
  marks: Marks;
  /** What lies between left and right. */
  shown: TimeRange;
}

/** Over a strip or over all lanes: pauses as ticks, each gap hatched. */
export function TimelineMarks({ marks, shown }: Props) {
  const paths = useMemo(() => pausePaths(marks, shown), [marks, shown]);
  const gaps = useMemo(() => placedGaps(marks, shown), [marks, shown]);
  return (
    <>
      {gaps.map((gap) => (
        <div
          key={gap.at}
          className={gap.recorded ? css.gap : css.unrecorded}
          data-testid="gap"
          style={{ left: `${100 * gap.left}%`, width: `${100 * gap.width}%` }}
        />
      ))}
      {paths.some((path) => path !== "") && (
        <svg
          className={css.pauses}
          viewBox="0 0 1000 1"
          preserveAspectRatio="none"
          aria-hidden="true"
          data-testid="pauses"
        >
          {paths.map((path, shade) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: shades are always the same
            <path key={shade} className={css.shade} d={path} />
          ))}
        </svg>
      )}
    </>
  );
}

/** What the marks are, and how much of them. */
export function Legend({ marks }: { marks: Marks }) {
  const entries = legend(marks);
  if (entries.length === 0) return null;
  return (
    <ul className={css.legend} aria-label="Marks on the timeline">
      {entries.map(({ kind, count, text, more }) => (
        <li
          key={kind}
          data-testid={`legend-${kind}`}
          data-count={count}
          data-tip={more === "" ? undefined : `${text}, ${more}`}
        >
          <span className={css[`${kind}Swatch`]} aria-hidden="true" />
          {kind === "pauses" ? <PausesButton text={text} /> : text}
          {more !== "" && <span className="visually-hidden">, {more}</span>}
        </li>
      ))}
    </ul>
  );
}
