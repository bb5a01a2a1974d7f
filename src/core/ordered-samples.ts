/** Samples of a selection by thread and time, with their stacks, for the flame chart. */
import * as StoreTable from "../../assembly/abi/store-table.ts";
import { windowOf } from "./file-ranges.ts";
import type { Instance } from "./instance.ts";
import { safepoints } from "./series.ts";
import { StackMethods } from "./stack-methods.ts";
import { allColumns, type ObservationColumns, observationColumns } from "./store-columns.ts";
import type { FileSummary, Filter, ProfileSummary, SelectionTotals } from "./types.ts";
import type { OrderedSamples } from "./view-types.ts";

interface Owner {
  readonly instance: Instance & { readonly files: readonly FileSummary[] };
  complete(): Promise<void>;
  select(profile: number | null, filter: Filter): SelectionTotals;
}

const PAGE_ROWS_READ = 1 << 15;
const NANOSECONDS = "nanoseconds";

interface Row {
  at: number;
  nanos: number;
  stack: number;
  thread: number;
}

/** The first `most` samples of a profile in the order of time. Changes the selection. Throws `core.memory`. */
export async function orderedSamples(
  core: Owner,
  profile: ProfileSummary,
  filter: Filter,
  most: number,
): Promise<OrderedSamples> {
  await core.complete();
  const { samples } = core.select(profile.id, filter);
  const { origin, times } = timesOf(core, filter, samples);
  const last = times.length > most ? times.sort()[most - 1]! : Number.POSITIVE_INFINITY;
  const rows = rowsUntil(core, profile, filter, { origin, last, most });
  // Sorting is stable: samples of the same moment stay in the order of reading.
  rows.sort((a, b) => a.thread - b.thread || a.at - b.at);
  const stops = safepoints(core.instance, origin);
  return { origin, count: samples, timed: times.length, ...columnsOf(core.instance, rows), stops };
}

function* pagesOf({ instance }: Owner, filter: Filter): Generator<ObservationColumns> {
  const window = windowOf(filter, instance.files);
  const count = instance.wasm.observationCount.value;
  for (let next = 0; next < count; ) {
    const page = observationColumns(instance, window, next, PAGE_ROWS_READ);
    yield page;
    next = page.next;
  }
}

/** The earliest moment, and all moments in ns since then. Samples without a time are left out. */
function timesOf(core: Owner, filter: Filter, samples: number): { origin: bigint; times: Float64Array } {
  const all = new BigInt64Array(samples);
  let n = 0;
  let origin = 0n;
  for (const { time } of pagesOf(core, filter)) {
    for (const at of time) {
      if (at === 0n || n === samples) continue;
      if (n === 0 || at < origin) origin = at;
      all[n++] = at;
    }
  }
  return { origin, times: Float64Array.from(all.subarray(0, n), (at) => Number(at - origin)) };
}

interface Part {
  origin: bigint;
  last: number;
  most: number;
}

function rowsUntil(core: Owner, profile: ProfileSummary, filter: Filter, { origin, last, most }: Part): Row[] {
  const lengthOf = lengthsOf(profile);
  const rows: Row[] = [];
  for (const page of pagesOf(core, filter)) {
    for (let i = 0; i < page.rows && rows.length < most; i++) {
      const at = Number(page.time[i]! - origin);
      if (page.time[i] === 0n || at > last) continue;
      rows.push({ at, nanos: lengthOf(page, i), stack: page.stack[i]!, thread: page.thread[i]! });
    }
  }
  return rows;
}

/** Ns that a sample covers: its period, or the duration that it measured; 0 where the profile has neither. */
function lengthsOf({
  unit,
  period,
  periodUnit,
  measures,
}: ProfileSummary): (page: ObservationColumns, i: number) => number {
  const positive = (nanos: bigint) => Math.max(0, Number(nanos));
  if (unit === NANOSECONDS) return ({ value }, i) => positive(value[i]!);
  if (periodUnit === NANOSECONDS && period > 0n) return ({ value }, i) => positive(value[i]! * period);
  if (measures[1]?.unit === NANOSECONDS) return ({ second }, i) => positive(second[i]!);
  return () => 0;
}

type Columns = Omit<OrderedSamples, "origin" | "count" | "timed" | "stops">;

function columnsOf(instance: Instance, rows: readonly Row[]): Columns {
  const methods = new StackMethods(instance);
  const stacks = new Map<number, number>();
  const threads = new Map<number, number>();
  const names = new Map<string, number>();
  const types: number[] = [];
  const offsets = [0];
  const items: number[] = [];
  const numbered = <K>(numbers: Map<K, number>, key: K): number => {
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  };
  for (const { stack } of rows) {
    if (stacks.has(stack)) continue;
    stacks.set(stack, stacks.size);
    const frames: number[] = [];
    methods.find(stack, (name, _, type) => {
      const frame = numbered(names, `${type} ${methods.text(name)}`);
      types[frame] = type;
      frames.push(frame);
      return false;
    });
    items.push(...frames.reverse());
    offsets.push(items.length);
  }
  return {
    at: Float64Array.from(rows, ({ at }) => at),
    nanos: Float64Array.from(rows, ({ nanos }) => nanos),
    thread: Uint32Array.from(rows, ({ thread }) => numbered(threads, thread)),
    stack: Uint32Array.from(rows, ({ stack }) => stacks.get(stack)!),
    offsets: Uint32Array.from(offsets),
    items: Uint32Array.from(items),
    names: Array.from(names.keys(), (key) => key.slice(key.indexOf(" ") + 1)),
    types: Uint8Array.from(types),
    threads: threadNames(instance, [...threads.keys()]),
  };
}

/** Names of threads, of those without one their ids; "" where neither is known. */
function threadNames(instance: Instance, rows: readonly number[]): string[] {
  const [name, id] = allColumns(instance, StoreTable.Threads) as [Uint32Array, Uint32Array];
  return rows.map((row) => {
    const label = name[row] || id[row] || 0;
    return label === 0 ? "" : instance.label(label);
  });
}
