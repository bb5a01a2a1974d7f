/** `spanflame convert --call` to formats of viewers: every invocation of the named calls, in the order of time. */
import type { Core } from "../../core/core.ts";
import { VERSION } from "../../core/version.ts";
import type { OpenRun } from "../../input/dump/read-dumps.ts";
import { byFigure } from "../../model/calls/call-orders.ts";
import { type InvocationFormat, invocationFormat } from "../../model/calls/export/invocations.ts";
import type { ListedCall } from "../../model/calls/export/listed-call.ts";
import { invocationParts } from "../../model/calls/export/writers.ts";
import { formatBytes, formatCounted } from "../../model/words/format.ts";
import { selectedCalls } from "../calls/dump-calls.ts";
import { FrameLists } from "../calls/frame-lists.ts";
import type { Conversion, OutputFiles } from "./conversion.ts";
import { Output } from "./output.ts";

/** The format if the output has the invocations of calls; null if it has samples. */
function formatOf({ values, row, chipped: { filter, shape } }: Conversion): InvocationFormat | null {
  const isNamed = values.call !== undefined && values.event === undefined;
  return invocationFormat({ format: row.name, isNamed, type: values.type ?? null, filter, shape });
}

/** Writes the invocations of named calls; a line about the result, or null if the output has samples. */
export async function writeCalls(
  core: Core,
  runs: readonly OpenRun[],
  conversion: Conversion,
  { path, files }: { path: string; files: OutputFiles },
): Promise<string | null> {
  const format = formatOf(conversion);
  if (format === null) return null;
  const { values, chipped } = conversion;
  const calls = (await selectedCalls(core, values, chipped.filter)).sort(byFigure("start"));
  if (calls.length === 0) return null;
  const dumps = await core.dumps();
  const lists = await new FrameLists(core, runs).of(calls);
  const listed = calls.map((call): ListedCall => ({ call, frames: lists.get(call.number) ?? [] }));
  const output = new Output(files.open(path), { gzip: values.gzip === true || /\.gz$/i.test(path), framed: false });
  let size = 0;
  const parts = invocationParts(format, listed, (run, id) => dumps.word(run, id), `spanflame ${VERSION}`);
  for (const part of parts) size += output.text(part);
  output.close();
  const frames = listed.reduce((sum, each) => sum + each.frames.length, 0);
  return `${formatCounted(frames, "invocation")} of ${formatCounted(calls.length, "call")}, ${formatBytes(size)}`;
}
