/** The parts of a data set, as its lists (part-lists.ts) describe them. */
import type { RangeSource } from "./ranges-ahead.ts";
import type { Unpackers } from "./unpack-page.ts";

export interface Part {
  table: string;
  /** UTC date. */
  date: string;
  part: string;
  bytes: number;
  /**
   * Bytes of the footer with its tail, so that a reader needs one request for it. In a file of functions also the bytes
   * of the columns before it that a reader of a trace reads. Older lists have none.
   */
  footer?: number;
  /**
   * All rows are between these times, milliseconds since 1970. Known of samples and spans; older lists have none. Of an
   * index: its first and last key divided by KEYS.
   */
  from?: number;
  to?: number;
  /**
   * Rows of a row group, then the size of each row group with its footer, as the difference from the one before, in
   * GROUP_UNIT bytes. In an index the rows are 0: its row groups have equal shares of the range of keys. Files of one
   * row group and older files have none.
   */
  groups?: readonly number[];
}

/** Keys are numbers of 64 bits, so the list has them without the lowest ones. */
export const KEYS = 1n << 12n;
/** Keys that differ in their lowest bits only are in any order. */
export const UNSORTED_BITS = 24n;

/** Whether a file of an index may have a key, as far as the list says. */
export function mayHaveKey({ from, to }: Part, key: bigint): boolean {
  // Both are rounded.
  const near = Number(key / KEYS);
  return from === undefined || to === undefined || (from - 1 <= near && near <= to + 1);
}

/** The share that has a key, if the range of keys of an index is divided into equal shares. */
export function shareWith({ from = 0, to = 1 }: Pick<Part, "from" | "to">, shares: number, key: bigint): number {
  const near = Number((key >> UNSORTED_BITS) << UNSORTED_BITS) / Number(KEYS);
  const share = Math.floor(((near - from) / Math.max(1, to - from)) * shares);
  return Math.min(shares - 1, Math.max(0, share));
}

/** First row and bytes of a row group. */
export interface GroupPlace {
  first: number;
  from: number;
  to: number;
}

/** Row groups that have a key or rows; null if the list does not have their places. */
export function groupPlaces(part: Part, wanted: bigint | readonly { from: number; to: number }[]): GroupPlace[] | null {
  const [rows = 0] = part.groups ?? [];
  const places = placesOf(part.groups ?? []);
  const isOfKeys = typeof wanted === "bigint";
  if (places.length === 0 || isOfKeys !== (rows === 0)) return null;
  if (isOfKeys) return [places[shareWith(part, places.length, wanted)]!];
  const own = places.filter(({ first }) => wanted.some((range) => range.from < first + rows && range.to > first));
  return own.length === 0 ? null : own;
}

/** Places of all row groups of such a list. */
export function placesOf([rows = 0, ...changes]: readonly number[]): GroupPlace[] {
  let [size, to] = [0, 0];
  return changes.map((change, i): GroupPlace => {
    const from = to;
    size += change;
    to += size * GROUP_UNIT;
    return { first: i * rows, from, to };
  });
}

export interface DataSetFiles {
  parts: readonly Part[];
  open(part: Part): RangeSource;
  /** Functions of the platform that unpack pages. */
  unpackers?: Unpackers;
}

export function filePath(table: string, date: string, part: string): string {
  return `${table}/date=${date}/${part}.parquet`;
}

export const pathOf = ({ table, date, part }: Pick<Part, "table" | "date" | "part">) => filePath(table, date, part);

const NANOS_OF_MS = 1_000_000n;

/** Whether a part may have rows from `since` on and before `until`, as far as the list says. */
export function mayBeWithin(
  { from, to }: Pick<Part, "from" | "to">,
  { since, until }: { since?: bigint; until?: bigint },
): boolean {
  if (from === undefined || to === undefined) return true;
  const isBefore = since !== undefined && BigInt(to) * NANOS_OF_MS < since;
  return !isBefore && (until === undefined || BigInt(from) * NANOS_OF_MS < until);
}

/** Its size and the last letters of the file. */
export const FOOTER_TAIL = 8;
/** The footer of a row group ends at a multiple of these bytes, so that sizes in the list have few digits. */
export const GROUP_UNIT = 1 << 10;
/** Name of the text in a footer that has `groups` of the list. */
export const GROUPS_NOTE = "groups";

/** The list of row groups of a file of so many bytes, if it can be one. */
export function groupsIn(groups: unknown, bytes: number): Pick<Part, "groups"> {
  if (!Array.isArray(groups) || groups.length < 3 || !groups.every(Number.isSafeInteger) || groups[0] < 0) return {};
  const places = placesOf(groups);
  return places.every(({ from, to }) => from < to && to <= bytes) ? { groups } : {};
}

/** The same from the texts of its footer. */
export function groupsNoted(notes: ReadonlyMap<string, string>, bytes: number): Pick<Part, "groups"> {
  try {
    return groupsIn(JSON.parse(notes.get(GROUPS_NOTE) ?? "[]"), bytes);
  } catch {
    return {};
  }
}
