/** Time of a row's samples, in words. */
import type { RankRow } from "../../core/types.ts";
import { durationWords } from "../trace/operation-words.ts";
import { digitsFor, formatOffset, startDigits, type Zeros, zeroOf } from "../words/moments.ts";

/** Samples are taken some milliseconds apart. */
const MOMENT = 10_000_000;
/** Of the seconds in a list, so that rows compare. */
const LIST_DIGITS = 2;

export interface RowTime {
  /** `+0:12.31` */
  start: string;
  /** As it is stated, else from the first sample to the last one: `≥ 1.79 s`; "" where that is one moment. */
  duration: string;
  sentence: string;
}

/** Times count from the beginning of their file; null where no sample has one. */
export function rowTime(
  { first, last, stated, atLeast = stated === undefined }: Pick<RankRow, "first" | "last" | "stated" | "atLeast">,
  zeros: Zeros,
): RowTime | null {
  if (last === 0n) return null;
  const zero = zeroOf(zeros, first) ?? first;
  const length = Number(last - first);
  const offset = formatOffset(first - zero, length === 0 ? digitsFor(MOMENT) : startDigits(length));
  const start = `${offset} after the start of the recording`;
  if (length === 0 && stated === undefined)
    return { start: formatOffset(first - zero, LIST_DIGITS), duration: "", sentence: `at ${start}` };
  const duration = durationWords(stated ?? length, atLeast ? "ends" : "files");
  return { start: formatOffset(first - zero, LIST_DIGITS), duration, sentence: `from ${start}, for ${duration}` };
}
