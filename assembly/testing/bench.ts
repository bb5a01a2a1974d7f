/** Entry of `bench/parts.mjs`: single steps of the core, each run many times in one call. Not part of the product. */
import { alloc } from "../memory/arena";
import { resetAll } from "../memory/resets";
import { functions, internFunction, stacks, strings } from "../store/tables";
import { putBytes, putField, putFixed64, putHeader, putShort, putVarint, varintSize } from "../write/wire";

/** An entry of the input: | size u32 | bytes |. */
const ENTRY: usize = 64;
/** Messages are written over and over into the first bytes of this. */
const OUTPUT_BYTES: u32 = 1 << 16;
const OUTPUT: usize = memory.data(1 << 17, 16);

/** An empty store, and room for `n` bytes of input. */
export function begin(n: u32): usize {
  resetAll();
  return alloc(n);
}

/** Interns entries in the order of `n` u32 at `order`; returns how many there are then. */
export function internStrings(entries: usize, order: usize, n: u32): u32 {
  for (const end = order + ((<usize>n) << 2); order < end; order += 4) {
    const entry = entries + <usize>load<u32>(order) * ENTRY;
    strings.intern(entry + 4, load<u32>(entry));
  }
  return strings.count;
}

/** Interns the bytes of the entries as packed stacks. */
export function internStacks(entries: usize, order: usize, n: u32): u32 {
  for (const end = order + ((<usize>n) << 2); order < end; order += 4) {
    const entry = entries + <usize>load<u32>(order) * ENTRY;
    stacks.intern(entry + 4, load<u32>(entry));
  }
  return stacks.count;
}

export function internFunctions(_entries: usize, order: usize, n: u32): u32 {
  for (const end = order + ((<usize>n) << 2); order < end; order += 4) {
    const i = load<u32>(order) + 1;
    internFunction(i, i, i >> 3, 0);
  }
  return functions.count;
}

function wrapped(p: usize): usize {
  return p - OUTPUT > <usize>OUTPUT_BYTES ? OUTPUT : p;
}

/** `n` varints that take `bytes` bytes each. */
export function varints(n: u32, bytes: u32): usize {
  const v = bytes === 10 ? u64.MAX_VALUE : ((<u64>1) << (7 * bytes)) - 1;
  let p = OUTPUT;
  for (let i: u32 = 0; i < n; i++) p = putVarint(wrapped(p), v - (i & 15));
  return p;
}

export function fixed64s(n: u32): usize {
  let p = OUTPUT;
  for (let i: u32 = 0; i < n; i++) p = putFixed64(wrapped(p), 0x19, <u64>i + 1);
  return p;
}

/** Fields with `bytes` bytes of text. */
export function texts(n: u32, bytes: u32): usize {
  let p = OUTPUT;
  for (let i: u32 = 0; i < n; i++) p = putBytes(wrapped(p), 0x2a, OUTPUT + <usize>OUTPUT_BYTES + (i & 63), bytes);
  return p;
}

/** Messages in a message: | 4 varint fields |, their sizes computed first, as the writers do. */
export function messages(n: u32): usize {
  let p = OUTPUT;
  for (let i: u32 = 0; i < n; i++) {
    const inner = 3 + varintSize(i) + 6;
    p = putHeader(putHeader(wrapped(p), 0x12, inner + 2), 0x1a, inner);
    p = putField(p, 0x08, <u64>i | 1);
    p = putField(p, 0x10, 200);
    p = putField(p, 0x18, 7);
    p = putField(p, 0x20, 300);
  }
  return p;
}

/** Packed fields of ten indices each. */
export function packed(n: u32): usize {
  let p = OUTPUT;
  for (let i: u32 = 0; i < n; i++) {
    let size: u32 = 0;
    for (let k: u32 = 0; k < 10; k++) size += varintSize(i + (k << 6));
    p = putHeader(wrapped(p), 0x0a, size);
    for (let k: u32 = 0; k < 10; k++) p = putShort(p, (i + (k << 6)) & 0xfff_ffff);
  }
  return p;
}
