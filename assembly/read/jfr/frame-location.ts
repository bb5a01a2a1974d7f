/** A frame as a location of the store: by class and method in Java, by symbol and library elsewhere. */

import * as FrameType from "../../abi/frame-type";
import * as ValueKind from "../../abi/value-kind";
import { putHex } from "../../memory/ascii";
import { Buffer, ownBuffer } from "../../memory/buffer";
import { KeyTable, ownKeyTable } from "../../memory/key-table";
import { onReset } from "../../memory/resets";
import { BUILD_ID_KEY, FRAME_TYPE_KEY, UNWINDING_ENDED } from "../../store/keys";
import * as LocationRow from "../../store/rows/location-row";
import {
  internAttribute,
  internFunction,
  internLocation,
  internMapping,
  internPlainLocation,
  internString,
  internText,
  locations,
  sets,
} from "../../store/tables";
import { addLine, beginLines, internAddress, internLines } from "../lines";
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
import { knowsLibraries, libraryName } from "./libraries";

const label: Buffer = ownBuffer(1 << 10);
/** Row of the location for frames that the recorder left out; 0 before the first truncated stack. */
let truncated: u32 = 0;
let buildIdKey: u32 = 0;
/** What the address of a location is: the recorded offset, which is 0, or one less. */
enum Return {
  Same = 1,
  After,
}

/** A Return by location, of those known by their address. */
const returns: KeyTable = ownKeyTable(64);
/** Locations without a line, by | mapping 16 bits | address 48 bits |. */
const atAddress: KeyTable = ownKeyTable(64);
/** The attributes of that location: one, a u32. */
const truncatedSet: usize = memory.data(4, 4);

onReset((): void => {
  truncated = 0;
  buildIdKey = 0;
});

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
  return locationOf(method, known, frameTypeOf(typeKey));
}

export function locationOf(method: u64, known: u32, type: u32): u32 {
  const entry = methodEntry(method);
  if (type === FrameType.Jvm && entry !== 0) {
    const decoded = resolved(entry, Became.Function);
    if (decoded !== 0) return internPlainLocation(decoded - 1, known, type);
  }
  // A class name is part of the name of each of its methods: one of a megabyte would fill the memory, were texts not
  // charged.
  if (entry === 0 || !methodTexts(method) || methodNameText.size + methodClassText.size === 0)
    return unknownLocation("[unknown method]", method, type);
  const remote = remoteLocation();
  if (remote !== 0) return remote;
  if (type !== FrameType.Jvm) return nativeLocation(known, type);
  const fn = javaFunction();
  resolve(entry, Became.Function, fn);
  return internPlainLocation(fn, known, type);
}

/** `text+0xhex`: a frame whose method is unknown. */
function unknownLocation(text: string, key: u64, type: u32): u32 {
  label.size = 0;
  const n = text.length;
  const p = label.need(<u32>n + 20);
  for (let i = 0; i < n; i++) store<u8>(p + i, <u8>text.charCodeAt(i));
  store<u16>(p + n, 0x302b);
  store<u8>(p + n, 0x78, 2);
  const digits: u32 = 16 - <u32>(clz<u64>(key | 1) >> 2);
  label.size = <u32>(putHex(p + n + 3, key, digits) - p);
  return internLocation(internFunction(internString(label.at, label.size), 0, 0, 0), 0, 0, 0, type);
}

/**
 * Native and kernel frames: the symbol alone is the name, the library (async-profiler's class) the mapping.
 * ddprof names a frame without symbol `[lib.so+0x12]`.
 */
function nativeLocation(line: u32, type: u32): u32 {
  const symbol = methodNameText.size === 0 ? methodClassText : methodNameText;
  const library = methodClassText;
  const p = symbol.at;
  const n = symbol.size;
  const plus = addressMark(p, n);
  if (plus !== 0 && load<u8>(p) === 0x5b && load<u8>(p + n - 1) === 0x5d) {
    const offset = hexNumber(p + plus + 1, n - plus - 2);
    if (offset !== NO_NUMBER) {
      const fn = internFunction(internString(p + 1, n - 2), 0, 0, 0);
      return addressed(fn, internMapping(0, 0, 0, internString(p + 1, plus - 1), 0, 0), <u64>offset);
    }
  }
  const mapping = library.size === 0 ? 0 : internMapping(0, 0, 0, internString(library.at, library.size), 0, 0);
  return internLocation(internFunction(internString(p, n), 0, 0, 0), line, mapping, 0, type);
}

/**
 * Location of a frame of remote symbolication, which ddprof names by build id (class), `<remote>` (method) and offset
 * from the image's base (descriptor); 0 for every other frame. Its frame type differs between versions.
 */
function remoteLocation(): u32 {
  // "<remote>" as one little-endian word.
  if (methodNameText.size !== 8 || load<u64>(methodNameText.at) !== 0x3e65746f6d65723c) return 0;
  let n = methodClassText.size;
  const p = methodClassText.at;
  // No version is known to write it; Datadog's document does.
  if (n > 9 && load<u64>(p + n - 8) === 0x3e65746f6d65723c && load<u8>(p + n - 9) === 0x2e) n -= 9;
  if (n < 2 || n > MOST_ID_DIGITS || (n & 1) !== 0) return 0;
  for (let i: u32 = 0; i < n; i++) {
    const c: u32 = load<u8>(p + i);
    if (c - 48 > 9 && c - 97 > 5) return 0;
  }
  let q = methodDescriptorText.at;
  let m = methodDescriptorText.size;
  if (m > 2 && load<u8>(q) === 0x28 && load<u8>(q + m - 1) === 0x29) {
    q++;
    m -= 2;
  }
  const offset = hexNumber(q, m);
  if (offset === NO_NUMBER) return 0;
  if (buildIdKey === 0) buildIdKey = internText(BUILD_ID_KEY);
  const text = internString(p, n);
  const id = internAttribute(buildIdKey, ValueKind.Text, text);
  const mapping = internMapping(0, 0, 0, libraryName(text), id, 0);
  return mapping >> (64 - OFFSET_BITS) === 0 ? addressed(0, mapping, <u64>offset) : 0;
}

const MOST_ID_DIGITS: u32 = 128;

/**
 * Location of an offset in a library, for any frame but an interrupted one: the recorded offset is a return address, so
 * the call is before it.
 */
function addressed(fn: u32, mapping: u32, offset: u64): u32 {
  const call = offset === 0 ? 0 : offset - 1;
  const location = byAddress(fn, mapping, call, offset);
  returns.put(<u64>location, offset === 0 ? Return.Same : Return.After);
  return location;
}

/**
 * One address has one location without a line, because a message shows no label. An interrupted instruction is never in
 * the middle of a call, so real recordings do not have two labels for one address.
 */
function byAddress(fn: u32, mapping: u32, address: u64, offset: u64): u32 {
  if (fn !== 0) return internLocation(fn, 0, mapping, address, FrameType.Native);
  const key = ((<u64>mapping) << OFFSET_BITS) | address;
  const known = atAddress.find(key);
  if (known !== 0) return known;
  const location = internAddress(mapping, address, offset);
  atAddress.add(key, location);
  return location;
}

/** Whether locations depend on earlier chunks of the file: on the names and labels of their libraries. */
export function dependsOnEarlier(): bool {
  return atAddress.used !== 0 || knowsLibraries();
}

/** Whether the location replaces another one as frame 0 of an interrupted thread. */
export function isReturn(location: u32): bool {
  return returns.used !== 0 && returns.find(<u64>location) === Return.After;
}

/** The location of the same offset in a frame 0 that was interrupted there. */
export function interruptedLocation(location: u32): u32 {
  const offset = locations.get64(location, LocationRow.ADDRESS) + 1;
  return byAddress(
    locations.get(location, LocationRow.FUNCTION),
    locations.get(location, LocationRow.MAPPING),
    offset,
    offset,
  );
}

/** Offset of the last `+0x` in the text, or 0. */
function addressMark(p: usize, n: u32): u32 {
  for (let i = n; i > 3; i--) {
    const q = p + (i - 3);
    if (load<u8>(q) === 0x2b && load<u8>(q, 1) === 0x30 && load<u8>(q, 2) === 0x78) return i - 3;
  }
  return 0;
}

const NO_NUMBER: i64 = -1;

/** Offsets have at most 44 bits, and twelve digits. */
const OFFSET_BITS: u32 = 48;
const MOST_DIGITS: u32 = OFFSET_BITS >> 2;

/** The number of a text like `0xc21cb8`; NO_NUMBER for any other text. */
function hexNumber(p: usize, n: u32): i64 {
  if (n < 3 || n > MOST_DIGITS + 2 || load<u16>(p) !== 0x7830) return NO_NUMBER;
  let v: i64 = 0;
  for (let i: u32 = 2; i < n; i++) {
    const c: u32 = load<u8>(p + i);
    if (c - 48 < 10) v = (v << 4) | <i64>(c - 48);
    else if (c - 97 < 6) v = (v << 4) | <i64>(c - 87);
    else return NO_NUMBER;
  }
  return v;
}
