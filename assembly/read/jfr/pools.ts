/**
 * Constant pools of one chunk: the checkpoints, and which keys of the wanted classes they hold where. Values are decoded
 * when first used, and what they became (a function, a stack, a string …) is kept beside the key: see pool-index.ts.
 */
import { Buffer, newBuffer } from "../../memory/buffer";
import { diagnose } from "../../store/diagnostics";
import { Finding } from "./codes";
import {
  compressed,
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
import { CLASS_POOL, classAt, classCount, classOf, isClass } from "./metadata";
import { fuel, skipValue, spend, traceVarintsOf, varintsOf } from "./plan";
import { addConstant, endPool, entryOf, newPool, nextEntry } from "./pool-index";

/** Checkpoints of the chunk, u32 pointers, the last one in the file first. */
let checkpoints: Buffer = changetype<Buffer>(0);
/** How many there are, indexed or not. */
let known: u32 = 0;

export function resetPools(): void {
  checkpoints = newBuffer(1 << 12);
}

/** Has the pool of class `cls` indexed; returns whether it was not wanted before. */
export function wantPool(cls: u32): bool {
  if (!isClass(cls) || load<u32>(classAt(cls), CLASS_POOL) !== 0) return false;
  store<u32>(classAt(cls), <u32>newPool(), CLASS_POOL);
  return true;
}

/** Gives the pools' memory back. */
export function endPools(): void {
  for (let i: u32 = 0; i < classCount; i++) {
    const pool = <usize>load<u32>(classAt(i), CLASS_POOL);
    if (pool !== 0) endPool(pool);
    store<u32>(classAt(i), 0, CLASS_POOL);
  }
}

function poolOf(cls: u32): usize {
  return isClass(cls) ? <usize>load<u32>(classAt(cls), CLASS_POOL) : 0;
}

/** The entry of `key` in the pool of `cls`, or 0. Good while the chunk's pools are. */
export function poolEntry(cls: u32, key: u64): usize {
  const pool = poolOf(cls);
  return pool === 0 ? 0 : entryOf(pool, key);
}

/** Walks the entries of a pool: the one behind `entry` (0 = the first), or 0 at the end. */
export function nextPoolEntry(cls: u32, entry: usize): usize {
  const pool = poolOf(cls);
  return pool === 0 ? 0 : nextEntry(pool, entry);
}

/** Puts the cursor on the value of an entry. */
export function enterEntry(entry: usize): void {
  seek(<usize>load<u32>(entry), chunkEnd);
}

export function forgetCheckpoints(): void {
  known = 0;
  checkpoints.size = 0;
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

/** The first known checkpoint behind `p`, or 0: where reading can go on after an event that cannot be. */
export function checkpointAfter(p: usize): usize {
  // Indexing took them off the end one by one; they still stand there, in falling order.
  let found: usize = 0;
  for (let i: u32 = 0; i < known; i++) {
    const at = <usize>load<u32>(checkpoints.at + ((<usize>i) << 2));
    if (at > p && (found === 0 || at < found)) found = at;
  }
  return found;
}

/** Indexes the earliest checkpoint not yet indexed; false when there is none left. */
export function indexNext(): bool {
  if (checkpoints.size >> 2 > known) known = checkpoints.size >> 2;
  if (checkpoints.size === 0) return false;
  checkpoints.size -= 4;
  const p = <usize>load<u32>(checkpoints.at + checkpoints.size);
  index(p);
  // A chain that goes back byte by byte would have each of its checkpoints read to the end of the chunk.
  if (!spend(<u32>(position() - p))) checkpoints.size = 0;
  return true;
}

function index(p: usize): void {
  seek(p, chunkEnd);
  const size = readInt();
  const end = size > <u32>(chunkEnd - p) ? chunkEnd : p + size;
  seek(position(), end);
  readLong();
  readLong();
  readLong();
  readLong();
  readByte();
  const pools = readInt();
  for (let i: u32 = 0; i < pools && !overrun; i++) {
    const type = readLong();
    const count = readInt();
    const cls = classOf(type);
    if (overrun) break;
    if (count > left()) {
      diagnose(Finding.CheckpointDamaged, offsetOf(p), <i64>type);
      return;
    }
    if (!isClass(cls)) {
      diagnose(Finding.PoolUndefined, offsetOf(p), <i64>type);
      return;
    }
    if (!indexPool(cls, count)) {
      diagnose(fuel < 0 ? Finding.TooComplex : Finding.CheckpointDamaged, offsetOf(p), <i64>type);
      return;
    }
  }
  if (overrun) diagnose(Finding.CheckpointDamaged, offsetOf(p), 0);
}

function indexPool(cls: u32, count: u32): bool {
  const pool = <usize>load<u32>(classAt(cls), CLASS_POOL);
  if (pool === 0) {
    const each = compressed ? varintsOf(cls) : 0;
    if (each !== 0) {
      if (<u64>count * <u64>(each + 1) > left()) return false;
      skipVarints(count * (each + 1));
      return !overrun;
    }
  }
  const frame = traceVarintsOf(cls);
  for (let i: u32 = 0; i < count; i++) {
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
