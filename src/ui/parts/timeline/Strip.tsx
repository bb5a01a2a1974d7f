import { ChevronsLeft, ChevronsRight } from "lucide-react";
import type { TimeRange } from "../../../core/types.ts";
import { formatCounted } from "../../../model/words/format.ts";
import { Icon } from "../../primitives/icon/Icon.tsx";
import { StripCanvas } from "./StripCanvas.tsx";
import css from "./Timeline.module.css";
import type { ShownStrip } from "./use-strips.ts";

interface Props {
  strip: ShownStrip;
  /** The strip of the whole row: it knows what lies outside. */
  whole: ShownStrip | null;
  shown: TimeRange;
  marked: boolean;
  width: number;
  height: number;
}

/** The samples over time, with an arrow at an edge that samples lie beyond. */
export function Strip({ strip, whole, shown, ...drawing }: Props) {
  const before = whole !== null && shown.from <= whole.from ? whole.before : 0;
  const after = whole !== null && shown.to >= whole.to ? whole.after : 0;
  return (
    <>
      <StripCanvas strip={strip} shown={shown} heaviest={0} {...drawing} />
      {before > 0 && (
        <span
          className={css.before}
          data-testid="before"
          data-count={before}
          role="img"
          aria-label={beyondWords(before, "began before the recording")}
        >
          <Icon of={ChevronsLeft} size={14} />
        </span>
      )}
      {after > 0 && (
        <span
          className={css.after}
          data-testid="after"
          data-count={after}
          role="img"
          aria-label={beyondWords(after, "are later than the recording")}
        >
          <Icon of={ChevronsRight} size={14} />
        </span>
      )}
    </>
  );
}

export function beyondWords(count: number, what: string): string {
  return `${formatCounted(count, "sample")} ${what}`;
}
