/**
 * Texts of an answer: names and paths. Readers ask for a text by its place in a string table; the texts are read at the
 * end, in the order of their places, because a packed section can only be unpacked forwards.
 *
 *   source   | stream u16 (highest) | offset, 48 bits |; INLINE as the stream: a text that was copied already, whose
 *            offset is | place among `bytes`, 32 bits | size u16 |
 */
import * as TextRow from "../../abi/rows/text-row";
import { alloc, release } from "../../memory/arena";
import { Buffer, ownBuffer } from "../../memory/buffer";
import { KeyTable, ownKeyTable } from "../../memory/key-table";
import { onReset } from "../../memory/resets";
import { SORTED_BYTES, sortRows } from "../../memory/sort";
import { clearMissed, copyText, missed, needCount, seek, sizeOf, trim } from "./pages";

const STREAM_SHIFT: u64 = 48;
const OFFSET: u64 = (1 << STREAM_SHIFT) - 1;
const INLINE: u64 = 0xffff;
const SIZE_BITS: u64 = 16;
const SIZE: u64 = (1 << SIZE_BITS) - 1;
/** Bytes of a text that are read, and of all texts: string tables of a damaged file may be one long text. */
const LONGEST: u32 = 4096;
const MOST_BYTES: u32 = 128 << 20;
/** Pages that are requested at a time. */
const MOST_PAGES: u32 = 128;

const rows: Buffer = ownBuffer(1024);
const bytes: Buffer = ownBuffer(1024);
const known: KeyTable = ownKeyTable(256);
/** Rows by source (memory/sort.ts); those before `next` are read. */
let order: usize = 0;
let ordered: u32 = 0;
let next: u32 = 0;

onReset((): void => {
  // Row 0 is the empty text.
  add(0);
  order = 0;
  ordered = 0;
  next = 0;
});

function add(source: u64): u32 {
  const row = rows.need(TextRow.BYTES);
  store<u64>(row, source, TextRow.SOURCE);
  store<u32>(row, 0, TextRow.AT);
  store<u32>(row, 0, TextRow.SIZE);
  rows.size += TextRow.BYTES;
  return rows.size / TextRow.BYTES - 1;
}

/** The place of a text at `offset` of a stream. */
export function sourceOf(stream: u32, offset: u64): u64 {
  return offset < sizeOf(stream) ? ((<u64>stream) << STREAM_SHIFT) | offset : 0;
}

/** Row of the text at a place; 0 for no place. It is read by `readTexts`. */
export function textOf(source: u64): u32 {
  if (source === 0) return 0;
  const row = known.find(source);
  if (row !== 0) return row;
  const fresh = add(source);
  known.add(source, fresh);
  return fresh;
}

/** Copies the text at the cursor, and returns its place. */
export function copyHere(): u64 {
  const start = bytes.size;
  if (start < MOST_BYTES) copyText(bytes, LONGEST);
  const source = (INLINE << STREAM_SHIFT) | ((<u64>start) << SIZE_BITS) | <u64>(bytes.size - start);
  return bytes.size === start ? 0 : source;
}

/** Copies the text at a place of a file that will be closed, and returns its place then. The cursor moves. */
export function copyOf(source: u64): u64 {
  if (source === 0 || source >> STREAM_SHIFT === INLINE) return source;
  const offset = source & OFFSET;
  seek(<u32>(source >> STREAM_SHIFT), offset, offset + LONGEST);
  return copyHere();
}

/** Where the bytes of a text are that was copied, and how many. */
export function copyAt(source: u64): u32 {
  return <u32>((source & OFFSET) >> SIZE_BITS);
}

export function copySize(source: u64): u32 {
  return <u32>(source & SIZE);
}

export function textRows(): usize {
  return rows.at;
}

export function textBytes(): usize {
  return bytes.at;
}

export function textCount(): u32 {
  return rows.size / TextRow.BYTES;
}

/** Reads the texts that were asked for; to be repeated while pages are missing. */
export function readTexts(): void {
  if (order === 0) sort();
  trim();
  let isComplete = true;
  let done = next;
  for (let i = next; i < ordered && needCount() < MOST_PAGES; i++) {
    clearMissed();
    readText(rows.at + <usize>load<u64>(order + <usize>i * SORTED_BYTES, sizeof<u64>()) * TextRow.BYTES);
    if (missed) isComplete = false;
    else if (isComplete) done = i + 1;
  }
  next = done;
}

export function textsAreRead(): bool {
  return order !== 0 && next === ordered;
}

function readText(row: usize): void {
  const source = load<u64>(row, TextRow.SOURCE);
  const stream = source >> STREAM_SHIFT;
  if (load<u32>(row, TextRow.SIZE) !== 0 || source === 0) return;
  const offset = source & OFFSET;
  if (stream === INLINE) {
    store<u32>(row, copyAt(source), TextRow.AT);
    store<u32>(row, copySize(source), TextRow.SIZE);
    return;
  }
  const start = bytes.size;
  if (start >= MOST_BYTES) return;
  seek(<u32>stream, offset, offset + LONGEST);
  const size = copyText(bytes, LONGEST);
  if (missed) {
    bytes.size = start;
    return;
  }
  store<u32>(row, start, TextRow.AT);
  store<u32>(row, size, TextRow.SIZE);
}

function sort(): void {
  ordered = textCount();
  order = alloc(<u64>ordered * SORTED_BYTES);
  for (let i: u32 = 0; i < ordered; i++) {
    const row = order + <usize>i * SORTED_BYTES;
    store<u64>(row, load<u64>(rows.at + <usize>i * TextRow.BYTES, TextRow.SOURCE));
    store<u64>(row, i, sizeof<u64>());
  }
  sortRows(order, ordered);
  next = 0;
}

export function freeOrder(): void {
  if (order !== 0) release(order, <usize>ordered * SORTED_BYTES);
  order = 0;
}
