/**
 * JSON writer. It adds commas and line breaks. One message is written at a time. Pretty printing puts each member and
 * each object of an array on a separate line, indented by two spaces per level; arrays of scalars stay on one line.
 */
import { stringPointer, stringSize } from "./added";
import { listed, listSize } from "./attribute-list";
import { putDecimal, putDouble, putHex64, putMillis, putSigned } from "./digits";
import { Run } from "./output";

let run: Run = changetype<Run>(0);
let pretty: bool = false;
let depth: u32 = 0;
/** Nothing is in the innermost object or array yet. */
let fresh: bool = true;

/** Room that any number, key or bracket with its comma and quotes fits in. */
const TOKEN: u64 = 64;
/** Bytes of text that are scanned, and allocated, at a time. */
const TEXT_STEP: u32 = 4096;

export function beginJson(to: Run, indent: bool): void {
  run = to;
  pretty = indent;
  depth = 0;
  fresh = true;
}

/** A compile-time ASCII text: 16 characters at a time, so up to 15 bytes after it are touched. */
export function putText(p: usize, text: string): usize {
  const n = <usize>text.length;
  const from = changetype<usize>(text);
  for (let i: usize = 0; i < n; i += 16) {
    const low = v128.load(from + (i << 1));
    const high = v128.load(from + (i << 1), 16);
    v128.store(p + i, v128.narrow<i16>(low, high));
  }
  return p + n;
}

/** Continues in another run, inside a string: the writer does not write the bytes between the two. */
export function continueJson(to: Run): void {
  run = to;
}

/** The quotes of a string that is filled in pieces, by `textPart` or by other code. */
export function openText(): void {
  byte(0x22);
}

export function closeText(): void {
  byte(0x22);
}

/** Four characters inside it. */
export function textBytes(four: u32): void {
  const p = run.need(4);
  store<u32>(p, four);
  run.at = p + 4;
}

function byte(c: u8): void {
  const p = run.need(1);
  store<u8>(p, c);
  run.at = p + 1;
}

function breakLine(): void {
  const n = (depth << 1) + 1;
  const p = run.need(n);
  store<u8>(p, 0x0a);
  memory.fill(p + 1, 0x20, n - 1);
  run.at = p + n;
}

/** Separator between two members or elements. */
function separate(): void {
  if (!fresh) byte(0x2c);
  fresh = false;
  if (pretty) breakLine();
}

function open(c: u8): void {
  byte(c);
  depth++;
  fresh = true;
}

function close(c: u8): void {
  depth--;
  if (pretty && !fresh) breakLine();
  byte(c);
  fresh = false;
}

/** A member's name; its value comes next. Names are at most 40 characters. */
export function key(name: string): void {
  separate();
  let p = run.need(TOKEN);
  store<u8>(p, 0x22);
  p = putText(p + 1, name);
  store<u16>(p, 0x3a22);
  p += 2;
  if (pretty) {
    store<u8>(p, 0x20);
    p += 1;
  }
  run.at = p;
}

/** An object as value of a member. */
export function openObject(): void {
  open(0x7b);
}

/** An object as element of an array. */
export function openElement(): void {
  separate();
  open(0x7b);
}

export function closeObject(): void {
  close(0x7d);
}

export function openArray(): void {
  open(0x5b);
}

export function closeArray(): void {
  close(0x5d);
}

/** The zero element of a table. */
export function emptyElement(): void {
  openElement();
  closeObject();
}

/** An array of scalars on one line: `openList`, one `list…` for each, `closeList`. */
export function openList(): void {
  byte(0x5b);
  fresh = true;
}

export function closeList(): void {
  byte(0x5d);
  fresh = false;
}

/** The place of the next scalar, after its comma. */
function listItem(): usize {
  const p = run.need(TOKEN);
  if (fresh) {
    fresh = false;
    return p;
  }
  // The space is overwritten where it is not wanted.
  store<u16>(p, 0x202c);
  return p + (pretty ? 2 : 1);
}

export function listIndex(v: u32): void {
  run.at = putDecimal(listItem(), v);
}

export function listUnsigned(v: u64): void {
  const p = listItem();
  store<u8>(p, 0x22);
  run.at = endQuote(putDecimal(p + 1, v));
}

export function listSigned(v: i64): void {
  const p = listItem();
  store<u8>(p, 0x22);
  run.at = endQuote(putSigned(p + 1, v));
}

function endQuote(p: usize): usize {
  store<u8>(p, 0x22);
  return p + 1;
}

/** An array as element of an array. */
export function openListElement(): void {
  separate();
  openList();
}

/** A 64-bit number as JSON number, for formats without another form. */
export function listNumber(v: i64): void {
  run.at = putSigned(listItem(), v);
}

/** Nanoseconds as a number of milliseconds. */
export function listMillis(v: i64): void {
  run.at = putMillis(listItem(), v);
}

export function listWord(word: string): void {
  run.at = putText(listItem(), word);
}

export function number(v: i64): void {
  run.at = putSigned(run.need(TOKEN), v);
}

export function millis(v: i64): void {
  run.at = putMillis(run.need(TOKEN), v);
}

/** A value that is known when this is compiled, as it is in the file, of at most 48 characters. */
export function word(literal: string): void {
  run.at = putText(run.need(TOKEN), literal);
}

/** A `word` as element of an array. */
export function wordElement(literal: string): void {
  separate();
  word(literal);
}

/** A number as JSON number: indices only. */
export function index(v: u32): void {
  run.at = putDecimal(run.need(TOKEN), v);
}

/** A member with an index, absent when it is 0. */
export function indexMember(name: string, v: u32): void {
  if (v === 0) return;
  key(name);
  index(v);
}

/** A member with the attributes that were listed last (attribute-list.ts), absent if there are no attributes. */
export function attributesMember(): void {
  if (listSize === 0) return;
  key("attributeIndices");
  openList();
  for (let i: u32 = 0; i < listSize; i++) listIndex(listed(i));
  closeList();
}

/** A 64-bit number as a decimal string, because JSON numbers lose digits above 2⁵³. */
export function unsigned(v: u64): void {
  const p = run.need(TOKEN);
  store<u8>(p, 0x22);
  run.at = endQuote(putDecimal(p + 1, v));
}

export function signed(v: i64): void {
  const p = run.need(TOKEN);
  store<u8>(p, 0x22);
  run.at = endQuote(putSigned(p + 1, v));
}

/** A member with a 64-bit number, absent when it is 0. */
export function unsignedMember(name: string, v: u64): void {
  if (v === 0) return;
  key(name);
  unsigned(v);
}

export function boolean(v: bool): void {
  const p = run.need(TOKEN);
  run.at = v ? putText(p, "true") : putText(p, "false");
}

/** A number, or the three strings that ProtoJSON has for what JSON cannot say. */
export function double(v: f64): void {
  const p = run.need(TOKEN);
  if (isNaN(v)) run.at = putText(p, '"NaN"');
  else if (isFinite(v)) run.at = putDouble(p, v);
  else run.at = v > 0 ? putText(p, '"Infinity"') : putText(p, '"-Infinity"');
}

/** One or two 64-bit halves of an id as hex. */
export function hexMember(name: string, high: u64, low: u64, both: bool): void {
  key(name);
  let p = run.need(TOKEN);
  store<u8>(p, 0x22);
  p += 1;
  if (both) p = putHex64(p, high);
  run.at = endQuote(putHex64(p, low));
}

/** String `i` of the message (added.ts). */
export function stringText(i: u32): void {
  text(stringPointer(i), stringSize(i));
}

/** String `i` of the message, inside a string that is open. */
export function stringPart(i: u32): void {
  textPart(stringPointer(i), stringSize(i));
}

/** String `i` of the message as element of an array. */
export function stringElement(i: u32): void {
  separate();
  stringText(i);
}

/** A string: valid UTF-8, of which only quotes, backslashes and control characters need an escape. */
export function text(at: usize, n: u32): void {
  openText();
  textPart(at, n);
  closeText();
}

export function textPart(at: usize, n: u32): void {
  while (n !== 0) {
    const step = n < TEXT_STEP ? n : TEXT_STEP;
    // The longest escape is six bytes for one.
    run.at = putPlain(run.need(<u64>step * 6 + 16), at, step);
    at += step;
    n -= step;
  }
}

/** Copies 16 bytes at a time up to the next byte that needs an escape. */
function putPlain(p: usize, from: usize, n: u32): usize {
  const end = from + n;
  while (from < end) {
    const bytes = v128.load(from);
    const special = v128.or(
      v128.or(v128.eq<i8>(bytes, v128.splat<i8>(0x22)), v128.eq<i8>(bytes, v128.splat<i8>(0x5c))),
      v128.lt<u8>(bytes, v128.splat<i8>(0x20)),
    );
    v128.store(p, bytes);
    const plain = ctz<i32>(v128.bitmask<i8>(special) | 0x10000);
    const left = <i32>(end - from);
    if (plain >= left) return p + left;
    p += plain;
    from += plain;
    if (plain < 16) {
      p = putEscaped(p, load<u8>(from));
      from += 1;
    }
  }
  return p;
}

function putEscaped(p: usize, c: u8): usize {
  if (c === 0x22 || c === 0x5c) {
    store<u8>(p, 0x5c);
    store<u8>(p, c, 1);
    return p + 2;
  }
  if (c === 0x0a) return putText(p, "\\n");
  if (c === 0x09) return putText(p, "\\t");
  if (c === 0x0d) return putText(p, "\\r");
  p = putText(p, "\\u00");
  store<u8>(p, 0x30 + (c >> 4));
  const low = c & 15;
  store<u8>(p, low + (low < 10 ? 0x30 : 0x57), 1);
  return p + 2;
}
