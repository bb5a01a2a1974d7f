/** Trace files of the page, and inference of context, which may use their spans. Loaded when needed. */
import { keepContexts } from "../core/contexts.ts";
import type { Core } from "../core/core.ts";
import { openSpans, rowsOf, type Spans } from "../core/spans.ts";
import { inference } from "../model/context/infer.ts";
import { spanTraceIds } from "../model/trace/id-index.ts";
import { traceTree } from "../model/trace/tree.ts";
import { readTraceFile } from "../traces/read.ts";
import type { InputFile } from "./api.ts";
import { FileSource } from "./file-source.ts";
import type { TracesOverview } from "./traces-api.ts";

export interface TraceFiles {
  /** Those with spans. */
  files: TracesOverview["files"];
}

/** Fills the table of spans from trace files. Messages that are written have their trace ids. */
export async function readTraces(core: Core, files: readonly InputFile[]): Promise<TraceFiles> {
  const table = await openSpans(core);
  const read: TracesOverview["files"] = [];
  for (const [i, { name, blob }] of files.entries()) {
    const file = await readTraceFile(name, new FileSource(blob), table, i + 1);
    for (const diagnostic of file.diagnostics) core.note(diagnostic);
    if (file.spans > 0) read.push({ name, format: file.format, spans: file.spans });
  }
  if (read.length > 0) table.nameTraces(treeOf(table).tree);
  return { files: read };
}

/** Has the context of events without ids inferred at the end of each recording, also by spans of trace files. */
export async function inferContexts(core: Core, traces: TraceFiles | null): Promise<void> {
  if (traces === null || traces.files.length === 0) return keepContexts(core, inference());
  const table = await openSpans(core);
  await keepContexts(core, inference({ ...treeOf(table), text: (index) => table.string(index) }));
}

/** Has messages contain the trace ids that scopes of the recordings state, too. To be called after reading. */
export async function nameScopeTraces(core: Core, traces: TraceFiles | null): Promise<void> {
  const table = await openSpans(core);
  const columns = table.columns();
  const tree = traces === null || traces.files.length === 0 ? null : treeOf(table).tree;
  const ids = spanTraceIds(tree, columns, rowsOf(columns, "recordings"));
  if (ids.id.length > 0) table.nameTraces(ids);
}

function treeOf(table: Spans) {
  const columns = table.columns();
  const entries = new Set([table.text("server"), table.text("consumer")]);
  return { tree: traceTree(columns, rowsOf(columns, "files"), entries), columns, entries };
}
