/** Search in the rows of the explorer: the beginning of an id, a part of a name, or `/regex/`. */
import type { RankBy, RankFind } from "../../core/types.ts";
import { visible } from "../words/text.ts";

export interface RowFind {
  find: RankFind | null;
  error: string | null;
}

/** The caller checks the pattern (`patternIn`): that may need the engine for patterns. */
export function rowFind(text: string, by: RankBy): RowFind {
  const trimmed = text.trim();
  if (trimmed === "") return { find: null, error: null };
  if (by.kind !== "attribute") return findIds(trimmed);
  const [, pattern] = /^\/(.+)\/$/.exec(trimmed) ?? [];
  if (pattern === undefined) return { find: { text: trimmed }, error: null };
  return { find: { pattern }, error: null };
}

/** The pattern that filters the rows; "" without one. */
export function patternIn(find: RankFind | null): string {
  return find !== null && "pattern" in find ? find.pattern : "";
}

function findIds(text: string): RowFind {
  const ids = idRanges(text);
  if (ids !== null) return { find: { ids }, error: null };
  return { find: null, error: `No id begins with ${visible(text, 40)}: decimal, 0x-hex, or hex with a letter` };
}

/** An id has up to 20 decimal digits, 16 hex digits, or 32 of a trace. */
const LARGEST = (1n << 64n) - 1n;

/**
 * Ids that begin so, as ranges with both ends. As in ids.ts digits alone are decimal; hex is of ids as they are shown,
 * 16 or 32 digits with zeros in front, or without those zeros. Null for what no id begins with.
 */
export function idRanges(text: string): [from: bigint, to: bigint][] | null {
  if (/^[0-9]{1,20}$/.test(text)) return ranges(BigInt(text), text.length, 10n, 20, [], LARGEST);
  const [, digits] = /^(?:0x)?([0-9a-f]{1,32})$/i.exec(text) ?? [];
  if (digits === undefined) return /^0x$/i.test(text) ? [[1n, (LARGEST << 64n) | LARGEST]] : null;
  return ranges(BigInt(`0x${digits}`), digits.length, 16n, 32, [16, 32], (LARGEST << 64n) | LARGEST);
}

/**
 * Numbers that begin with `length` digits of this value: written without zeros in front, with up to `longest` digits,
 * or with zeros up to one of the `padded` widths.
 */
function ranges(
  value: bigint,
  length: number,
  base: bigint,
  longest: number,
  padded: readonly number[],
  largest: bigint,
): [from: bigint, to: bigint][] {
  const zeroInFront = value < base ** BigInt(length - 1) || value === 0n;
  const found: [bigint, bigint][] = [];
  for (let more = 0; more <= longest - length; more++) {
    if (zeroInFront && !padded.includes(length + more)) continue;
    const size = base ** BigInt(more);
    // A number that fits the narrower width is padded to that.
    const least = zeroInFront ? base ** BigInt(padded[padded.indexOf(length + more) - 1] ?? 0) : 0n;
    const begin = value * size;
    const end = begin + size - 1n;
    if (begin > largest) break;
    if (end >= least) found.push([begin > least ? begin : least, end < largest ? end : largest]);
  }
  return found;
}
