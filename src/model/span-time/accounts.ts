/**
 * Samples and events of spans or roots, counted for each: the states of wall samples, CPU time, waits with their
 * durations, pauses of the collector. One pass over each profile fills the accounts of all.
 */
import type { ReadSample, SampleReader } from "../../core/sample-reader.ts";
import type { Filter, ProfileSummary } from "../../core/types.ts";
import type { Marks } from "../../core/view-types.ts";
import { CONTEXT_KEY } from "../context/attribute.ts";
import { baseType } from "../why/evidence.ts";
import { STATE_KEY } from "../why/thread-states.ts";
import type { CoveringPart, Stretch } from "./parts.ts";
import { Pauses } from "./pauses.ts";
import { StateCounts, stateOf, type WallPart, wallPartOf } from "./states.ts";

export const OPERATION_KEY = "_dd.trace.operation";
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

/** The extent of a span on the recording's clock, in ns since 1970. */
export interface SpanExtent {
  start: bigint;
  end: bigint;
  from: "trace" | "samples";
}

/** A span, or a root with all spans below it. */
export interface Target {
  id: bigint;
  extent: SpanExtent;
  /** Child spans, in ns after the start. */
  children: readonly [from: number, to: number][];
}

/** Wall samples of a part, and the recorder's states that they have. */
export interface WallCount {
  samples: number;
  recorded: Set<string>;
}

export class Account {
  readonly target: Target;
  readonly states = new StateCounts();
  readonly wall = new Map<WallPart, WallCount>();
  readonly operations = new Map<string, number>();
  readonly cpu = { samples: 0, nano: 0n };
  readonly stretches: Stretch[] = [];
  readonly events = new Map<
    string,
    { events: number; inferred: number; nano: bigint; parts: Map<CoveringPart, number> }
  >();
  readonly pauses: { from: number; to: number }[];
  inferredSamples = 0;
  root = 0n;

  constructor(target: Target, pauses: Pauses) {
    this.target = target;
    this.pauses = pauses.within(target.extent);
    this.stretches.push(...this.pauses.map((pause): Stretch => ({ part: "gc", ...pause })));
  }

  /** Ns. */
  get length(): number {
    return Number(this.target.extent.end - this.target.extent.start);
  }
}

export interface AccountRequest {
  by: "span" | "root";
  targets: readonly Target[];
  profiles: readonly ProfileSummary[];
  marks: Pick<Marks, "start" | "pauses">;
}

/** An account for each target, in their order. Changes the selection. */
export function accountsOf(reader: SampleReader, { by, targets, profiles, marks }: AccountRequest): Account[] {
  const pauses = new Pauses(marks);
  const accounts = targets.map((target) => new Account(target, pauses));
  const byId = new Map(accounts.map((account) => [account.target.id, account]));
  const ids = [...byId.keys()];
  if (ids.length === 0) return accounts;
  const filter: Filter = by === "span" ? { span: ids } : { localRoot: ids };
  const each = (profile: number, visit: (account: Account, sample: ReadSample) => void) => {
    reader.each(profile, filter, (sample) => {
      const account = byId.get(sample[by]);
      if (account === undefined) return;
      account.root ||= sample.root;
      visit(account, sample);
    });
  };
  const isInferred = ({ set }: ReadSample) => reader.attribute(set, CONTEXT_KEY) !== "";
  for (const profile of profiles) {
    const type = baseType(profile);
    const part = BLOCKING.find(([start]) => type.startsWith(start))?.[1];
    if (type === "wall") {
      each(profile.id, (account, sample) => addWall(account, sample, reader, pauses, isInferred(sample)));
    } else if (part !== undefined) {
      each(profile.id, (account, sample) => addEvent(account, sample, profile.type, part, isInferred(sample)));
    }
  }
  const cpu = profiles.find((profile) => baseType(profile) === "cpu");
  if (cpu !== undefined) {
    each(cpu.id, (account, { weight, period }) => {
      account.cpu.samples += Number(weight);
      account.cpu.nano += weight * period;
    });
  }
  return accounts;
}

/** State of a wall sample. */
export function stateIn(reader: SampleReader, pauses: Pauses, { set, stack, time }: ReadSample) {
  return stateOf(reader.attribute(set, STATE_KEY), reader.javaLeaf(stack), pauses.contain(time));
}

function addWall(account: Account, sample: ReadSample, reader: SampleReader, pauses: Pauses, isInferred: boolean) {
  const weight = Number(sample.weight);
  const state = stateIn(reader, pauses, sample);
  account.states.add(state, weight);
  const recorded = reader.attribute(sample.set, STATE_KEY);
  const part = wallPartOf(state, recorded, reader.javaLeaf(sample.stack));
  const counted = account.wall.get(part) ?? { samples: 0, recorded: new Set() };
  account.wall.set(part, counted);
  counted.samples += weight;
  counted.recorded.add(recorded);
  if (isInferred) account.inferredSamples += weight;
  else {
    const operation = reader.attribute(sample.set, OPERATION_KEY);
    account.operations.set(operation, (account.operations.get(operation) ?? 0) + weight);
  }
}

function addEvent(
  { target, events, stretches }: Account,
  sample: ReadSample,
  type: string,
  profilePart: CoveringPart,
  isInferred: boolean,
) {
  const { start, end } = target.extent;
  const row = events.get(type) ?? { events: 0, inferred: 0, nano: 0n, parts: new Map() };
  events.set(type, row);
  const part = sample.event === MONITOR_WAIT ? "wait" : profilePart;
  row.events++;
  row.parts.set(part, (row.parts.get(part) ?? 0) + 1);
  if (isInferred) row.inferred++;
  const from = clip(sample.time - start, end - start);
  const to = clip(sample.time - start + sample.weight, end - start);
  row.nano += to - from;
  if (sample.event !== ESTIMATED) stretches.push({ part, from: Number(from), to: Number(to) });
}

function clip(time: bigint, length: bigint): bigint {
  if (time < 0n) return 0n;
  return time > length ? length : time;
}
