/**
 * Where the time of one span went: the states of its wall samples, its CPU time, its waits, pauses of the collector,
 * and other spans of its operation. Inferred samples count, and are counted separately as well.
 */
import type { ReadSample, SampleReader } from "../../core/sample-reader.ts";
import type { ProfileSummary } from "../../core/types.ts";
import type { Marks } from "../../core/view-types.ts";
import { CONTEXT_KEY } from "../context/attribute.ts";
import { baseType } from "../why/evidence.ts";
import { STATE_KEY } from "../why/thread-states.ts";
import { type CoveringPart, partsOf, type SpanPart, type Stretch } from "./parts.ts";
import { StateCounts, type StateShare, stateOf } from "./states.ts";

const OPERATION_KEY = "_dd.trace.operation";
/** A wait for a monitor that its owner notifies; other events of its profile wait to enter one. */
const MONITOR_WAIT = "jdk.JavaMonitorWait";
/** Its value is an estimate for all calls, not the duration of one. */
const ESTIMATED = "datadog.NativeSocketEvent";

/** Profile types of events with a duration, by the beginning of their names. */
const BLOCKING: [type: string, part: CoveringPart][] = [
  ["lock-contention", "lock"],
  ["park", "park"],
  ["sleep", "sleep"],
  ["socket-", "socket"],
  ["file-", "file"],
];

/** The extent of the span on the recording's clock, in ns since 1970. */
export interface SpanExtent {
  start: bigint;
  end: bigint;
  from: "trace" | "samples";
}

export interface SpanTimeAnswer {
  samples: number;
  inferredSamples: number;
  operation: string | null;
  root: bigint;
  states: StateShare[];
  cpu: { samples: number; nano: bigint };
  parts: { part: SpanPart; nano: bigint }[];
  events: { type: string; events: number; inferred: number; nano: bigint }[];
  gc: { pauses: number; nano: bigint };
  queue: { events: number; nano: bigint };
  others: { spans: number; samples: number; states: StateShare[] };
}

/** What is asked of, and the facts of the recordings that the answer needs. */
export interface SpanTimeRequest {
  span: bigint;
  extent: SpanExtent;
  profiles: readonly ProfileSummary[];
  marks: Pick<Marks, "start" | "pauses">;
  /** Name of the span in its trace. */
  name: string | null;
}

export function spanTime(
  reader: SampleReader,
  { span, extent, profiles, marks, name }: SpanTimeRequest,
): SpanTimeAnswer {
  const pauses = new Pauses(marks);
  const of = (type: string) => profiles.filter((profile) => baseType(profile) === type);
  const isInferred = ({ set }: ReadSample) => reader.attribute(set, CONTEXT_KEY) !== "";
  const stateIn = ({ set, stack, time }: ReadSample) =>
    stateOf(reader.attribute(set, STATE_KEY), reader.javaLeaf(stack), pauses.contain(time));
  const states = new StateCounts();
  const operations = new Map<string, number>();
  let inferredSamples = 0;
  let root = 0n;
  for (const { id } of of("wall")) {
    reader.each(id, { span }, (sample) => {
      const weight = Number(sample.weight);
      states.add(stateIn(sample), weight);
      root ||= sample.root;
      if (isInferred(sample)) inferredSamples += weight;
      else count(operations, reader.attribute(sample.set, OPERATION_KEY), weight);
    });
  }
  const operation = [...operations].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "";
  const cpu = { samples: 0, nano: 0n };
  const [cpuProfile] = of("cpu");
  if (cpuProfile !== undefined) {
    reader.each(cpuProfile.id, { span }, ({ weight, period, root: of }) => {
      cpu.samples += Number(weight);
      cpu.nano += weight * period;
      root ||= of;
    });
  }
  const blocked = blockedIn(reader, profiles, span, extent, isInferred);
  root ||= blocked.root;
  const length = Number(extent.end - extent.start);
  const within = pauses.within(extent);
  const stretches = [...blocked.stretches, ...within.map((pause): Stretch => ({ part: "gc", ...pause }))];
  const paused = within.reduce((sum, { from, to }) => sum + to - from, 0);
  return {
    samples: states.total - inferredSamples,
    inferredSamples,
    operation: operation === "" ? name : operation,
    root,
    states: states.shares(),
    cpu,
    parts: partsOf(length, stretches, Number(cpu.nano)).map(({ part, nano }) => ({ part, nano: BigInt(nano) })),
    events: blocked.events,
    gc: { pauses: within.length, nano: BigInt(paused) },
    queue: queued(reader, of("queue-time"), span),
    others: othersOf(reader, of("wall"), span, operation, stateIn),
  };
}

function count(counts: Map<string, number>, key: string, weight: number): void {
  counts.set(key, (counts.get(key) ?? 0) + weight);
}

/** Events of the span with a duration. */
function blockedIn(
  reader: SampleReader,
  profiles: readonly ProfileSummary[],
  span: bigint,
  { start, end }: SpanExtent,
  isInferred: (sample: ReadSample) => boolean,
) {
  const stretches: Stretch[] = [];
  const events: SpanTimeAnswer["events"] = [];
  let root = 0n;
  const length = end - start;
  for (const profile of profiles) {
    const part = BLOCKING.find(([type]) => baseType(profile).startsWith(type))?.[1];
    if (part === undefined) continue;
    const row = { type: profile.type, events: 0, inferred: 0, nano: 0n };
    reader.each(profile.id, { span }, (sample) => {
      row.events++;
      if (isInferred(sample)) row.inferred++;
      root ||= sample.root;
      const from = clip(sample.time - start, length);
      const to = clip(sample.time - start + sample.weight, length);
      row.nano += to - from;
      if (sample.event === ESTIMATED) return;
      stretches.push({ part: sample.event === MONITOR_WAIT ? "wait" : part, from: Number(from), to: Number(to) });
    });
    if (row.events > 0) events.push(row);
  }
  return { stretches, events, root };
}

function clip(time: bigint, length: bigint): bigint {
  if (time < 0n) return 0n;
  return time > length ? length : time;
}

/** Waits of the span in queues before its thread ran it. */
function queued(reader: SampleReader, profiles: readonly ProfileSummary[], span: bigint): SpanTimeAnswer["queue"] {
  const queue = { events: 0, nano: 0n };
  for (const { id } of profiles) {
    reader.each(id, { span }, ({ weight }) => {
      queue.events++;
      queue.nano += weight;
    });
  }
  return queue;
}

/** Wall samples of other spans of the operation. */
function othersOf(
  reader: SampleReader,
  profiles: readonly ProfileSummary[],
  span: bigint,
  operation: string,
  stateIn: (sample: ReadSample) => ReturnType<typeof stateOf>,
): SpanTimeAnswer["others"] {
  const states = new StateCounts();
  const spans = new Set<bigint>();
  if (operation !== "") {
    for (const { id } of profiles) {
      reader.each(id, { attributes: [{ key: OPERATION_KEY, value: operation }] }, (sample) => {
        if (sample.span === 0n || sample.span === span) return;
        spans.add(sample.span);
        states.add(stateIn(sample), Number(sample.weight));
      });
    }
  }
  return { spans: spans.size, samples: states.total, states: states.shares() };
}

/** Pauses of the collector by time. */
class Pauses {
  private readonly start: bigint;
  private readonly from: Float64Array;
  private readonly to: Float64Array;
  /** Latest end of the pauses up to each. */
  private readonly latest: Float64Array;

  constructor({ start, pauses }: SpanTimeRequest["marks"]) {
    this.start = start;
    this.from = pauses.at;
    this.to = pauses.at.map((at, i) => at + (pauses.nanos[i] ?? 0));
    let latest = Number.NEGATIVE_INFINITY;
    this.latest = this.to.map((to) => {
      latest = Math.max(latest, to);
      return latest;
    });
  }

  contain(time: bigint): boolean {
    const at = Number(time - this.start);
    let low = 0;
    let high = this.from.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.from[middle]! <= at) low = middle + 1;
      else high = middle;
    }
    return low > 0 && this.latest[low - 1]! >= at;
  }

  /** The parts of the pauses that touch a time, in ns after its start. */
  within({ start, end }: SpanExtent): { from: number; to: number }[] {
    const first = Number(start - this.start);
    const last = Number(end - this.start);
    const found: { from: number; to: number }[] = [];
    for (let i = 0; i < this.from.length; i++) {
      const [from, to] = [this.from[i]!, this.to[i]!];
      if (from <= last && to >= first)
        found.push({ from: Math.max(from, first) - first, to: Math.min(to, last) - first });
    }
    return found;
  }
}
