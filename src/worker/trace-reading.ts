/** Trace files of the page, and inference of context, which may use their spans. Loaded when needed. */
import { keepContexts } from "../core/contexts.ts";
import type { Core } from "../core/core.ts";
import { openSpans, rowsOf } from "../core/spans.ts";
import { inference } from "../model/context/infer.ts";
import { traceTree } from "../model/trace/tree.ts";
import { readTraceFile } from "../traces/read.ts";
import type { InputFile } from "./api.ts";
import { FileSource } from "./file-source.ts";
import type { TracesOverview } from "./traces-api.ts";

export interface TraceFiles {
  /** Those with spans. */
  files: TracesOverview["files"];
}

/** Fills the table of spans from trace files. */
export async function readTraces(core: Core, files: readonly InputFile[]): Promise<TraceFiles> {
  const table = await openSpans(core);
  const read: TracesOverview["files"] = [];
  for (const [i, { name, blob }] of files.entries()) {
    const file = await readTraceFile(name, new FileSource(blob), table, i + 1);
    for (const diagnostic of file.diagnostics) core.note(diagnostic);
    if (file.spans > 0) read.push({ name, format: file.format, spans: file.spans });
  }
  return { files: read };
}

/** Has the context of events without ids inferred at the end of each recording, also by spans of trace files. */
export async function inferContexts(core: Core, traces: TraceFiles | null): Promise<void> {
  if (traces === null || traces.files.length === 0) return keepContexts(core, inference());
  const table = await openSpans(core);
  const columns = table.columns();
  const entries = new Set([table.text("server"), table.text("consumer")]);
  const tree = traceTree(columns, rowsOf(columns, "files"), entries);
  await keepContexts(core, inference({ tree, columns, entries, text: (index) => table.string(index) }));
}
