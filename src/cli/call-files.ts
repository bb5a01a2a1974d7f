/** `spanflame convert --call` to formats of viewers: every invocation of the named calls, in the order of time. */
import type { Core } from "../core/core.ts";
import { VERSION } from "../core/version.ts";
import type { OpenRun } from "../input/dump/read-dumps.ts";
import { byFigure } from "../model/calls/call-order.ts";
import { firefoxCalls } from "../model/calls/export/firefox.ts";
import type { ListedCall, WordOf } from "../model/calls/export/listed-call.ts";
import { speedscopeCalls } from "../model/calls/export/speedscope.ts";
import { shapeKey } from "../model/query/shape.ts";
import { formatBytes, formatCounted } from "../model/words/format.ts";
import type { Conversion, OutputFiles } from "./conversion.ts";
import { selectedCalls } from "./dump-calls.ts";
import { FrameLists } from "./frame-lists.ts";
import { Output } from "./output.ts";

type Writer = (calls: readonly ListedCall[], wordOf: WordOf, program: string) => Iterable<string>;

/** Formats that can have every invocation with its duration. */
const WRITERS: Readonly<Record<string, Writer>> = {
  speedscope: speedscopeCalls,
  firefox: (calls, wordOf) => firefoxCalls(calls, wordOf, "Spanflame"),
};

/**
 * Whether the output has the invocations of calls in place of samples: calls are named, and nothing is requested that
 * only samples have (another profile, functions left out, a changed tree).
 */
export function hasInvocations({ values, row, chipped: { filter, shape } }: Conversion): boolean {
  return (
    WRITERS[row.name] !== undefined &&
    values.call !== undefined &&
    (values.type === undefined || values.type === "wall") &&
    values.event === undefined &&
    filter.frames === undefined &&
    shapeKey(shape) === ""
  );
}

/** Writes the invocations of the selected calls; a line about the result, or null if there is no such call. */
export async function writeCalls(
  core: Core,
  runs: readonly OpenRun[],
  { values, row, chipped: { filter } }: Conversion,
  { path, files }: { path: string; files: OutputFiles },
): Promise<string | null> {
  const calls = (await selectedCalls(core, values, filter)).sort(byFigure("start"));
  if (calls.length === 0) return null;
  const dumps = await core.dumps();
  const lists = await new FrameLists(core, runs).of(calls);
  const listed = calls.map((call): ListedCall => ({ call, frames: lists.get(call.number) ?? [] }));
  const output = new Output(files.open(path), { gzip: values.gzip === true || /\.gz$/i.test(path), framed: false });
  let size = 0;
  const parts = WRITERS[row.name]!(listed, (run, id) => dumps.word(run, id), `spanflame ${VERSION}`);
  for (const part of parts) size += output.text(part);
  output.close();
  const frames = listed.reduce((sum, each) => sum + each.frames.length, 0);
  return `${formatCounted(frames, "invocation")} of ${formatCounted(calls.length, "call")}, ${formatBytes(size)}`;
}
