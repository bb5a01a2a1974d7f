/** A filter in words: for its chip, and for the summary of an export. */

import type { Filter } from "../../core/types.ts";
import type { Zeros } from "../words/moments.ts";
import { visible } from "../words/text.ts";
import { type Chip, type Chipped, filterChipsOf } from "./chips.ts";
import { type ChipWords, filterRow } from "./filters.ts";
import { exactPattern } from "./pattern.ts";
import { THREAD_ID } from "./root-by.ts";
import { isShapeChip, shapeRow } from "./shape-chips.ts";

export type { ChipWords };

/** Whether the words of a filter have threads by their number, whose names an outline knows. */
export function hasThreadId({ attributes = [] }: Filter): boolean {
  return attributes.some(({ key }) => key === THREAD_ID);
}

/** Times count from the beginning of their file. `threads`: names of threads by number. */
export function chipWords(chip: Chip, zeros: Zeros, threads?: ReadonlyMap<string, string>): ChipWords {
  const words = isShapeChip(chip) ? shapeRow(chip.kind).words(chip) : filterRow(chip.kind).words(chip, zeros);
  const name = chip.kind === "attribute" && chip.key === THREAD_ID ? threads?.get(chip.value) : undefined;
  if (name === undefined || name === "") return words;
  return { ...words, value: `${words.value} ${visible(name, 80)}`, full: `${words.full} ${visible(name)}` };
}

/** All active filters; "" without filters. */
export function filterWords({ filter, shape }: Chipped, zeros: Zeros, threads?: ReadonlyMap<string, string>): string {
  const { from } = shape;
  const having: Chip[] = from === "" ? [] : [{ kind: "frame", pattern: exactPattern(from) }];
  return [...filterChipsOf(filter), ...having]
    .map((chip) => chipWords(chip, zeros, threads))
    .map(({ label, value }) => `${label} ${value}`)
    .join(" · ");
}
