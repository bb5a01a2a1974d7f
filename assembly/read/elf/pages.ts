/**
 * Bytes of files and of their sections, in pages that the host supplies when they are needed. A step of the reader
 * reads through a cursor. A missing page reads as zeros, sets `missed` and is noted as a need; the step is repeated
 * once the host has supplied the needs, so a step changes nothing that its repetition does not set again.
 *
 *   stream   the bytes of a file, or of a section unpacked: size, and a table with the place of each page in memory
 *   page     64 KiB at a multiple of 64 KiB of its stream
 *
 * Pages are released when many are resident, except those of small side sections (`keep`) and the last ones of a
 * stream: the host unpacks a section forwards, and going back costs it another pass.
 */
import * as NeedRow from "../../abi/rows/need-row";
import { alloc, release } from "../../memory/arena";
import { Buffer, ownBuffer } from "../../memory/buffer";
import { onReset } from "../../memory/resets";

const PAGE_BITS: u64 = 16;
export const PAGE: u64 = 1 << PAGE_BITS;
const IN_PAGE: u64 = PAGE - 1;
/** Streams of an image: its file, and the sections of abi/elf-section.ts. */
export const STREAMS_PER_IMAGE: u32 = 32;
/** Images: files of a library, one inside of them, a supplement, and one of split units. */
export const MOST_IMAGES: u32 = 10;
const MOST_STREAMS: u32 = STREAMS_PER_IMAGE * MOST_IMAGES;
/** A longer stream is cut off there. */
const LONGEST: u64 = 1 << 38;
/** Bytes of pages after which old ones are released. */
const BUDGET: u64 = 24 << 20;
/** Pages that a step may ask for at a time. */
const MOST_NEEDS: u32 = 8192;

@unmanaged
class Stream {
  size: u64;
  /** u32 for each page: its place, 0 if it is not resident. */
  table: usize;
  pages: u32;
  /** The page after the last one that was supplied. */
  top: u32;
  /** Pages below are not resident. */
  bottom: u32;
  isKept: bool;
}

let streams: usize = 0;
const needs: Buffer = ownBuffer(NeedRow.BYTES * 64);
/** What a missing page reads as. */
let zeros: usize = 0;
let resident: u64 = 0;

/** A page was missing since `clearMissed`. */
export let missed: bool = false;
/** The cursor was moved beyond its end since `seek`. */
export let over: bool = false;

function at(stream: u32): Stream {
  return changetype<Stream>(streams + <usize>stream * offsetof<Stream>());
}

onReset((): void => {
  const bytes = <usize>MOST_STREAMS * offsetof<Stream>();
  streams = alloc(bytes);
  memory.fill(streams, 0, bytes);
  zeros = alloc(PAGE);
  memory.fill(zeros, 0, <usize>PAGE);
  resident = 0;
  missed = false;
});

export function openStream(stream: u32, size: u64): void {
  const s = at(stream);
  closeStream(stream);
  s.size = size < LONGEST ? size : LONGEST;
  s.pages = <u32>((s.size + IN_PAGE) >> PAGE_BITS);
  const bytes = (<usize>s.pages) << 2;
  s.table = alloc(bytes);
  memory.fill(s.table, 0, bytes);
  s.top = 0;
  s.bottom = 0;
  s.isKept = false;
}

export function closeStream(stream: u32): void {
  const s = at(stream);
  if (s.table === 0) return;
  drop(s, s.pages);
  release(s.table, (<usize>s.pages) << 2);
  s.table = 0;
  s.size = 0;
  s.pages = 0;
}

/** The stream ends earlier than it promised. */
export function cutStream(stream: u32, size: u64): void {
  const s = at(stream);
  if (size < s.size) s.size = size;
}

export function sizeOf(stream: u32): u64 {
  return stream < MOST_STREAMS ? at(stream).size : 0;
}

/** Its pages stay resident: of a section that every unit reads. */
export function keep(stream: u32): void {
  at(stream).isKept = true;
}

/** Releases pages before `page`. */
function drop(s: Stream, page: u32): void {
  for (let i = s.bottom; i < page && i < s.pages; i++) {
    const slot = s.table + ((<usize>i) << 2);
    const block = <usize>load<u32>(slot);
    if (block === 0) continue;
    release(block, <usize>PAGE);
    resident -= PAGE;
    store<u32>(slot, 0);
  }
  if (page > s.bottom) s.bottom = page;
}

/** Releases pages that were read, if there are many. To be called between steps. */
export function trim(): void {
  if (resident <= BUDGET) return;
  for (let i: u32 = 0; i < MOST_STREAMS; i++) {
    const s = at(i);
    if (s.table !== 0 && !s.isKept && s.top > 1) drop(s, s.top - 1);
  }
}

export function clearMissed(): void {
  missed = false;
}

export function needCount(): u32 {
  return needs.size / NeedRow.BYTES;
}

export function needRows(): usize {
  return needs.at;
}

export function clearNeeds(): void {
  needs.size = 0;
}

function request(stream: u32, s: Stream, page: u32): void {
  missed = true;
  if (needCount() >= MOST_NEEDS) return;
  const block = alloc(PAGE);
  resident += PAGE;
  memory.fill(block, 0, <usize>PAGE);
  store<u32>(s.table + ((<usize>page) << 2), <u32>block);
  if (page >= s.top) s.top = page + 1;
  if (page < s.bottom) s.bottom = page;
  const offset = (<u64>page) << PAGE_BITS;
  const row = needs.need(NeedRow.BYTES);
  needs.size += NeedRow.BYTES;
  const rest = s.size - offset;
  store<u32>(row, stream, NeedRow.STREAM);
  store<u32>(row, <u32>block, NeedRow.AT);
  store<u32>(row, <u32>(rest < PAGE ? rest : PAGE), NeedRow.SIZE);
  store<u64>(row, offset, NeedRow.OFFSET);
}

/** Asks for the pages of `size` bytes that are missing. Whether all are resident. */
export function ensure(stream: u32, offset: u64, size: u64): bool {
  const s = at(stream);
  if (offset >= s.size || size === 0) return true;
  const end = size > s.size - offset ? s.size : offset + size;
  let all = true;
  const last = <u32>((end - 1) >> PAGE_BITS);
  for (let page = <u32>(offset >> PAGE_BITS); page <= last; page++) {
    if (load<u32>(s.table + ((<usize>page) << 2)) !== 0) continue;
    request(stream, s, page);
    all = false;
  }
  return all;
}

// ---- the cursor ----

let stream: u32 = 0;
let limit: u64 = 0;
/** Next byte, and the end of its run, in memory. */
let p: usize = 0;
let runEnd: usize = 0;
/** Offset in the stream of the byte at `runStart`. */
let runOffset: u64 = 0;
let runStart: usize = 0;

/** Moves the cursor to `offset` of a stream; bytes from `end` on are not read. */
export function seek(to: u32, offset: u64, end: u64): void {
  stream = to;
  const size = sizeOf(to);
  limit = end < size ? end : size;
  over = offset > limit;
  enter(over ? limit : offset);
}

function enter(offset: u64): void {
  runOffset = offset;
  if (offset >= limit) {
    p = zeros;
    runStart = p;
    runEnd = p;
    return;
  }
  const s = at(stream);
  const page = <u32>(offset >> PAGE_BITS);
  let block = <usize>load<u32>(s.table + ((<usize>page) << 2));
  if (block === 0) {
    request(stream, s, page);
    block = zeros;
  }
  const within = <usize>(offset & IN_PAGE);
  const start = offset - <u64>within;
  p = block + within;
  runStart = p;
  const rest = limit - start;
  runEnd = block + <usize>(rest < PAGE ? rest : PAGE);
}

/** Offset of the next byte. */
export function position(): u64 {
  return runOffset + <u64>(p - runStart);
}

export function left(): u64 {
  return limit - position();
}

export function ended(): bool {
  return p >= runEnd && position() >= limit;
}

/** Ends the reading as damage does. */
export function breakOff(): void {
  over = true;
  enter(limit);
}

function nextByte(): u32 {
  enter(position());
  if (p >= runEnd) {
    over = true;
    return 0;
  }
  return load<u8>(p++);
}

export function readU8(): u32 {
  if (p < runEnd) return load<u8>(p++);
  return nextByte();
}

function slowly(bytes: u32): u64 {
  let v: u64 = 0;
  for (let i: u32 = 0; i < bytes; i++) v |= (<u64>readU8()) << ((<u64>i) << 3);
  return over ? 0 : v;
}

export function readU16(): u32 {
  if (p + 2 > runEnd) return <u32>slowly(2);
  const v = load<u16>(p);
  p += 2;
  return v;
}

export function readU32(): u32 {
  if (p + 4 > runEnd) return <u32>slowly(4);
  const v = load<u32>(p);
  p += 4;
  return v;
}

export function readU64(): u64 {
  if (p + 8 > runEnd) return slowly(8);
  const v = load<u64>(p);
  p += 8;
  return v;
}

/** An unsigned number of 1 to 8 bytes. */
export function word(bytes: u32): u64 {
  if (bytes === 8) return readU64();
  if (bytes === 4) return readU32();
  return slowly(bytes < 8 ? bytes : 8);
}

/** A number of 1 to 8 bytes elsewhere; the cursor stays. 0 beyond the end of the stream. */
export function peek(from: u32, offset: u64, bytes: u32): u64 {
  const size = sizeOf(from);
  if (offset >= size || size - offset < <u64>bytes) {
    over = true;
    return 0;
  }
  const s = at(from);
  let v: u64 = 0;
  for (let i: u64 = 0; i < <u64>bytes; i++) {
    const page = <u32>((offset + i) >> PAGE_BITS);
    let block = <usize>load<u32>(s.table + ((<usize>page) << 2));
    if (block === 0) {
      request(from, s, page);
      block = zeros;
    }
    v |= (<u64>load<u8>(block + <usize>((offset + i) & IN_PAGE))) << (i << 3);
  }
  return v;
}

/** LEB128, unsigned: at most 10 bytes. */
export function uleb(): u64 {
  let byte = readU8();
  let v = <u64>(byte & 0x7f);
  for (let shift: u64 = 7; (byte & 0x80) !== 0; shift += 7) {
    if (shift >= 70) {
      breakOff();
      return 0;
    }
    byte = readU8();
    if (shift < 64) v |= (<u64>(byte & 0x7f)) << shift;
  }
  return over ? 0 : v;
}

/** LEB128, signed: at most 10 bytes. */
export function sleb(): i64 {
  let v: u64 = 0;
  let shift: u64 = 0;
  let byte: u32;
  do {
    if (shift >= 70) {
      breakOff();
      return 0;
    }
    byte = readU8();
    if (shift < 64) v |= (<u64>(byte & 0x7f)) << shift;
    shift += 7;
  } while ((byte & 0x80) !== 0);
  if (shift < 64 && (byte & 0x40) !== 0) v |= ~(<u64>0) << shift;
  return over ? 0 : <i64>v;
}

export function skip(n: u64): void {
  if (n <= <u64>(runEnd - p)) {
    p += <usize>n;
    return;
  }
  const here = position();
  if (n > limit - here) breakOff();
  else enter(here + n);
}

/** Passes a text and its zero byte. */
export function skipText(): void {
  while (readU8() !== 0) {}
}

/** Appends a text of at most `most` bytes, without its zero byte, and returns its length; passes all of it. */
export function copyText(to: Buffer, most: u32): u32 {
  let n: u32 = 0;
  while (true) {
    const byte = readU8();
    if (byte === 0) return n;
    if (n >= most) continue;
    const q = to.need(1);
    store<u8>(q, <u8>byte);
    to.size++;
    n++;
  }
}
