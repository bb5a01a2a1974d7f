/** A filter in words: for its chip, and where an export says what it holds. */
import { type Chip, chipsOf } from "./chips.ts";
import { formatMoments } from "./format.ts";
import { decimalId, hexId, idWord } from "./ids.ts";
import type { QueryState } from "./query.ts";
import { visible } from "./text.ts";

export interface ChipWords {
  label: string;
  value: string;
  /** Uncut, ids in both notations. */
  full: string;
}

/** Times are said from `start` on, the first moment of the recording. */
export function chipWords(chip: Chip, start: bigint): ChipWords {
  switch (chip.kind) {
    case "attribute": {
      const sign = chip.exclude ? "≠" : "=";
      const label = `${visible(chip.key, 60)} ${sign}`;
      return { label, value: visible(chip.value, 80), full: `${visible(chip.key)} ${sign} ${visible(chip.value)}` };
    }
    case "frame": {
      const label = chip.exclude ? "no frame" : "frame";
      return { label, value: `/${visible(chip.pattern, 80)}/`, full: `${label} /${visible(chip.pattern)}/` };
    }
    case "file":
      return { label: "file", value: visible(chip.name, 80), full: `file ${visible(chip.name)}` };
    case "time": {
      const value = formatMoments(chip.from - start, chip.to - start);
      return { label: "time", value, full: `${value} after the first sample` };
    }
    default: {
      const label = idWord(chip.kind, chip.id);
      return { label, value: decimalId(chip.id), full: `${label} ${decimalId(chip.id)} (0x${hexId(chip.id)})` };
    }
  }
}

/** All filters in force; "" where there are none. */
export function filterWords(query: QueryState, start: bigint): string {
  return chipsOf(query)
    .map((chip) => chipWords(chip, start))
    .map(({ label, value }) => `${label} ${value}`)
    .join(" · ");
}
