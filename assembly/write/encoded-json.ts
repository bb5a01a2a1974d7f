/**
 * Attribute values that are no scalar, as JSON. The store has them as an AnyValue in protobuf, which its reader wrote
 * (read/otlp/any-value.ts), so that nothing in it can be damaged.
 */
import {
  boolean,
  closeArray,
  closeObject,
  closeText,
  double,
  key,
  openArray,
  openElement,
  openObject,
  openText,
  signed,
  text,
  textBytes,
} from "./json";

const DELIMITED: u64 = 2;
const FIXED64: u64 = 1;

let next: usize = 0;

function varint(p: usize): u64 {
  let v: u64 = 0;
  let b: u64 = 0x80;
  for (let shift: u64 = 0; b >= 0x80; shift += 7) {
    b = load<u8>(p);
    p++;
    v |= (b & 0x7f) << shift;
  }
  next = p;
  return v;
}

/** The member of the AnyValue at [p, end). */
export function writeEncoded(p: usize, end: usize): void {
  // Of several members the last one holds: those before it are stepped over.
  let last = p;
  for (let q = p; q < end; q = behind(q)) last = q;
  if (last < end) writeMember(last);
}

/** Where the field behind the one at `p` starts. */
function behind(p: usize): usize {
  const tag = varint(p);
  if ((tag & 7) === FIXED64) return next + 8;
  const v = varint(next);
  return (tag & 7) === DELIMITED ? next + <usize>v : next;
}

function writeMember(p: usize): void {
  const tag = varint(p);
  const content = next;
  if (tag >> 3 === 4) {
    key("doubleValue");
    double(load<f64>(content));
    return;
  }
  const v = varint(content);
  const from = next;
  switch (<u32>(tag >> 3)) {
    case 1:
      key("stringValue");
      text(from, <u32>v);
      break;
    case 2:
      key("boolValue");
      boolean(v !== 0);
      break;
    case 3:
      key("intValue");
      signed(<i64>v);
      break;
    case 5:
      key("arrayValue");
      writeList(from, from + <usize>v, false);
      break;
    case 6:
      key("kvlistValue");
      writeList(from, from + <usize>v, true);
      break;
    default:
      key("bytesValue");
      writeBase64(from, <u32>v);
  }
}

/** The elements of an ArrayValue or a KeyValueList, both their field 1. */
function writeList(p: usize, end: usize, pairs: bool): void {
  openObject();
  key("values");
  openArray();
  while (p < end) {
    varint(p);
    const n = varint(next);
    const from = next;
    p = from + <usize>n;
    openElement();
    if (pairs) writePair(from, p);
    else writeEncoded(from, p);
    closeObject();
  }
  closeArray();
  closeObject();
}

function writePair(p: usize, end: usize): void {
  while (p < end) {
    const tag = varint(p);
    const n = varint(next);
    const from = next;
    p = from + <usize>n;
    if (tag >> 3 === 1) {
      key("key");
      text(from, <u32>n);
      continue;
    }
    key("value");
    openObject();
    writeEncoded(from, p);
    closeObject();
  }
}

/** Standard base64 with padding, three bytes at a time. */
function writeBase64(p: usize, n: u32): void {
  openText();
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
    textBytes(four);
    p += some;
    n -= some;
  }
  closeText();
}

function character(sextet: u32): u32 {
  if (sextet < 26) return 0x41 + sextet;
  if (sextet < 52) return 0x61 + sextet - 26;
  if (sextet < 62) return 0x30 + sextet - 52;
  return sextet === 62 ? 0x2b : 0x2f;
}
