/**
 * Samples and events of spans or roots, counted for each: the states of wall samples, CPU time, waits with their
 * durations, pauses of the collector. One pass over the samples fills the accounts of all.
 */
import type { ReadSample, SampleReader } from "../../core/samples/sample-reader.ts";
import { MONITOR_WAIT } from "../../core/tables/event-key.ts";
import { profileOfKind } from "../../core/tables/kinds.ts";
import { distinctOfKind } from "../../core/tables/meanings.ts";
import type { Filter, InferredBy, ProfileSummary } from "../../core/types.ts";
import type { Marks } from "../../core/view-types.ts";
import { CONTEXT_RULE_KEY } from "../query/attribute.ts";
import { RULES } from "../trace/coverage.ts";
import { idsOfLooks, type Looks, looksOf } from "./looks.ts";
import { ofEvents, type PartStacks } from "./main-function.ts";
import { addOffThread, nothingKnown, type OffThread, seenOff, statedOff } from "./off-thread.ts";
import { COVERING, type CoveringPart, type Stretch } from "./parts.ts";
import { Pauses, placeAfter } from "./pauses.ts";
import { SampleStates } from "./sample-states.ts";
import { STATE_KEY, StateCounts, type WallPart, wallPartOf } from "./states.ts";

export const OPERATION_KEY = "_dd.trace.operation";
/** Its value is an estimate for all calls, not the duration of one. */
const ESTIMATED = "datadog.NativeSocketEvent";

/** Kinds of events with a duration. */
const BLOCKING = ["lock", "park", "sleep", "socket", "file"] as const;

/** The part that events of a profile are of; undefined for profiles of other events, and for counts of them. */
export function blockingPart({ meaning: { kind, nanos } }: Pick<ProfileSummary, "meaning">): CoveringPart | undefined {
  return nanos === null ? undefined : BLOCKING.find((part) => part === kind);
}

/** The part of an event of such a profile. */
export function eventPart(event: string, ofProfile: CoveringPart): CoveringPart {
  return event === MONITOR_WAIT ? "wait" : ofProfile;
}

/** Whether the value of an event is its own duration. */
export function lasts(event: string): boolean {
  return event !== ESTIMATED;
}

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

const WAITS: ReadonlySet<string> = new Set(COVERING.filter((part) => part !== "gc"));

export class Account {
  readonly target: Target;
  readonly states = new StateCounts();
  readonly wall = new Map<WallPart, WallCount>();
  /** Of samples of `gc`, by the part that they would be of without pauses, which no filter distinguishes. */
  readonly inPauses = new Map<WallPart, WallCount>();
  /** Samples of threads that wait for a collection outside of its pauses. */
  collecting = 0;
  readonly operations = new Map<string, number>();
  /** States of the samples that have an operation, inferred ones too. */
  readonly ofOperation = new Map<string, StateCounts>();
  readonly cpu = { samples: 0, nano: 0n };
  /** Of events, and of accounts that were added with their pauses. */
  readonly lasting: Stretch[] = [];
  events = new Map<string, { events: number; inferred: number; nano: bigint; parts: Map<CoveringPart, number> }>();
  readonly pauses: { from: number; to: number }[];
  /** Ns after the start. */
  readonly #waits: number[] = [];
  /** Links of the samples that looks took of it, by recording. */
  readonly found = new Map<number, Set<number>>();
  /** Of the samples and events of its parts, if someone asks for their functions. */
  stacks: PartStacks | null = null;
  off: OffThread = nothingKnown();
  /** Waits in queues before a thread ran it. */
  readonly queue = { events: 0, nano: 0n };
  /** Samples of all profiles with inferred context, by rule. */
  readonly inferredBy: InferredBy = { scope: 0, trace: 0, neighbours: 0 };
  inferredSamples = 0;
  root = 0n;
  rootRank = Number.POSITIVE_INFINITY;

  constructor(target: Target, pauses: Pauses | null) {
    this.target = target;
    this.pauses = pauses?.within(target.extent) ?? [];
  }

  /** Events and pauses. A thread that waits in a pause began to before: that pause is time of its wait. */
  get stretches(): Stretch[] {
    const waits = Float64Array.from(this.#waits).sort();
    const ofPauses = this.pauses.filter(({ from, to }) => !(waits[placeAfter(waits, (at) => at < from)]! <= to));
    return [...ofPauses.map((pause): Stretch => ({ part: "gc", ...pause })), ...this.lasting];
  }

  /** Adds what another has, whose time begins so many ns after the start of this one. */
  add(other: Account, start: number): void {
    for (const { state, samples } of other.states.shares()) this.states.add(state, samples);
    for (const [part, { samples, recorded }] of other.wall) addCount(this.wall, part, samples, recorded);
    for (const [part, { samples, recorded }] of other.inPauses) addCount(this.inPauses, part, samples, recorded);
    this.cpu.samples += other.cpu.samples;
    this.cpu.nano += other.cpu.nano;
    for (const { part, from, to } of other.stretches) {
      const [first, last] = [Math.max(0, from), Math.min(other.length, to)];
      this.lasting.push({ part, from: start + first, to: start + last });
    }
    for (const [type, { events, inferred, nano, parts }] of other.events) {
      const own = this.events.get(type) ?? { events: 0, inferred: 0, nano: 0n, parts: new Map() };
      this.events.set(type, own);
      own.events += events;
      own.inferred += inferred;
      own.nano += nano;
      for (const [part, count] of parts) own.parts.set(part, (own.parts.get(part) ?? 0) + count);
    }
    this.collecting += other.collecting;
    this.inferredSamples += other.inferredSamples;
    addOffThread(this.off, other.off);
  }

  /** A sample of a thread that waits in a pause. */
  waitsAt(time: bigint): void {
    this.#waits.push(Number(time - this.target.extent.start));
  }

  orderEvents(rankOf: (type: string) => number): void {
    this.events = new Map([...this.events].sort(([a], [b]) => rankOf(a) - rankOf(b)));
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

/** An account for each target, in their order, made in one pass. */
export function accountsOf(reader: SampleReader, { by, targets, profiles, marks }: AccountRequest): Account[] {
  const pauses = new Pauses(marks);
  const accounts = targets.map((target) => new Account(target, pauses));
  const byId = new Map(accounts.map((account) => [account.target.id, account]));
  const ids = [...byId.keys()];
  if (ids.length === 0) return accounts;
  const filter: Filter = by === "span" ? { span: ids } : { localRoot: ids };
  accountsBy(reader, { filter, accountOf: (sample) => byId.get(sample[by]), profiles, pauses });
  const ofRoot = by === "span" ? accountsByRoot(reader, profiles, accounts) : new Map<bigint, Account[]>();
  tellOff(reader, profiles, accounts, (ids) => ofRoot.get(ids.root) ?? [byId.get(ids[by]) ?? []].flat());
  const ranks = new Map(profiles.map(({ type }, rank) => [type, rank]));
  const rankOf = (type: string) => ranks.get(type) ?? profiles.length;
  for (const account of accounts) account.orderEvents(rankOf);
  return accounts;
}

/** The accounts of spans by their local root, with the looks that found another span of it. */
function accountsByRoot(
  reader: SampleReader,
  profiles: readonly ProfileSummary[],
  accounts: readonly Account[],
): ReadonlyMap<bigint, Account[]> {
  const ofRoot = new Map<bigint, Account[]>();
  for (const account of accounts) {
    if (account.root !== 0n) ofRoot.set(account.root, [...(ofRoot.get(account.root) ?? []), account]);
  }
  const looks = looksOf(reader, profiles);
  if (ofRoot.size === 0 || looks.size === 0) return ofRoot;
  reader.eachOf(idsOfLooks(profiles), { localRoot: [...ofRoot.keys()] }, (_, sample) => {
    for (const account of ofRoot.get(sample.root) ?? []) addLooks(account, sample, looks);
  });
  return ofRoot;
}

interface Filling {
  filter: Filter;
  accountOf: (sample: ReadSample) => Account | undefined;
  profiles: readonly ProfileSummary[];
  pauses: Pauses;
}

/** Adds the samples that pass the filter to their accounts. */
export function accountsBy(reader: SampleReader, { filter, accountOf, profiles, pauses }: Filling): void {
  const looks = looksOf(reader, profiles);
  const counters = countersOf(reader, profiles, pauses);
  reader.eachOf(new Set(counters.keys()), filter, (profile, sample) => {
    const account = accountOf(sample);
    const counter = counters.get(profile);
    if (account === undefined || counter === undefined) return;
    if (counter.rank < account.rootRank && sample.root !== 0n) {
      account.root = sample.root;
      account.rootRank = counter.rank;
    }
    counter.add(account, sample);
    addLooks(account, sample, looks);
  });
}

function addLooks({ found }: Account, { file, link }: ReadSample, looks: ReadonlyMap<number, Looks>) {
  if (looks.has(file)) found.set(file, (found.get(file) ?? new Set()).add(link));
}

/** Has filled accounts know their time on no thread. */
export function tellOff(
  reader: SampleReader,
  profiles: readonly ProfileSummary[],
  accounts: readonly Account[],
  ownersOf: (ids: Pick<ReadSample, "span" | "root">) => readonly Account[],
): void {
  const active = new Map<Account, Interval[]>();
  for (const { span, root, start, end } of reader.activations()) {
    for (const account of ownersOf({ span, root })) {
      const { extent } = account.target;
      const times = active.get(account) ?? [];
      if (start < extent.end && end > extent.start)
        times.push([Number(start - extent.start), Number(end - extent.start)]);
      if (times.length > 0) active.set(account, times);
    }
  }
  const looks = looksOf(reader, profiles);
  for (const account of accounts) account.off = offOf(account, active.get(account), looks);
}

type Interval = [from: number, to: number];

function offOf(account: Account, active: Interval[] | undefined, all: ReadonlyMap<number, Looks>): OffThread {
  const { target, lasting, found, length } = account;
  const timesOf = (all: readonly { from: number; to: number }[]) => all.map(({ from, to }): Interval => [from, to]);
  const pauses = timesOf(account.pauses);
  if (active !== undefined) {
    return statedOff(length, active, { others: [...target.children, ...timesOf(lasting)], pauses });
  }
  const off = nothingKnown();
  const isSeen = account.states.total + account.cpu.samples + account.events.size > 0;
  // Without the request and without its child spans, other spans of it may have run.
  if (!isSeen || (account.root === 0n && target.extent.from === "samples")) return off;
  for (const [file, looks] of all) {
    const own = found.get(file);
    // Of a request that no look found, the recording is only known if there is one.
    if (own === undefined && (found.size > 0 || all.size > 1)) continue;
    addOffThread(off, seenOff(looks, own ?? new Set(), target.extent, { aside: target.children, pauses }));
  }
  return off;
}

/** What a sample of a profile adds to an account. Of those with a root, the lowest rank decides the account's root. */
interface Counter {
  rank: number;
  add(account: Account, sample: ReadSample): void;
}

/** By profile. */
function countersOf(
  reader: SampleReader,
  profiles: readonly ProfileSummary[],
  pauses: Pauses,
): ReadonlyMap<number, Counter> {
  const counters = new Map<number, Counter>();
  const states = new SampleStates(reader, pauses);
  const isInferred = ({ set }: ReadSample) => isRule(reader.attribute(set, CONTEXT_RULE_KEY));
  const cpu = profileOfKind(profiles, "cpu")?.id;
  const walls = distinctOfKind(profiles, "wall");
  for (const [rank, profile] of profiles.entries()) {
    const adds: Counter["add"][] = [];
    const { kind, nanos } = profile.meaning;
    const part = blockingPart(profile);
    const isWall = walls.includes(profile);
    if (isWall) adds.push((account, sample) => addWall(account, sample, reader, states, isInferred(sample)));
    else if (part !== undefined) {
      adds.push((account, sample) => addEvent(account, sample, profile.type, part, isInferred(sample)));
    } else if (profile.id === cpu) adds.push(addCpu);
    else if (kind === "queue" && nanos !== null) adds.push(addQueue);
    if (profile.inferredBy !== undefined) {
      adds.push((account, { set }) => addRule(account, reader.attribute(set, CONTEXT_RULE_KEY)));
    }
    const isTimed = isWall || part !== undefined || profile.id === cpu;
    const add: Counter["add"] = (account, sample) => {
      for (const each of adds) each(account, sample);
    };
    if (adds.length > 0) counters.set(profile.id, { rank: isTimed ? rank : Number.POSITIVE_INFINITY, add });
  }
  return counters;
}

function addCpu({ cpu, stacks }: Account, { observations, nanos, stack }: ReadSample): void {
  cpu.samples += observations;
  cpu.nano += nanos;
  stacks?.add("cpu", stack, observations);
}

function addQueue({ queue }: Account, { nanos }: ReadSample): void {
  queue.events++;
  queue.nano += nanos;
}

/** Whether it is the name of a rule that infers a span or a request. */
function isRule(stated: string): stated is keyof InferredBy {
  return (RULES as readonly string[]).includes(stated);
}

function addRule({ inferredBy }: Account, stated: string): void {
  if (isRule(stated)) inferredBy[stated]++;
}

function addWall(account: Account, sample: ReadSample, reader: SampleReader, all: SampleStates, isInferred: boolean) {
  const { observations } = sample;
  const state = all.of(sample);
  const told = all.told(sample);
  account.states.add(told, observations);
  const recorded = reader.attribute(sample.set, STATE_KEY);
  const part = wallPartOf(state, recorded);
  addCount(account.wall, part, observations, [recorded]);
  account.stacks?.add(part, sample.stack, observations);
  if (WAITS.has(state) && all.isPaused(sample)) account.waitsAt(sample.time);
  if (state === "gc") {
    const beside = all.besidePauses(sample);
    addCount(account.inPauses, wallPartOf(beside, recorded), observations, [recorded]);
    if (beside === "gc" && !all.isPaused(sample)) account.collecting += observations;
  }
  const operation = reader.attribute(sample.set, OPERATION_KEY);
  const states = account.ofOperation.get(operation) ?? new StateCounts();
  account.ofOperation.set(operation, states);
  states.add(told, observations);
  if (isInferred) account.inferredSamples += observations;
  else account.operations.set(operation, (account.operations.get(operation) ?? 0) + observations);
}

/** Adds samples with such states to the count of a part. */
export function addCount(
  counts: Map<WallPart, WallCount>,
  part: WallPart,
  samples: number,
  recorded: Iterable<string>,
): void {
  const count = counts.get(part) ?? { samples: 0, recorded: new Set() };
  counts.set(part, count);
  count.samples += samples;
  for (const state of recorded) count.recorded.add(state);
}

function addEvent(
  { target, events, lasting, stacks }: Account,
  sample: ReadSample,
  type: string,
  profilePart: CoveringPart,
  isInferred: boolean,
) {
  const { start, end } = target.extent;
  const row = events.get(type) ?? { events: 0, inferred: 0, nano: 0n, parts: new Map() };
  events.set(type, row);
  const part = eventPart(sample.event, profilePart);
  row.events++;
  row.parts.set(part, (row.parts.get(part) ?? 0) + 1);
  if (isInferred) row.inferred++;
  const from = clip(sample.time - start, end - start);
  const to = clip(sample.time - start + sample.nanos, end - start);
  row.nano += to - from;
  stacks?.add(ofEvents(part), sample.stack, Number(to - from));
  if (lasts(sample.event)) lasting.push({ part, from: Number(from), to: Number(to) });
}

function clip(time: bigint, length: bigint): bigint {
  if (time < 0n) return 0n;
  return time > length ? length : time;
}
