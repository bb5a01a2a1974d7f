/**
 * Methods of a CDT dictionary as locations.
 *
 *   void a.b.C.run(int,java.lang.String) (FILE:14) [lib/x.jar]
 *        name = a.b.C.run                 file    line  mapping       the parts from `(FILE` on are optional
 *
 * A text of another form is the name as a whole. The line is the method's, not that of a call.
 */
import * as FrameType from "../../abi/frame-type";
import { Buffer, ownBuffer } from "../../memory/buffer";
import { noteSource } from "../../store/code-sources";
import { Run, wordOf } from "../../store/runs";
import { internFunction, internLocation, internMapping, internString, internText, strings } from "../../store/tables";

const BLANK: u8 = 0x20;
const OPEN: u8 = 0x28;
const CLOSE: u8 = 0x29;
const COLON: u8 = 0x3a;
const MINUS: u8 = 0x2d;

/** The method of calls that report more time than their tree has. */
export const REACTIVE: u32 = 0xffff_ffff;

/** u32 per id: its location, 0 = not made yet. */
const known: Buffer = ownBuffer(1 << 10);

/** Forgets the methods of the run before. */
export function beginMethods(): void {
  known.size = 0;
}

/** The location of a method. */
export function locationOfMethod(run: Run, id: u32): u32 {
  if (id === REACTIVE) return internLocation(internFunction(internText("[reactive]"), 0, 0, 0), 0, 0, 0, 0);
  while (known.size >> 2 <= id) known.u32(0);
  const at = (<usize>id) << 2;
  let location = load<u32>(known.at + at);
  if (location === 0) {
    location = newLocation(run, id);
    store<u32>(known.at + at, location);
  }
  return location;
}

function newLocation(run: Run, id: u32): u32 {
  const word = wordOf(run, id);
  if (word === 0) return internLocation(internFunction(numberedName(id), 0, 0, 0), 0, 0, 0, FrameType.Jvm);
  parse(strings.pointer(word - 1), strings.size(word - 1));
  const mapping = jar === 0 ? 0 : internMapping(0, 0, 0, jar, 0, 0);
  const fn = internFunction(name, word - 1, file, line);
  if (jar !== 0) noteSource(fn, jar);
  return internLocation(fn, line, mapping, 0, FrameType.Jvm);
}

/** Parts of the text parsed last, as strings. */
let name: u32 = 0;
let file: u32 = 0;
let line: u32 = 0;
let jar: u32 = 0;

/** The first byte `c` of [p, end), `end` if there is none. */
function find(p: usize, end: usize, c: u8): usize {
  while (p < end && load<u8>(p) !== c) p++;
  return p;
}

function intern(p: usize, end: usize): u32 {
  return internString(p, <u32>(end - p));
}

/**
 * Sets the parts to those of the `n` bytes at `p`. Strings do not move while others are added.
 */
function parse(p: usize, n: u32): void {
  const end = p + n;
  name = intern(p, end);
  file = 0;
  line = 0;
  jar = 0;
  const type = find(p, end, BLANK);
  const open = find(type, end, OPEN);
  const close = find(open, end, CLOSE);
  // A type, a blank, a name without blanks, and its arguments.
  if (type === p || close >= end || open === type + 1 || find(type + 1, open, BLANK) !== open) return;
  let rest = close + 1;
  let source: usize = 0;
  let sourceEnd: usize = 0;
  if (end - rest > 2 && load<u8>(rest) === BLANK && load<u8>(rest + 1) === OPEN) {
    source = rest + 2;
    sourceEnd = find(source, end, CLOSE);
    if (sourceEnd === end || find(source, sourceEnd, OPEN) !== sourceEnd) return;
    rest = sourceEnd + 1;
  }
  const isPacked = end - rest > 2 && load<u16>(rest) === 0x5b20 && load<u8>(end - 1) === 0x5d;
  if (rest !== end && !isPacked) return;
  name = intern(type + 1, open);
  if (source !== 0) takeSource(source, sourceEnd);
  if (isPacked) jar = intern(rest + 2, end - 1);
}

/** `FILE:14`: the number is after the last colon, if all after it is one. */
function takeSource(p: usize, end: usize): void {
  let number = end;
  while (number > p && load<u8>(number - 1) - 0x30 < 10) number--;
  let colon = number;
  const isNegative = colon > p && load<u8>(colon - 1) === MINUS;
  if (isNegative) colon--;
  if (number === end || colon === p || load<u8>(colon - 1) !== COLON) {
    file = intern(p, end);
    return;
  }
  file = intern(p, colon - 1);
  if (isNegative) return;
  let value: u64 = 0;
  for (let d = number; d < end && value <= <u64>i32.MAX_VALUE; d++) value = value * 10 + <u64>(load<u8>(d) - 0x30);
  line = value <= <u64>i32.MAX_VALUE ? <u32>value : 0;
}

/** Names of rows without a text: `#` and their number. */
const digits: usize = memory.data(24);

/** The string `#12`. */
export function numberedName(n: u64): u32 {
  let p = digits + 24;
  do {
    p--;
    store<u8>(p, <u8>(0x30 + <u32>(n % 10)));
    n /= 10;
  } while (n !== 0);
  p--;
  store<u8>(p, 0x23);
  return internString(p, <u32>(digits + 24 - p));
}
