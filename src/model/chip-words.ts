/** A filter in words: for its chip, and where an export says what it holds. */
import { decimalId, hexId } from "./ids.ts";
import { type Chip, chipsOf, type QueryState } from "./query.ts";
import { visible } from "./text.ts";

export interface ChipWords {
  label: string;
  value: string;
  /** Uncut, ids in both notations. */
  full: string;
}

export function chipWords(chip: Chip): ChipWords {
  if (chip.kind === "attribute") {
    const label = `${visible(chip.key, 60)} =`;
    const value = visible(chip.value, 80);
    return { label, value, full: `${visible(chip.key)} = ${visible(chip.value)}` };
  }
  const label = chip.kind === "span" ? "span" : "local root";
  return { label, value: decimalId(chip.id), full: `${label} ${chip.id} (0x${hexId(chip.id)})` };
}

/** All filters in force; "" where there are none. */
export function filterWords(query: QueryState): string {
  return chipsOf(query)
    .map((chip) => chipWords(chip))
    .map(({ label, value }) => `${label} ${value}`)
    .join(" · ");
}
