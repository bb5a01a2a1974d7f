/**
 * What was wrong with an input, as numbers; the host has the words. The same diagnostic of one chunk is kept once, with
 * the offset and value of its first occurrence and how often it came.
 *
 *   | code u32 | chunk u32 | count u32 | 0 | offset u64 (in the chunk) | value i64 |      32 bytes
 */
import { alloc, regrow } from "../memory/arena";

export const DIAGNOSTIC_BYTES: usize = 32;

let rows: usize = 0;
let capacity: u32 = 0;
export let diagnosticCount: u32 = 0;
let firstOfChunk: u32 = 0;
let chunk: u32 = 0;
let hushed: bool = false;

export function resetDiagnostics(): void {
  capacity = 64;
  rows = alloc(<usize>capacity * DIAGNOSTIC_BYTES);
  diagnosticCount = 0;
  firstOfChunk = 0;
  chunk = 0;
  hushed = false;
}

/** While `on`, nothing is noted: bytes are looked at that will be read again. */
export function hush(on: bool): void {
  hushed = on;
}

/** Diagnostics from here on belong to this chunk (its ordinal over all files). */
export function diagnoseChunk(ordinal: u32): void {
  chunk = ordinal;
  firstOfChunk = diagnosticCount;
}

/** The chunk that diagnostics belong to. */
export function diagnosingChunk(): u32 {
  return chunk;
}

export function diagnosticRows(): usize {
  return rows;
}

export function diagnose(code: u32, offset: u64, value: i64): void {
  if (hushed) return;
  for (let i = firstOfChunk; i < diagnosticCount; i++) {
    const p = rows + <usize>i * DIAGNOSTIC_BYTES;
    if (load<u32>(p) === code) {
      store<u32>(p, load<u32>(p, 8) + 1, 8);
      return;
    }
  }
  if (diagnosticCount === capacity) {
    const bytes = <usize>capacity * DIAGNOSTIC_BYTES;
    rows = regrow(rows, bytes, bytes, bytes << 1);
    capacity <<= 1;
  }
  const p = rows + <usize>diagnosticCount * DIAGNOSTIC_BYTES;
  diagnosticCount++;
  store<u32>(p, code);
  store<u32>(p, chunk, 4);
  store<u32>(p, 1, 8);
  store<u32>(p, 0, 12);
  store<u64>(p, offset, 16);
  store<i64>(p, value, 24);
}
