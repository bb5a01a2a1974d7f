/**
 * The chunk header, 68 bytes, big-endian:
 *
 *   0 "FLR\0" | 4 major u16 | 6 minor u16 | 8 size | 16 last checkpoint | 24 last metadata | 32 start ns |
 *   40 duration ns | 48 start ticks | 56 ticks per second | 64 state u8 | 65 pad |
 *   66 flags u16 (bit 0: compressed integers)
 */
import * as Diagnostic from "../../abi/formats/jfr";
import { diagnose } from "../../store/diagnostics";

export const HEADER_BYTES: u32 = 68;
const HEADER_SIZE: usize = 8;
const HEADER_POOLS: usize = 16;
const HEADER_METADATA: usize = 24;
const HEADER_START: usize = 32;
const HEADER_DURATION: usize = 40;
const HEADER_TICKS: usize = 48;
const HEADER_FREQUENCY: usize = 56;
const HEADER_STATE: usize = 64;
const HEADER_FLAGS: usize = 66;
const NANOS: i64 = 1_000_000_000;

/** First byte of the chunk, and the first byte after its available part. */
export let chunkStart: usize = 0;
export let chunkEnd: usize = 0;
export let poolOffset: i64 = 0;
export let metadataOffset: i64 = 0;
export let startNanos: i64 = 0;
export let durationNanos: i64 = 0;
export let flags: u32 = 0;
let startTicks: i64 = 0;
let ticksPerSecond: i64 = NANOS;
/** Duration of the chunk in ticks. */
let durationTicks: i64 = 0;

function big(offset: usize): i64 {
  return <i64>bswap<u64>(load<u64>(chunkStart + offset));
}

/** Takes over the header of the chunk at `p`, of which `length` ≥ 68 bytes are there. */
export function openHeader(p: usize, length: u32): void {
  chunkStart = p;
  const size = big(HEADER_SIZE);
  chunkEnd = p + (size >= <i64>HEADER_BYTES && size <= <i64>length ? <usize>size : <usize>length);
  if (size < <i64>HEADER_BYTES || size > <i64>length) diagnose(Diagnostic.ChunkTruncated, HEADER_SIZE, size);
  poolOffset = big(HEADER_POOLS);
  metadataOffset = big(HEADER_METADATA);
  startNanos = big(HEADER_START);
  durationNanos = big(HEADER_DURATION);
  startTicks = big(HEADER_TICKS);
  ticksPerSecond = big(HEADER_FREQUENCY);
  flags = bswap<u16>(load<u16>(p, HEADER_FLAGS));
  const state = load<u8>(p, HEADER_STATE);
  if (state !== 0) diagnose(Diagnostic.ChunkUnfinished, HEADER_STATE, state);
  if (ticksPerSecond <= 0) {
    diagnose(Diagnostic.TicksPerSecond, HEADER_FREQUENCY, ticksPerSecond);
    ticksPerSecond = NANOS;
  }
  const nanos = max<i64>(0, durationNanos);
  durationTicks = (nanos / NANOS) * ticksPerSecond + ((nanos % NANOS) * ticksPerSecond) / NANOS;
}

/** Whether a tick count is a time from the start of the chunk on and before its end, by the header. */
export function isInChunk(ticks: i64): bool {
  return <u64>(ticks - startTicks) < <u64>durationTicks;
}

/** A span of ticks in nanoseconds, rounded down, without overflow for clocks below 9.2 GHz. */
export function ticksToNanos(ticks: i64): i64 {
  if (ticksPerSecond === NANOS) return ticks;
  let q = ticks / ticksPerSecond;
  let r = ticks % ticksPerSecond;
  if (r < 0) {
    r += ticksPerSecond;
    q--;
  }
  return q * NANOS + (r * NANOS) / ticksPerSecond;
}

/** A tick count of this chunk's clock as ns since 1970. */
export function ticksToTime(ticks: i64): i64 {
  return startNanos + ticksToNanos(ticks - startTicks);
}

/** Offset of `p` from the start of the chunk. */
export function offsetOf(p: usize): u64 {
  return <u64>(p - chunkStart);
}
