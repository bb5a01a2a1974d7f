/**
 * Attribute values that are not scalars, as JSON. The store has them as an AnyValue in protobuf, in the form that
 * assembly/read/encoded.ts defines. The output relies on that form; memory safety does not: no length leads the reader
 * beyond the end of the surrounding value.
 */
import * as json from "../json";

const VARINT: u32 = 0;
const FIXED64: u32 = 1;
const DELIMITED: u32 = 2;

/** The field taken last: its number, its scalar, its bytes [from, to). */
let field: u32 = 0;
let scalar: u64 = 0;
let from: usize = 0;
let to: usize = 0;

/** The varint at `p`, as far as it is before `end`; returns where it ends. */
function varint(p: usize, end: usize): usize {
  scalar = 0;
  for (let shift: u64 = 0; p < end && shift < 64; shift += 7) {
    const b: u64 = load<u8>(p);
    p++;
    scalar |= (b & 0x7f) << shift;
    if (b < 0x80) break;
  }
  return p;
}

/** Takes the field at `p` < `end` and returns where the next one starts, at most `end`. */
function take(p: usize, end: usize): usize {
  p = varint(p, end);
  field = <u32>(scalar >> 3);
  const wire = <u32>scalar & 7;
  from = p;
  to = p;
  if (wire === VARINT) return varint(p, end);
  if (wire === FIXED64 && end - p >= 8) {
    scalar = load<u64>(p);
    return p + 8;
  }
  if (wire !== DELIMITED) {
    field = 0;
    return end;
  }
  from = varint(p, end);
  to = from + <usize>min<u64>(scalar, <u64>(end - from));
  return to;
}

/** The member of the AnyValue at [p, end). */
export function writeEncoded(p: usize, end: usize): void {
  if (p < end) take(p, end);
  else field = 0;
  switch (field) {
    case 1:
      json.key("stringValue");
      json.text(from, <u32>(to - from));
      break;
    case 2:
      json.key("boolValue");
      json.boolean(scalar !== 0);
      break;
    case 3:
      json.key("intValue");
      json.signed(<i64>scalar);
      break;
    case 4:
      json.key("doubleValue");
      json.double(reinterpret<f64>(scalar));
      break;
    case 5:
      json.key("arrayValue");
      writeList(from, to, false);
      break;
    case 6:
      json.key("kvlistValue");
      writeList(from, to, true);
      break;
    case 7:
      json.key("bytesValue");
      writeBase64(from, <u32>(to - from));
  }
}

/** The elements of an ArrayValue or a KeyValueList, both their field 1. */
function writeList(p: usize, end: usize, pairs: bool): void {
  json.openObject();
  json.key("values");
  json.openArray();
  while (p < end) {
    p = take(p, end);
    json.openElement();
    if (pairs) writePair(from, to);
    else writeEncoded(from, to);
    json.closeObject();
  }
  json.closeArray();
  json.closeObject();
}

function writePair(p: usize, end: usize): void {
  while (p < end) {
    p = take(p, end);
    if (field === 1) {
      json.key("key");
      json.text(from, <u32>(to - from));
    } else {
      json.key("value");
      json.openObject();
      writeEncoded(from, to);
      json.closeObject();
    }
  }
}

/** Standard base64 with padding, three bytes at a time. */
function writeBase64(p: usize, n: u32): void {
  json.openText();
  while (n > 0) {
    const some = min<u32>(n, 3);
    let bits = (<u32>load<u8>(p)) << 16;
    if (some > 1) bits |= (<u32>load<u8>(p, 1)) << 8;
    if (some > 2) bits |= <u32>load<u8>(p, 2);
    let four: u32 = 0;
    for (let i: u32 = 0; i < 4; i++) {
      const c: u32 = i <= some ? character((bits >> (18 - 6 * i)) & 63) : 0x3d;
      four |= c << (i << 3);
    }
    json.textBytes(four);
    p += some;
    n -= some;
  }
  json.closeText();
}

function character(sextet: u32): u32 {
  if (sextet < 26) return 0x41 + sextet;
  if (sextet < 52) return 0x61 + sextet - 26;
  if (sextet < 62) return 0x30 + sextet - 52;
  return sextet === 62 ? 0x2b : 0x2f;
}
