/**
 * Decoder of the frames of one stack trace into packed varints of locations, the form of a stack in the store.
 *
 *   StackFrame := method · line · bytecode index · type, leaf first
 *
 * A frame's location is looked up by its raw bytes, so only the first of equal frames in a chunk is decoded. The bytes
 * of method and line and the byte of the type are the key as they are; the key of a frame whose bytes do not fit is
 * made of its numbers. Two encodings of one frame are two entries with the same location.
 *
 *   slot  | offset of the row, 0 = empty u32 |                           open addressing, at most a quarter full
 *   row   | key u64 | varint of the location u32 | its bytes u32 |       in the order of coming up, row 0 unused
 *   key   | bytes of method and line, at most 7, zero after them | byte of the type, below 128 |
 *         | type 8 bits | line 16 | method 39 | 1 |
 *
 * Both parts together stay in a processor's second cache; entries of 16 bytes in the slots themselves did not. They are
 * the halves of one block.
 */
import { alloc, regrow, release } from "../../memory/arena";
import { Buffer, ownBuffer } from "../../memory/buffer";
import { hashWord } from "../../memory/hash";
import { onReset } from "../../memory/resets";
import { overrun, position, seek, varLong } from "./cursor";
import { makeLocation } from "./frame-location";
import { chunkEnd } from "./header";

/** Packed varints of location indices of the current stack. */
export const packed: Buffer = ownBuffer(1 << 12);

const ROW_KEY: usize = 0;
/** Varint and its size. */
const ROW_REST: usize = 8;

const FIRST_SLOTS: u32 = 1 << 16;
/** Frames beyond a quarter of this are looked up the long way. */
const MOST_SLOTS: u32 = 1 << 22;
let slots: usize = 0;
let size: u32 = 0;
let rows: usize = 0;
let used: u32 = 0;

onReset((): void => {
  size = 0;
  makeRoom(FIRST_SLOTS);
});

/** To be called between chunks, whose keys mean different things. */
export function forgetFrames(): void {
  if (used === 1) return;
  if (size === FIRST_SLOTS) {
    memory.fill(slots, 0, (<usize>size) << 2);
    used = 1;
    return;
  }
  // A large chunk must not make each small one after it clear so much.
  release(rows, (<usize>size) << 3);
  size = 0;
  makeRoom(FIRST_SLOTS);
}

/** Allocates `wish` slots and rows for a quarter of them, and moves the old entries there. */
function makeRoom(wish: u32): void {
  const bytes = (<usize>wish) << 2;
  const old = (<usize>size) << 2;
  const both = bytes << 1;
  rows = size === 0 ? alloc(both) : regrow(rows, old << 1, old, both);
  slots = rows + bytes;
  memory.fill(slots, 0, bytes);
  if (size === 0) used = 1;
  size = wish;
  for (let row: u32 = 1; row < used; row++) place(row);
}

/** Gives a row its slot. */
function place(row: u32): void {
  let i = hashWord(load<u64>(rows + ((<usize>row) << 4))) & (size - 1);
  while (load<u32>(slots + ((<usize>i) << 2)) !== 0) i = (i + 1) & (size - 1);
  store<u32>(slots + ((<usize>i) << 2), row << 4);
}

/** Offset of the row of `key`, 0 if the key is absent. */
function find(key: u64): usize {
  let i = hashWord(key) & (size - 1);
  while (true) {
    const row = <usize>load<u32>(slots + ((<usize>i) << 2));
    if (row === 0 || load<u64>(rows + row) === key) return row;
    i = (i + 1) & (size - 1);
  }
}

/** Varint of a location, and above it the number of its bytes. */
function restOf(location: u32): u64 {
  // Four bytes of varint are enough: 2²⁸ locations would not fit into the memory.
  const a: u32 = location & 0x7f;
  const b: u32 = (location >> 7) & 0x7f;
  const c: u32 = (location >> 14) & 0x7f;
  let bytes: u32 = 1;
  let varint = a;
  if (location > 0x7f) {
    varint |= 0x80 | (b << 8);
    bytes = 2;
  }
  if (location > 0x3fff) {
    varint |= 0x8000 | (c << 16);
    bytes = 3;
  }
  if (location > 0x1f_ffff) {
    varint |= 0x80_0000 | ((location >> 21) << 24);
    bytes = 4;
  }
  return ((<u64>bytes) << 32) | <u64>varint;
}

/** Makes the location of a frame that has no row, and a row for it. Returns its varint and size. Moves the cursor. */
function add(key: u64, method: u64, line: u32, type: u64): u64 {
  const rest = restOf(makeLocation(method, line, type));
  if (used << 2 >= size) {
    if (size === MOST_SLOTS) return rest;
    makeRoom(size << 1);
  }
  const row = rows + ((<usize>used) << 4);
  store<u64>(row, key, ROW_KEY);
  store<u64>(row, rest, ROW_REST);
  place(used++);
  return rest;
}

/** Varint and size of a frame by its numbers. Moves the cursor when the frame is new. */
function byNumbers(method: u64, line: u32, type: u64): u64 {
  // Lines above 2³¹ are negative: −1 and 0 mean that the line is unknown.
  const known: u32 = <i32>line > 0 ? line : 0;
  if (method >> 39 !== 0 || known >> 16 !== 0 || type >> 8 !== 0) return restOf(makeLocation(method, known, type));
  const key = ((<u64>1) << 63) | (method << 24) | ((<u64>known) << 8) | type;
  const row = find(key);
  return row === 0 ? add(key, method, known, type) : load<u64>(rows + row, ROW_REST);
}

function append(rest: u64): void {
  store<u32>(packed.need(4), <u32>rest);
  packed.size += <u32>(rest >> 32);
}

export function pushLocation(location: u32): void {
  append(restOf(location));
}

/** Appends the frame of these numbers. Moves the cursor. */
export function pushFrame(method: u64, line: u32, type: u64): void {
  append(byNumbers(method, line, type));
}

/** Bit per byte of the 64 at `p` that is before the chunk's end and ends a varint. */
function stopsAt(p: usize): u64 {
  // The loads may reach beyond the chunk: the input has slack.
  const a = <u64>(<u32>i8x16.bitmask(v128.load(p)));
  const b = <u64>(<u32>i8x16.bitmask(v128.load(p, 16)));
  const c = <u64>(<u32>i8x16.bitmask(v128.load(p, 32)));
  const d = <u64>(<u32>i8x16.bitmask(v128.load(p, 48)));
  const stops = ~(a | (b << 16) | (c << 32) | (d << 48));
  const rest = <u64>(chunkEnd - p);
  return rest >= 64 ? stops : stops & (((<u64>1) << rest) - 1);
}

/** Where touched lines go, so that the loads are not optimised away. */
let sink: u32 = 0;

/**
 * Loads a byte of every line that `count` frames will most likely take: traces are in the order of the recorder's
 * hash table, and waiting for all lines at once takes no longer than for one.
 */
function touch(p: usize, count: u32): void {
  let any: u32 = sink;
  const end = p + ((<usize>count) << 3);
  for (let line = p + 64; line < end && line < chunkEnd; line += 64) any |= load<u8>(line);
  sink = any;
}

/**
 * Reads frames of method, line, bytecode index and type from the cursor; all known producers write these four fields.
 * The ends of the varints are found for 64 bytes at a time and consumed four by four: no byte waits for the one before
 * it.
 */
export function readFrames(count: u32): bool {
  let window = position();
  /** Where the frame starts in the window. */
  let o: u64 = 0;
  touch(window, count);
  let stops = stopsAt(window);
  let q = packed.need(64);
  for (let i: u32 = 0; i < count; i++) {
    let s1 = stops & (stops - 1);
    let s2 = s1 & (s1 - 1);
    let s3 = s2 & (s2 - 1);
    if (s3 === 0) {
      window += <usize>o;
      o = 0;
      stops = stopsAt(window);
      packed.size = <u32>(q - packed.at);
      q = packed.need(64);
      s1 = stops & (stops - 1);
      s2 = s1 & (s1 - 1);
      s3 = s2 & (s2 - 1);
    }
    const b = ctz<u64>(s1);
    const c = ctz<u64>(s2);
    const d = ctz<u64>(s3);
    const p = window + <usize>o;
    // Last byte of the key. Native methods have line −1 in five bytes, which means no line, as line 0 does.
    let last = b - o;
    if (last > 6 && b - ctz<u64>(stops) === 5 && load<u8>(window + <usize>b) >> 3 === 1) last -= 5;
    // A ninth byte ends its varint whatever its value: only shorter varints are recognised by their stop bits.
    if (last < 7 && c - b < 9 && d - c === 1) {
      const key =
        (load<u64>(p) & (<u64>0xff_ffff_ffff_ffff >> ((6 - last) << 3))) | ((<u64>load<u8>(window + <usize>d)) << 56);
      const row = find(key);
      let rest: u64 = 0;
      if (row !== 0) {
        rest = load<u64>(rows + row, ROW_REST);
      } else {
        seek(p, chunkEnd);
        const method = varLong();
        const line = <u32>varLong();
        rest = add(key, method, <i32>line > 0 ? line : 0, load<u8>(window + <usize>d));
      }
      store<u32>(q, <u32>rest);
      q += <usize>(rest >> 32);
      stops = s3 & (s3 - 1);
      o = d + 1;
    } else {
      seek(p, chunkEnd);
      const method = varLong();
      const line = <u32>varLong();
      varLong();
      const type = varLong();
      if (overrun) return false;
      window = position();
      o = 0;
      stops = stopsAt(window);
      packed.size = <u32>(q - packed.at);
      pushFrame(method, line, type);
      q = packed.need(64);
    }
  }
  packed.size = <u32>(q - packed.at);
  seek(window + <usize>o, chunkEnd);
  return true;
}
