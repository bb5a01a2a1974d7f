/** Trace ids of spans, for the Links of messages: those of trace files, then those that scopes of recordings state. */
import type { SpanColumns } from "../../core/spans.ts";
import type { TraceTree } from "./tree.ts";

export interface SpanTraceIds {
  id: BigUint64Array;
  traceHigh: BigUint64Array;
  traceLow: BigUint64Array;
}

/** `rows` are those of recordings; of several trace ids of a span the first counts. */
export function spanTraceIds(tree: TraceTree | null, columns: SpanColumns, rows: Uint32Array): SpanTraceIds {
  const stated = rows.filter((row) => columns.id[row] !== 0n && columns.traceLow[row] !== 0n);
  const of = (inTree: BigUint64Array | undefined, column: BigUint64Array) =>
    BigUint64Array.from([...(inTree ?? []), ...Array.from(stated, (row) => column[row] ?? 0n)]);
  return {
    id: of(tree?.id, columns.id),
    traceHigh: of(tree?.traceHigh, columns.traceHigh),
    traceLow: of(tree?.traceLow, columns.traceLow),
  };
}
