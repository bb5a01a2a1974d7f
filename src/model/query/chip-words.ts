/** A filter in words: for its chip, and for the summary of an export. */

import type { Zeros } from "../words/moments.ts";
import { type Chip, type Chipped, filterChipsOf } from "./chips.ts";
import { type ChipWords, filterRow } from "./filters.ts";
import { exactPattern } from "./pattern.ts";
import { isShapeChip, shapeRow } from "./shape-chips.ts";

export type { ChipWords };

/** Times count from the beginning of their file. */
export function chipWords(chip: Chip, zeros: Zeros): ChipWords {
  return isShapeChip(chip) ? shapeRow(chip.kind).words(chip) : filterRow(chip.kind).words(chip, zeros);
}

/** All active filters; "" without filters. */
export function filterWords({ filter, shape }: Chipped, zeros: Zeros): string {
  const { from } = shape;
  const having: Chip[] = from === "" ? [] : [{ kind: "frame", pattern: exactPattern(from) }];
  return [...filterChipsOf(filter), ...having]
    .map((chip) => chipWords(chip, zeros))
    .map(({ label, value }) => `${label} ${value}`)
    .join(" · ");
}
