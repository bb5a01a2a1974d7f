/**
 * The event catalogue: one row per JFR event that becomes samples. The core gets it as a compact table when it
 * starts; the page takes labels and help from it. A new event type is a new row.
 */
import type { ProfileKind } from "./types.ts";

/**
 * How an observation's value comes from the event's fields:
 * - `count`: 1
 * - `field`: the named field, 1 where the event lacks it
 * - `scaled`: round(size × weight), or `fallback` where one of the two is absent
 * - `duration`: the named time span in nanoseconds
 */
export type ValueRule =
  | { rule: "count" }
  | { rule: "field"; field: string }
  | { rule: "scaled"; size: string; weight: string; fallback: string }
  | { rule: "duration"; field: string };

/** A recording's own word on the sampling period: a field of an event, or a jdk.ActiveSetting of this name. */
export interface PeriodRule {
  type: string;
  unit: string;
  /** Field of datadog.DatadogProfilerConfig. */
  configField: string;
  /** Name in jdk.ActiveSetting, in the rows of the event type that feeds the profile. */
  setting: string;
}

export interface ProfileRow extends ProfileKind {
  period?: PeriodRule;
}

export interface EventRow {
  event: string;
  /** `type` of a ProfileRow. Rows of one profile are halves of one measurement. */
  profile: string;
  value: ValueRule;
  /** Fields whose text becomes an attribute: [field, attribute key]. */
  attributes: [string, string][];
}

export const PROFILES: ProfileRow[] = [
  {
    type: "cpu",
    unit: "samples",
    label: "CPU",
    about: "Times a thread was seen running on a CPU.",
    setting: "Datadog profiler: cpu=10ms (dd.profiling.ddprof.cpu.enabled=true) writes datadog.ExecutionSample.",
    period: { type: "cpu", unit: "nanoseconds", configField: "cpuInterval", setting: "interval" },
  },
  {
    type: "wall",
    unit: "samples",
    label: "Wall",
    about: "Times a thread was seen at this place, running or waiting.",
    setting: "Datadog profiler: wall=50ms (dd.profiling.ddprof.wall.enabled=true) writes datadog.MethodSample.",
    period: { type: "wall", unit: "nanoseconds", configField: "wallInterval", setting: "interval" },
  },
  {
    type: "alloc-samples",
    unit: "bytes",
    label: "Allocation",
    about: "Bytes allocated, estimated from the sampled objects.",
    setting: "Datadog profiler: memory=256k:a (dd.profiling.ddprof.alloc.enabled=true) writes datadog.ObjectSample.",
    period: { type: "alloc-samples", unit: "bytes", configField: "allocInterval", setting: "interval" },
  },
  {
    type: "lock-contention",
    unit: "nanoseconds",
    label: "Locks",
    about: "Time spent entering or waiting on Java monitors, above the recorder's threshold.",
    setting: "JDK Flight Recorder: jdk.JavaMonitorEnter#threshold=10ms and jdk.JavaMonitorWait#threshold=10ms.",
  },
];

export const EVENTS: EventRow[] = [
  { event: "datadog.ExecutionSample", profile: "cpu", value: { rule: "field", field: "weight" }, attributes: [] },
  { event: "datadog.MethodSample", profile: "wall", value: { rule: "field", field: "weight" }, attributes: [] },
  {
    event: "datadog.ObjectSample",
    profile: "alloc-samples",
    value: { rule: "scaled", size: "size", weight: "weight", fallback: "allocationSize" },
    attributes: [["objectClass", "alloc.class"]],
  },
  {
    event: "jdk.JavaMonitorEnter",
    profile: "lock-contention",
    value: { rule: "duration", field: "duration" },
    attributes: [],
  },
  {
    event: "jdk.JavaMonitorWait",
    profile: "lock-contention",
    value: { rule: "duration", field: "duration" },
    attributes: [],
  },
];
