/**
 * Search for the bytes of the id that all wanted samples have. Where they are not in an event, its ids are not decoded:
 *
 *   1aaaaaaa 1bbbbbbb 1ccccccc 1ddddddd …      an id of at least five groups (cursor.ts)
 *
 * Its first four bytes are the same in all ways to write it, because only the last group can be written with more bytes
 * after it.
 */
import { soughtId } from "../wanted";
import { compressed } from "./cursor";
import { chunkEnd } from "./header";

/** Groups of 7 bits, and the bytes of four groups with the bit that more follow. */
const GROUPS: u32 = 4;
const GROUP_BITS: u32 = 7;
const MORE: u32 = 0x8080_8080;

/** Bytes that are searched at once, as a rule: events, but hardly the constant pools between them. */
const AHEAD: usize = 1 << 13;

/** Places after the first byte of the id. */
const SECOND: usize = 1;
const THIRD: usize = 2;
const FOURTH: usize = 3;

/** The id can be searched for in this chunk. */
export let isSought: bool = false;
let pattern: u32 = 0;
/** The place up to which no id begins, from the event asked for last on. */
let clear: usize = 0;

/** A chunk begins. */
export function beginSearch(): void {
  isSought = compressed && soughtId >> (<u64>GROUPS * <u64>GROUP_BITS) !== 0;
  clear = 0;
  pattern = MORE;
  for (let i: u32 = 0; i < GROUPS; i++) pattern |= (<u32>(soughtId >> (<u64>i * GROUP_BITS)) & 0x7f) << (i << 3);
}

/** Whether the id may begin from `at` on and before `end`. To be asked with rising places. */
export function mayHoldSought(at: usize, end: usize): bool {
  if (end <= clear) return false;
  if (clear < at) clear = at;
  const stop = max<usize>(end, min<usize>(clear + AHEAD, chunkEnd));
  clear = nextSought(clear, stop);
  return clear < end;
}

/** The first place from `p` on with the first bytes of the id, or `stop`. Loads beyond it: the input has slack. */
function nextSought(p: usize, stop: usize): usize {
  const a = i8x16.splat(<i8>pattern);
  const b = i8x16.splat(<i8>(pattern >> 8));
  const c = i8x16.splat(<i8>(pattern >> 16));
  const d = i8x16.splat(<i8>(pattern >> 24));
  for (; p < stop; p += 16) {
    const ab = v128.and(i8x16.eq(v128.load(p), a), i8x16.eq(v128.load(p, SECOND), b));
    const cd = v128.and(i8x16.eq(v128.load(p, THIRD), c), i8x16.eq(v128.load(p, FOURTH), d));
    const found = i8x16.bitmask(v128.and(ab, cd));
    if (found !== 0) return min<usize>(p + <usize>ctz<u32>(found), stop);
  }
  return stop;
}
