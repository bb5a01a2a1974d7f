/** The spans in the core's table as a tree. */

import { recordedSpans } from "../core/samples/recorded-spans.ts";
import type { SampledSpan } from "../core/samples/sampled-spans.ts";
import { rowsOf, type SpanColumns, type Spans } from "../core/samples/spans.ts";
import { type EntryKinds, type TraceTree, traceTree } from "../model/trace/tree.ts";

export interface ReadSpans {
  spans: Spans;
  /** The rows that the tree refers to. Of trace files these are the first ones of the table. */
  columns: SpanColumns;
  tree: TraceTree;
  /** Strings of the kinds that enter a process. */
  entries: EntryKinds;
  from: "trace" | "recording";
  /** Rows of the spans that only samples have are from this one on. */
  sampledFrom: number;
  /** Whether the beginning of every span is known; otherwise that is the first sample of some. */
  hasStarts: boolean;
}

/** What states the times of a row, and whether its duration begins with a sample, or ends with one. */
export function statedBy({ from, sampledFrom, hasStarts }: ReadSpans, row: number) {
  const isSampled = from === "recording" && row >= sampledFrom;
  return { from: isSampled ? ("samples" as const) : from, atLeast: isSampled || !hasStarts };
}

/** The spans of the trace files, or those that the recordings know, with those that only samples have. */
export function spansOf(spans: Spans, of: "files" | "recordings", sampled: readonly SampledSpan[] = []): ReadSpans {
  const isRecorded = of === "recordings";
  const { columns, hasStarts } = isRecorded
    ? recordedSpans(spans, sampled)
    : { columns: spans.columns(), hasStarts: true };
  const sampledFrom = columns.origin.indexOf(0);
  const rows = isRecorded ? Uint32Array.from({ length: columns.count }, (_, i) => i) : rowsOf(columns, of);
  const entries = new Set([spans.text("server"), spans.text("consumer")]);
  return {
    from: isRecorded ? "recording" : "trace",
    spans,
    columns,
    entries,
    sampledFrom: sampledFrom < 0 ? columns.count : sampledFrom,
    hasStarts,
    tree: traceTree(columns, rows, entries),
  };
}
