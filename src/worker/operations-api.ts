/** Types of requests about operations and the map of their spans. */
import type { SpanChoice } from "../core/types.ts";
import type { OperationSort, SpanSort } from "../model/query/query.ts";
import type { RequestTime } from "../model/span-time/request-time.ts";
import type { OperationRow } from "../model/trace/operations.ts";
import type { SpanDensity } from "../model/trace/span-map.ts";

/**
 * Says what a duration is: that of a span of a trace file, that of a span which the recordings know, or the time from
 * the first sample of a local root to its last one.
 */
export type OperationSource = "files" | "recordings" | "roots";

export interface OperationPage {
  source: OperationSource;
  /** Spans of all operations. */
  spans: number;
  count: number;
  offset: number;
  /** Of all rows, ns: the scale of their rails. */
  least: number;
  most: number;
  rows: OperationRow[];
}

export type SpanMap = SpanDensity;

export interface RegionQuestion {
  choice: SpanChoice;
  sort: SpanSort;
  /** The last row first. */
  reversed: boolean;
}

export interface RegionSpan {
  /** Low half of the id of a local root of 128 bits. */
  id: bigint;
  /** 32 hex digits; "" for roots without spans. */
  trace: string;
  operation: string;
  service: string;
  /** Ns since 1970, on the clock of the trace. */
  start: bigint;
  /** Ns. */
  duration: number;
}

export interface RegionSpanPage {
  count: number;
  offset: number;
  rows: RegionSpan[];
}

/** Where the time of the requests of a choice went. */
export interface ChoiceTime extends RequestTime {
  /** Requests of the choice; `counted` of them are counted. */
  requests: number;
  source: OperationSource;
  /** The other requests of the operation, or of all; null if there are none. */
  rest: (RequestTime & { requests: number }) | null;
}

/** Requests about operations, each by its name. */
export interface OperationRequests {
  /** Rows [offset, offset + limit) of the table: figures descend, names ascend; `reversed`: the last first. */
  operations(sort: OperationSort, reversed: boolean, offset: number, limit: number): Promise<OperationPage>;
  /** The spans of an operation (null: of all) by start and duration, as a grid of so many cells. */
  spanMap(operation: string | null, columns: number, rows: number): Promise<SpanMap>;
  /** Rows [offset, offset + limit) of the spans of a choice. */
  regionSpans(question: RegionQuestion, offset: number, limit: number): Promise<RegionSpanPage>;
  /** Where the time of the requests of a choice went, and that of the others. */
  choiceTime(choice: SpanChoice): Promise<ChoiceTime | null>;
}
