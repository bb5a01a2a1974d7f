/** Types of requests about operations and the map of their spans. */
import type { Filter, SpanChoice } from "../../core/types.ts";
import type { SpanSort } from "../../model/query/query.ts";
import type { Opened, RequestTime } from "../../model/span-time/request-time.ts";
import type { OperationRow } from "../../model/trace/operations.ts";
import type { SpanDensity } from "../../model/trace/span-map.ts";

/**
 * Says what a duration is: that of a span of a trace file, that of a span which the recordings know, the time from
 * the first sample of a local root to the end that the recordings state ("ends"), or to its last sample ("roots").
 */
export type OperationSource = "files" | "recordings" | "ends" | "roots";

/** Rows of the table of operations. */
export interface OperationPage {
  /** Requests by endpoint, or spans by name. */
  of: "requests" | "spans";
  source: OperationSource;
  /** Spans of all operations. */
  spans: number;
  /** Those of them whose duration is not of `source`: it is from the first sample to the last one. */
  unstated: number;
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

/** A span, or a request that only samples know. */
export interface RegionSpan {
  source: OperationSource;
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

/** A request of a list, with what tells its main cause. */
export interface ListedRequest extends RegionSpan, Pick<SlowRequest, "by" | "breakdown" | "function"> {}

export interface RequestPage {
  count: number;
  offset: number;
  rows: ListedRequest[];
  /** In an order by cause so many of the longest are first: others stay in the order of their durations. */
  ordered: number;
}

export interface RegionSpanPage {
  count: number;
  offset: number;
  rows: RegionSpan[];
}

/** The other requests: of the selection whose slowest these are, of their endpoint or operations, or all. */
export type OtherRequests = "selection" | "endpoint" | "operation" | "all";

/** The request whose samples are compared with those of a selected one. */
export interface OtherRequest {
  id: bigint;
  /** What selects its samples. */
  by: "root" | "span";
  /** Ns. */
  duration: number;
}

/** Where the time of the requests of a selection went. */
export interface SelectionTime extends RequestTime {
  /** Requests of the selection; `counted` of them are counted. */
  requests: number;
  source: OperationSource;
  /** Local roots of the selection that no span of `source` is. They are not counted. */
  unknownRoots: number;
  /** The longest requests, in this order. */
  longest: RegionSpan[];
  /** Null if there are none. */
  rest: (RequestTime & { requests: number; of: OtherRequests; median: OtherRequest | null }) | null;
}

/** For the page, also the samples behind each part. */
export interface ChoiceTime extends SelectionTime, Opened {
  /** Selects the samples that `opens` counts; null if no filter does. */
  shown: Filter | null;
  /** `shown` selects all samples of the requests, also those that do not pass the filters. */
  isWhole: boolean;
}

/**
 * All requests of an endpoint with a sample in any profile, and their durations in ns: those that traces state, else
 * the times from the first sample to the last one. `source` is "roots" if any of them is the latter.
 */
export interface EndpointTimes {
  source: OperationSource;
  requests: number;
  p50: number;
  p95: number;
  max: number;
}

export interface EndpointRow extends EndpointTimes {
  endpoint: string;
}

/** One of the slowest requests. The parts of its time add up to its duration. */
export interface SlowRequest extends RegionSpan {
  /** What selects its samples: the id of a local root, or that of a span. */
  by: "root" | "span";
  breakdown: RequestTime["breakdown"];
  /** The function of the application that most of its largest part is in; "" without one. */
  function: string;
  /** "" where its samples state none. */
  endpoint: string;
  /** Of its endpoint, else of its operation, itself among them. */
  alike: EndpointTimes;
}
