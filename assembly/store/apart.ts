/**
 * Reading apart: this instance reads single chunks for the store of another one (merge/). What depends on the chunks
 * before is left to the other one. It is noted among the diagnostics of the chunk, so that it is decided in the order
 * in which one instance would decide it.
 *
 *   code   | 1 | kind 3 bits | row 28 bits |       a code of abi/ has no bit of the upper half
 */
import { onReset } from "../memory/resets";
import { diagnose } from "./diagnostics";

export let apart: bool = false;

/** Holds until the next reset of the core. */
export function readApart(): void {
  apart = true;
}

onReset((): void => {
  apart = false;
});

export enum Deferred {
  /** The row is a profile of the catalogue, the value its period: the chunk states it. */
  Statement = 0x8000_0000,
  /** An event row: its first observation, whose period decides the event row that it feeds. */
  Period = 0x9000_0000,
  /** An event row: the first observation of a list of live objects. */
  Snapshot = 0xa000_0000,
  /** The value is the string of the chunk's mode, 0 for settings without a mode (read/jfr/periods.ts). */
  Mode = 0xb000_0000,
}

const ROW_BITS: u32 = 28;

export function defer(kind: Deferred, row: u32, offset: u64, value: i64): void {
  diagnose(<u32>kind | row, offset, value);
}

/** What a code defers; 0 for one of a diagnostic. */
export function deferredKind(code: u32): u32 {
  return code >> 31 === 0 ? 0 : (code >> ROW_BITS) << ROW_BITS;
}

export function deferredRow(code: u32): u32 {
  return code & ((1 << ROW_BITS) - 1);
}
