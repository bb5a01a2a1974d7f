/** Who held what a selection waited for: sums of its waits, and their words. */
import { poolName } from "../../core/tables/pool-name.ts";
import type { Filter } from "../../core/types.ts";
import { THREAD, THREAD_ID } from "../query/root-by.ts";
import { formatCounted, formatNanos } from "../words/format.ts";
import { hexId } from "../words/ids.ts";
import { visible } from "../words/text.ts";
import { byDuration, type Held, type Lasting, type Wait, type Work } from "./waits.ts";

/** What held: an endpoint or an operation, else a thread. */
export interface Holder {
  operation: string | null;
  /** Of the longest stretch, as the members after it. */
  thread: string;
  localRoot: bigint | null;
  attributes: Held["attributes"];
  longestNano: bigint;
  /** That held, or threads where requests are not known. */
  requests: number;
  durationNano: bigint;
  /** Of the stretches that are certain. */
  certainNano: bigint;
}

/** The class that a selection waited for longest. */
export interface Waited {
  class: string;
  waits: number;
  threads: number;
  durationNano: bigint;
  /** The one that held longest first. */
  holders: Holder[];
  /** Time of the waits in which the holder is not known. */
  unknownNano: bigint;
}

/** Waits of one name for a class that another one held. */
export interface Blocked {
  class: string;
  holder: string;
  waiter: string;
  waits: number;
  durationNano: bigint;
  certainNano: bigint;
  longest: Held;
}

/** How holders and waiters are named: by endpoint or operation, of which those without one have their thread pool. */
export type BlockedBy = "endpoint" | "thread-pool" | "thread";
export const BLOCKED_BY = ["endpoint", "thread-pool", "thread"] as const satisfies readonly BlockedBy[];

/** A request, or a thread where none is known. */
const workOf = (of: Work) => `${of.localRoot ?? threadOf(of)}`;

/** Threads of one name have different ids. */
const threadOf = ({ file, thread, threadId }: Work) => JSON.stringify([file, thread, threadId]);

/** Null without a wait for a class of which a holder may be known. */
export function waitedFor(waits: readonly Wait[]): Waited | null {
  const byClass = grouped(waits.filter(isHoldable), (wait) => wait.class ?? "");
  const [longest] = byClass.map((own) => ({ own, durationNano: sum(own) })).sort(byDuration);
  if (longest === undefined) return null;
  const { own, durationNano } = longest;
  const parts = own.flatMap(({ held }) => held);
  const holders = grouped(parts, (part) => part.operation ?? part.thread).map((of): Holder => {
    const requests = grouped(of, workOf).map((all) => ({ first: all[0]!, durationNano: sum(all) }));
    const [most] = requests.sort(byDuration);
    const { operation, thread, localRoot, attributes } = most!.first;
    return {
      ...{ operation, thread, localRoot, attributes },
      longestNano: most!.durationNano,
      requests: requests.length,
      durationNano: sum(of),
      certainNano: sum(of.filter(({ certain }) => certain)),
    };
  });
  return {
    class: own[0]?.class ?? "",
    waits: own.length,
    threads: new Set(own.map(threadOf)).size,
    durationNano,
    holders: holders.sort(byDuration),
    unknownNano: durationNano - sum(parts),
  };
}

/** Whether the holder of what was waited for may be known. */
function isHoldable({ kind, held }: Wait): boolean {
  return kind === "monitor" || held.length > 0;
}

function grouped<T>(all: readonly T[], keyOf: (each: T) => string): T[][] {
  const found = new Map<string, T[]>();
  for (const each of all) {
    const known = found.get(keyOf(each));
    if (known === undefined) found.set(keyOf(each), [each]);
    else known.push(each);
  }
  return [...found.values()];
}

function sum(all: readonly Lasting[]): bigint {
  return all.reduce((total, { durationNano }) => total + durationNano, 0n);
}

/** A holder or a waiter without a request is named by its thread; empty for a thread without a name. */
export function blockedName({ operation, thread }: Work, by: BlockedBy): string {
  if (by === "endpoint" && operation !== null) return operation;
  return by === "thread" ? thread : poolName(thread);
}

/** Who blocks whom, the longest first: the parts of all waits by class, holder and waiter. */
export function blockedBy(waits: readonly Wait[], by: BlockedBy): Blocked[] {
  const sums = new BlockedSums(by);
  for (const wait of waits) sums.add(wait);
  return sums.rows();
}

/** `blockedBy`, of waits that need not be kept. */
export class BlockedSums {
  private readonly by: BlockedBy;
  private readonly names = new Map<string, string>();
  /** By class, waiter and holder. */
  private readonly found = new Map<string, Map<string, Map<string, Blocked & { last: Wait | null }>>>();

  constructor(by: BlockedBy) {
    this.by = by;
  }

  add(wait: Wait): void {
    if (wait.held.length === 0) return;
    const own = { class: wait.class ?? "", waiter: this.nameOf(wait) };
    const byHolder = within(within(this.found, own.class), own.waiter);
    for (const part of wait.held) {
      const holder = this.nameOf(part);
      const { durationNano } = part;
      let row = byHolder.get(holder);
      if (row === undefined) {
        row = { ...own, holder, waits: 0, durationNano: 0n, certainNano: 0n, longest: part, last: null };
        byHolder.set(holder, row);
      }
      if (row.last !== wait) row.waits++;
      row.last = wait;
      row.durationNano += durationNano;
      if (part.certain) row.certainNano += durationNano;
      if (durationNano > row.longest.durationNano) row.longest = part;
    }
  }

  rows(): Blocked[] {
    const all = [...this.found.values()].flatMap((of) => [...of.values()].flatMap((each) => [...each.values()]));
    return all.map(({ last: _, ...row }) => row).sort(byDuration);
  }

  private nameOf(of: Work): string {
    if (this.by === "endpoint" && of.operation !== null) return of.operation;
    const name = this.names.get(of.thread) ?? blockedName(of, this.by);
    this.names.set(of.thread, name);
    return name;
  }
}

function within<K, V>(all: Map<K, Map<string, V>>, key: K): Map<string, V> {
  const known = all.get(key) ?? new Map<string, V>();
  all.set(key, known);
  return known;
}

/** Parts of a wait from which they are told, and holders that are. */
const LEAST_TOLD = 0.05;
const MOST_HOLDERS = 2;
const MOST_ATTRIBUTES = 2;
const NAME = 80;

/**
 * `Waited 312 ms for Stock; 240 ms of it held by POST /reindex (request 0x6f3f8992c17d2bd0, tenant 42), 72 ms by
 * unknown holders.`
 */
export function waitedWords(waited: Waited): string {
  const { waits, threads, durationNano, holders, unknownNano } = waited;
  const many = waits === 1 ? "" : ` (${formatCounted(waits, "wait")}${threads === 1 ? "" : ` of ${threads} threads`})`;
  const isTold = (nano: bigint) => Number(nano) >= LEAST_TOLD * Number(durationNano);
  const told = holders.slice(0, MOST_HOLDERS).filter((holder) => isTold(holder.durationNano));
  const rest = sum(holders) - sum(told);
  const parts = told.map((holder, i) => holderWords(holder, i === 0 ? "of it held by" : "by"));
  if (isTold(rest)) parts.push(told.length === 0 ? `${nanos(rest)} of it held by many` : `${nanos(rest)} by others`);
  const what = `Waited ${nanos(durationNano)} for ${shortClass(waited.class)}${many}`;
  if (parts.length === 0) return `${what}; the holder is unknown.`;
  if (isTold(unknownNano)) parts.push(`${nanos(unknownNano)} by unknown holders`);
  return `${what}; ${parts.join(", ")}.`;
}

/** `240 ms by POST /reindex (request 0x6f3f8992c17d2bd0, tenant 42, 12 ms inferred)`. */
function holderWords({ operation, thread, localRoot, attributes, ...figures }: Holder, held: string): string {
  const { requests, durationNano, certainNano, longestNano } = figures;
  const inferred = durationNano - certainNano;
  const request = localRoot === null ? "" : `request 0x${hexId(localRoot)}`;
  const own = Object.entries(attributes).map(([key, value]) => `${visible(key, NAME)} ${visible(value, NAME)}`);
  const one = [request, ...own.slice(0, MOST_ATTRIBUTES)].filter((each) => each !== "");
  const many = `${formatCounted(requests, localRoot === null ? "thread" : "request")}, the longest for ${nanos(longestNano)}`;
  const about = requests === 1 ? one : [[many, ...one].join(": ")];
  if (inferred > 0n) about.push(certainNano === 0n ? "inferred" : `${nanos(inferred)} inferred`);
  const name = visible(operation ?? (thread || "a thread without a name"), NAME);
  return `${nanos(durationNano)} ${held} ${name}${about.length === 0 ? "" : ` (${about.join(", ")})`}`;
}

function nanos(nano: bigint): string {
  return formatNanos(Number(nano));
}

/** `Holders$Stock` of `demo.Holders$Stock`. */
export function shortClass(name: string): string {
  return visible(name.slice(name.lastIndexOf(".") + 1) || "an object of an unknown class", NAME);
}

/** `36.1 s of GET /stock held up by POST /reindex (Holders$Stock)`; `inferred` where nothing of it is certain. */
export function blockedWords({ class: name, holder, waiter, durationNano, certainNano }: Blocked): string {
  const [by, of] = [holder, waiter].map((each) => visible(each || "threads without a name", NAME));
  return `${nanos(durationNano)} of ${of} held up by ${by} (${shortClass(name)}${certainNano === 0n ? ", inferred" : ""})`;
}

/** Selects what a holder did meanwhile; null where its thread has neither an id nor a name, and its request no id. */
export function heldFilter({
  thread,
  threadId,
  file,
  localRoot,
  startUnixNano,
  durationNano,
}: Omit<Held, "span" | "operation" | "attributes" | "certain">): Filter | null {
  const within = {
    ...(file !== null && { file }),
    time: { from: startUnixNano, to: startUnixNano + durationNano },
  };
  // Several threads may have one name.
  const own = threadId === null ? { key: THREAD, value: thread } : { key: THREAD_ID, value: threadId };
  if (own.value !== "") return { attributes: [own], ...within };
  return localRoot === null ? null : { localRoot: [localRoot], ...within };
}
