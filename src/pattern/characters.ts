/**
 * Sets of UTF-16 code units as sorted, disjoint ranges: [first, last, first, last, …]. A character beyond U+FFFF counts as two
 * code units, as in a JavaScript regular expression without the flag `u`.
 */
export type Characters = readonly number[];

export const LAST_UNIT = 0xffff;
export const DIGITS: Characters = [0x30, 0x39];
export const WORD: Characters = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];
export const SPACES: Characters = union([
  ...[0x09, 0x0d, 0x20, 0x20, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029],
  ...[0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000, 0xfeff, 0xfeff],
]);
export const LINE_ENDS: Characters = [0x0a, 0x0a, 0x0d, 0x0d, 0x2028, 0x2029];

/** Ranges in any order, overlapping or not, as a set. */
export function union(ranges: readonly number[]): Characters {
  const order = Array.from({ length: ranges.length / 2 }, (_, i) => 2 * i).sort((a, b) => ranges[a]! - ranges[b]!);
  const merged: number[] = [];
  for (const i of order) {
    const last = merged.length - 1;
    if (last > 0 && ranges[i]! <= merged[last]! + 1) merged[last] = Math.max(merged[last]!, ranges[i + 1]!);
    else merged.push(ranges[i]!, ranges[i + 1]!);
  }
  return merged;
}

/** All code units that are not in the set. */
export function complement(set: Characters): Characters {
  const rest: number[] = [];
  let from = 0;
  for (let i = 0; i < set.length; i += 2) {
    if (set[i]! > from) rest.push(from, set[i]! - 1);
    from = set[i + 1]! + 1;
  }
  if (from <= LAST_UNIT) rest.push(from, LAST_UNIT);
  return rest;
}

/** The code units that differ from their upper case, ascending, and their upper cases. Made when first needed. */
export interface CaseTable {
  units: Uint16Array;
  upper: Uint16Array;
}

let caseTable: CaseTable | null = null;

/** ECMA-262, Canonicalize without the flag `u`: upper case if that is one code unit, and ASCII only for ASCII. */
export function cases(): CaseTable {
  if (caseTable !== null) return caseTable;
  const units: number[] = [];
  const upper: number[] = [];
  for (let unit = 0; unit <= LAST_UNIT; unit++) {
    const text = String.fromCharCode(unit).toUpperCase();
    const code = text.charCodeAt(0);
    if (text.length !== 1 || code === unit || (unit >= 128 && code < 128)) continue;
    units.push(unit);
    upper.push(code);
  }
  caseTable = { units: Uint16Array.from(units), upper: Uint16Array.from(upper) };
  return caseTable;
}

/**
 * The set with the upper cases of its members. A text is compared by its upper case, so lower cases may stay in the set. The
 * complement is taken afterwards.
 */
export function withUpperCases(set: Characters): Characters {
  const { units, upper } = cases();
  const more: number[] = [];
  for (let i = 0; i < set.length; i += 2) {
    for (let at = firstAtLeast(units, set[i]!); at < units.length && units[at]! <= set[i + 1]!; at++)
      more.push(upper[at]!, upper[at]!);
  }
  return more.length === 0 ? set : union([...set, ...more]);
}

function firstAtLeast(sorted: Uint16Array, wanted: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const mid = (low + high) >>> 1;
    if (sorted[mid]! < wanted) low = mid + 1;
    else high = mid;
  }
  return low;
}
