/**
 * Who held the ReentrantLocks that threads parked for. No event says it, so samples tell: a thread is named where it is
 * seen within the park in the method that took the lock, by a sample or an event.
 *
 *   park of A, in take()   ├────────────────────┤
 *   park of B, in take() ├───┤ B took it
 *   samples of B                 ×   ×            take() is on their stacks
 *   held                     B ───────┤           from the end of its park until it was seen last
 *
 * A thread that took the lock without parking for it is named only if its method takes no other lock. Where several
 * threads are seen, none is named: a method may run before it takes the lock, and after it.
 */
import type { ContextFacts } from "../../core/samples/contexts.ts";
import type { HeldColumns, LockWaits } from "../../core/samples/waits.ts";
import { ascending } from "./ascending.ts";
import { type ByThread, grouped } from "./by-thread.ts";
import type { WorkAt } from "./holders.ts";
import { after, Intervals, picked } from "./intervals.ts";
import type { Stacks } from "./stacks.ts";

/** A thread that parks again so soon did not get the lock in between. */
const AGAIN_NANOS = 1e6;
/** Ends within a park of which the holders are looked for: with more, the lock changes hands all the time. */
const MOST_ENDS = 256;
/** Threads among which one that did not park for the lock is looked for. */
const MOST_THREADS = 200;

/** A thread that asked for a lock, from its first park on, and got it at the end of the last one. */
interface Attempt {
  thread: number;
  start: number;
  end: number;
  /** Handle of the method that takes the lock. */
  taker: number;
}

/** Adds stretches of parks, whose waits are numbered after those for monitors. */
export function addParkHolders(
  found: HeldColumns,
  facts: ContextFacts,
  stacks: Stacks,
  workAt: (thread: number, time: number) => WorkAt,
): void {
  const { parks } = facts;
  if (parks.count === 0) return;
  const seen = new Seen(facts, stacks);
  const takers = Uint32Array.from(parks.stack, (stack) => stacks.taker(stack));
  const objects = grouped(parks.objects, parks.object);
  const lockOf = new Map<number, number>();
  for (let i = 0; i < parks.count; i++) {
    const before = lockOf.get(takers[i]!) ?? parks.object[i]!;
    lockOf.set(takers[i]!, before === parks.object[i] ? before : SEVERAL);
  }
  for (let object = 0; object < parks.objects; object++) {
    const rows = objects.rows.subarray(objects.first[object]!, objects.first[object + 1]!);
    const attempts = attemptsOf(parks, rows, takers);
    const own = [...new Set(attempts.map(({ taker }) => taker))].filter((taker) => lockOf.get(taker) === object);
    const between: Lock["between"] = new Map();
    const ends = Float64Array.from(attempts, ({ end }) => end);
    for (const row of rows) addStretches(found, facts, row, { attempts, ends, own, between, seen, workAt });
  }
}

const SEVERAL = -1;

/** In the order of their ends. */
function attemptsOf({ thread, start, end }: LockWaits, rows: Uint32Array, takers: Uint32Array): Attempt[] {
  const last = new Map<number, Attempt>();
  const found: Attempt[] = [];
  for (const row of [...rows].sort((a, b) => start[a]! - start[b]!)) {
    const before = last.get(thread[row]!);
    if (before !== undefined && start[row]! - before.end < AGAIN_NANOS) {
      before.end = end[row]!;
      continue;
    }
    const attempt = { thread: thread[row]!, start: start[row]!, end: end[row]!, taker: takers[row]! };
    last.set(attempt.thread, attempt);
    found.push(attempt);
  }
  return found.filter(({ taker }) => taker !== 0).sort((a, b) => a.end - b.end);
}

/** The least part of a park whose holders are seen: below it, the one that held it longest may not be. */
const LEAST_KNOWN = 0.5;
/** How long a thread was in a method before and after it is seen there. */
const SEEN_NANOS = 5e6;

interface Lock {
  attempts: readonly Attempt[];
  /** Their ends. */
  ends: Float64Array;
  /** Methods that take this lock only. */
  own: readonly number[];
  /** Holders between two ends, by the number of the later one: those who park meanwhile share them. */
  between: Map<number, Sight | null>;
  seen: Seen;
  workAt: (thread: number, time: number) => WorkAt;
}

/** Of a park, for each time between ends of attempts. */
function addStretches(found: HeldColumns, { parks }: ContextFacts, park: number, lock: Lock): void {
  const [from, to] = [parks.start[park]!, parks.end[park]!];
  const held: Sight[] = [];
  let next = after(lock.ends, from);
  if (after(lock.ends, to) - next > MOST_ENDS) return;
  let known = 0;
  for (let begin = from; begin < to; next++) {
    const end = Math.min(to, lock.ends[next] ?? to);
    const self = parks.thread[park]!;
    const isWhole = begin === lock.ends[next - 1] && end === lock.ends[next];
    const shared = isWhole ? lock.between.get(next) : undefined;
    const holder = shared === undefined ? holderIn(lock, next, begin, end, self) : shared;
    if (isWhole) lock.between.set(next, holder);
    if (holder !== null && holder.thread !== self) {
      held.push(holder);
      known += holder.to - holder.from;
    }
    begin = end;
  }
  if (known < LEAST_KNOWN * (to - from)) return;
  for (const { thread, ...at } of held) {
    const { span, root } = lock.workAt(thread, (at.from + at.to) / 2);
    found.wait.push(parks.wait[park]!);
    found.thread.push(thread);
    found.row.push(lock.seen.rowOf(thread));
    found.from.push(at.from);
    found.to.push(at.to);
    found.certain.push(0);
    found.span.push(span);
    found.root.push(root);
  }
}

/** A thread in the method, and when it is seen there. */
interface Sight {
  thread: number;
  from: number;
  to: number;
}

/**
 * Between two ends of attempts: the only thread that is seen in the method. It is the one that got the lock last, then
 * from the beginning on, or one that did not park for it.
 */
function holderIn({ attempts, own, seen }: Lock, next: number, from: number, to: number, self: number): Sight | null {
  const last = attempts[next - 1];
  const parked = attempts.slice(next, next + MOST_THREADS).filter(({ start }) => start < to);
  const notOthers = new Set([self, ...parked.map(({ thread }) => thread), ...(last ? [last.thread] : [])]);
  const others = seen.threads.flatMap((thread) => {
    return notOthers.has(thread) ? [] : (seen.within(thread, from, to, own) ?? []);
  });
  const its = last === undefined || last.thread === self ? null : seen.within(last.thread, from, to, [last.taker]);
  const [only = its] = others;
  if (only === null || others.length + (its === null ? 0 : 1) > 1) return null;
  return {
    thread: only.thread,
    from: only === its ? from : Math.max(from, only.from - SEEN_NANOS),
    to: Math.min(to, only.to + SEEN_NANOS),
  };
}

/** Stacks of threads by time: of samples, and of events that lasted. */
class Seen {
  readonly threads: readonly number[];
  private readonly facts: ContextFacts;
  private readonly stacks: Stacks;
  private readonly events: ByThread;
  private readonly samples: ByThread;
  private readonly known: ({ stack: Float64Array; times: Intervals } | undefined)[] = [];

  constructor(facts: ContextFacts, stacks: Stacks) {
    const { threads, events, samples } = facts;
    [this.facts, this.stacks] = [facts, stacks];
    this.threads = threads.count > MOST_THREADS ? [] : Array.from({ length: threads.count }, (_, i) => i);
    this.events = grouped(threads.count, events.thread);
    this.samples = grouped(threads.count, samples.thread);
  }

  rowOf(thread: number): number {
    return this.facts.threads.row[thread]!;
  }

  /** When stacks of the thread have any of the methods; null if none of them has. */
  within(thread: number, from: number, to: number, methods: readonly number[]): Sight | null {
    if (methods.length === 0) return null;
    this.known[thread] ??= this.stacksOf(thread);
    const { stack, times } = this.known[thread];
    // A thread that still waits in the method does not hold the lock.
    const isIn = (own: number) =>
      methods.some((method) => this.stacks.taker(own) !== method && this.stacks.contains(own, method));
    let found: Sight | null = null;
    for (let i = times.last(from, to); i >= 0; i = times.before(i, from)) {
      if (!isIn(stack[i]!)) continue;
      const last: number = found?.to ?? Math.min(to, times.end[i]!);
      found = { thread, from: Math.max(from, times.start[i]!), to: last };
    }
    return found;
  }

  private stacksOf(thread: number) {
    const { events, samples } = this.facts;
    const own = rowsIn(this.events, thread);
    const sampled = rowsIn(this.samples, thread);
    const both = (first: Float64Array | Uint32Array, second: Float64Array | Uint32Array) => {
      const column = new Float64Array(own.length + sampled.length);
      for (let i = 0; i < own.length; i++) column[i] = first[own[i]!]!;
      for (let i = 0; i < sampled.length; i++) column[own.length + i] = second[sampled[i]!]!;
      return column;
    };
    const start = both(events.start, samples.time);
    const order = ascending(
      start,
      new Uint32Array(start.length).map((_, i) => i),
    );
    const times = new Intervals(picked(start, order), picked(both(events.end, samples.time), order));
    return { stack: picked(both(events.stack, samples.stack), order), times };
  }
}

function rowsIn({ first, rows }: ByThread, thread: number): Uint32Array {
  return rows.subarray(first[thread], first[thread + 1]);
}
