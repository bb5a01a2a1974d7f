/**
 * Which events and settings say that a profile has fewer events than happened. A profile without a row here is
 * complete, apart from its recorder's threshold: what is shorter is no part of it.
 */
import type { MeasurementRow } from "./measurements.ts";

/** An event with a number of events that happened: of each event, or since the program began. */
export interface LossCounter extends Pick<MeasurementRow, "event" | "values"> {
  grows?: boolean;
}

export interface LossRow {
  event: string;
  /** The recorder may write at most so many in a time. `weighted`: values include those that it leaves out. */
  limited?: boolean | "weighted";
  /** The recorder writes a few of each kind. */
  sampled?: boolean;
  /** Counts all, those that are written included. */
  counted?: LossCounter;
  /** Counts those that are missing. */
  lost?: LossCounter;
}

const THROWN: LossCounter = { event: "jdk.ExceptionStatistics", values: ["throwables"], grows: true };
const THROWN_BY_TYPE: LossCounter = { event: "datadog.ExceptionCount", values: ["count"] };
const LOST_SAMPLES: LossCounter = { event: "jdk.CPUTimeSamplesLost", values: ["lostSamples"] };
/** Bytes of events of any type. */
export const DROPPED: LossCounter = { event: "jdk.DataLoss", values: ["amount"] };

export const LOSSES: readonly LossRow[] = [
  { event: "jdk.JavaExceptionThrow", limited: true, counted: THROWN },
  { event: "datadog.ExceptionSample", sampled: true, counted: THROWN_BY_TYPE },
  { event: "jdk.FileRead", limited: true },
  { event: "jdk.FileWrite", limited: true },
  { event: "jdk.SocketRead", limited: true },
  { event: "jdk.SocketWrite", limited: true },
  { event: "jdk.CPUTimeSample", limited: "weighted", lost: LOST_SAMPLES },
  { event: "jdk.ObjectAllocationSample", limited: "weighted" },
];

/** Their place is the number of their series (assembly/abi/catalogue.ts). */
export const COUNTERS: readonly LossCounter[] = [THROWN, THROWN_BY_TYPE, LOST_SAMPLES, DROPPED];

/**
 * Settings of events with a limit: `300/s` of the JDK, `20` (per second) of async-profiler. The JDK distributes a limit
 * over five windows of its time.
 */
export const LIMIT_SETTINGS: readonly { name: string; windows: number }[] = [
  { name: "throttle", windows: 5 },
  { name: "ratelimit", windows: 1 },
];
