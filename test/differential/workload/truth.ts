/**
 * What a workload wrote down about itself while a profiler watched it: NAME.expected.json beside NAME.jfr. Ids are
 * unsigned decimal strings; "self" is without child spans, by the clocks of the span's own thread.
 */
export interface SpanTruth {
  spanId: string;
  localRootSpanId: string;
  operation: string;
  resource: string;
  thread: string;
  wallMs: number;
  selfWallMs: number;
  selfCpuMs: number;
  selfAllocBytes: number;
  attributes: Record<string, string>;
}

export interface OperationTruth {
  spans: number;
  selfCpuMs: number;
  selfWallMs: number;
  selfAllocBytes: number;
}

export interface WorkloadTruth {
  wallMs: number;
  /** CPU that the thread "housekeeping" burnt; it never is in a span. */
  housekeepingCpuMsWithoutSpan: number;
  /** Names of the workload's own context attributes. */
  attributes: string[];
  spanCount: number;
  rootCount: number;
  /** Key: `operation | resource`. */
  byOperation: Record<string, OperationTruth>;
  spans: SpanTruth[];
  /** Operation ("": none) to the classes in which its own code is; absent in older recordings. */
  classes?: Record<string, string[]>;
}

/** A cost that both sides know: the workload by a clock, the recording by samples. */
export type Clock = "selfCpuMs" | "selfWallMs" | "selfAllocBytes";

export const HOUSEKEEPING = "housekeeping";
/** Datadog's attribute keys for the workload's operation and resource. */
export const OPERATION = "_dd.trace.operation";
export const RESOURCE = "_dd.trace.resource";

export const operationOf = ({ operation, resource }: SpanTruth): string => `${operation} | ${resource}`;

/** The attributes that a sample of this span must bear; the absent ones it must not bear. */
export function attributesOf(span: SpanTruth): Record<string, string> {
  return { ...span.attributes, [OPERATION]: span.operation, [RESOURCE]: span.resource };
}

/** All that is wrong with the file itself: sums that do not add up would make every comparison worthless. */
export function truthFaults(truth: WorkloadTruth): string[] {
  const faults: string[] = [];
  const ids = new Set(truth.spans.map(({ spanId }) => spanId));
  const roots = new Set(truth.spans.map(({ localRootSpanId }) => localRootSpanId));
  if (ids.size !== truth.spanCount || truth.spans.length !== truth.spanCount) faults.push(`${ids.size} span ids`);
  if (roots.size !== truth.rootCount) faults.push(`${roots.size} local roots`);
  for (const root of roots) if (!ids.has(root)) faults.push(`local root ${root} is no span`);
  for (const [key, sum] of Object.entries(truth.byOperation)) {
    const spans = truth.spans.filter((span) => operationOf(span) === key);
    if (spans.length !== sum.spans) faults.push(`${key}: ${spans.length} spans, ${sum.spans} in the sum`);
    for (const clock of ["selfCpuMs", "selfWallMs", "selfAllocBytes"] as const) {
      const total = spans.reduce((n, span) => n + span[clock], 0);
      // Spans are rounded to 0.01 ms, the sums to 0.1 ms.
      if (Math.abs(total - sum[clock]) > 0.06 + spans.length * 0.006) faults.push(`${key}: ${clock} ${total}`);
    }
  }
  return faults;
}
