/**
 * Stream `trace` of a CDT dump: blocks of events, each of one thread. A frame may go on in later blocks and files.
 *
 *   file    long start ms | block …
 *   block   long thread id | long time ms | event … | 0x03
 *   event   bits 0–1 kind | bits 2–6 lowest 5 bits of the delta in ms | bit 7: a varint with its higher bits follows
 *   enter 0 varint method            exit 1 nothing            end of the block 3
 *   tag   2 varint parameter | byte 0, 2: string · 1: varint file | varint offset in xml · 3: the same in sql
 *
 * A block's deltas start at the start of the file: time of an event = time of the block + (Σ deltas − (time of the
 * block − start of the file)), in 32 bits, which is right also for a JVM that runs longer than 24.8 days.
 */

import * as Stream from "../../abi/cdt-stream";
import * as Fault from "../../abi/formats/cdt";
import * as RunRow from "../../abi/rows/run-row";
import { countIn, Run, runAt } from "../../store/runs";
import * as cursor from "./cursor";
import { byte, knownString, long, moveTo, NO_STRING, skipString, string, turnTo, varint } from "./cursor";
import * as inner from "./inner";
import { isNear } from "./plausible";
import { isWord } from "./records";
import * as roots from "./roots";
import { isEmpty, Thread, threadOf } from "./threads";
import * as walk from "./walk";

const ENTER: u32 = 0;
const EXIT: u32 = 1;
const TAG: u32 = 2;
const BLOCK_END: u32 = 3;
const BIG: u32 = 1;
const DEDUPLICATED: u32 = 3;
const MOST_THREAD: i64 = 1 << 48;

let run: Run = changetype<Run>(0);
/** Frames are added up, or listed (walk.ts); else calls are made of roots (roots.ts). */
let walking: bool = false;

let file: u32 = 0;
let start: i64 = 0;
let hasStart: bool = false;

let isInBlock: bool = false;
let thread: Thread = changetype<Thread>(0);
let offset: u32 = 0;
let time: i64 = 0;
/** Time of the block − start of the file, and Σ deltas. */
let skew: i32 = 0;
let total: i32 = 0;
/** Of the next event in the block. */
let ordinal: u32 = 0;

export function beginTrace(which: u32, asWalk: bool): void {
  run = runAt(which);
  walking = asWalk;
}

export function beginTraceFile(index: u32): void {
  file = index;
  hasStart = false;
  isInBlock = false;
}

/** Offset of the block that the reader stopped in. */
export function blockOffset(): u32 {
  return offset;
}

/**
 * Reads as many events as the `n` bytes at `p` have, which are at `position` in the file. The answer is one of
 * abi/formats/cdt.ts; cursor.at is after the last event, or at the one that is at fault.
 */
export function readTrace(p: usize, n: u32, position: u32, final: bool): u32 {
  turnTo(p, p + n, final);
  let sound: bool = true;
  while (sound && !cursor.torn && cursor.at < cursor.end) {
    mark = cursor.at;
    if (isInBlock) sound = readEvents();
    else if (hasStart) sound = beginBlock(position + <u32>(mark - p));
    else readStart();
  }
  if (cursor.torn || !sound) moveTo(mark);
  if (!sound || cursor.bad) return Fault.Implausible;
  return final && (cursor.torn || isInBlock) ? Fault.Truncated : Fault.None;
}

/** Where the event begins that is read. */
let mark: usize = 0;

function readStart(): void {
  start = long();
  hasStart = !cursor.torn;
}

/** Ends the block that damage is in; the next bytes are those of another one. */
export function leaveBlock(): void {
  isInBlock = false;
}

function beginBlock(at: u32): bool {
  const id = long();
  const real = long();
  offset = at;
  // Damage in this head is not in the block before, whose roots are sound.
  roots.beginBlock();
  if (cursor.torn) return true;
  if (id < 0 || id >= MOST_THREAD || !isNear(real, start)) return false;
  thread = threadOf(id, roots.isLost());
  time = real;
  skew = <i32>(real - start);
  total = 0;
  ordinal = 0;
  isInBlock = true;
  return true;
}

/** Reads events up to the end of the block or of the bytes. */
function readEvents(): bool {
  const before = ordinal;
  const sound = readBlock();
  if (!walking) store<u32>(run.row, load<u32>(run.row, RunRow.EVENTS) + (ordinal - before), RunRow.EVENTS);
  return sound;
}

function readBlock(): bool {
  const isPlain = !walking || walk.isPlain();
  while (cursor.at < cursor.end) {
    if (isPlain && cursor.end - cursor.at >= inner.MOST_ENTER && !isEmpty(thread)) {
      const last = cursor.end - inner.MOST_ENTER;
      moveTo(
        walking
          ? inner.readFrames(thread, run, cursor.at, last, time, skew, total)
          : inner.readRoots(thread, run, cursor.at, last, time, skew, total),
      );
      ordinal += inner.events;
      total = inner.total;
      if (cursor.at === cursor.end) return true;
    }
    mark = cursor.at;
    const head = byte();
    let delta = <i32>((head >> 2) & 31);
    if ((head & 0x80) !== 0) delta |= varint() << 5;
    const kind = head & 3;
    if (kind === BLOCK_END) {
      if (head !== BLOCK_END) return false;
      if (!walking) countIn(run, RunRow.BLOCKS);
      isInBlock = false;
      return true;
    }
    let word: i32 = 0;
    if (kind !== EXIT) {
      word = varint();
      if (!cursor.torn && !isWord(run, word)) return false;
    }
    if (cursor.torn) return true;
    const sum = total + delta;
    const now = time + <i64>(sum - skew);
    if (kind === TAG) {
      if (!readTag(word, now)) return false;
      if (cursor.torn || cursor.bad) return true;
    }
    total = sum;
    if (kind === ENTER) {
      if (walking) walk.enter(thread, word, now, file, offset, ordinal);
      else roots.enter(thread, word, now, file, offset, ordinal);
    } else if (kind === EXIT) {
      if (walking) walk.exit(thread, now);
      else roots.exit(thread, now);
    }
    ordinal++;
  }
  return true;
}

/** Reads the value of a tag and hands it on once it is whole. */
function readTag(word: u32, now: i64): bool {
  const kind = byte();
  if (cursor.torn) return true;
  if (kind > DEDUPLICATED) return false;
  if (kind === BIG || kind === DEDUPLICATED) {
    const index = varint();
    const at = varint();
    if (cursor.torn) return true;
    const stream: u32 = kind === BIG ? Stream.Xml : Stream.Sql;
    if (walking) walk.bigTag(thread, word, stream, index, at);
    else roots.bigTag(thread, now, stream, index, at);
    return true;
  }
  const from = cursor.at;
  if (walking ? walk.wantsText(thread) : roots.wantsText(thread, word)) {
    const text = walking && walk.wantsKnown() ? knownString() : string();
    if (cursor.torn || cursor.bad) return true;
    if (walking && text === NO_STRING) walk.otherTag(thread, word);
    else if (walking) walk.tag(thread, word, text);
    else roots.tag(thread, word, now, text);
    return true;
  }
  skipString();
  if (cursor.torn || cursor.bad) return true;
  // call.info is id 0; an agent writes it with the empty string as the last tag of a root.
  if (!walking) roots.plainTag(thread, word, now, kind === 0 && cursor.at === from + 1);
  return true;
}
