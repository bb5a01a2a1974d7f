/**
 * Whatever is open: a chunk of a recording, or a message. All are opened, stepped through in slices so that the host can
 * breathe between them, and closed; opening one closes the one before.
 */
import { setReading } from "../memory/arena";
import { resetScratch } from "../memory/scratch";
import { diagnoseChunk } from "../store/diagnostics";
import { resetEncoded } from "./encoded";
import { chunkBytesLeft, closeChunk, openChunk, resetReader, step as stepChunk } from "./jfr/chunk";
import { Status } from "./jfr/codes";
import { resetLines } from "./lines";
import { resetLocations } from "./otlp/locations";
import { closeOtlp, openOtlp, otlpBytesLeft, otlpSamples, resetMessage, scanOtlp, stepOtlp } from "./otlp/message";
import { resetProfile } from "./otlp/profile";
import { resetResources } from "./otlp/resource";
import { resetSample } from "./otlp/sample";
import { resetGroup } from "./pprof/group";
import { resetLabels } from "./pprof/labels";
import { closePprof, openPprof, pprofBytesLeft, pprofSamples, resetPprof, stepPprof } from "./pprof/profile";
import { resetRemarks } from "./pprof/remarks";
import { resetTables as resetPprofTables } from "./pprof/tables";
import { resetTexts } from "./text";

/** What is open; the numbers are the host's. */
export enum Format {
  Jfr,
  Otlp,
  Pprof,
}

let format: Format = Format.Jfr;

/** To be called on an empty store. */
export function resetInput(): void {
  resetScratch();
  resetReader();
  resetTexts();
  resetLines();
  resetMessage();
  resetEncoded();
  resetLocations();
  resetProfile();
  resetResources();
  resetSample();
  resetPprof();
  resetPprofTables();
  resetGroup();
  resetLabels();
  resetRemarks();
  format = Format.Jfr;
}

/**
 * Opens the chunk (of at least 68 bytes) or message of `length` bytes at `p`; `ordinal` counts both over all files.
 */
export function open(kind: Format, p: usize, length: u32, ordinal: u32): Status {
  close();
  setReading(true);
  let status: Status;
  if (kind === Format.Jfr) {
    status = openChunk(p, length, ordinal);
  } else {
    diagnoseChunk(ordinal);
    format = kind;
    const readable = kind === Format.Otlp ? openOtlp(p, length) : openPprof(p, length);
    status = readable ? Status.More : Status.Unreadable;
  }
  setReading(false);
  return status;
}

/** Takes the resources of an OTLP message of the file into account, which is opened later. */
export function scan(p: usize, length: u32): void {
  close();
  setReading(true);
  format = Format.Otlp;
  scanOtlp(p, length);
  format = Format.Jfr;
  setReading(false);
}

/** Goes on for about `budget` bytes. */
export function step(budget: u32): Status {
  setReading(true);
  const status = stepOn(budget);
  setReading(false);
  return status;
}

function stepOn(budget: u32): Status {
  if (format === Format.Jfr) return stepChunk(budget);
  const more = format === Format.Otlp ? stepOtlp(budget) : stepPprof(budget);
  return more ? Status.More : Status.Done;
}

/** Bytes of what is open that its samples still take. */
export function bytesLeft(): u32 {
  if (format === Format.Jfr) return chunkBytesLeft();
  return format === Format.Otlp ? otlpBytesLeft() : pprofBytesLeft();
}

/** Samples of the message that is open, as it has them. */
export function messageSamples(): u32 {
  return format === Format.Otlp ? otlpSamples : pprofSamples;
}

/** Forgets everything of it but what the store took. */
export function close(): void {
  if (format === Format.Jfr) closeChunk();
  else if (format === Format.Otlp) closeOtlp();
  else closePprof();
  format = Format.Jfr;
}
