/**
 * One constant pool: key → place of the value, and its decoded result.
 *
 *   pool    | rows ptr | capacity | count | kind | entries ptr | size | lowest key u64 | highest key u64 |
 *   row     | key u64 | pointer u32 |                  in file order, while the chunk's checkpoints are read
 *   dense   | entry |                                  at key − lowest
 *   hashed  | key u64 | entry |                        open addressing, at most half full
 *   entry   | pointer u32 | resolved u32 |             pointer 0 = no such key; resolved 0 = not yet
 *   resolved  index + 1, 29 bits | role, 3 bits |    a class may be needed in several roles
 *
 * Rows become entries at the first lookup in the pool, because all keys are known by then. Recorders number traces and
 * symbols one by one, so their entries are dense and neighbours stay neighbours; methods, and keys made up by a hostile
 * writer, are hashed.
 */
import { alloc, regrow, release } from "../../memory/arena";
import { hashWord } from "../../memory/hash";
import { scratch } from "../../memory/scratch";

/** Roles: what a constant was decoded to. */
export enum Became {
  /** The text of a module. */
  Module,
  Function,
  ClassLabel,
  Thread,
  FrameType,
  Stack,
  Text,
  /** It has no text. */
  NoText,
}

const RESOLVED: usize = 4;
/** Behind the key of a hashed pool. */
const HASHED_ENTRY: usize = 8;

/** Index + 1 of the decoded entry in this role, 0 if it was not decoded in this role. */
export function resolved(entry: usize, as: Became): u32 {
  const known = load<u32>(entry, RESOLVED);
  return (known & 7) === <u32>as ? known >> 3 : 0;
}

/** Keeps that the entry became row `index` in this role; the role of the last request is kept. */
export function resolve(entry: usize, as: Became, index: u32): void {
  store<u32>(entry, ((index + 1) << 3) | <u32>as, RESOLVED);
}

const ROWS: usize = 0;
const CAPACITY: usize = 4;
const COUNT: usize = 8;
const KIND: usize = 12;
const ENTRIES: usize = 16;
const SIZE: usize = 20;
const LOWEST: usize = 24;
const HIGHEST: usize = 32;
const POOL_BYTES: u32 = 40;

const ROW_KEY: usize = 0;
const ROW_VALUE: usize = 8;
const ROW_BYTES: usize = 12;
const FIRST_ROWS: u32 = 32;

enum Kind {
  Rows,
  Dense,
  Hashed,
}

/** An empty pool for one chunk; `endPool` frees its rows and entries. */
export function newPool(): usize {
  const pool = scratch(POOL_BYTES);
  store<u32>(pool, <u32>alloc(<usize>FIRST_ROWS * ROW_BYTES), ROWS);
  store<u32>(pool, FIRST_ROWS, CAPACITY);
  store<u64>(pool, u64.MAX_VALUE, LOWEST);
  return pool;
}

/** Bytes of `size` entries. */
function entryBytes(kind: Kind, size: u32): usize {
  return (<usize>size) << (kind === Kind.Dense ? 3 : 4);
}

export function endPool(pool: usize): void {
  const kind = <Kind>load<u32>(pool, KIND);
  if (kind === Kind.Rows) release(<usize>load<u32>(pool, ROWS), <usize>load<u32>(pool, CAPACITY) * ROW_BYTES);
  else release(<usize>load<u32>(pool, ENTRIES), entryBytes(kind, load<u32>(pool, SIZE)));
}

/** Adds a constant; of equal keys the first one counts. */
export function addConstant(pool: usize, key: u64, value: usize): void {
  const count = load<u32>(pool, COUNT);
  let rows = <usize>load<u32>(pool, ROWS);
  if (count === load<u32>(pool, CAPACITY)) {
    const bytes = <usize>count * ROW_BYTES;
    rows = regrow(rows, bytes, bytes, bytes << 1);
    store<u32>(pool, <u32>rows, ROWS);
    store<u32>(pool, count << 1, CAPACITY);
  }
  const row = rows + <usize>count * ROW_BYTES;
  store<u64>(row, key, ROW_KEY);
  store<u32>(row, <u32>value, ROW_VALUE);
  store<u32>(pool, count + 1, COUNT);
  if (key < load<u64>(pool, LOWEST)) store<u64>(pool, key, LOWEST);
  if (key > load<u64>(pool, HIGHEST)) store<u64>(pool, key, HIGHEST);
}

/** Makes entries of the rows: dense where that takes no more memory than hashing would. */
function build(pool: usize): void {
  const rows = <usize>load<u32>(pool, ROWS);
  const rowBytes = <usize>load<u32>(pool, CAPACITY) * ROW_BYTES;
  const count = load<u32>(pool, COUNT);
  const lowest = load<u64>(pool, LOWEST);
  const range = load<u64>(pool, HIGHEST) - lowest;
  const dense = count === 0 || range < (<u64>count) << 2;
  let size: u32 = 64;
  if (dense) size = count === 0 ? 0 : <u32>range + 1;
  else while (size < count << 1) size <<= 1;
  const kind = dense ? Kind.Dense : Kind.Hashed;
  const bytes = entryBytes(kind, size);
  const entries = alloc(bytes);
  memory.fill(entries, 0, bytes);
  store<u32>(pool, kind, KIND);
  store<u32>(pool, size, SIZE);
  store<u32>(pool, <u32>entries, ENTRIES);
  const end = rows + <usize>count * ROW_BYTES;
  for (let row = rows; row < end; row += ROW_BYTES) {
    const key = load<u64>(row, ROW_KEY);
    let e = entries + ((<usize>(key - lowest)) << 3);
    if (load<u32>(pool, KIND) === Kind.Hashed) {
      e = hashedPlace(pool, key);
      store<u64>(e - HASHED_ENTRY, key);
    }
    if (load<u32>(e) === 0) store<u32>(e, load<u32>(row, ROW_VALUE));
  }
  release(rows, rowBytes);
}

/** The entry of `key` in a hashed pool, or the free one where it belongs. */
function hashedPlace(pool: usize, key: u64): usize {
  const entries = <usize>load<u32>(pool, ENTRIES);
  const mask = load<u32>(pool, SIZE) - 1;
  let i = hashWord(key) & mask;
  while (true) {
    const e = entries + ((<usize>i) << 4);
    if (load<u32>(e, HASHED_ENTRY) === 0 || load<u64>(e) === key) return e + HASHED_ENTRY;
    i = (i + 1) & mask;
  }
}

function denseEntry(pool: usize, key: u64): usize {
  const i = key - load<u64>(pool, LOWEST);
  if (i >= <u64>load<u32>(pool, SIZE)) return 0;
  const e = <usize>load<u32>(pool, ENTRIES) + ((<usize>i) << 3);
  return load<u32>(e) === 0 ? 0 : e;
}

/** The entry of `key`, or 0. */
export function entryOf(pool: usize, key: u64): usize {
  if (load<u32>(pool, KIND) === Kind.Rows) build(pool);
  if (load<u32>(pool, KIND) === Kind.Dense) return denseEntry(pool, key);
  const e = hashedPlace(pool, key);
  return load<u32>(e) === 0 ? 0 : e;
}

/** Walks the entries: the one after `entry` (0 = the first), or 0 at the end. */
export function nextEntry(pool: usize, entry: usize): usize {
  if (load<u32>(pool, KIND) === Kind.Rows) build(pool);
  const stride: usize = load<u32>(pool, KIND) === Kind.Dense ? 8 : 16;
  const first = <usize>load<u32>(pool, ENTRIES);
  const end = first + <usize>load<u32>(pool, SIZE) * stride;
  let e = entry === 0 ? first + stride - 8 : entry + stride;
  while (e < end && load<u32>(e) === 0) e += stride;
  return e < end ? e : 0;
}
