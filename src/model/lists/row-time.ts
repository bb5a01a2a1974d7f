/** Time of a row's samples, in words. */
import type { RankRow } from "../../core/types.ts";
import { formatMoments, formatNanos } from "../words/format.ts";

/** Samples are taken some milliseconds apart. */
const MOMENT = 10_000_000n;

export interface RowTime {
  /** `12.31–14.1 s`, or `12.31 s` where it is one moment. */
  words: string;
  /** With its length, said in full. */
  sentence: string;
}

/** Times are said from `start` on, the first moment of the recording; null where no sample has one. */
export function rowTime({ first, last }: Pick<RankRow, "first" | "last">, start: bigint): RowTime | null {
  if (last === 0n) return null;
  const length = last - first;
  if (length === 0n) {
    // As exact as the beginning of something of this length.
    const words = formatMoments(first - start, first - start + MOMENT).replace(/–[\d.]+/, "");
    return { words, sentence: `at ${words} after the first sample` };
  }
  const words = formatMoments(first - start, last - start);
  return { words, sentence: `from ${words} after the first sample: ${formatNanos(length)}` };
}
