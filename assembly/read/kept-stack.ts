/**
 * Stacks as readers keep them. Views and writers make a node or a row of each frame, so frames are limited:
 *
 *   stack      Limits.MOST_STACK_FRAMES frames. Of a longer one the halves at the leaf and at the root stay, so self
 *   times and
 *              the totals of outer functions are right: | leaf half | "[frames left out]" | root half |
 *   inlined    A location is one byte of a stack, and up to MAX_LINES frames. All stacks of a core together have
 *              FREE_INLINED frames of inlined lines and INLINED_PER_BYTE for each byte of the messages. After that a
 *              stack has Limits.LEAST_STACK_FRAMES.
 */
import * as FrameType from "../abi/frame-type";
import * as Limits from "../abi/limits";
import { Buffer, ownBuffer } from "../memory/buffer";
import { onReset } from "../memory/resets";
import { diagnose } from "../store/diagnostics";
import { inlinedLines, internFunction, internLocation, internText, stacks } from "../store/tables";
import { hasInlined } from "./lines";

const FREE_INLINED: i64 = 1 << 21;
const INLINED_PER_BYTE: i64 = 4;

/** Frames of inlined lines that may still come. */
let inlinedLeft: i64 = 0;
/** Location of the frame in place of those that were left out, 0 = not made yet. */
let gap: u32 = 0;
const cut: Buffer = ownBuffer(64);

onReset((): void => {
  inlinedLeft = FREE_INLINED;
  gap = 0;
});

/** A message of `n` bytes is opened. */
export function allowInlined(n: u32): void {
  inlinedLeft += INLINED_PER_BYTE * <i64>n;
}

/** The byte after the varint that was read last. */
let next: usize = 0;

/** The location at `p`, a varint. */
function locationAt(p: usize): u32 {
  let value: u32 = 0;
  let shift: u32 = 0;
  let byte: u32;
  do {
    byte = <u32>load<u8>(p++);
    value |= (byte & 0x7f) << shift;
    shift += 7;
  } while (byte >= 0x80);
  next = p;
  return value;
}

/** `internStack` for locations without inlined lines: frames of a short stack are not counted. */
export function internPlainStack(packed: Buffer, code: u32, offset: u64): u32 {
  const isShort = packed.size <= <u32>Limits.MOST_STACK_FRAMES;
  return isShort ? stacks.intern(packed.at, packed.size) : internCounted(packed, code, offset);
}

/** Row of the stack of `packed` locations, leaf first. `code` and `offset`: the diagnostic if frames are left out. */
export function internStack(packed: Buffer, code: u32, offset: u64): u32 {
  return hasInlined ? internCounted(packed, code, offset) : internPlainStack(packed, code, offset);
}

function internCounted(packed: Buffer, code: u32, offset: u64): u32 {
  const known = stacks.find(packed.at, packed.size);
  if (known !== 0 || packed.size === 0) return known;
  const end = packed.at + packed.size;
  let frames: u32 = 0;
  let locations: u32 = 0;
  for (let p = packed.at; p < end; p = next) {
    frames += 1 + inlinedLines(locationAt(p));
    locations++;
  }
  const inlined = <i64>min<u32>(frames - locations, Limits.MOST_STACK_FRAMES);
  const most: u32 = inlined > inlinedLeft ? Limits.LEAST_STACK_FRAMES : Limits.MOST_STACK_FRAMES;
  inlinedLeft = max<i64>(0, inlinedLeft - inlined);
  if (frames > most) {
    diagnose(code, offset, <i64>(frames - cutTo(packed, frames, most)));
    return stacks.intern(cut.at, cut.size);
  }
  return stacks.intern(packed.at, packed.size);
}

/** Puts a stack of `frames` into `cut`, at most `most` of them and the gap. The answer is how many stayed. */
function cutTo(packed: Buffer, frames: u32, most: u32): u32 {
  if (gap === 0)
    gap = internLocation(internFunction(internText("[frames left out]"), 0, 0, 0), 0, 0, 0, FrameType.None);
  cut.size = 0;
  const half = most >> 1;
  const end = packed.at + packed.size;
  let before: u32 = 0;
  let stayed: u32 = 0;
  let isGap = false;
  for (let p = packed.at; p < end; p = next) {
    const location = locationAt(p);
    const own = 1 + inlinedLines(location);
    const isKept = before + own <= half || frames - before <= half;
    before += own;
    if (isKept) {
      cut.varint(location);
      stayed += own;
    } else if (!isGap) {
      cut.varint(gap);
      isGap = true;
    }
  }
  return stayed;
}
