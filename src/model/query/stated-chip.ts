/** One chip for several ids that are one thing to a person: a trace, or a span with those below it. */
import type { Filter } from "../../core/types.ts";
import type { Outline } from "../../core/view-types.ts";
import { formatCount, formatNanos } from "../words/format.ts";
import { visible } from "../words/text.ts";
import { type Chip, filterChipsOf } from "./chips.ts";
import type { ChipWords } from "./filters.ts";

export interface StatedChip extends ChipWords {
  /** The filters that it is in place of. */
  chips: Chip[];
}

/** `stated`: what the trace states of the filter; null where each id is better shown by itself. */
export function statedChip(filter: Filter, stated: Outline["stated"]): StatedChip | null {
  if (stated === undefined) return null;
  const { name, duration, are } = stated;
  const kind = filter.span === undefined ? "local-root" : "span";
  const chips = filterChipsOf(filter).filter((chip) => chip.kind === kind);
  const full = `${visible(name, 400)}, ${formatNanos(duration)}`;
  if (kind === "local-root") {
    return are === "trace"
      ? { label: "trace", value: `${visible(name, 120)} ${formatNanos(duration)}`, full, chips }
      : null;
  }
  if (chips.length < 2) return null;
  const others = are === "below" ? "with its children" : `and ${formatCount(chips.length - 1)} more`;
  return { label: "spans", value: `${visible(name, 120)} ${others}`, full, chips };
}
