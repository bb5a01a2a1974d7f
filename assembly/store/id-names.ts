/**
 * Names under which labels of pprof, attributes of OTLP and context fields of recordings have ids, in the spellings of
 * OpenTelemetry's libraries, Datadog's, Pyroscope's and Splunk's; and the ids in their values.
 *
 *   [prefix] trace id | span id | [local] root span id     separated by a space, `_`, `-`, `.` or nothing, in any case
 *   [prefix] trace id hi[gh] | trace id lo[w]              the halves of an id as two numbers
 *   [prefix] profile_id                                    16 hex digits: the local root, of older agents of Pyroscope
 *   prefix := otel | dd | datadog | process.context.label  the last by OpenTelemetry's eBPF profiler
 *
 * Names that the user gives are asked first: | role u32 | size u32 | bytes | …
 */

import * as ValueKind from "../abi/value-kind";
import { isText } from "../memory/ascii";
import { decimal, digitsEnd, hexHigh, hexId, hexLow, isTooLarge } from "../memory/digits";
import { equalBytes } from "../memory/hash";
import { onReset } from "../memory/resets";
import { PROFILE_ID_LABEL } from "./keys";
import * as AttributeRow from "./rows/attribute-row";
import { attributes, encoded, strings } from "./tables";

/** What an id is of. The first two are the roles of the user's names (src/core/instance/id-names.ts). */
export enum IdName {
  None,
  Trace,
  Span,
  TraceHigh,
  TraceLow,
  Root,
  /** A local root by Datadog's label, which is stronger than the id of a trace (own-ids.ts). */
  LabelledRoot,
  Profile,
}

const MOST_BYTES: u32 = 1 << 12;
const SIZE: usize = 4;
const TEXT: usize = 8;
const given: usize = memory.data(<i32>MOST_BYTES, 8);
let givenEnd: usize = given;

/** Takes the names of the user, until they are set again. False if they are too many. */
export function setIdNames(p: usize, size: u32): bool {
  if (size > MOST_BYTES) return false;
  memory.copy(given, p, size);
  givenEnd = given + size;
  return true;
}

const LONGEST: u32 = 48;
const squeezed: usize = memory.data(<i32>LONGEST);
let squeezedSize: u32 = 0;
/** The name is in Datadog's spelling, whose texts are decimal. */
let isSpaced: bool = false;

/** What the id of this name is. */
export function idNameOf(p: usize, n: u32): IdName {
  isSpaced = false;
  for (let at = given; at < givenEnd; at += TEXT + <usize>load<u32>(at, SIZE)) {
    if (load<u32>(at, SIZE) === n && equalBytes(at + TEXT, p, n)) return <IdName>load<u32>(at);
  }
  if (n < 6 || n > LONGEST || !mayEnd(load<u8>(p + n - 1))) return IdName.None;
  squeeze(p, n);
  if (is("traceid")) return IdName.Trace;
  if (is("spanid")) return IdName.Span;
  if (is("localrootspanid")) return isSpaced ? IdName.LabelledRoot : IdName.Root;
  if (is("rootspanid")) return IdName.Root;
  if (is("traceidhi") || is("traceidhigh")) return IdName.TraceHigh;
  if (is("traceidlo") || is("traceidlow")) return IdName.TraceLow;
  return is("profileid") && isText(p + n - 10, 10, PROFILE_ID_LABEL) ? IdName.Profile : IdName.None;
}

/** Whether a name may end so: most names are told by it. */
function mayEnd(last: u32): bool {
  const letter = last | 0x20;
  return letter === 0x64 || letter === 0x68 || letter === 0x69 || letter === 0x6f || letter === 0x77;
}

/** Copies the name in small letters, without separators and prefix. */
function squeeze(p: usize, n: u32): void {
  squeezedSize = 0;
  for (let i: u32 = 0; i < n; i++) {
    const c: u32 = load<u8>(p + i);
    if (c === 0x20 || c === 0x5f || c === 0x2d || c === 0x2e) {
      if (c === 0x20) isSpaced = true;
      if (is("otel") || is("dd") || is("datadog") || is("processcontextlabel")) squeezedSize = 0;
      continue;
    }
    store<u8>(squeezed + squeezedSize, <u8>(c - 0x41 < 26 ? c | 0x20 : c));
    squeezedSize++;
  }
}

function is(text: string): bool {
  return isText(squeezed, squeezedSize, text);
}

/** The id that `idText` read, in two halves. */
export let idHigh: u64 = 0;
export let idLow: u64 = 0;

/** Fewest and most digits of an id that is in decimal: hex ids have 16 digits or 32. */
const DECIMAL_FROM: u32 = 17;
const DECIMAL_TO: u32 = 20;
/** Shorter texts with a letter are words rather than ids without leading zeros. */
const HEX_FROM: u32 = 8;

/** Reads an id in hex, or in decimal where only that fits; false if the bytes are no id or 0. */
export function idText(p: usize, n: u32): bool {
  return textId(p, n, DECIMAL_FROM);
}

/** Reads an id in decimal, or in hex where only that fits; false if the bytes are no id or 0. */
function decimalIdText(p: usize, n: u32): bool {
  return textId(p, n, 1);
}

function textId(p: usize, n: u32, decimalFrom: u32): bool {
  idHigh = 0;
  idLow = decimal(p, p + n, u64.MAX_VALUE);
  const areDigits = digitsEnd === p + n;
  if (n >= decimalFrom && n <= DECIMAL_TO && areDigits && !isTooLarge) return idLow !== 0;
  if ((n < HEX_FROM && !areDigits) || !hexId(p, n)) return false;
  idHigh = hexHigh;
  idLow = hexLow;
  return (idHigh | idLow) !== 0;
}

/** Bytes of an id of 64 bits, and of 128. */
const SHORT: u32 = 8;
const LONG: u32 = 16;

/** Reads an id as its bytes, or as the bytes of its hex digits; false if they are no id or 0. */
function idBytes(p: usize, n: u32): bool {
  if (n >= LONG && hexId(p, n)) return idText(p, n);
  if (n !== SHORT && n !== LONG) return false;
  idHigh = n === LONG ? bswap<u64>(load<u64>(p)) : 0;
  idLow = bswap<u64>(load<u64>(p + (n - SHORT)));
  return (idHigh | idLow) !== 0;
}

/**
 * Reads the id in an attribute's value: a text, a number, bytes, or a list of one of these. False without one. `name`:
 * what its key names.
 */
export function idOfAttribute(attribute: u32, name: IdName): bool {
  const bits = attributes.get64(attribute, AttributeRow.VALUE);
  idHigh = 0;
  idLow = bits;
  let isId: bool = false;
  switch (attributes.get(attribute, AttributeRow.TYPE)) {
    case ValueKind.Int:
      isId = bits !== 0 && name !== IdName.Profile;
      break;
    case ValueKind.Text:
      isId = idOfText(
        strings.pointer(<u32>bits),
        strings.size(<u32>bits),
        attributes.get(attribute, AttributeRow.KEY),
        name,
      );
      break;
    case ValueKind.Encoded:
      isId = encodedId(encoded.pointer(<u32>bits), encoded.size(<u32>bits));
  }
  return isId && (idHigh === 0 || name === IdName.Trace);
}

/** Reads the id in a text under the name `key`. */
export function idOfText(p: usize, n: u32, key: u32, name: IdName): bool {
  if (name === IdName.Profile && n !== 16) return false;
  const isDecimal = isDatadogs(strings.pointer(key), strings.size(key)) && n !== 16;
  return (isDecimal ? decimalIdText(p, n) : idText(p, n)) && (idHigh === 0 || name === IdName.Trace);
}

/** Datadog's tracers write ids in decimal. */
function isDatadogs(p: usize, n: u32): bool {
  for (let i: u32 = 0; i < n; i++) if (load<u8>(p + i) === 0x20) return true;
  return n > 3 && load<u8>(p) === 0x64 && (load<u8>(p + 1) === 0x64 || (n > 8 && isText(p, 7, "datadog")));
}

/** Tags of the store's encoded values (read/encoded.ts): the member of an AnyValue, and an element of its array. */
const STRING: u32 = 0x0a;
const INTEGER: u32 = 0x18;
const ARRAY: u32 = 0x2a;
const BYTES: u32 = 0x3a;
const ELEMENT: u32 = 0x0a;
/** Lengths of one byte: longer values are no ids. */
const MOST: u32 = 0x7f;

/** Reads the id in the encoded value of `n` bytes at `p`: bytes, or a list of one value. */
function encodedId(p: usize, n: u32): bool {
  if (n > 4 && n <= MOST && load<u8>(p) === ARRAY && load<u8>(p, 2) === ELEMENT && load<u8>(p, 3) === n - 4) {
    p += 4;
    n -= 4;
    if (load<u8>(p) === INTEGER) return varintId(p + 1, p + n);
    if (load<u8>(p) === STRING) return n - 2 === load<u8>(p, 1) && idText(p + 2, n - 2);
  }
  return n > 2 && n <= MOST && load<u8>(p) === BYTES && idBytes(p + 2, n - 2);
}

function varintId(p: usize, end: usize): bool {
  idHigh = 0;
  idLow = 0;
  for (let shift: u64 = 0; p < end; shift += 7) {
    idLow |= (<u64>load<u8>(p) & 0x7f) << shift;
    p++;
  }
  return idLow !== 0;
}

/** No attribute up to this one has an id of a local root or a trace. */
let without: u32 = 1;
onReset((): void => {
  without = 1;
});

/**
 * Writes one byte per attribute: 1 where it has the id of a local root or of a trace that is one of `count` ids, u64
 * that ascend; `high`: the upper half of the only one, 0 for any. False if no attribute has one.
 */
export function matchIds(out: usize, at: usize, count: u32, high: u64): bool {
  if (without === attributes.count) return false;
  memory.fill(out, 0, attributes.count);
  let any: bool = false;
  let matches: bool = false;
  let key: u32 = 0;
  let name = IdName.None;
  for (let a: u32 = 1; a < attributes.count; a++) {
    const own = attributes.get(a, AttributeRow.KEY);
    if (own !== key) {
      key = own;
      name = idNameOf(strings.pointer(key), strings.size(key));
    }
    if (!(isOfRoot(name) || name === IdName.TraceLow) || !idOfAttribute(a, name)) continue;
    any = true;
    if (!ascendingHas(at, count, idLow) || (high !== 0 && high !== idHigh && name !== IdName.TraceLow)) continue;
    store<u8>(out + a, 1);
    matches = true;
  }
  if (!any) without = attributes.count;
  return matches;
}

/** The first attribute from `a` on that has the id of a local root or of all of a trace; 0 without one. */
export function nextRootId(a: u32): u32 {
  if (without === attributes.count) return 0;
  for (; a < attributes.count; a++) {
    const key = attributes.get(a, AttributeRow.KEY);
    const name = idNameOf(strings.pointer(key), strings.size(key));
    if (isOfRoot(name) && idOfAttribute(a, name)) return a;
  }
  return 0;
}

/** Whether `id` is among `count` ids at `at`, u64 that ascend. */
export function ascendingHas(at: usize, count: u32, id: u64): bool {
  let low: u32 = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (load<u64>(at + ((<usize>middle) << 3)) < id) low = middle + 1;
    else high = middle;
  }
  return low < count && load<u64>(at + ((<usize>low) << 3)) === id;
}

/** Whether attributes of this name have a local root, or all of a trace id. A profile's is a root only by itself. */
function isOfRoot(name: IdName): bool {
  return name === IdName.Trace || name === IdName.Root || name === IdName.LabelledRoot;
}
