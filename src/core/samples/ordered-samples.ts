/** Samples of a selection by thread and time, with their stacks, for the flame chart. */

import * as StoreTable from "../../../assembly/abi/store-table.ts";
import { Numbered } from "../../bytes/numbered.ts";
import { safepoints } from "../answers/series.ts";
import { windowOf } from "../instance/file-ranges.ts";
import type { Instance } from "../instance/instance.ts";
import type { Filter, ProfileSummary, SelectionTotals } from "../types.ts";
import type { OrderedSamples } from "../view-types.ts";
import { ruleNumber } from "./inferred-counts.ts";
import { StackMethods } from "./stack-methods.ts";
import { allColumns, HALVES, type ObservationColumns, observationColumns } from "./store-columns.ts";

/** Of an open recording. */
interface Owner {
  readonly core: {
    readonly instance: Instance;
    /** Null where context is not inferred. */
    readonly contexts: object | null;
    complete(): Promise<void>;
  };
  totals(profile: number, filter: Filter): SelectionTotals;
}

const PAGE_ROWS_READ = 1 << 15;
const NANOSECONDS = "nanoseconds";
/** The words of a 64-bit number. */
const WORD = 2 ** 32;

/**
 * The first `most` samples of a profile in the order of time. `ruleKey`: the attribute that names the rule of inferred
 * context. Throws `core.memory`.
 */
export async function orderedSamples(
  held: Owner,
  profile: ProfileSummary,
  filter: Filter,
  { most, ruleKey }: { most: number; ruleKey: string },
): Promise<OrderedSamples> {
  const { core } = held;
  await core.complete();
  const { samples } = held.totals(profile.id, filter);
  const { origin, rows } = rowsOf(core.instance, profile, filter, samples);
  const timed = rows.at.length;
  const stops = safepoints(core.instance, origin);
  const ruleOf = core.contexts === null ? () => 0 : rulesOf(core.instance, ruleKey);
  const columns = columnsOf(core.instance, rows, inOrder(earliest(rows, most)), ruleOf);
  return { origin, count: samples, timed, ...columns, stops };
}

/** Samples with a time, in the order of reading. */
interface Rows {
  /** Ns since the earliest. */
  at: Float64Array;
  nanos: Float64Array;
  /** Rows of the store. */
  stack: Uint32Array;
  thread: Uint32Array;
  set: Uint32Array;
}

function rowsOf(
  instance: Instance,
  profile: ProfileSummary,
  filter: Filter,
  samples: number,
): { origin: bigint; rows: Rows } {
  const lengthOf = lengthsOf(profile);
  const window = windowOf(filter, instance);
  const count = Math.min(instance.wasm.observationCount.value, window?.last ?? Number.POSITIVE_INFINITY);
  const at = new Float64Array(samples);
  const nanos = new Float64Array(samples);
  const [stack, thread, set] = [new Uint32Array(samples), new Uint32Array(samples), new Uint32Array(samples)];
  /** A moment of the samples, as its two words: differences from it are exact. */
  let base: { low: number; high: number } | null = null;
  let least = 0;
  let n = 0;
  for (let next = 0; next < count && n < samples; ) {
    const page = observationColumns(instance, window, next, PAGE_ROWS_READ);
    next = page.next;
    const words = wordsOf(page.time);
    const nanosOf = lengthOf(page);
    for (let i = 0; i < page.rows && n < samples; i++) {
      const word = HALVES * i;
      const [low, high] = [words[word]!, words[word + 1]!];
      if (low === 0 && high === 0) continue;
      base ??= { low, high };
      at[n] = (high - base.high) * WORD + (low - base.low);
      least = Math.min(least, at[n]!);
      nanos[n] = nanosOf(i);
      stack[n] = page.stack[i]!;
      thread[n] = page.thread[i]!;
      set[n] = page.set[i]!;
      n++;
    }
  }
  for (let i = 0; i < n; i++) at[i] = at[i]! - least;
  const first = base === null ? 0n : (BigInt(base.high) << 32n) + BigInt(base.low);
  const rows = { at: at.subarray(0, n), nanos, stack, thread, set };
  return { origin: first + BigInt(least), rows };
}

/** The rows of the `most` earliest samples. */
function earliest({ at, thread }: Rows, most: number): { at: Float64Array; thread: Uint32Array; rows: Uint32Array } {
  const last = at.length > most ? smallest(at, most) : Number.POSITIVE_INFINITY;
  const rows = new Uint32Array(Math.min(most, at.length));
  let n = 0;
  for (let i = 0; i < at.length && n < rows.length; i++) if (at[i]! <= last) rows[n++] = i;
  return { at, thread, rows };
}

const BINS = 1 << 14;

/** The `nth` smallest of values from 0 on: only those of its bin are sorted. */
function smallest(values: Float64Array, nth: number): number {
  const width = values.reduce((most, value) => Math.max(most, value), 1) / (BINS - 1);
  const binOf = (value: number) => Math.floor(value / width);
  const counts = new Uint32Array(BINS);
  for (const value of values) counts[binOf(value)]!++;
  let bin = 0;
  let before = 0;
  while (before + counts[bin]! < nth) before += counts[bin++]!;
  return values.filter((value) => binOf(value) === bin).sort()[nth - before - 1]!;
}

/** By thread and time. Samples of a thread at the same moment stay in the order of reading. */
function inOrder({ at, thread, rows }: ReturnType<typeof earliest>): Uint32Array {
  const threads = rows.reduce((highest, row) => Math.max(highest, thread[row]!), 0) + 1;
  const first = new Uint32Array(threads + 1);
  for (const row of rows) first[thread[row]! + 1]!++;
  for (let i = 0; i < threads; i++) first[i + 1]! += first[i]!;
  const next = first.slice();
  const ordered = new Uint32Array(rows.length);
  for (const row of rows) ordered[next[thread[row]!]!++] = row;
  for (let i = 0; i < threads; i++) sortByTime(ordered.subarray(first[i], first[i + 1]), at);
  return ordered;
}

function sortByTime(rows: Uint32Array, at: Float64Array): void {
  for (let i = 1; i < rows.length; i++) {
    if (at[rows[i]!]! >= at[rows[i - 1]!]!) continue;
    rows.sort((a, b) => at[a]! - at[b]! || a - b);
    return;
  }
}

/** Ns that a sample covers: its period, or the duration that it measured; 0 where the profile has neither. */
function lengthsOf({
  unit,
  period,
  periodUnit,
  measures,
}: ProfileSummary): (page: ObservationColumns) => (i: number) => number {
  if (unit === NANOSECONDS) return ({ value }) => positives(value, 1);
  if (periodUnit === NANOSECONDS && period > 0n) return ({ value }) => positives(value, Number(period));
  if (measures[1]?.unit === NANOSECONDS) return ({ second }) => positives(second, 1);
  return () => () => 0;
}

/** Reads 64-bit numbers times a factor, negative ones as 0, without a bigint for each. */
function positives(values: BigInt64Array, factor: number): (i: number) => number {
  const words = wordsOf(values);
  return (i) => {
    const word = HALVES * i;
    return Math.max(0, ((words[word + 1]! | 0) * WORD + words[word]!) * factor);
  };
}

function wordsOf({ buffer, byteOffset, length }: BigInt64Array): Uint32Array {
  return new Uint32Array(buffer, byteOffset, HALVES * length);
}

type Columns = Omit<OrderedSamples, "origin" | "count" | "timed" | "stops">;

function columnsOf(
  instance: Instance,
  { at, nanos, stack, thread, set }: Rows,
  rows: Uint32Array,
  ruleOf: (set: number) => number,
): Columns {
  const threads = new Numbered<number>();
  const stacks = new Numbered<number>();
  const shown = {
    at: Float64Array.from(rows, (row) => at[row]!),
    nanos: Float64Array.from(rows, (row) => nanos[row]!),
    thread: rows.map((row) => threads.of(thread[row]!)),
    stack: rows.map((row) => stacks.of(stack[row]!)),
  };
  return {
    ...shown,
    rule: Uint8Array.from(rows, (row) => ruleOf(set[row]!)),
    ...framesOf(instance, stacks.list),
    threads: threadNames(instance, threads.list),
    threadRows: threads.list,
  };
}

/** Frames of stacks, by the names that the views of the selection show. */
function framesOf(
  instance: Instance,
  stacks: readonly number[],
): Pick<Columns, "offsets" | "items" | "names" | "types"> {
  const methods = new StackMethods(instance);
  /** Frames by their name and type. */
  const frames = new Numbered<number>();
  const offsets = [0];
  const items: number[] = [];
  const own: number[] = [];
  for (const stack of stacks) {
    own.length = 0;
    methods.find(stack, (name, _, type) => {
      own.push(frames.of(methods.shownName(name) * TYPES + type));
      return false;
    });
    for (let i = own.length - 1; i >= 0; i--) items.push(own[i]!);
    offsets.push(items.length);
  }
  return {
    offsets: Uint32Array.from(offsets),
    items: Uint32Array.from(items),
    names: frames.list.map((key) => instance.frameName(Math.floor(key / TYPES))),
    types: Uint8Array.from(frames.list, (key) => key % TYPES),
  };
}

/** More than the numbers of frame types. */
const TYPES = 64;

/** The rule by which the context of samples with an attribute set was inferred (abi/context-rule.ts), or 0. */
function rulesOf(instance: Instance, ruleKey: string): (set: number) => number {
  const { wasm, memory } = instance;
  const [at, size] = allColumns(instance, StoreTable.Sets);
  const known = new Map<number, number>();
  const isRule = new Map<number, number>();
  const ruleOf = (attribute: number): number => {
    const found = isRule.get(attribute);
    if (found !== undefined) return found;
    const isOne = instance.string(wasm.attributeKey(attribute)) === ruleKey;
    const rule = isOne ? ruleNumber(instance.label(attribute)) : 0;
    isRule.set(attribute, rule);
    return rule;
  };
  return (set) => {
    const found = known.get(set);
    if (found !== undefined) return found;
    const attributes = memory.u32s(at[set] ?? 0, (size[set] ?? 0) >> 2);
    const rule = attributes.reduce((before, attribute) => before || ruleOf(attribute), 0);
    known.set(set, rule);
    return rule;
  };
}

/** Names of threads, of those without one their ids; "" where neither is known. */
function threadNames(instance: Instance, rows: readonly number[]): string[] {
  const [name, id] = allColumns(instance, StoreTable.Threads);
  return rows.map((row) => {
    const label = name[row] || id[row] || 0;
    return label === 0 ? "" : instance.label(label);
  });
}
