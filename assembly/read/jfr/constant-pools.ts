/**
 * Constant pools of one chunk: reads the checkpoints and indexes the keys of the wanted classes. Values are decoded at
 * first use, and the result (a function, a stack, a string …) is cached beside the key: see constant-pool.ts.
 */

import * as Diagnostic from "../../abi/formats/jfr";
import { Buffer, ownBuffer } from "../../memory/buffer";
import { diagnose } from "../../store/diagnostics";
import { addConstant, endPool, entryOf, newPool, nextEntry } from "./constant-pool";
import {
  compressed,
  end,
  left,
  overrun,
  position,
  readByte,
  readInt,
  readLong,
  seek,
  skipBytes,
  skipVarints,
} from "./cursor";
import { chunkEnd, chunkStart, HEADER_BYTES, offsetOf } from "./header";
import { classAt, classCount, classOf, isClass } from "./metadata";
import { fuel, fuelFloor, lendFuel, restoreFuel, skipValue, spend, traceVarintsOf, varintsOf } from "./plan";
import * as ClassRow from "./rows/class-row";

/** Checkpoints of the chunk, u32 pointers, the last one in the file first. */
const checkpoints: Buffer = ownBuffer(1 << 12);
/** Checkpoints not indexed yet: the first ones of the list. */
let unindexed: u32 = 0;
/** Checkpoints that the scan of the events has not passed: the first ones of the list. */
let ahead: u32 = 0;

/** The checkpoint being indexed, 0 between two, and its end. */
let current: usize = 0;
let currentEnd: usize = 0;
/** It ends beyond the chunk's end, so a pool may have more constants than there are bytes. */
let isCut: bool = false;
/**
 * The position where indexing goes on, and the number of pools, and of constants of the pool of this class and type id,
 * that are left there.
 */
let at: usize = 0;
let pools: u32 = 0;
let constants: u32 = 0;
let poolClass: u32 = 0;
let poolType: u64 = 0;
/** Entries can be looked up. */
let isIndexed: bool = true;

/** Has the pool of class `cls` indexed; returns whether it was not wanted before. */
export function wantPool(cls: u32): bool {
  if (!isClass(cls) || load<u32>(classAt(cls), ClassRow.POOL) !== 0) return false;
  store<u32>(classAt(cls), <u32>newPool(), ClassRow.POOL);
  return true;
}

/** Gives the pools' memory back. */
export function endPools(): void {
  for (let i: u32 = 0; i < classCount; i++) {
    const pool = <usize>load<u32>(classAt(i), ClassRow.POOL);
    if (pool !== 0) endPool(pool);
    store<u32>(classAt(i), 0, ClassRow.POOL);
  }
}

function poolOf(cls: u32): usize {
  return isClass(cls) ? <usize>load<u32>(classAt(cls), ClassRow.POOL) : 0;
}

/** The entry of `key` in the pool of `cls`, or 0. Good while the chunk's pools are. */
export function poolEntry(cls: u32, key: u64): usize {
  if (!isIndexed) indexAll();
  const pool = poolOf(cls);
  return pool === 0 ? 0 : entryOf(pool, key);
}

/** Walks the entries of a pool: the one after `entry` (0 = the first), or 0 at the end. */
export function nextPoolEntry(cls: u32, entry: usize): usize {
  if (!isIndexed) indexAll();
  const pool = poolOf(cls);
  return pool === 0 ? 0 : nextEntry(pool, entry);
}

/** Puts the cursor on the value of an entry. */
export function enterEntry(entry: usize): void {
  seek(<usize>load<u32>(entry), chunkEnd);
}

export function forgetCheckpoints(): void {
  checkpoints.size = 0;
  beginIndexing();
}

/** To be called when all checkpoints are known. */
export function beginIndexing(): void {
  unindexed = checkpoints.size >> 2;
  ahead = unindexed;
  current = 0;
  isIndexed = true;
}

/** Puts indexing off until an entry is asked for: few chunks of a recording have samples of one request. */
export function delayIndexing(): void {
  isIndexed = false;
}

/** Indexes all checkpoints at once; the cursor stays. */
function indexAll(): void {
  const p = position();
  const limit = end();
  const fuelLeft = lendFuel(<u32>(chunkEnd - chunkStart));
  isIndexed = true;
  while (indexSome(u32.MAX_VALUE)) {}
  restoreFuel(fuelLeft);
  seek(p, limit);
}

function checkpointAt(i: u32): usize {
  return <usize>load<u32>(checkpoints.at + ((<usize>i) << 2));
}

/** Remembers a checkpoint that a scan came across; to be called in file order, before `sortScanned`. */
export function noteCheckpoint(p: usize): void {
  checkpoints.u32(<u32>p);
}

/** Turns the file order of a scan into the chain's order. */
export function sortScanned(): void {
  const n = checkpoints.size >> 2;
  for (let i: u32 = 0; i < n >> 1; i++) {
    const a = checkpoints.at + ((<usize>i) << 2);
    const b = checkpoints.at + ((<usize>(n - 1 - i)) << 2);
    const keep = load<u32>(a);
    store<u32>(a, load<u32>(b));
    store<u32>(b, keep);
  }
}

/**
 * Follows the chain from the checkpoint at `offset` to the first one by the deltas, which must strictly fall.
 * False when it does not hold together to its end.
 */
export function followChain(offset: i64): bool {
  checkpoints.size = 0;
  let at = offset;
  while (true) {
    if (at < <i64>HEADER_BYTES || at >= <i64>offsetOf(chunkEnd)) return false;
    const p = chunkStart + <usize>at;
    seek(p, chunkEnd);
    const size = readInt();
    const type = readLong();
    readLong();
    readLong();
    const delta = <i64>readLong();
    if (overrun || type !== 1 || size === 0) return false;
    checkpoints.u32(<u32>p);
    if (delta === 0) return true;
    if (delta > 0) return false;
    at += delta;
  }
}

/**
 * The first known checkpoint after `p`, or 0: where reading can continue after an unreadable event. To be asked with
 * rising places only: a checkpoint once passed is not compared again.
 */
export function checkpointAfter(p: usize): usize {
  while (ahead !== 0 && checkpointAt(ahead - 1) <= p) ahead--;
  return ahead === 0 ? 0 : checkpointAt(ahead - 1);
}

/** Charged beside a checkpoint's bytes, which may be few. */
const CHECKPOINT_COST: u32 = 64;
/** Constants between two looks at the budget. */
const BATCH: u32 = 64;

/**
 * Indexes checkpoints in the order of the file, about `budget` bytes or their cost in fuel. True while there is more.
 */
export function indexSome(budget: u32): bool {
  const floor = fuelFloor(budget);
  let left: i64 = budget;
  while (left > 0 && fuel > floor) {
    if (current === 0) {
      if (unindexed === 0) return false;
      unindexed--;
      enter(checkpointAt(unindexed));
      left -= <i64>CHECKPOINT_COST;
    }
    const start = at;
    seek(at, currentEnd);
    const ended = !indexUntil(left < <i64>(currentEnd - at) ? at + <usize>left : currentEnd, floor);
    at = position();
    left -= <i64>(at - start);
    // A chain that goes back byte by byte would have each of its checkpoints read to the end of the chunk.
    if (!spend(<u32>(at - start))) {
      diagnose(Diagnostic.TooComplex, offsetOf(current), 0);
      current = 0;
      unindexed = 0;
      return false;
    }
    if (ended) current = 0;
  }
  return true;
}

/** Makes the checkpoint at `p` the one being indexed. */
function enter(p: usize): void {
  seek(p, chunkEnd);
  const size = readInt();
  current = p;
  isCut = size > <u32>(chunkEnd - p);
  currentEnd = isCut ? chunkEnd : p + size;
  seek(position(), currentEnd);
  readLong();
  readLong();
  readLong();
  readLong();
  readByte();
  pools = readInt();
  constants = 0;
  at = position();
  if (!overrun) return;
  diagnose(Diagnostic.CheckpointDamaged, offsetOf(p), 0);
  pools = 0;
}

/** Goes on with the current checkpoint from the cursor to `stop`, or until the fuel is at `floor`. False at its end. */
function indexUntil(stop: usize, floor: i64): bool {
  while (constants !== 0 || pools !== 0) {
    if (constants === 0 && !beginPool()) return false;
    if (constants === 0) continue;
    const n = min<u32>(constants, BATCH);
    constants -= n;
    if (!indexConstants(n)) {
      diagnose(fuel < 0 ? Diagnostic.TooComplex : Diagnostic.CheckpointDamaged, offsetOf(current), <i64>poolType);
      return false;
    }
    if (position() >= stop || fuel <= floor) return constants !== 0 || pools !== 0;
  }
  return false;
}

/**
 * Reads the head of the next pool, and the whole pool where it can be skipped by counting. False: it cannot be read.
 */
function beginPool(): bool {
  pools--;
  poolType = readLong();
  const count = readInt();
  poolClass = classOf(poolType);
  if (overrun) {
    diagnose(Diagnostic.CheckpointDamaged, offsetOf(current), 0);
    return false;
  }
  if (count > left() && !isCut) {
    diagnose(Diagnostic.CheckpointDamaged, offsetOf(current), <i64>poolType);
    return false;
  }
  if (!isClass(poolClass)) {
    diagnose(Diagnostic.PoolUndefined, offsetOf(current), <i64>poolType);
    return false;
  }
  const each = compressed && poolOf(poolClass) === 0 ? varintsOf(poolClass) : 0;
  if (each === 0) {
    constants = count;
    return true;
  }
  const fits = <u64>count * <u64>(each + 1) <= left();
  if (fits) skipVarints(count * (each + 1));
  if (fits && !overrun) return true;
  diagnose(Diagnostic.CheckpointDamaged, offsetOf(current), <i64>poolType);
  return false;
}

/** Takes the next `n` constants of the current pool; false where one cannot be read. */
function indexConstants(n: u32): bool {
  const cls = poolClass;
  const pool = poolOf(cls);
  const frame = traceVarintsOf(cls);
  for (let i: u32 = 0; i < n; i++) {
    const key = readLong();
    const value = position();
    if (overrun || !(frame !== 0 ? skipTrace(frame) : skipValue(cls))) return false;
    if (pool !== 0) addConstant(pool, key, value);
  }
  return true;
}

/** Steps over a byte and an array of elements of `each` varints. */
function skipTrace(each: u32): bool {
  skipBytes(1);
  const n = readInt();
  if (overrun || <u64>n * <u64>each > left() || !spend(3)) return false;
  skipVarints(n * each);
  return !overrun;
}
