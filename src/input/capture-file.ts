/** A TCP capture as an input: its runs, and the problem that ends it. */

import { readCapture } from "./dump/capture.ts";
import { readDumps } from "./dump/read-dumps.ts";
import type { RunFiles } from "./dump/runs.ts";
import type { KnownFile, Reading } from "./reading.ts";

/** Reads the runs of an input, `offset` bytes of which were read. `going` is false if the reading was ended. */
export async function readRuns(reading: Reading, runs: readonly RunFiles[], name: string, offset: number) {
  for (const run of runs) run.input = name;
  const read = await readDumps(reading.core, runs, () => reading.breathe(offset), reading.expansion);
  reading.runs.push(...read.opened);
  if (read.isRead) reading.foundReadable();
  return read;
}

export async function readCaptureFile(reading: Reading, { name, source, layer }: KnownFile): Promise<boolean> {
  const capture = reading.counted(source, layer);
  const { runs, fault } = await readCapture(capture, name);
  const { opened, going } = await readRuns(reading, runs, name, capture.byteLength);
  if (opened.length === 0) reading.core.beginFile(name, source.byteLength, "cdt");
  if (fault === null) return going;
  const severity = fault.code === "cdt.capture.truncated" ? "warning" : "error";
  const message = `the capture ends at byte ${fault.offset}: ${fault.text}; the streams before that were read`;
  reading.core.note({ code: fault.code, severity, message, file: name, chunk: null, offset: fault.offset, stream: "" });
  return going;
}
