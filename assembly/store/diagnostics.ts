/**
 * Diagnostics of inputs, as numbers; the host has the words. The same diagnostic of one chunk is kept once, with the
 * offset and value of its first occurrence and the number of occurrences.
 *
 *   | code u32 | chunk u32 | count u32 | 0 | offset u64 (in the chunk) | value i64 |      32 bytes
 */
import * as DiagnosticRow from "../abi/rows/diagnostic-row";
import { alloc, regrow } from "../memory/arena";
import { onReset } from "../memory/resets";

let rows: usize = 0;
let capacity: u32 = 0;
export let diagnosticCount: u32 = 0;
let firstOfChunk: u32 = 0;
let chunk: u32 = 0;
let hushed: bool = false;

onReset((): void => {
  capacity = 64;
  rows = alloc(<usize>capacity * DiagnosticRow.BYTES);
  diagnosticCount = 0;
  firstOfChunk = 0;
  chunk = 0;
  hushed = false;
});

/** While `on`, no diagnostic is recorded: the same bytes will be read again. */
export function hush(on: bool): void {
  hushed = on;
}

/** Diagnostics from here on belong to this chunk (its ordinal over all files). */
export function diagnoseChunk(ordinal: u32): void {
  chunk = ordinal;
  firstOfChunk = diagnosticCount;
}

/** Drops all diagnostics. */
export function clearDiagnostics(): void {
  diagnosticCount = 0;
  firstOfChunk = 0;
}

/** The chunk that diagnostics belong to. */
export function diagnosingChunk(): u32 {
  return chunk;
}

export function diagnosticRows(): usize {
  return rows;
}

export function diagnose(code: u32, offset: u64, value: i64): void {
  diagnoseTimes(code, offset, value, 1);
}

/** A diagnostic with so many occurrences. */
export function diagnoseTimes(code: u32, offset: u64, value: i64, times: u32): void {
  if (hushed) return;
  for (let i = firstOfChunk; i < diagnosticCount; i++) {
    const p = rows + <usize>i * DiagnosticRow.BYTES;
    if (load<u32>(p, DiagnosticRow.CODE) === code) {
      store<u32>(p, load<u32>(p, DiagnosticRow.COUNT) + times, DiagnosticRow.COUNT);
      return;
    }
  }
  if (diagnosticCount === capacity) {
    const bytes = <usize>capacity * DiagnosticRow.BYTES;
    rows = regrow(rows, bytes, bytes, bytes << 1);
    capacity <<= 1;
  }
  const p = rows + <usize>diagnosticCount * DiagnosticRow.BYTES;
  diagnosticCount++;
  store<u32>(p, code, DiagnosticRow.CODE);
  store<u32>(p, chunk, DiagnosticRow.CHUNK);
  store<u32>(p, times, DiagnosticRow.COUNT);
  store<u64>(p, offset, DiagnosticRow.OFFSET);
  store<i64>(p, value, DiagnosticRow.VALUE);
}
