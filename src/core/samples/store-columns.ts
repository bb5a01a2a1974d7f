/** Observations and tables of the store as typed arrays, copied out of the core's memory through the input buffer. */
import * as ObservationPage from "../../../assembly/abi/observation-page.ts";
import * as ProfileRow from "../../../assembly/abi/rows/profile-row.ts";
import * as StoreTable from "../../../assembly/abi/store-table.ts";
import { isTimed } from "../instance/families.ts";
import type { Window } from "../instance/file-ranges.ts";
import type { Instance } from "../instance/instance.ts";

/** Words of a number of 64 bits, the low one first. */
export const HALVES = 2;

/** Columns of as many observations as fit a page, in the order of reading. */
export interface ObservationColumns {
  rows: number;
  /** Number of the first observation after the page; `observationCount` after the last page. */
  next: number;
  time: BigInt64Array;
  value: BigInt64Array;
  second: BigInt64Array;
  profile: Uint32Array;
  event: Uint32Array;
  stack: Uint32Array;
  link: Uint32Array;
  thread: Uint32Array;
  set: Uint32Array;
  /** Numbers of the observations. */
  number: Uint32Array;
}

export const EVERYTHING: Window = { from: 0n, to: (1n << 64n) - 1n, first: 0, last: 2 ** 32 - 1 };
const U32 = Uint32Array.BYTES_PER_ELEMENT;
/** Bytes of the columns of a table that are read at a time. */
const PIECE_BYTES = 1 << 22;

/**
 * Up to `most` observations of the current selection from number `next` on, within the window of its filter. Values are
 * those of the profiles that users see; unless `weighed`, none is multiplied by its period.
 */
export function observationColumns(
  instance: Instance,
  window: Window | null,
  next: number,
  most: number,
  weighed = true,
): ObservationColumns {
  const { wasm, memory } = instance;
  const { from, to, first, last } = window ?? EVERYTHING;
  const rules = eventRules(instance, weighed);
  const room = rules.length + ObservationPage.PAGE_COLUMNS + most * ObservationPage.PAGE_ROW_BYTES;
  instance.reserve(room);
  const at = instance.buffer.at;
  instance.buffer.view(0, rules.length).set(rules);
  const page = at + rules.length;
  wasm.observationPage(wasm.selectionMask(), at, Math.max(first, next), last, from, to, page, most);
  const rows = memory.u32(page + ObservationPage.PAGE_ROWS);
  const column = (offset: number) => page + ObservationPage.PAGE_COLUMNS + offset * most;
  const longs = (offset: number) => memory.i64s(column(offset), rows);
  const words = (offset: number) => memory.u32s(column(offset), rows);
  return {
    rows,
    next: memory.u32(page + ObservationPage.PAGE_NEXT),
    time: longs(ObservationPage.COLUMN_TIME),
    value: longs(ObservationPage.COLUMN_VALUE),
    second: longs(ObservationPage.COLUMN_SECOND),
    profile: words(ObservationPage.COLUMN_PROFILE),
    event: words(ObservationPage.COLUMN_EVENT),
    stack: words(ObservationPage.COLUMN_STACK),
    link: words(ObservationPage.COLUMN_LINK),
    thread: words(ObservationPage.COLUMN_THREAD),
    set: words(ObservationPage.COLUMN_SET),
    number: words(ObservationPage.COLUMN_NUMBER),
  };
}

/** A rule for each event row: the profile that users see, its second measure, and the factor of its values. */
function eventRules({ wasm, memory }: Instance, weighed: boolean): Uint8Array {
  const count = wasm.eventCount.value;
  const rules = new DataView(new ArrayBuffer(count * ObservationPage.RULE_BYTES));
  for (let event = 0; event < count; event++) {
    const row = memory.u32(wasm.eventAt(event) + ProfileRow.EVENT_PROFILE);
    const profile = memory.u32(wasm.profileAt(row) + ProfileRow.FAMILY);
    const factor = weighed && isTimed(wasm, profile) ? wasm.countedPeriod(row) : 1n;
    rules.setUint32(event * ObservationPage.RULE_BYTES + ObservationPage.RULE_PROFILE, profile, true);
    rules.setUint32(
      event * ObservationPage.RULE_BYTES + ObservationPage.RULE_SECOND,
      secondOf(memory, wasm.profileAt(profile)),
      true,
    );
    rules.setBigInt64(event * ObservationPage.RULE_BYTES + ObservationPage.RULE_FACTOR, factor, true);
  }
  return new Uint8Array(rules.buffer);
}

function secondOf(memory: Instance["memory"], profile: number): number {
  if (memory.u32(profile + ProfileRow.SECOND_TYPE) === 0) return ObservationPage.SECOND_NONE;
  return memory.u32(profile + ProfileRow.SECOND_STORED) !== 0
    ? ObservationPage.SECOND_STORED
    : ObservationPage.SECOND_COUNTED;
}

/** Tables of assembly/write/store-columns.ts, and the number of their columns. */
const WORDS = {
  [StoreTable.Strings]: 2,
  [StoreTable.Functions]: 4,
  [StoreTable.Mappings]: 10,
  [StoreTable.Stacks]: 2,
  [StoreTable.Links]: 9,
  [StoreTable.Attributes]: 6,
  [StoreTable.Sets]: 2,
  [StoreTable.Threads]: 2,
  [StoreTable.FrameCounts]: 1,
  [StoreTable.Frames]: 9,
} as const satisfies Record<number, number>;

/** A table with one row for each of its rows in the columns. */
export type Table = Exclude<keyof typeof WORDS, typeof StoreTable.Frames>;

/** A tuple of N columns. */
type Columns<N extends number, T extends Uint32Array[] = []> = T["length"] extends N
  ? T
  : Columns<N, [...T, Uint32Array]>;

/** The frames of locations [from, to) as columns: `frames` of them, by the table of their counts. */
export function frameColumns(instance: Instance, from: number, to: number, frames: number) {
  return columnsOf(instance, StoreTable.Frames, from, to, frames) as Columns<(typeof WORDS)[typeof StoreTable.Frames]>;
}

/** The numbers whose lower and upper halves are in two columns. */
export function longs(low: Uint32Array, high: Uint32Array): BigUint64Array {
  const halves = new Uint32Array(HALVES * low.length);
  for (let i = 0; i < low.length; i++) {
    halves[HALVES * i] = low[i]!;
    halves[HALVES * i + 1] = high[i]!;
  }
  return new BigUint64Array(halves.buffer);
}

/** The first frame of each location, and after the last one the number of frames. */
export function firstFrames(instance: Instance): Uint32Array {
  const [counts] = allColumns(instance, StoreTable.FrameCounts);
  const first = new Uint32Array(counts.length + 1);
  for (let i = 0; i < counts.length; i++) first[i + 1] = first[i]! + counts[i]!;
  return first;
}

/** Rows [from, to) of a table as columns; `written` is how many rows they have. */
function columnsOf(
  instance: Instance,
  table: keyof typeof WORDS,
  from: number,
  to: number,
  written: number,
): Uint32Array[] {
  const { wasm, memory } = instance;
  const words = WORDS[table];
  instance.reserve(Math.max(1, written) * words * U32);
  const { at } = instance.buffer;
  wasm.storeColumns(table, from, to, at);
  return Array.from({ length: words }, (_, word) => memory.u32s(at + word * written * U32, written));
}

/** All rows of a table, read in pieces that need little memory. */
export function allColumns<T extends Table>(instance: Instance, table: T): Columns<(typeof WORDS)[T]> {
  const count = instance.wasm.storeColumns(table, 0, 0, 0);
  const words = WORDS[table];
  const columns = Array.from({ length: words }, () => new Uint32Array(count));
  const piece = Math.floor(PIECE_BYTES / (words * U32));
  for (let from = 0; from < count; from += piece) {
    const to = Math.min(count, from + piece);
    const part = columnsOf(instance, table, from, to, to - from);
    for (const [word, column] of columns.entries()) column.set(part[word]!, from);
  }
  return columns as Columns<(typeof WORDS)[T]>;
}
