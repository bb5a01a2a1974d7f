/**
 * The dictionary of the store: OTLP's seven tables, plus threads and attribute sets, which OTLP spells as attributes.
 * Rows are interned, index 0 is the zero value everywhere, and an index may be written into any column below.
 *
 *   strings      bytes, valid UTF-8
 *   functions    | name | system name | file name | start line |                       string, string, string, number
 *   mappings     | start lo, hi | limit lo, hi | file offset lo, hi | file name | build id attribute | set | 0 |
 *   locations    | function | line | column | mapping | address lo, hi | frame type | details |
 *   details      | set | label string | inlined lines: (function | line | column)* | bytes, of few locations, see below
 *   stacks       packed varints of locations, leaf first: the bytes of OTLP's location_indices
 *   links        | trace id high lo, hi | trace id low lo, hi | span id lo, hi |     an id may be 0
 *   attributes   | key | value type | value lo, hi | unit | 0 |                           value: string or 64 bits
 *   encoded      bytes of an AnyValue, for values that are not scalars, in the form that read/encoded.ts defines
 *   sets         ascending u32 attributes
 *   threads      | name attribute | id attribute | kind of id | 0 |
 *
 * A location has one line if no function was inlined there. If it has several (OTLP: the last one is the caller), the
 * row has the first and the details have the others, in their order: the inlined lines. The set has the attributes
 * beside the frame type. The label is the text to show for a location without a line, `libc.so.6+0x1234`.
 */

import { BytesTable, ownBytesTable } from "../memory/bytes-table";
import { secret } from "../memory/hash";
import { KeyTable, ownKeyTable } from "../memory/key-table";
import { onReset } from "../memory/resets";
import { ownRowTable, RowTable } from "../memory/row-table";
import { normalisedName, normaliseName } from "./generated-names";
import * as AttributeRow from "./rows/attribute-row";
import * as DetailsRow from "./rows/details-row";
import * as FunctionRow from "./rows/function-row";
import * as LineRow from "./rows/line-row";
import * as LinkRow from "./rows/link-row";
import * as LocationRow from "./rows/location-row";
import * as MappingRow from "./rows/mapping-row";
import * as ThreadRow from "./rows/thread-row";

export const strings: BytesTable = ownBytesTable(4096);
export const functions: RowTable = ownRowTable(4, 2048);
export const mappings: RowTable = ownRowTable(10, 64);
export const locations: RowTable = ownRowTable(8, 4096);
/** Locations of managed code once more, by | function u32 | line 24 bits | frame type 8 bits |. */
export const plainLocations: KeyTable = ownKeyTable(4096);
export const locationDetails: BytesTable = ownBytesTable(64);
export const stacks: BytesTable = ownBytesTable(4096);
export const links: RowTable = ownRowTable(6, 1024);
export const attributes: RowTable = ownRowTable(6, 256);
export const encoded: BytesTable = ownBytesTable(64);
export const sets: BytesTable = ownBytesTable(256);
export const threads: RowTable = ownRowTable(4, 128);

/** Whose the id is. Two threads of a process have one id only if it is of two kinds. */
export enum ThreadKind {
  Unknown = 0,
  Java = 1,
  System = 2,
  /** Of a message. */
  Stated = 4,
}

/**
 * Kind of a link's trace id. The number does not show it, because a trace id of 64 bits (Zipkin's B3, Datadog) looks
 * like the span id of a local root. Each reader has a rule:
 *
 *   JFR, pprof   LocalRoot: their fields and labels are of local roots
 *   OTLP         Trace128 where the upper half is not 0; else LocalRoot, because our writer puts it there, unless the
 *                Profile has `spanflame.trace_id` = `trace_id_64_bit`: then Trace64
 *
 * The row has no word for it, because rows of 32 bytes instead of 24 made reading a million spans a tenth slower. The
 * upper half is 0 for None and LocalRoot, and a secret number for Trace64. A trace id of 128 bits has that upper half
 * with a chance of 2⁻⁶⁴, and the author of a file cannot choose it.
 */
export enum LinkOrigin {
  /** There is no trace id. */
  None,
  LocalRoot,
  Trace64,
  Trace128,
}

/** Index of a compile-time ASCII text. */
export function internText(text: string): u32 {
  const n = <u32>text.length;
  const p = memory.data(256);
  for (let i: u32 = 0; i < n; i++) store<u8>(p + i, <u8>text.charCodeAt(i));
  return strings.intern(p, n);
}

export function internString(p: usize, n: u32): u32 {
  return strings.intern(p, n);
}

/** Functions get normalised names (generated-names.ts), so that those that differ by the run only are one. */
let normalising: bool = false;

/** From now on, and over resets. */
export function normaliseNames(on: bool): void {
  normalising = on;
}

/** The display name of a function or a label. */
export function storedName(name: u32): u32 {
  if (!normalising) return name;
  const size = normaliseName(strings.pointer(name), strings.size(name));
  return size === 0 ? name : strings.intern(normalisedName, size);
}

export function internFunction(name: u32, systemName: u32, fileName: u32, startLine: u32): u32 {
  functions.put(FunctionRow.NAME, storedName(name));
  functions.put(FunctionRow.SYSTEM_NAME, storedName(systemName));
  functions.put(FunctionRow.FILE_NAME, fileName);
  functions.put(FunctionRow.START_LINE, startLine);
  return functions.intern();
}

/** Pointer to the details of a location; 0 where it has no inlined lines, no attributes and no label. */
export function detailsOf(location: u32): usize {
  const i = locations.get(location, LocationRow.DETAILS);
  return i === 0 ? 0 : locationDetails.pointer(i);
}

/** The attributes of a location beside its frame type. */
export function detailsSet(location: u32): u32 {
  const p = detailsOf(location);
  return p === 0 ? 0 : load<u32>(p, DetailsRow.SET);
}

/** How many inlined lines a location has: those after its first. */
export function inlinedLines(location: u32): u32 {
  const i = locations.get(location, LocationRow.DETAILS);
  return i === 0 ? 0 : (locationDetails.size(i) - <u32>DetailsRow.LINES) / <u32>LineRow.BYTES;
}

/** `build`: an attribute, or 0. Of many mappings only the file, or file and build id, are known. */
export function internMapping(start: u64, limit: u64, offset: u64, file: u32, build: u32, set: u32): u32 {
  mappings.put64(MappingRow.START, start);
  mappings.put64(MappingRow.LIMIT, limit);
  mappings.put64(MappingRow.FILE_OFFSET, offset);
  mappings.put(MappingRow.FILE_NAME, file);
  mappings.put(MappingRow.BUILD_ID, build);
  mappings.put(MappingRow.SET, set);
  return mappings.intern();
}

/**
 * A location in managed code: a function and a line, no mapping and no address. The most frequent kind by far, so it
 * is found by one word.
 */
export function internPlainLocation(fn: u32, line: u32, frameType: u32): u32 {
  if (line >> 24 !== 0) return internLocation(fn, line, 0, 0, frameType);
  const key = ((<u64>fn) << 32) | ((<u64>line) << 8) | <u64>frameType;
  let row = plainLocations.find(key);
  if (row === 0) {
    row = internLocation(fn, line, 0, 0, frameType);
    if (row !== 0) plainLocations.add(key, row);
  }
  return row;
}

export function internLocation(fn: u32, line: u32, mapping: u32, address: u64, frameType: u32): u32 {
  locations.put(LocationRow.FUNCTION, fn);
  locations.put(LocationRow.LINE, line);
  locations.put(LocationRow.COLUMN, 0);
  locations.put(LocationRow.MAPPING, mapping);
  locations.put64(LocationRow.ADDRESS, address);
  locations.put(LocationRow.FRAME_TYPE, frameType);
  locations.put(LocationRow.DETAILS, 0);
  return locations.intern();
}

/** `origin` is None or LocalRoot where the upper half is 0, unless it is Trace64. */
export function internLink(origin: LinkOrigin, traceHigh: u64, traceLow: u64, span: u64): u32 {
  draftLink(origin === LinkOrigin.Trace64 ? secret : traceHigh, traceLow, span);
  links.findable();
  return links.intern();
}

function draftLink(high: u64, low: u64, span: u64): void {
  links.put64(LinkRow.TRACE_HIGH, high);
  links.put64(LinkRow.TRACE_LOW, low);
  links.put64(LinkRow.SPAN, span);
}

export function originOf(link: u32): LinkOrigin {
  const high = links.get64(link, LinkRow.TRACE_HIGH);
  if (high !== 0) return high === secret ? LinkOrigin.Trace64 : LinkOrigin.Trace128;
  return links.get64(link, LinkRow.TRACE_LOW) === 0 ? LinkOrigin.None : LinkOrigin.LocalRoot;
}

/** Upper half of the trace id of a link, 0 where the id has 64 bits. */
export function traceHighOf(link: u32): u64 {
  const high = links.get64(link, LinkRow.TRACE_HIGH);
  return high === secret ? 0 : high;
}

/** The link of a local root and a span in it, either of which may be 0. */
export function internRootLink(root: u64, span: u64): u32 {
  draftLink(0, root, span);
  links.findable();
  return links.intern();
}

/** A recording has trace ids of 64 bits: their links have a number of this instance, so no part can have them. */
export let hasTraces64: bool = false;

onReset((): void => {
  hasTraces64 = false;
});

/** The upper half as a link has it, of a trace id that is no local root. */
export function traceWord(high: u64): u64 {
  if (high !== 0) return high;
  hasTraces64 = true;
  return secret;
}

/** Hash under which a link is in the table. `high` is 0 of a local root, else of `traceWord`. */
export function hashLink(high: u64, low: u64, span: u64): u32 {
  draftLink(high, low, span);
  return links.hashDraft();
}

export function internHashedLink(high: u64, low: u64, span: u64, hash: u32): u32 {
  draftLink(high, low, span);
  return links.internHashed(hash);
}

/**
 * The other link with the ids of `link`, if one link has a local root and the other a trace id of 64 bits: OTLP has one
 * Link for both. 0 if there is no such link.
 */
export function lookalike(link: u32): u32 {
  const origin = originOf(link);
  if (origin !== LinkOrigin.LocalRoot && origin !== LinkOrigin.Trace64) return 0;
  draftLink(
    origin === LinkOrigin.Trace64 ? 0 : secret,
    links.get64(link, LinkRow.TRACE_LOW),
    links.get64(link, LinkRow.SPAN),
  );
  links.findable();
  return links.rowOf(links.draft, links.hashDraft());
}

/** The local root of a link, 0 if it has no local root. */
export function localRootOf(link: u32): u64 {
  return links.get64(link, LinkRow.TRACE_HIGH) === 0 ? links.get64(link, LinkRow.TRACE_LOW) : 0;
}

/** `value` is a string index for ValueKind.Text, else the 64 bits of the number. */
export function internAttribute(key: u32, kind: u32, value: u64): u32 {
  return internMeasured(key, kind, value, 0);
}

/** An attribute with a unit; `value` as for `internAttribute`. */
export function internMeasured(key: u32, kind: u32, value: u64, unit: u32): u32 {
  attributes.put(AttributeRow.KEY, key);
  attributes.put(AttributeRow.TYPE, kind);
  attributes.put64(AttributeRow.VALUE, value);
  attributes.put(AttributeRow.UNIT, unit);
  return attributes.intern();
}

export function internThread(nameAttribute: u32, idAttribute: u32): u32 {
  return internThreadOf(nameAttribute, idAttribute, ThreadKind.Unknown);
}

export function internThreadOf(nameAttribute: u32, idAttribute: u32, kind: ThreadKind): u32 {
  threads.put(ThreadRow.NAME, nameAttribute);
  threads.put(ThreadRow.ID, idAttribute);
  threads.put(ThreadRow.KIND, idAttribute === 0 ? ThreadKind.Unknown : kind);
  return threads.intern();
}

/** Single entries of the tables for the host: the texts and values that appear on the page or in an answer. */
export function stringPointer(i: u32): usize {
  return i < strings.count ? strings.pointer(i) : 0;
}

export function stringSize(i: u32): u32 {
  return i < strings.count ? strings.size(i) : 0;
}

/** String index of an attribute's key. */
export function attributeKey(i: u32): u32 {
  return i < attributes.count ? attributes.get(i, AttributeRow.KEY) : 0;
}

/** ValueKind of an attribute. */
export function attributeType(i: u32): u32 {
  return i < attributes.count ? attributes.get(i, AttributeRow.TYPE) : 0;
}

/** String index or number of an attribute, as 64 bits. */
export function attributeValue(i: u32): u64 {
  return i < attributes.count ? attributes.get64(i, AttributeRow.VALUE) : 0;
}

/** An AnyValue that is no scalar. */
export function encodedPointer(i: u32): usize {
  return i < encoded.count ? encoded.pointer(i) : 0;
}

export function encodedSize(i: u32): u32 {
  return i < encoded.count ? encoded.size(i) : 0;
}
