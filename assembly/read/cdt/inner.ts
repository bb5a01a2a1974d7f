/**
 * Enters and exits inside of roots, which are nearly all events of a trace: read in one loop without a check of each
 * byte and without a call for each event. All other events are left to the caller, one by one: tags, the first and the
 * last frame of a root, ids without a text, clocks that were set back, pauses, and frames that need room.
 *
 *   event   bits 0–1 kind, 0 enter, 1 exit | bits 2–6 delta | bit 7: a varint with its higher bits
 *           then, of an enter: varint method
 */
import * as ListedFrame from "../../abi/listed-frame";
import { Run } from "../../store/runs";
import { Frame, Thread } from "./threads";
import * as walk from "./walk";

const FRAME: usize = offsetof<Frame>();
/** Bytes of the longest enter: its first byte and two varints. */
export const MOST_ENTER: usize = 11;

/** After a loop: the number of its events, and Σ deltas of the block. */
export let events: u32 = 0;
export let total: i32 = 0;

/** The byte after the varint that `wide` read. */
let wideEnd: usize = 0;

/** A varint of more than one byte, at most 5. The bytes are there. */
function wide(p: usize): u32 {
  let value: u32 = 0;
  for (let shift: u32 = 0; shift < 35; shift += 7) {
    const b = <u32>load<u8>(p++);
    value |= (b & 0x7f) << shift;
    if ((b & 0x80) === 0) break;
  }
  wideEnd = p;
  return value;
}

/**
 * Reads events of `thread`, which has an open frame, from `p` on up to `last`, the last place where an enter fits. The
 * answer is where the first event begins that was not read. `time`, `skew` and `sum` are those of the block (trace.ts).
 */
export function readRoots(thread: Thread, run: Run, p: usize, last: usize, time: i64, skew: i32, sum: i32): usize {
  const words = run.words.at;
  const known = run.words.size >> 2;
  const inner = thread.bottom + 2 * FRAME;
  const limit = topLimit(thread);
  let top = thread.top;
  let latest = run.latest;
  let count: u32 = 0;
  let enters: u32 = 0;
  while (p <= last) {
    const head = <u32>load<u8>(p);
    let q = p + 1;
    let delta = <i32>((head >> 2) & 31);
    if ((head & 0x80) !== 0) {
      let high = <u32>load<u8>(q++);
      if (high >= 0x80) {
        high = wide(q - 1);
        q = wideEnd;
      }
      delta |= <i32>(high << 5);
    }
    const now = time + <i64>(sum + delta - skew);
    if ((head & 3) === 0) {
      let word = <u32>load<u8>(q++);
      if (word >= 0x80) {
        word = wide(q - 1);
        q = wideEnd;
      }
      if (word >= known || load<u32>(words + ((<usize>word) << 2)) === 0 || top > limit) break;
      top += FRAME;
      changetype<Frame>(top).enter = now;
      enters++;
    } else {
      if ((head & 3) !== 1 || top < inner || now < changetype<Frame>(top).enter) break;
      top -= FRAME;
    }
    sum += delta;
    if (now > latest) latest = now;
    count++;
    p = q;
  }
  thread.top = top;
  thread.enters += enters;
  run.latest = latest;
  events = count;
  total = sum;
  return p;
}

/** Enters and exits inside a root: frames of the marked calls are added up, those of other calls are passed. */
export function readFrames(thread: Thread, run: Run, p: usize, last: usize, time: i64, skew: i32, sum: i32): usize {
  const words = run.words.at;
  const known = run.words.size >> 2;
  const inner = thread.bottom + 2 * FRAME;
  const limit = topLimit(thread);
  const isMarked = thread.call !== 0;
  const pauses = run.pauses;
  // Other calls are passed whatever the time is.
  const from = isMarked ? pauses.calmFrom : i64.MIN_VALUE;
  const to = isMarked ? pauses.calmTo : i64.MAX_VALUE;
  const before = pauses.calmBefore;
  let top = thread.top;
  let count: u32 = 0;
  while (p <= last) {
    const head = <u32>load<u8>(p);
    let q = p + 1;
    let delta = <i32>((head >> 2) & 31);
    if ((head & 0x80) !== 0) {
      let high = <u32>load<u8>(q++);
      if (high >= 0x80) {
        high = wide(q - 1);
        q = wideEnd;
      }
      delta |= <i32>(high << 5);
    }
    const now = time + <i64>(sum + delta - skew);
    if (now < from || now >= to) break;
    const frame = changetype<Frame>(top);
    if ((head & 3) === 0) {
      let word = <u32>load<u8>(q++);
      if (word >= 0x80) {
        word = wide(q - 1);
        q = wideEnd;
      }
      if (word >= known || load<u32>(words + ((<usize>word) << 2)) === 0 || top > limit) break;
      top += FRAME;
      const opened = changetype<Frame>(top);
      opened.enter = now;
      if (isMarked) {
        opened.before = before;
        opened.childWall = 0;
        opened.childPaused = 0;
        opened.node = walk.childOf(frame.node, word);
      }
    } else {
      if ((head & 3) !== 1 || top < inner) break;
      if (isMarked) {
        const wall = now - frame.enter;
        if (wall < 0) break;
        const paused = before - frame.before;
        const self = max<i64>(0, wall - frame.childWall);
        walk.addTo(frame.node, 1, self, min<i64>(self, max<i64>(0, paused - frame.childPaused)));
        const parent = changetype<Frame>(top - FRAME);
        parent.childWall += wall;
        parent.childPaused += paused;
      }
      top -= FRAME;
    }
    sum += delta;
    count++;
    p = q;
  }
  thread.top = top;
  events = count;
  total = sum;
  return p;
}

/** The highest top that another frame may follow: there is room for it, and it is no deeper than stacks are. */
function topLimit(thread: Thread): usize {
  return min<usize>(thread.end - 2 * FRAME, thread.bottom + (<usize>ListedFrame.MOST_DEPTH - 1) * FRAME);
}
