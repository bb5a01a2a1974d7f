/** --trace: reads trace files into the table of spans beside the recordings of a command. */
import type { Core } from "../core/core.ts";
import { recordedSpans } from "../core/recorded-spans.ts";
import { openSpans, rowsOf, type SpanColumns, type Spans } from "../core/spans.ts";
import { spanTraceIds } from "../model/trace/id-index.ts";
import { type EntryKinds, type TraceTree, traceTree } from "../model/trace/tree.ts";
import { formatCounted } from "../model/words/format.ts";
import { readTraceFile } from "../traces/read.ts";
import { openInput } from "./node-source.ts";
import { systemWords } from "./system-error.ts";
import { inputName, note, progress, say, sayDiagnostics } from "./terminal.ts";

/** The spans of trace files, or of recordings. */
export interface Traces {
  spans: Spans;
  /** The rows that the tree refers to. Those of recordings are read later, so these are the first ones of the table. */
  columns: SpanColumns;
  tree: TraceTree;
}

/**
 * All trace files; null if one of them has no span, which is reported. Messages that are written have their trace ids.
 * `counts`: each number of spans is printed.
 */
export async function readTraces(core: Core, paths: readonly string[], counts = true): Promise<Traces | null> {
  const spans = await openSpans(core);
  let isSound = true;
  for (const [i, path] of paths.entries()) {
    progress.show(() => `reading ${inputName(path)}`);
    const read = await readTracePath(spans, path, i + 1, counts);
    isSound &&= read > 0;
  }
  if (!isSound) return null;
  const columns = spans.columns();
  const tree = traceTree(columns, rowsOf(columns, "files"), entryKinds(spans));
  spans.nameTraces(tree);
  return { spans, columns, tree };
}

async function readTracePath(spans: Spans, path: string, number: number, counts: boolean): Promise<number> {
  try {
    const input = await openInput(path);
    try {
      const file = await readTraceFile(path, input.source, spans, number);
      sayDiagnostics(file.diagnostics);
      if (counts && file.spans > 0) note(`spanflame: ${inputName(path)}: ${formatCounted(file.spans, "span")}`);
      return file.spans;
    } finally {
      await input.close();
    }
  } catch (error) {
    say(`spanflame: error: ${inputName(path)}: ${systemWords(error)}`);
    return 0;
  }
}

/** Has messages contain the trace ids that scopes of the recordings state, too. To be called after reading. */
export async function nameScopeTraces(core: Core, traces: Traces | null): Promise<void> {
  const spans = await openSpans(core);
  const columns = spans.columns();
  const ids = spanTraceIds(traces?.tree ?? null, columns, rowsOf(columns, "recordings"));
  if (ids.id.length > 0) spans.nameTraces(ids);
}

/** The spans that the recordings know. */
export async function recordedTraces(core: Core): Promise<Traces> {
  const spans = await openSpans(core);
  const columns = recordedSpans(spans);
  const rows = Uint32Array.from({ length: columns.count }, (_, i) => i);
  return { spans, columns, tree: traceTree(columns, rows, entryKinds(spans)) };
}

/** Strings of the kinds that enter a process. */
export function entryKinds(spans: Spans): EntryKinds {
  return new Set([spans.text("server"), spans.text("consumer")]);
}
