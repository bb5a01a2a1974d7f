/**
 * Thread pools in place of requests: what a recording without span ids has. The time of each pool is that of its
 * threads by their wall samples, else by the events of their waits and by CPU samples. Idle threads are set aside.
 */
import type { Accepts } from "../../core/answers/function-names.ts";
import type { Held } from "../../core/held.ts";
import { isOfKind, profileOfKind } from "../../core/tables/kinds.ts";
import { poolName } from "../../core/tables/pool-name.ts";
import type { Filter, ProfileSummary } from "../../core/types.ts";
import { rootLevel, THREAD } from "../query/root-by.ts";
import type { BreakdownName, BreakdownPart } from "../span-time/breakdown.ts";
import { callerOf, type Path, type ToldEvents } from "./causes.ts";

export interface Pool {
  name: string;
  threads: number;
  /** Of all its threads, without the time in which they are idle. */
  nano: bigint;
  /** The largest first. */
  parts: Pick<BreakdownPart, "part" | "nano">[];
  /** The function of the application that most of the largest part is in. */
  path: Path | null;
}

export interface Pools {
  /** The longest first. */
  rows: Pool[];
  /** Pools that did nothing, with their threads. */
  idle: Pick<Pool, "name" | "threads">[];
}

/** Samples of one part of the threads' time. */
export interface Stated {
  part: BreakdownName;
  profile: Pick<ProfileSummary, "id">;
  filter: Filter;
  /** Nanoseconds of 1 of its value. */
  each: number;
}

const BY_THREAD = { kind: "attribute", key: THREAD } as const;
const THREADS = 500;
/** Pools whose function is looked for. */
const POOLS = 8;
/** A pool with less than this of the longest one's time does nothing. */
const LEAST = 0.001;
const POOL = rootLevel("thread-pool")!;
/** Profiles that have the threads of a program. */
const ofThreads = isOfKind("cpu", "wall", "native", "lock", "park", "sleep", "socket", "file");

/** `stated`: parts of the time of the threads, each moment in one of them. */
export function* poolsOf(
  held: Held,
  profiles: readonly ProfileSummary[],
  filter: Filter,
  stated: readonly Stated[],
  accepts: Accepts,
): Generator<void, Pools> {
  const threads = (id: number, of: Filter) => held.about(id, of).rank(BY_THREAD, 0, THREADS).rows;
  const byPool = new Map<string, { threads: Set<string>; parts: Map<BreakdownName, number> }>();
  const poolOf = (thread: string) => {
    const name = poolName(thread.replace(/ #\d+$/, ""));
    const known = byPool.get(name) ?? { threads: new Set(), parts: new Map() };
    byPool.set(name, known);
    known.threads.add(thread);
    return known;
  };
  for (const { id } of profiles.filter(ofThreads)) {
    for (const { label } of threads(id, filter)) if (label !== "") poolOf(label);
    yield;
  }
  for (const { part, profile, filter: own, each } of stated) {
    for (const { label, value } of threads(profile.id, own)) {
      if (label === "") continue;
      const { parts } = poolOf(label);
      parts.set(part, (parts.get(part) ?? 0) + Number(value) * each);
    }
    yield;
  }
  const all = [...byPool].map(([name, pool]): Pool => {
    // Wall samples of threads that could run are of those with a processor, too.
    const ran = pool.parts.get("cpu") ?? 0;
    const ready = pool.parts.get("running");
    if (ready !== undefined) pool.parts.set("running", Math.max(0, ready - ran));
    const parts = [...pool.parts]
      .map(([part, nanos]) => ({ part, nano: BigInt(Math.round(nanos)) }))
      .filter(({ nano }) => nano > 0n)
      .sort((a, b) => Number(b.nano - a.nano));
    const nano = parts.reduce((sum, each) => sum + each.nano, 0n);
    return { name, threads: pool.threads.size, nano, parts, path: null };
  });
  const sorted = all.sort((a, b) => Number(b.nano - a.nano));
  const least = LEAST * Number(sorted[0]?.nano ?? 0n);
  const busy = sorted.filter(({ nano }) => nano > 0n && Number(nano) >= least);
  for (const pool of busy.slice(0, POOLS)) {
    pool.path = pathOf(held, pool, stated, accepts);
    yield;
  }
  const idle = sorted
    .filter((pool) => !busy.includes(pool))
    .map(({ name, threads: count }) => ({ name, threads: count }));
  return { rows: busy, idle };
}

/** Where most of the largest part of a pool is: in the samples of that part with the most of it. */
function pathOf(held: Held, { name, parts }: Pool, stated: readonly Stated[], accepts: Accepts): Path | null {
  const own = stated
    .filter(({ part }) => part === parts[0]?.part)
    .map(({ profile, filter, each }) => {
      const rootFrames = [...(filter.rootFrames ?? []), { ...POOL, name }];
      const ofPool = { ...filter, rootFrames };
      return { profile, ofPool, size: Number(held.totals(profile.id, ofPool).value) * each };
    });
  const [first] = own.sort((a, b) => b.size - a.size);
  if (first === undefined) return null;
  const views = held.about(first.profile.id, first.ofPool);
  const [row] = views.topNearest(accepts, 1).rows;
  return row === undefined ? null : { name: row.name, caller: callerOf(views, row.name, accepts) };
}

/** The parts of the threads' time by events, by wall samples and by CPU samples. */
export function statedParts(
  profiles: readonly ProfileSummary[],
  filter: Filter,
  events: readonly ToldEvents[],
  wall: readonly Stated[],
): Stated[] {
  const cpu = profileOfKind(profiles, "cpu");
  const nanos = cpu?.meaning.nanos ?? null;
  const ran = cpu === undefined || nanos === null ? [] : [{ part: "cpu" as const, profile: cpu, filter, each: nanos }];
  return [...ran, ...(wall.length > 0 ? wall : events)];
}
