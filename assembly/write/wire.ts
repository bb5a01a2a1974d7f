/**
 * Writing of protobuf through raw pointers. Integers are plain two's complement varints, never zigzag: OTLP Profiles
 * has int32, int64 and uint64 fields only (src/otlp/schema.ts). The caller computes the size of a message first, so
 * that no length is padded.
 */
import { stringPointer, stringSize } from "./added";

/** Bytes of `v` as a varint: one per started seven bits, without a division. */
export function varintSize(v: u64): u32 {
  return (<u32>(63 - <u32>clz<u64>(v | 1)) * 9 + 73) >> 6;
}

/** Writes `v` at `p` and returns the byte after it, as all functions below do. */
export function putVarint(p: usize, v: u64): usize {
  while (v >= 0x80) {
    store<u8>(p, <u8>v | 0x80);
    p += 1;
    v >>= 7;
  }
  store<u8>(p, <u8>v);
  return p + 1;
}

/**
 * Writes `v` < 2²⁸ without a branch; every index is below, because more rows would not fit into memory. Touches four
 * bytes, so only for writing front to back.
 */
export function putShort(p: usize, v: u32): usize {
  const n = varintSize(v);
  const spread = (v & 0x7f) | ((v & 0x3f80) << 1) | ((v & 0x1f_c000) << 2) | ((v & 0xfe0_0000) << 3);
  store<u32>(p, spread | (0x80_8080 & (((<u32>1) << ((n - 1) << 3)) - 1)));
  return p + n;
}

/** A varint field (`tag` is its one tag byte); the default 0 is not written. */
export function putField(p: usize, tag: u8, v: u64): usize {
  if (v === 0) return p;
  store<u8>(p, tag);
  return putVarint(p + 1, v);
}

/** Size of what `putField` writes. */
export function fieldSize(v: u64): u32 {
  return v === 0 ? 0 : 1 + varintSize(v);
}

/** A field with an id of 16 bytes. */
export function putId(p: usize, tag: u16, high: u64, low: u64): usize {
  store<u16>(p, tag | 0x1000);
  store<u64>(p + 2, bswap<u64>(high));
  store<u64>(p + 10, bswap<u64>(low));
  return p + 18;
}

/** A fixed64 field; the default 0 is not written. */
export function putFixed64(p: usize, tag: u8, v: u64): usize {
  if (v === 0) return p;
  store<u8>(p, tag);
  store<u64>(p + 1, v);
  return p + 9;
}

/** A packed field with the one index `v`; absent for index 0. */
export function putIndex(p: usize, tag: u8, v: u32): usize {
  if (v === 0) return p;
  store<u8>(p, tag);
  store<u8>(p, <u8>varintSize(v), 1);
  return putVarint(p + 2, v);
}

/** Tag and length of a length-delimited field. */
export function putHeader(p: usize, tag: u8, length: u64): usize {
  store<u8>(p, tag);
  return putVarint(p + 1, length);
}

/** Size of a length-delimited field with `length` bytes of content. */
export function delimitedSize(length: u64): u64 {
  return 1 + <u64>varintSize(length) + length;
}

/** A length-delimited field with the `n` bytes at `from`. */
export function putBytes(p: usize, tag: u8, from: usize, n: u32): usize {
  const q = putHeader(p, tag, n);
  memory.copy(q, from, n);
  return q + n;
}

/** A length-delimited field with string `i` of the message. */
export function putString(p: usize, tag: u8, i: u32): usize {
  return putBytes(p, tag, stringPointer(i), stringSize(i));
}

/** The varint at `at`, which its writer made canonical; `next` is the byte after it. */
export let next: usize = 0;
export function takeVarint(at: usize): u32 {
  let b: u32 = load<u8>(at);
  at += 1;
  let v = b & 0x7f;
  for (let shift: u32 = 7; b >= 0x80 && shift < 35; shift += 7) {
    b = load<u8>(at);
    at += 1;
    v |= (b & 0x7f) << shift;
  }
  next = at;
  return v;
}
