/** A frame as a location of the store: by class and method in Java, by symbol and library elsewhere. */
import * as FrameType from "../../abi/frame-type";
import * as ValueKind from "../../abi/value-kind";
import { Buffer, newBuffer } from "../../memory/buffer";
import { BUILD_ID_KEY, FRAME_TYPE_KEY, UNWINDING_ENDED } from "../../store/keys";
import {
  internAttribute,
  internFunction,
  internLocation,
  internMapping,
  internPlainLocation,
  internString,
  internText,
  sets,
} from "../../store/tables";
import { addLine, beginLines, internLines } from "../lines";
import { Became, resolve, resolved } from "./constant-pool";
import {
  frameTypeOf,
  javaFunction,
  methodClassText,
  methodDescriptorText,
  methodEntry,
  methodNameText,
  methodTexts,
} from "./constants";

let label: Buffer = changetype<Buffer>(0);
/** Row of the location for frames that the recorder left out; 0 before the first truncated stack. */
let truncated: u32 = 0;
let buildIdKey: u32 = 0;
/** The attributes of that location: one, a u32. */
const truncatedSet: usize = memory.data(4, 4);

export function resetFrameLocations(): void {
  label = newBuffer(1 << 10);
  truncated = 0;
  buildIdKey = 0;
}

/**
 * The frame that replaces the frames that the recorder left out. It is no frame of a program, so it has no frame type
 * of the store. The attribute states so, because Elastic's exporter refuses a Profile with a location without one.
 */
export function truncatedLocation(): u32 {
  if (truncated !== 0) return truncated;
  store<u32>(truncatedSet, internAttribute(internText(FRAME_TYPE_KEY), ValueKind.Text, internText(UNWINDING_ENDED)));
  beginLines();
  addLine(internFunction(internText("[truncated]"), 0, 0, 0), 0, 0);
  truncated = internLines(0, 0, FrameType.None, sets.intern(truncatedSet, 4));
  return truncated;
}

/**
 * Location of a frame. A Java method's function is kept beside its pool entry, so another line of it costs no names.
 */
export function makeLocation(method: u64, known: u32, typeKey: u64): u32 {
  const type = frameTypeOf(typeKey);
  const entry = methodEntry(method);
  if (type === FrameType.Jvm && entry !== 0) {
    const decoded = resolved(entry, Became.Function);
    if (decoded !== 0) return internPlainLocation(decoded - 1, known, type);
  }
  // A class name is part of the name of each of its methods: one of a megabyte would fill the memory, were texts not
  // charged.
  if (entry === 0 || !methodTexts(method) || methodNameText.size + methodClassText.size === 0)
    return addressLocation("[unknown method]", method, 0, type);
  if (type !== FrameType.Jvm) return nativeLocation(known, type);
  const fn = javaFunction();
  resolve(entry, Became.Function, fn);
  return internPlainLocation(fn, known, type);
}

/** `text+0xhex`: a frame known by its address only. */
function addressLocation(text: string, address: u64, mapping: u32, type: u32): u32 {
  label.size = 0;
  const n = text.length;
  const p = label.need(<u32>n);
  for (let i = 0; i < n; i++) store<u8>(p + i, <u8>text.charCodeAt(i));
  label.size = <u32>n;
  return appendAddress(address, mapping, type);
}

function appendAddress(address: u64, mapping: u32, type: u32): u32 {
  const p = label.need(20);
  store<u8>(p, 0x2b);
  store<u8>(p, 0x30, 1);
  store<u8>(p, 0x78, 2);
  let digits: u32 = 1;
  while (digits < 16 && address >> ((<u64>digits) << 2) !== 0) digits++;
  for (let i: u32 = 0; i < digits; i++) {
    const d = <u32>(address >> ((<u64>(digits - 1 - i)) << 2)) & 15;
    store<u8>(p + 3 + i, <u8>(d < 10 ? 48 + d : 87 + d));
  }
  label.size += 3 + digits;
  return internLocation(internFunction(internString(label.at, label.size), 0, 0, 0), 0, mapping, 0, type);
}

/**
 * Native and kernel frames: the symbol alone is the name, the library (async-profiler's class) the mapping.
 * ddprof names a frame without symbol `[lib.so+0x12]`, and with remote symbolication by build id (class), `<remote>`
 * (method) and address (descriptor).
 */
function nativeLocation(line: u32, type: u32): u32 {
  let symbol = methodNameText;
  const library = methodClassText;
  if (isRemote(symbol)) {
    if (buildIdKey === 0) buildIdKey = internText(BUILD_ID_KEY);
    label.size = 0;
    store<u8>(label.need(1), 0x5b);
    label.size = 1;
    label.bytes(library.at, library.size);
    store<u8>(label.need(1), 0x5d);
    label.size++;
    const id = internAttribute(buildIdKey, ValueKind.Text, internString(library.at, library.size));
    return appendAddress(hex(methodDescriptorText), internMapping(0, id), type);
  }
  if (symbol.size === 0) symbol = library;
  let p = symbol.at;
  let n = symbol.size;
  const plus = addressMark(p, n);
  if (plus !== 0 && load<u8>(p) === 0x5b && load<u8>(p + n - 1) === 0x5d) {
    p++;
    n -= 2;
    const file = internString(p, plus - 1);
    return internLocation(internFunction(internString(p, n), 0, 0, 0), 0, internMapping(file, 0), 0, type);
  }
  const mapping = library.size === 0 ? 0 : internMapping(internString(library.at, library.size), 0);
  return internLocation(internFunction(internString(p, n), 0, 0, 0), line, mapping, 0, type);
}

function isRemote(b: Buffer): bool {
  // "<remote>" as one little-endian word.
  return b.size === 8 && load<u64>(b.at) === 0x3e65746f6d65723c;
}

/** Offset of the last `+0x` in the text, or 0. */
function addressMark(p: usize, n: u32): u32 {
  for (let i = n; i > 3; i--) {
    const q = p + (i - 3);
    if (load<u8>(q) === 0x2b && load<u8>(q, 1) === 0x30 && load<u8>(q, 2) === 0x78) return i - 3;
  }
  return 0;
}

/** Value of a hex digit, 16 for any other character. */
function digit(c: u32): u32 {
  if (c - 48 < 10) return c - 48;
  return (c | 32) - 97 < 6 ? (c | 32) - 87 : 16;
}

/** The number of a text like `0xc21cb8`. */
function hex(b: Buffer): u64 {
  let v: u64 = 0;
  for (let i: u32 = 0; i < b.size; i++) {
    const c: u32 = load<u8>(b.at + i);
    const d = digit(c);
    if (d < 16) v = (v << 4) | d;
    else v = 0;
  }
  return v;
}
