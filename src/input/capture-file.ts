/** A TCP capture as an input: its runs, and the problem that ends it. */

import { readCapture } from "./dump/capture.ts";
import { readDumps } from "./dump/read-dumps.ts";
import type { KnownFile, Reading } from "./reading.ts";

export async function readCaptureFile(reading: Reading, { name, source, layer }: KnownFile): Promise<boolean> {
  const capture = reading.counted(source, layer);
  const { runs, fault } = await readCapture(capture, name);
  for (const run of runs) run.input = name;
  const { opened, going, isRead } = await readDumps(
    reading.core,
    runs,
    () => reading.breathe(capture.byteLength),
    reading.expansion,
  );
  reading.runs.push(...opened);
  if (isRead) reading.foundReadable();
  if (opened.length === 0) reading.core.beginFile(name, source.byteLength, "cdt");
  if (fault === null) return going;
  const severity = fault.code === "cdt.capture.truncated" ? "warning" : "error";
  const message = `the capture ends at byte ${fault.offset}: ${fault.text}; the streams before that were read`;
  reading.core.note({ code: fault.code, severity, message, file: name, chunk: null, offset: fault.offset, stream: "" });
  return going;
}
