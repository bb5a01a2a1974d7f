/**
 * The samples of one profile in the making. What shares stack, attributes and link is one sample.
 *
 *   samples   | stack | link as written | set |
 *   counts    observations of each sample
 *   with times      owners, times, values of each observation, in the order of the calls
 *   without times   sums of each sample
 */
import { grown } from "../../bytes/byte-writer.ts";
import { SpanflameError } from "../../core/instance/error.ts";
import { type Check, type Checks, checked, isCount, shown, wrong } from "../check.ts";
import type { Lists } from "../tables.ts";
import { ListTable } from "./list-table.ts";
import { type BuilderTables, MOST_64, SIGNED, type Whole, whole } from "./tables.ts";

/** One observation. Rows are those that the builder has given, 0 or absent for none. */
export interface BuilderSample {
  stack?: number;
  link?: number;
  /** Rows of attributes. */
  attributes?: readonly number[];
  /** In the unit of the profile; 1 by default. */
  value?: Whole;
  /** In nanoseconds since 1970. */
  time?: Whole;
}

/** Observations as columns of one length, `rows`; an absent column is of zeros, that of values of ones. */
export interface BuilderColumns {
  rows: number;
  stack?: Uint32Array;
  link?: Uint32Array;
  /** Rows of attributes: a list for each observation. */
  attributes?: Lists;
  value?: BigInt64Array;
  time?: BigUint64Array | BigInt64Array;
}

/** What a profile states of itself. */
export interface ProfileHead {
  type: number;
  unit: number;
  periodType: number;
  periodUnit: number;
  period: bigint;
  /** 0n if the times of the samples decide it. */
  start: bigint;
  duration: bigint;
  id: Uint8Array;
  set: number;
  resource: number;
  scope: number;
  times: boolean;
}

const FIRST = 64;
const MOST_ROWS = 0xffff_ffff;
/** One less than a range needs that ends after it. */
const LAST_TIME = MOST_64 - 1n;

const columnOf = (...kinds: (new () => { length: number })[]): Check => {
  const words = kinds.map(({ name }) => `a ${name}`).join(" or ");
  return (value, option) => {
    if (!kinds.some((kind) => value instanceof kind)) wrong(option, value, words);
  };
};

const isLists: Check = (value, option) => {
  const { offsets, items } = (value ?? {}) as Partial<Lists>;
  if (!(offsets instanceof Uint32Array) || !(items instanceof Uint32Array))
    return wrong(option, value, "{ offsets, items } of two Uint32Array");
  const isSound =
    offsets[0] === 0 && offsets.at(-1) === items.length && offsets.every((at, i) => i === 0 || at >= offsets[i - 1]!);
  if (!isSound) wrong(`${option}: offsets`, value, "from 0 to the number of items, none below the one before it");
};

const COLUMNS: Checks<BuilderColumns> = {
  rows: isCount,
  stack: columnOf(Uint32Array),
  link: columnOf(Uint32Array),
  attributes: isLists,
  value: columnOf(BigInt64Array),
  time: columnOf(BigUint64Array, BigInt64Array),
};

/** Throws unless it is lists as `Tables` has them. */
export function checkLists(value: unknown, option: string): asserts value is Lists {
  isLists(value, option);
}

/** The samples of a profile that `ProfileBuilder.profile` has begun. */
export class ProfileRows {
  /** @internal */
  readonly head: ProfileHead;
  /** @internal */
  samples = new ListTable();
  /** @internal */
  counts = new Uint32Array(FIRST);
  /** @internal */
  sums = new BigInt64Array(FIRST);
  /** @internal */
  owners = new Uint32Array(FIRST);
  /** @internal */
  times = new BigUint64Array(FIRST);
  /** @internal */
  values = new BigInt64Array(FIRST);
  private size = 0;
  private first = MOST_64;
  private last = 0n;
  private readonly tables: BuilderTables;
  private readonly identity = new Uint32Array(3);

  /** @internal */
  constructor(tables: BuilderTables, head: ProfileHead) {
    this.tables = tables;
    this.head = head;
  }

  /** Number of observations. */
  get count(): number {
    return this.size;
  }

  /**
   * Adds one observation. Returns the number of observations of the profile.
   *
   * @throws `builder.row`, `builder.shape`, `option.unknown`, `option.value`, `recording.closed`; nothing is added then
   */
  add(sample: BuilderSample = {}): number {
    const { tables } = this;
    tables.refuseClosed();
    if (typeof sample !== "object" || sample === null) wrong("the sample", sample, "an object");
    for (const name in sample) {
      if (name === "stack" || name === "link" || name === "attributes" || name === "value" || name === "time") continue;
      throw new SpanflameError("option.unknown", `a sample has no field ${shown(name)}`);
    }
    this.refuseTooMany(1);
    const stack = tables.row(tables.stacks, sample.stack, "stack");
    const link = tables.row(tables.links, sample.link, "link");
    const value = sample.value === undefined ? 1n : whole(sample.value, "value", SIGNED);
    const time = sample.time === undefined ? 0n : whole(sample.time, "time");
    this.checkShape(time !== 0n);
    if (time !== 0n) this.checkTimes(time, time);
    const root = tables.rootOf[link]!;
    const set =
      sample.attributes === undefined && root === 0 ? 0 : tables.setOfRows(sample.attributes, "attributes", root);
    const row = this.sampleOf(stack, link, set);
    if (this.head.times) {
      this.reserve(this.size + 1);
      this.append(row, time, value);
      this.cover(time, time);
    } else this.sum(row, value);
    return this.counted(row);
  }

  /**
   * Adds many observations, or none if it throws. The columns are copied. Returns the number of observations of the
   * profile.
   *
   * @throws as `add` does
   */
  addSamples(columns: BuilderColumns): number {
    this.tables.refuseClosed();
    const given = checked("addSamples", columns, COLUMNS);
    const { rows } = given;
    if (rows === undefined) wrong("addSamples: rows", rows, "the number of observations");
    this.refuseTooMany(rows);
    for (const name of ["stack", "link", "value", "time"] as const) this.checkLength(name, given[name]?.length, rows);
    this.checkLength("attributes", given.attributes && given.attributes.offsets.length - 1, rows);
    this.checkRows(given);
    if (rows === 0) return this.size;
    this.checkShape(given.time !== undefined);
    const sets = this.setsOf(given);
    if (this.head.times) this.addTimed(given, sets);
    else this.addSums(given, sets);
    return this.size;
  }

  /** Gives the samples up. @internal */
  release(): void {
    Object.assign(this, new ProfileRows(this.tables, this.head), { size: this.size });
  }

  /** The start and the duration of the profile. @internal */
  range(): [bigint, bigint] {
    const { start, duration } = this.head;
    if (!this.head.times || this.size === 0) return [start, duration];
    const from = start === 0n ? this.first : start;
    return [from, duration === 0n ? this.last + 1n - from : duration];
  }

  private checkLength(name: string, length: number | undefined, rows: number): void {
    if (length !== undefined && length !== rows)
      wrong(`addSamples: ${name}`, `a column of ${length}`, `a column of ${rows} rows`);
  }

  private checkRows({ stack, link, attributes }: BuilderColumns): void {
    const { tables } = this;
    const columns = [
      [tables.stacks, stack, "stack"],
      [tables.links, link, "link"],
      [tables.attributes, attributes?.items, "attributes"],
    ] as const;
    for (const [table, column, name] of columns) {
      for (let i = 0; i < (column?.length ?? 0); i++)
        if (column![i]! >= table.count) tables.row(table, column![i], `addSamples: ${name}`);
    }
  }

  /** The set of each row; null if all are empty. */
  private setsOf({ rows, link, attributes }: BuilderColumns): Uint32Array | null {
    if (link === undefined && attributes === undefined) return null;
    const { tables } = this;
    const sets = new Uint32Array(rows);
    for (let i = 0; i < rows; i++) {
      const root = link === undefined ? 0 : tables.rootOf[link[i]!]!;
      const from = attributes?.offsets[i] ?? 0;
      const to = attributes?.offsets[i + 1] ?? 0;
      if (from === to && root === 0) continue;
      sets[i] = tables.set([...(attributes?.items.subarray(from, to) ?? []), root], "addSamples: attributes");
    }
    return sets;
  }

  private addTimed({ rows, stack, link, time, value }: BuilderColumns, sets: Uint32Array | null): void {
    const times = new BigUint64Array(time!.buffer, time!.byteOffset, rows);
    const [first, last] = rangeOf(times);
    this.checkShape(first !== 0n);
    if (time instanceof BigInt64Array && last >> 63n !== 0n) wrong("time", BigInt.asIntN(64, last), "not negative");
    this.checkTimes(first, last);
    this.reserve(this.size + rows);
    this.samples.reserve(rows, this.identity.length * rows);
    this.times.set(times, this.size);
    if (value === undefined) this.values.fill(1n, this.size, this.size + rows);
    else this.values.set(value, this.size);
    for (let i = 0; i < rows; i++) {
      const row = this.sampleOf(stack?.[i] ?? 0, link?.[i] ?? 0, sets?.[i] ?? 0);
      this.owners[this.size] = row;
      this.counted(row);
    }
    this.cover(first, last);
  }

  private addSums({ rows, stack, link, value }: BuilderColumns, sets: Uint32Array | null): void {
    const added = new Uint32Array(rows);
    let i = 0;
    try {
      for (; i < rows; i++) {
        added[i] = this.sampleOf(stack?.[i] ?? 0, link?.[i] ?? 0, sets?.[i] ?? 0);
        this.sum(added[i]!, value?.[i] ?? 1n);
      }
    } catch (error) {
      while (i-- > 0) this.sums[added[i]!]! -= value?.[i] ?? 1n;
      throw error;
    }
    for (const row of added) this.counted(row);
  }

  private sampleOf(stack: number, link: number, set: number): number {
    const { identity } = this;
    identity[0] = stack;
    identity[1] = this.tables.writtenOf[link]!;
    identity[2] = set;
    const row = this.samples.intern(identity);
    if (row >= this.counts.length) {
      this.counts = grown(this.counts, row + 1);
      if (!this.head.times) this.sums = grown(this.sums, this.counts.length);
    }
    return row;
  }

  private sum(row: number, value: bigint): void {
    const sum = this.sums[row]! + value;
    if (sum !== BigInt.asIntN(64, sum)) wrong("value", value, "such that the sum of its sample has 64 bits");
    this.sums[row] = sum;
  }

  private reserve(size: number): void {
    this.owners = grown(this.owners, size);
    this.times = grown(this.times, this.owners.length);
    this.values = grown(this.values, this.owners.length);
  }

  private append(row: number, time: bigint, value: bigint): void {
    this.owners[this.size] = row;
    this.times[this.size] = time;
    this.values[this.size] = value;
  }

  private counted(row: number): number {
    this.counts[row]!++;
    this.tables.changes++;
    return ++this.size;
  }

  private refuseTooMany(more: number): void {
    if (this.size + more > MOST_ROWS) throw new SpanflameError("core.samples", "more than 4 billion samples");
  }

  private checkShape(hasTime: boolean): void {
    if (hasTime === this.head.times) return;
    const says = hasTime
      ? "a time in a profile without times"
      : "an observation without a time in a profile with times";
    throw new SpanflameError("builder.shape", says);
  }

  private checkTimes(first: bigint, last: bigint): void {
    const { start, duration } = this.head;
    const from = first < this.first ? first : this.first;
    const to = last > this.last ? last : this.last;
    const begin = start === 0n ? from : start;
    const end = duration === 0n ? LAST_TIME : begin + duration - 1n;
    if (from < begin || to > end || to > LAST_TIME)
      wrong("time", from < begin ? first : last, `in the range of the profile, ${begin} to ${end}`);
  }

  private cover(first: bigint, last: bigint): void {
    if (first < this.first) this.first = first;
    if (last > this.last) this.last = last;
  }
}

/** The first and the last of some times. Their halves are compared: a loop over bigints takes ten times as long. */
function rangeOf(times: BigUint64Array): [bigint, bigint] {
  const halves = new Uint32Array(times.buffer, times.byteOffset, 2 * times.length);
  let [first, last] = [0, 0];
  for (let i = 2; i < halves.length; i += 2) {
    if (isBefore(halves, i, first)) first = i;
    else if (isBefore(halves, last, i)) last = i;
  }
  return [times[first / 2]!, times[last / 2]!];
}

/** Compares two numbers of 64 bits, the lower half first. */
function isBefore(halves: Uint32Array, a: number, b: number): boolean {
  const [high, other] = [halves[a + 1]!, halves[b + 1]!];
  return high === other ? halves[a]! < halves[b]! : high < other;
}
