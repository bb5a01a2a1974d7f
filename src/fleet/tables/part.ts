/** The parts of a core: one for each UTC date of its observations, with the rows of all tables. */

import * as ProfileRow from "../../../assembly/abi/rows/profile-row.ts";
import type { Core } from "../../core/core.ts";
import { messageProfile, profileNames } from "../../core/instance/profile-facts.ts";
import type { TableName } from "../../core/tables/data-sets.ts";
import { Texts } from "../parquet/column-data.ts";
import type { Rows } from "../parquet/file.ts";
import type { Kernels } from "../parquet/kernels.ts";
import { Contexts, type TraceIds } from "./contexts.ts";
import { type DatedRows, dateOf, daysOf } from "./dated-rows.ts";
import { allObservations, type Observations } from "./observations.ts";
import { type OnDate, type Recording, recordingRows } from "./recording-rows.ts";
import { type Kind, sampleRows } from "./sample-rows.ts";
import { StackTable } from "./stack-rows.ts";
import { Windows } from "./windows.ts";

/** `ProfileFlag.Sampled` of the core: values count samples, and the period of a sample is a time. */
const SAMPLED = 8;
const DAY = 86_400_000_000_000n;

export interface Part {
  date: string;
  name: string;
  recordings: readonly OnDate[];
  tables: { name: TableName; rows: Rows; count: number }[];
}

/** What is known besides the samples: rows of other tables, and the traces of spans. */
export interface Further {
  dated: readonly DatedRows[];
  traces: TraceIds | null;
}

/** `nameOf` names the part of a date by the recordings in it. */
export class CoreParts {
  private readonly kernels: Kernels;
  private readonly core: Core;
  private readonly recordings: readonly Recording[];
  private readonly all: Observations;
  private readonly windows: Windows;
  private readonly contexts: Contexts;
  private readonly stacks: StackTable;
  private readonly texts = new Texts();
  private readonly kinds: Kind[] = [];
  /** By observation: number of its recording, and of its kind. */
  private readonly recordingOf: Uint32Array;
  private readonly kindOf: Uint32Array;
  private readonly dated: readonly DatedRows[];
  /** Recordings with dated rows, by day. */
  private readonly datedDays: ReadonlyMap<number, ReadonlySet<number>>;
  /** Recordings without observations are in a part. */
  private listed = false;

  /** Recordings are in the order of the core. Observations between them are in no part. */
  constructor(kernels: Kernels, core: Core, recordings: readonly Recording[], { dated, traces }: Further) {
    this.dated = dated;
    this.datedDays = daysOf(dated);
    this.kernels = kernels;
    this.core = core;
    this.recordings = recordings;
    this.all = allObservations(core);
    this.windows = new Windows(
      recordings.flatMap((each) => each.windows),
      this.all,
    );
    this.contexts = new Contexts(kernels, core.instance, traces);
    this.stacks = StackTable.of(kernels, core.instance);
    this.recordingOf = new Uint32Array(this.all.rows);
    this.kindOf = new Uint32Array(this.all.rows);
    for (const [i, { first, last, ranges }] of recordings.entries()) {
      for (const range of ranges) this.recordingOf.fill(i, ...range);
      this.addKinds(first, last);
    }
  }

  /** The parts in the order of their dates. */
  *parts(nameOf: (date: string, recordings: readonly Recording[]) => string): Generator<Part, void, undefined> {
    for (const [day, rows] of this.byDate()) yield this.part(day, rows, nameOf);
  }

  /** Profiles of a recording have the names that they have where it is read alone. */
  private addKinds(first: number, last: number): void {
    const { instance } = this.core;
    const { wasm, memory } = instance;
    const own = this.all.event.subarray(first, last);
    const seen = marked(own, wasm.eventCount.value);
    const events = [...seen.keys()].filter((row) => seen[row] === 1);
    const profileOf = (row: number) => memory.u32(wasm.eventAt(row) + ProfileRow.EVENT_PROFILE);
    const familyOf = (row: number) => memory.u32(wasm.profileAt(profileOf(row)) + ProfileRow.FAMILY);
    const families = [...new Set(events.map(familyOf))].sort((a, b) => a - b);
    const text = (profile: number, field: number) => instance.string(memory.u32(wasm.profileAt(profile) + field));
    const names = profileNames(
      families.map(
        (id) => this.core.catalogueRow(id) ?? messageProfile(text(id, ProfileRow.TYPE), text(id, ProfileRow.UNIT)),
      ),
    );
    const index = Uint32Array.from(seen, (isThere, row) => (isThere === 1 ? families.indexOf(familyOf(row)) : 0));
    const namings = this.namings(first, last, families.length, index);
    const kinds = new Uint32Array(seen.length);
    for (const row of events) {
      const family = familyOf(row);
      const profile = wasm.profileAt(profileOf(row));
      const isSampled = (memory.u32(wasm.profileAt(family) + ProfileRow.FLAGS) & SAMPLED) !== 0;
      const hasSecond = memory.u32(wasm.profileAt(family) + ProfileRow.SECOND_TYPE) !== 0;
      kinds[row] = this.kinds.length;
      this.kinds.push({
        type: this.texts.of(names[index[row]!]!),
        unit: this.texts.of(text(family, ProfileRow.UNIT)),
        unit2: hasSecond ? this.texts.of(text(family, ProfileRow.SECOND_UNIT)) : 0,
        event: this.texts.of(instance.string(memory.u32(wasm.eventAt(row) + ProfileRow.EVENT_NAME))),
        period: isSampled ? memory.i64(profile + ProfileRow.PERIOD) : 0n,
        naming: namings[index[row]!]!,
      });
    }
    this.kindOf.set(this.kernels.mapped(own, kinds), first);
  }

  /** For each family of profiles in a recording the number of the keys that name its endpoints and operations. */
  private namings(first: number, last: number, families: number, familyOf: Uint32Array) {
    const { event, link, set } = this.all;
    const sets = Array.from({ length: families }, (_, i) => this.contexts.setsOf(i));
    const add = (i: number) => sets[familyOf[event[i]!]!]!.add(link[i]!, set[i]!);
    eachChange([event, link, set], first, last, add);
    return sets.map(({ found }) => this.contexts.namingOf(found));
  }

  /** Rows by date. An observation without a time has the date on which its window began, or else its recording. */
  private byDate(): [day: number, rows: Uint32Array<ArrayBuffer>][] {
    const { time, rows } = this.all;
    const days = new Int32Array(rows).fill(NO_DAY);
    const windowDays = [0, ...this.windows.list.map(({ from }) => Number(from / DAY))];
    const dayOf = newDayOf(time);
    const { numbers } = this.windows;
    const dayIn = (row: number) => dayOf(row) || windowDays[numbers[row]!]!;
    for (const { first, last, begin, changed, ranges } of this.recordings) {
      let day = Number(begin / DAY);
      for (let i = first; i < last && day === 0; i++) day = dayIn(i);
      day ||= Number(changed / DAY);
      for (const [from, to] of ranges) for (let i = from; i < to; i++) days[i] = dayIn(i) || day;
    }
    const byDay = new Map<number, number>();
    for (let i = 0; i < rows; ) {
      const first = i;
      while (i < rows && days[i] === days[first]) i++;
      byDay.set(days[first]!, (byDay.get(days[first]!) ?? 0) + i - first);
    }
    byDay.delete(NO_DAY);
    for (const day of this.datedDays.keys()) byDay.set(day, byDay.get(day) ?? 0);
    // Recordings without samples are listed, too.
    if (byDay.size === 0 && this.recordings[0] !== undefined) {
      const { begin, changed } = this.recordings[0];
      byDay.set(Number((begin || changed) / DAY), 0);
    }
    return [...byDay].sort(([a], [b]) => a - b).map(([day, count]) => [day, placesOf(days, day, count)]);
  }

  private part(day: number, rows: Uint32Array<ArrayBuffer>, nameOf: Parameters<CoreParts["parts"]>[0]): Part {
    const date = dateOf(day);
    const days = this.onDate(rows, this.datedDays.get(day));
    const name = nameOf(
      date,
      days.map(({ recording }) => recording),
    );
    const numbers = new Map(days.map(({ recording, id }) => [this.recordings.indexOf(recording), id]));
    const stacksOf = this.kernels.mapped(rows, this.all.stack);
    const used = marked(stacksOf, this.core.instance.wasm.storeColumns(STACKS, 0, 0, 0));
    const stacks = this.stacks.rowsOf(name, used);
    const table = {
      kernels: this.kernels,
      part: name,
      all: this.all,
      contexts: this.contexts,
      stacks: this.stacks,
      ids: stacks.ids,
    };
    const samples = sampleRows({
      ...table,
      texts: this.texts,
      kinds: this.kinds,
      kindOf: this.kindOf,
      recordings: this.recordings,
      recordingOf: this.recordingOf,
      numbers,
      rows,
      windows: this.windows,
    });
    const dated = this.dated.filter((each) => each.days().has(day));
    return {
      date,
      name,
      recordings: days,
      tables: [
        { name: "functions", rows: stacks.functions, count: stacks.counts[1] },
        { name: "stacks", rows: stacks.stacks, count: stacks.counts[0] },
        { name: "recordings", rows: recordingRows(name, days), count: days.length },
        ...dated.map((each) => ({ name: each.name, ...each.rowsOf(name, day, numbers) })),
        { name: "samples", rows: samples, count: rows.length },
      ],
    };
  }

  /** Recordings that have observations among the rows, or dated rows; those without any are on the first date. */
  private onDate(rows: Uint32Array, withDated: ReadonlySet<number> = new Set()): OnDate[] {
    const { time } = this.all;
    const { numbers, list } = this.windows;
    const count = new Uint32Array(this.recordings.length);
    const ends = this.recordings.map(() => ({ start: -1, end: -1 }));
    countRows(rows, this.recordingOf, time, count, ends);
    const inWindows = marked(this.kernels.mapped(rows, numbers), list.length + 1);
    const windows: bigint[][] = this.recordings.map(() => []);
    for (const [i, { first, from, to }] of list.entries())
      if (inWindows[i + 1] === 1) windows[this.recordingOf[first]!]!.push(from, to);
    const isFirst = !this.listed;
    this.listed = true;
    const others = new Set([...this.datedDays.values()].flatMap((own) => [...own]));
    const found = this.recordings.filter(
      (each, i) => count[i]! > 0 || withDated.has(i) || (isFirst && each.first === each.last && !others.has(i)),
    );
    return found.map((recording, id) => {
      const i = this.recordings.indexOf(recording);
      const { start, end } = ends[i]!;
      const at = (row: number) => (BigInt(time[2 * row + 1]!) << 32n) | BigInt(time[2 * row]!);
      const times = [...(start < 0 ? [] : [at(start), at(end)]), ...windows[i]!];
      // If nothing is known of its observations: when it began.
      if (times.length === 0) times.push(count[i]! > 0 ? recording.begin : 0n);
      const [from, to] = [times.reduce(least), times.reduce(most)];
      return { recording, id, samples: count[i]!, start: from, end: to };
    });
  }
}

const least = (a: bigint, b: bigint) => (a < b ? a : b);
const most = (a: bigint, b: bigint) => (a > b ? a : b);

const STACKS = 4;
/** Of observations that are in no recording. */
const NO_DAY = -1;

/*
 * Each loop over all rows is a small function. V8 optimizes the whole function around a hot loop, and for a large
 * function that takes longer than the loop itself.
 */

/** A 1 for each of `count` numbers that occurs. */
function marked(numbers: Uint32Array, count: number): Uint8Array {
  const found = new Uint8Array(count);
  for (let i = 0; i < numbers.length; i++) found[numbers[i]!] = 1;
  return found;
}

/** Where a number is, `count` times. */
function placesOf(numbers: Int32Array, number: number, count: number): Uint32Array<ArrayBuffer> {
  const found = new Uint32Array(count);
  let n = 0;
  for (let i = 0; i < numbers.length; i++) if (numbers[i] === number) found[n++] = i;
  return found;
}

/** Neighbours mostly are of a request: calls for each row of [first, last) that differs from the one before it. */
function eachChange(columns: readonly Uint32Array[], first: number, last: number, call: (row: number) => void): void {
  const [a, b, c] = columns as [Uint32Array, Uint32Array, Uint32Array];
  for (let i = first; i < last; i++)
    if (i === first || a[i] !== a[i - 1] || b[i] !== b[i - 1] || c[i] !== c[i - 1]) call(i);
}

/** Counts the rows of each recording, and finds its first and last one that have times. */
function countRows(
  rows: Uint32Array,
  recordingOf: Uint32Array,
  time: Uint32Array,
  count: Uint32Array,
  ends: readonly { start: number; end: number }[],
): void {
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const recording = recordingOf[row]!;
    count[recording]!++;
    if ((time[2 * row]! | time[2 * row + 1]!) === 0) continue;
    const own = ends[recording]!;
    if (own.start < 0 || isBefore(time, row, own.start)) own.start = row;
    if (own.end < 0 || isBefore(time, own.end, row)) own.end = row;
  }
}

function isBefore(time: Uint32Array, a: number, b: number): boolean {
  const step = time[2 * a + 1]! - time[2 * b + 1]!;
  return step !== 0 ? step < 0 : time[2 * a]! < time[2 * b]!;
}

/**
 * Days since 1970 of observations; 0 where the time is unknown. Neighbours mostly are of one day: the upper halves of
 * their times tell.
 */
function newDayOf(time: Uint32Array): (row: number) => number {
  let day = 0;
  let after = 0;
  let before = 0;
  return (row) => {
    const high = time[2 * row + 1]!;
    if (high > after && high < before) return day;
    day = Number(((BigInt(high) << 32n) | BigInt(time[2 * row]!)) / DAY);
    [after, before] = [BigInt(day), BigInt(day) + 1n].map((each) => Number((each * DAY) >> 32n)) as [number, number];
    return day;
  };
}
