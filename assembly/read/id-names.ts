/**
 * Names under which labels of pprof and context fields of recordings have ids, in the spellings of OpenTelemetry's
 * libraries, Datadog's, Pyroscope's and Splunk's; and the ids in their texts.
 *
 *   [otel.] trace id | span id          separated by a space, `_`, `-` or nothing, in either case
 *   trace id hi[gh] | trace id lo[w]    the halves of an id as two numbers
 *
 * Names that the user gives are asked first: | role u32 | size u32 | bytes | …
 */
import { equalBytes } from "../memory/hash";
import { decimal, digitsEnd, hexHigh, hexId, hexLow, isTooLarge } from "./digits";

export enum IdName {
  None,
  Trace,
  Span,
  TraceHigh,
  TraceLow,
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

const LONGEST: u32 = 20;
const squeezed: usize = memory.data(<i32>LONGEST);
let squeezedSize: u32 = 0;

/** What the id of this name is. */
export function idNameOf(p: usize, n: u32): IdName {
  for (let at = given; at < givenEnd; at += TEXT + <usize>load<u32>(at, SIZE)) {
    if (load<u32>(at, SIZE) === n && equalBytes(at + TEXT, p, n)) return <IdName>load<u32>(at);
  }
  if (n > LONGEST) return IdName.None;
  squeeze(p, n);
  if (is("traceid")) return IdName.Trace;
  if (is("spanid")) return IdName.Span;
  if (is("traceidhi") || is("traceidhigh")) return IdName.TraceHigh;
  return is("traceidlo") || is("traceidlow") ? IdName.TraceLow : IdName.None;
}

/** Copies the name in small letters, without separators and OpenTelemetry's prefix. A dot separates the prefix only. */
function squeeze(p: usize, n: u32): void {
  squeezedSize = 0;
  for (let i: u32 = 0; i < n; i++) {
    const c: u32 = load<u8>(p + i);
    if (c === 0x20 || c === 0x5f || c === 0x2d || (c === 0x2e && is("otel"))) {
      if (is("otel")) squeezedSize = 0;
      continue;
    }
    store<u8>(squeezed + squeezedSize, <u8>(c - 0x41 < 26 ? c | 0x20 : c));
    squeezedSize++;
  }
}

function is(text: string): bool {
  if (squeezedSize !== <u32>text.length) return false;
  for (let i: u32 = 0; i < squeezedSize; i++) if (<i32>load<u8>(squeezed + i) !== text.charCodeAt(i)) return false;
  return true;
}

/** The id that `idText` read, in two halves. */
export let idHigh: u64 = 0;
export let idLow: u64 = 0;

/** Fewest and most digits of an id that is in decimal: hex ids have 16 digits or 32. */
const DECIMAL_FROM: u32 = 17;
const DECIMAL_TO: u32 = 20;

/** Reads an id in hex, or in decimal where only that fits; false if the bytes are no id or 0. */
export function idText(p: usize, n: u32): bool {
  idHigh = 0;
  if (n >= DECIMAL_FROM && n <= DECIMAL_TO) {
    idLow = decimal(p, p + n, u64.MAX_VALUE);
    if (digitsEnd === p + n && !isTooLarge) return idLow !== 0;
  }
  if (!hexId(p, n)) return false;
  idHigh = hexHigh;
  idLow = hexLow;
  return (idHigh | idLow) !== 0;
}
