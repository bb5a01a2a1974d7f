/**
 * The looks of a sampler of wall time: one is one tick, at which it takes a stack of some or all threads. A request
 * without a sample at a look was on no thread then, or the sampler left its thread out: how often it does follows from
 * threads that were surely there, because the same work has a sample at the look before and at the one after.
 */
import type { SampleReader } from "../../core/samples/sample-reader.ts";
import { profileOfKind } from "../../core/tables/kinds.ts";
import { distinctOfKind } from "../../core/tables/meanings.ts";
import type { ProfileSummary } from "../../core/types.ts";
import { ascending } from "../context/ascending.ts";
import { type ByThread, grouped } from "../context/by-thread.ts";
import { likelyShare } from "../lists/confidence.ts";

/** Samples of one recording, in any order. There may be millions: no number of 64 bits is made for each. */
export interface LookSamples {
  /** Ns since 1970. */
  base: bigint;
  /** Ns after it. */
  at: Float64Array;
  thread: Uint32Array;
  /** 0 without the ids of a span and of a request. */
  link: Uint32Array;
  /** Looks that a sample is of: some samplers write an idle thread once for many. 0 for a CPU sample. */
  looks: Uint32Array;
}

/** The best guess, and its interval. */
export interface Bounds {
  likely: number;
  low: number;
  high: number;
}

/** Without so many looks the sampler's step is not known. */
const FEWEST = 8;
/** A sampler that writes fewer samples without ids follows the threads that work for requests, and no others. */
const FOLLOWS = 0.05;
/** Gaps above so many of the shortest are no steps. */
const STEPS = 4;
const QUARTER = 0.25;
const HALF = 0.5;

export class Looks {
  /** Ns after the base, ascending: the first sample of each. */
  readonly at: Float64Array;
  /** 1 for looks that no thread was there for: they follow from the step. */
  readonly isEmpty: Uint8Array;
  readonly base: bigint;
  /** How many of the threads that are there a look takes. */
  readonly rate: Bounds;
  private readonly step: number;
  /** All samples: those of a thread are together, in the order of time. */
  private readonly found: FoundSamples;
  /** Rows of `found` by link. */
  private readonly ofLink: ByThread;
  /** Threads that work for no request are taken, too. */
  private readonly takesAll: boolean;

  /** Null where they are too few to know their step. */
  static of(samples: LookSamples): Looks | null {
    const { base, at: times } = samples;
    const order = ascending(times, Uint32Array.from(times.keys()));
    const sortedBy = (rows: Uint32Array) => ({
      at: Float64Array.from(rows, (i) => times[i]!),
      thread: rows.map((i) => samples.thread[i]!),
      link: rows.map((i) => samples.link[i]!),
      looks: rows.map((i) => samples.looks[i]!),
    });
    const walls = sortedBy(order.filter((i) => samples.looks[i] !== 0));
    const step = stepOf(walls);
    return step === 0 ? null : new Looks(base, walls, step, sortedBy(order));
  }

  private constructor(base: bigint, walls: Sorted, step: number, all: Sorted) {
    this.base = base;
    this.step = step;
    const unlinked = walls.link.reduce((sum, link) => sum + Number(link === 0), 0);
    const takesAll = unlinked >= FOLLOWS * walls.link.length;
    const hasGaps = !takesAll || walls.looks.some((looks) => looks > 1);
    const { at, isEmpty } = grid(walls.at, step, hasGaps);
    this.at = at;
    this.isEmpty = isEmpty;
    // Where a sampler takes all threads, each tells by its next sample what it did at a look that left it out.
    this.takesAll = takesAll;
    this.found = this.foundIn(all);
    this.ofLink = grouped(countOf(this.found.link), this.found.link);
    this.rate = takesAll ? { likely: 1, low: 1, high: 1 } : this.rateOf(walls);
  }

  /** Numbers of the looks within a time of the clock. */
  within({ start, end }: { start: bigint; end: bigint }): [first: number, end: number] {
    return [after(this.at, Number(start - this.base) - HALF), after(this.at, Number(end - this.base) - HALF)];
  }

  /** Ns of a time in which the sampler looked. */
  covered({ start, end }: { start: bigint; end: bigint }): number {
    const from = Math.max(Number(start - this.base), (this.at[0] ?? 0) - this.step);
    return Math.max(0, Math.min(Number(end - this.base), (this.at.at(-1) ?? 0) + this.step) - from);
  }

  /** Numbers of the looks that each sample is of: the first, and after the last; a CPU sample is between two looks. */
  private placesOf({ at, looks }: Sorted): { first: Uint32Array; end: Uint32Array } {
    const [first, end] = [new Uint32Array(at.length), new Uint32Array(at.length)];
    for (let i = 0, next = 0; i < at.length; i++) {
      const [time, own] = [at[i]!, looks[i]!];
      while (next < this.at.length && this.at[next]! <= time) next++;
      first[i] = own === 0 ? next : Math.max(0, next - 1);
      const last = own > 1 ? after(this.at, time + (own - HALF) * this.step) : 0;
      end[i] = own === 0 ? next : Math.max(last, first[i]! + 1);
    }
    return { first, end };
  }

  private foundIn(all: Sorted): FoundSamples {
    const { rows } = grouped(countOf(all.thread), all.thread);
    const { first, end } = this.placesOf(all);
    const byThread = (column: Uint32Array) => rows.map((row) => column[row]!);
    return { thread: byThread(all.thread), first: byThread(first), end: byThread(end), link: byThread(all.link) };
  }

  /** Looks at which a thread had the work of these links: those that say so, the best guess, and the most. */
  foundBy(links: ReadonlySet<number>): Record<"sure" | "likely" | "most", ReadonlySet<number>> {
    const found = { sure: new Set<number>(), likely: new Set<number>(), most: new Set<number>() };
    const add = (first: number, end: number, to: readonly Set<number>[]) => {
      for (let i = first; i < end; i++) for (const numbers of to) numbers.add(i);
    };
    const { sure, likely, most } = found;
    const { first: firsts, end: ends, thread, link: works } = this.found;
    const { first: from, rows } = this.ofLink;
    for (const link of links) {
      for (let at = from[link] ?? 0; at < (from[link + 1] ?? 0); at++) {
        const i = rows[at]!;
        const [first, end] = [firsts[i]!, ends[i]!];
        const isBefore = thread[i - 1] === thread[i];
        const isAfter = thread[i + 1] === thread[i];
        const next = isAfter ? firsts[i + 1]! : end + 1;
        const after = isAfter ? works[i + 1]! : 0;
        add(first, end, [sure, likely, most]);
        if (!this.takesAll) {
          // The thread was kept from its processor, or it worked for nobody: such a sampler does not tell.
          if (after === link) add(end, next, [most]);
          continue;
        }
        if (links.has(after)) add(end, next, [sure, likely, most]);
        else {
          add(end, next, [most]);
          add(end, end + ((next - end) >> 1), [likely]);
        }
        if (!links.has(isBefore ? works[i - 1]! : 0)) {
          const last = isBefore ? ends[i - 1]! : Math.max(0, first - 1);
          add(last, first, [most]);
          add(first - ((first - last) >> 1), first, [likely]);
        }
      }
    }
    return found;
  }

  /** Of looks between two that took a thread with the same work, how many took it as well. */
  private rateOf(walls: Sorted): Bounds {
    const { thread, link } = walls;
    const places = this.placesOf(walls);
    const last = new Map<number, { end: number; link: number; isRun: boolean }>();
    const counts = { linked: { hits: 0, misses: 0 }, others: { hits: 0, misses: 0 } };
    for (let i = 0; i < thread.length; i++) {
      const [first, end] = [places.first[i]!, places.end[i]!];
      const [own, work] = [thread[i]!, link[i]!];
      const before = last.get(own);
      // A second sample of one look.
      if (before !== undefined && before.end > first) continue;
      const isSame = before !== undefined && before.link === work;
      const count = work === 0 ? counts.others : counts.linked;
      const isNext = isSame && before.end === first;
      if (isNext && before.isRun) count.hits++;
      if (isSame && before.end + 1 === first && this.isEmpty[before.end] === 0) count.misses++;
      last.set(own, { end, link: work, isRun: isNext });
    }
    const { linked, others } = counts;
    const { hits, misses } = linked.hits + linked.misses >= FEWEST ? linked : others;
    const [low, high] = likelyShare(hits, hits + misses);
    if (hits === 0) return { likely: 1, low: 1, high: 1 };
    return { likely: hits / (hits + misses), low, high };
  }
}

/** Samples with the looks that each is of: the first, and after the last. */
interface FoundSamples {
  thread: Uint32Array;
  first: Uint32Array;
  end: Uint32Array;
  link: Uint32Array;
}

/** One more than the largest number. */
const countOf = (numbers: Uint32Array) => numbers.reduce((most, each) => Math.max(most, each + 1), 0);

/** In the order of time, from the first one on. */
interface Sorted {
  at: Float64Array;
  thread: Uint32Array;
  link: Uint32Array;
  looks: Uint32Array;
}

/** Ns from a sample of a thread to its next one, as it mostly is; 0 where that is not known. */
function stepOf({ at, thread, looks }: Sorted): number {
  const last = new Map<number, number>();
  const gaps: number[] = [];
  for (let i = 0; i < at.length; i++) {
    const [time, own] = [at[i]!, thread[i]!];
    const before = last.get(own);
    if (before !== undefined && time > (at[before] ?? 0)) gaps.push((time - (at[before] ?? 0)) / (looks[before] ?? 1));
    last.set(own, i);
  }
  if (gaps.length < FEWEST) return 0;
  const sorted = Float64Array.from(gaps).sort();
  const quarter = sorted[Math.floor(QUARTER * sorted.length)] ?? 0;
  const steps = sorted.subarray(0, after(sorted, STEPS * quarter));
  return steps[Math.floor(HALF * steps.length)] ?? 0;
}

/** Looks from samples in the order of time; with gaps also those that found no thread. */
function grid(times: Float64Array, step: number, hasGaps: boolean): { at: Float64Array; isEmpty: Uint8Array } {
  const at: number[] = [];
  const isEmpty: number[] = [];
  for (const time of times) {
    const last = at.at(-1);
    if (last !== undefined && time - last <= HALF * step) continue;
    const missing = hasGaps && last !== undefined ? Math.round((time - last) / step) - 1 : 0;
    for (let i = 1; i <= missing; i++) {
      at.push((last ?? 0) + ((time - (last ?? 0)) * i) / (missing + 1));
      isEmpty.push(1);
    }
    at.push(time);
    isEmpty.push(0);
  }
  return { at: Float64Array.from(at), isEmpty: Uint8Array.from(isEmpty) };
}

/** Number of elements of an ascending column that are `limit` at most. */
function after(column: Float64Array, limit: number): number {
  let [low, high] = [0, column.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((column[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

const wallIds = (profiles: readonly ProfileSummary[]) => new Set(distinctOfKind(profiles, "wall").map(({ id }) => id));

/** Profiles of wall time, and of CPU samples: each proves that its thread was there, also where no look took it. */
export function idsOfLooks(profiles: readonly ProfileSummary[]): ReadonlySet<number> {
  const cpu = profileOfKind(profiles, "cpu");
  return new Set([...wallIds(profiles), ...(cpu === undefined ? [] : [cpu.id])]);
}

/** Of each reader, which keeps them as long as its copies of tables. */
const known = new WeakMap<SampleReader, ReadonlyMap<number, Looks>>();

/** The looks of each recording, by its number; made in one pass over the samples. */
export function looksOf(reader: SampleReader, profiles: readonly ProfileSummary[]): ReadonlyMap<number, Looks> {
  const before = known.get(reader);
  if (before !== undefined) return before;
  const walls = wallIds(profiles);
  const files = new Map<number, { base: bigint } & Record<Exclude<keyof LookSamples, "base">, number[]>>();
  if (walls.size > 0) {
    reader.eachOf(idsOfLooks(profiles), {}, (profile, sample) => {
      const { file, time, thread, observations } = sample;
      const link = reader.hasIds(sample.link) ? sample.link : 0;
      const looks = walls.has(profile) ? Math.max(1, observations) : 0;
      if (time === 0n || (looks === 0 && link === 0)) return;
      const rows = files.get(file) ?? { base: time, at: [], thread: [], link: [], looks: [] };
      files.set(file, rows);
      rows.at.push(Number(time - rows.base));
      rows.thread.push(thread);
      rows.link.push(link);
      rows.looks.push(looks);
    });
  }
  const made = new Map<number, Looks>();
  for (const [file, { base, at, thread, link, looks }] of files) {
    const rows = { thread: new Uint32Array(thread), link: new Uint32Array(link), looks: new Uint32Array(looks) };
    const found = rows.link.some((each) => each !== 0) ? Looks.of({ base, at: new Float64Array(at), ...rows }) : null;
    if (found !== null) made.set(file, found);
  }
  known.set(reader, made);
  return made;
}
