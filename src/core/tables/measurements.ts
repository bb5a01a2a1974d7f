/**
 * The table of the JVM's measurements, one row for each event type. The core keeps time and value of these events
 * beside the samples; `series.ts` turns them into the strips of the timeline.
 */

/** A number over time. The order is that of the strips. */
export const SERIES_KINDS = [
  "cpu-process",
  "cpu-machine",
  "heap-after-gc",
  "heap-before-gc",
  "threads",
  "safepoint",
  "throttled",
  "processors",
] as const;
export type SeriesKind = (typeof SERIES_KINDS)[number];

export interface MeasurementRow {
  series: SeriesKind;
  event: string;
  /** Numeric fields, which are added up; times in ns, shares between 0 and 1. */
  values: [string] | [string, string];
  /** Only events with this text in a field, or with a field that is true. */
  where?: { field: string; text?: string };
}

export const MEASUREMENTS: MeasurementRow[] = [
  { series: "cpu-process", event: "jdk.CPULoad", values: ["jvmUser", "jvmSystem"] },
  { series: "cpu-machine", event: "jdk.CPULoad", values: ["machineTotal"] },
  {
    series: "heap-after-gc",
    event: "jdk.GCHeapSummary",
    values: ["heapUsed"],
    where: { field: "when", text: "After GC" },
  },
  {
    series: "heap-before-gc",
    event: "jdk.GCHeapSummary",
    values: ["heapUsed"],
    where: { field: "when", text: "Before GC" },
  },
  { series: "threads", event: "jdk.JavaThreadStatistics", values: ["activeCount"] },
  // The time until all threads had stopped, and the operation that they stopped for.
  { series: "safepoint", event: "jdk.SafepointBegin", values: ["duration"] },
  { series: "safepoint", event: "jdk.ExecuteVMOperation", values: ["duration"], where: { field: "safepoint" } },
  // Nanoseconds since the container began: it only grows.
  { series: "throttled", event: "jdk.ContainerCPUThrottling", values: ["cpuThrottledTime"] },
  // A load is a share of these.
  { series: "processors", event: "jdk.CPUInformation", values: ["hwThreads"] },
];
