/**
 * One interface to the readers of chunks and messages: `open`, `step` (in slices, so that the host can do other work
 * between them) and `close`. One chunk or message is open at a time; opening the next one closes it.
 */

import * as Status from "../abi/faults/status";
import * as Collapsed from "../abi/formats/collapsed";
import * as Jfr from "../abi/formats/jfr";
import * as Otlp from "../abi/formats/otlp";
import * as Pprof from "../abi/formats/pprof";
import { setReading } from "../memory/arena";
import { diagnoseChunk } from "../store/diagnostics";
import { takeNotations } from "../store/generated-names";
import { beginTime } from "../store/profiles";
import { settleSnapshots } from "../store/snapshots";
import { closeCollapsed, collapsedBytesLeft, endCollapsed, openCollapsed, stepCollapsed } from "./collapsed/stacks";
import { beginCount, samplesRead } from "./counter";
import { chunkBytesLeft, closeChunk, openChunk, stepChunk } from "./jfr/chunk";
import { forgetLibraries } from "./jfr/libraries";
import { forgetPeriods } from "./jfr/periods";
import { allowInlined } from "./kept-stack";
import { closeOtlp, openOtlp, otlpBytesLeft, scanOtlp, stepOtlp } from "./otlp/message";
import { closePprof, openPprof, pprofBytesLeft, stepPprof } from "./pprof/profile";

/** The current reader: functions of its folder. */
let openBytes: (p: usize, length: u32) => bool = openChunk;
let stepBytes: (budget: u32) => bool = stepChunk;
let left: () => u32 = chunkBytesLeft;
let closeReader: () => void = closeChunk;

/** Puts the reader of a format to work. A new format is one case here. */
function choose(format: u32): void {
  if (format !== Jfr.Reader) takeNotations();
  switch (format) {
    case Otlp.Reader:
      use(openOtlp, stepOtlp, otlpBytesLeft, closeOtlp);
      break;
    case Pprof.Reader:
      use(openPprof, stepPprof, pprofBytesLeft, closePprof);
      break;
    case Collapsed.Reader:
      use(openCollapsed, stepCollapsed, collapsedBytesLeft, closeCollapsed);
      break;
    default:
      use(openChunk, stepChunk, chunkBytesLeft, closeChunk);
  }
}

/**
 * - `open` takes `length` bytes at `p`; false if it can read nothing in them.
 * - `step` reads about `budget` bytes; true while there is more.
 * - `bytesLeft` counts the bytes whose samples are still to be read.
 * - `close` frees everything except the rows in the store. It may be called twice, and after a trap.
 */
function use(
  open: (p: usize, length: u32) => bool,
  step: (budget: u32) => bool,
  bytesLeft: () => u32,
  close: () => void,
): void {
  openBytes = open;
  stepBytes = step;
  left = bytesLeft;
  closeReader = close;
}

/**
 * Opens the chunk (of at least 68 bytes) or message of `length` bytes at `p`, of a format of abi/formats/; `ordinal`
 * counts both over all files. The answer is one of abi/faults/status.ts.
 */
export function open(format: u32, p: usize, length: u32, ordinal: u32): u32 {
  close();
  setReading(true);
  diagnoseChunk(ordinal);
  beginCount();
  beginTime();
  choose(format);
  allowInlined(length);
  const readable = openBytes(p, length);
  setReading(false);
  return readable ? Status.More : Status.Unreadable;
}

/** Takes the resources of an OTLP message of the file into account, which is opened later. */
export function scan(p: usize, length: u32): void {
  close();
  setReading(true);
  choose(Otlp.Reader);
  scanOtlp(p, length);
  choose(Jfr.Reader);
  setReading(false);
}

/** Goes on for about `budget` bytes. The answer is one of abi/faults/status.ts. */
export function step(budget: u32): u32 {
  setReading(true);
  const more = stepBytes(budget);
  setReading(false);
  return more ? Status.More : Status.Done;
}

/** Bytes of the open chunk or message whose samples are still to be read. */
export function bytesLeft(): u32 {
  return left();
}

/** Samples of the open message, as it has them. */
export function messageSamples(): u32 {
  return samplesRead;
}

/** Closes the chunk or message; only its rows in the store are kept. */
export function close(): void {
  closeReader();
  choose(Jfr.Reader);
}

/**
 * The file ends: the lists of live objects that wait count, and its settings and libraries hold no longer. `process` is
 * one number for all files of a process; 0 if none has a counter.
 */
export function endFile(process: u32): void {
  forgetPeriods();
  forgetLibraries();
  endCollapsed();
  settleSnapshots(process);
}
