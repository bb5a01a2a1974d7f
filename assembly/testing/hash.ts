/**
 * Entry of the hash tables' tests: single tables of the store, and the distance of their entries from their home slots.
 * Not part of the core.
 */
import { resetArena } from "../memory/arena";
import { BytesTable, newBytesTable } from "../memory/bytes-table";
import { hashWord } from "../memory/hash";
import { KeyTable, newKeyTable, SLOT_ROW } from "../memory/key-table";
import { newRowTable, RowTable } from "../memory/row-table";
import { Slots } from "../memory/slots";

export { seedHashes } from "../memory/hash";

const ROOM: usize = memory.data(1 << 16, 16);

let bytes: BytesTable = changetype<BytesTable>(0);
let keys: KeyTable = changetype<KeyTable>(0);
let rows: RowTable = changetype<RowTable>(0);

/** 64 KiB for the host to put bytes into. */
export function room(): usize {
  return ROOM;
}

/** Empty tables; rows of `words` u64. */
export function begin(words: u32): void {
  resetArena();
  bytes = newBytesTable(64);
  keys = newKeyTable(64);
  rows = newRowTable(words << 1, 64);
}

export function addBytes(n: u32): void {
  bytes.intern(ROOM, n);
}

export function addKey(key: u64): void {
  if (keys.find(key) === 0) keys.add(key, 1);
}

/** The row whose words are in the room. */
export function addRow(): void {
  memory.copy(rows.draft, ROOM, (<usize>rows.words) << 2);
  rows.intern();
}

function stepsOf(slots: Slots): u32 {
  let steps: u32 = 0;
  for (let i: u32 = 0; i <= slots.mask; i++) {
    const slot = load<u64>(slots.at + ((<usize>i) << 3));
    if (<u32>slot !== 0) steps += (i - <u32>(slot >> 32)) & slots.mask;
  }
  return steps;
}

/** Total distance of all entries from their home slots: the cost of finding each of them once. */
export function byteSteps(): u32 {
  return stepsOf(bytes);
}

export function rowSteps(): u32 {
  let steps: u32 = 0;
  for (let i: u32 = 0; i <= rows.mask; i++) {
    const row = load<u32>(rows.at + ((<usize>i) << 2)) & (rows.mask >> 1);
    if (row !== 0) steps += (i - rows.hashAt(rows.row(row))) & rows.mask;
  }
  return steps;
}

export function keySteps(): u32 {
  let steps: u32 = 0;
  for (let i: u32 = 0; i <= keys.mask; i++) {
    const slot = keys.at + ((<usize>i) << 4);
    if (load<u32>(slot, SLOT_ROW) !== 0) steps += (i - hashWord(load<u64>(slot))) & keys.mask;
  }
  return steps;
}

/** The first key from `key` on whose hash has no bit of `mask`. */
export function colliding(key: u64, mask: u32): u64 {
  while ((hashWord(key) & mask) !== 0) key++;
  return key;
}
