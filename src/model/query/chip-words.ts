/** A filter in words: for its chip, and where an export says what it holds. */

import { formatMoments } from "../words/format.ts";
import { decimalId, hexId, idWord } from "../words/ids.ts";
import { visible } from "../words/text.ts";
import { type Chip, filterChipsOf } from "./chips.ts";
import { exactName, exactPattern, patternWords } from "./pattern.ts";
import type { QueryState } from "./query.ts";

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
    case "frame":
      return frameWords(chip.pattern, chip.exclude ? ["without", "no frame"] : ["with", "frame"]);
    case "merged":
      return frameWords(chip.pattern, ["merged", "merged"]);
    case "recursion": {
      const value = `${chip.recursion} recursion`;
      return { label: "collapsed", value, full: `collapsed ${value}` };
    }
    case "from":
      return frameWords(exactPattern(chip.name), ["from", "from"]);
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

/** `exact` is said before the name of one function, `pattern` before any other pattern. */
function frameWords(pattern: string, [exact, other]: [exact: string, pattern: string]): ChipWords {
  const label = exactName(pattern) === null ? other : exact;
  const words = patternWords(pattern);
  return { label, value: visible(words, 80), full: `${label} ${visible(words)}` };
}

/** All filters in force; "" where there are none. */
export function filterWords(query: QueryState, start: bigint): string {
  const { from } = query.shape;
  const having: Chip[] = from === "" ? [] : [{ kind: "frame", pattern: exactPattern(from) }];
  return [...filterChipsOf(query), ...having]
    .map((chip) => chipWords(chip, start))
    .map(({ label, value }) => `${label} ${value}`)
    .join(" · ");
}
