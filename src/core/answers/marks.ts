/**
 * Marks of the timeline: pauses of the garbage collector, gaps without samples, data that the recorder lost. Row
 * layouts are in assembly/abi.
 */

import * as IncidentKind from "../../../assembly/abi/incident-kind.ts";
import * as IncidentRow from "../../../assembly/abi/rows/incident-row.ts";
import * as StretchAbi from "../../../assembly/abi/stretch.ts";
import { Numbered } from "../../bytes/numbered.ts";
import type { Access } from "../instance/access.ts";
import { recordedRanges } from "../tables/recorded-time.ts";
import type { TimeRange } from "../types.ts";
import type { Gap, Marks, PauseCover } from "../view-types.ts";
import type { TimeRow } from "./time-rows.ts";

const SECOND = 1_000_000_000;
/** Stretches that are scanned one by one: in a recording longer than 18 hours they are longer than a second. */
const MOST_STRETCHES = 65_536;
/** Nothing taken for so many times the usual interval is no chance. */
const UNUSUAL = 20;
const END_OF_TIME = (1n << 64n) - 1n;

interface Incident {
  /** Of incident-kind.ts. */
  kind: number;
  /** The collection, unique over all files. */
  collection: string;
  /** Index of its file. */
  file: number;
  text: number;
  /** Ns after the first sample. */
  at: number;
  amount: number;
}

/** `time`: from the first sample to the last; gaps are those within `rows`. */
export function readMarks(core: Access, time: TimeRange | null, rows: readonly TimeRow[]): Marks {
  const start = time?.from ?? 0n;
  const incidents = readIncidents(core, start);
  const found = pauseIncidents(incidents).sort((a, b) => a.at - b.at);
  const strings = new Numbered<number>();
  const losses = incidents.filter(({ kind }) => kind === IncidentKind.Loss);
  return {
    start,
    pauses: {
      at: Float64Array.from(found, ({ at }) => at),
      nanos: Float64Array.from(found, ({ amount }) => amount),
      text: Uint32Array.from(found, ({ text }) => strings.of(text)),
      file: Uint32Array.from(found, ({ file }) => file),
    },
    files: core.files.map(({ name }) => name),
    texts: strings.list.map((text) => core.string(text)),
    beyond: core.wasm.incidentsBeyond.value,
    lost: { times: losses.length, bytes: losses.reduce((sum, { amount }) => sum + amount, 0) },
    gaps: rows.flatMap((row) => gapsOf(core, row, start)),
  };
}

function readIncidents({ wasm, memory, opened }: Access, start: bigint): Incident[] {
  const at = wasm.incidentRows();
  return Array.from({ length: Math.max(0, wasm.incidentCount() - 1) }, (_, i) => {
    const p = at + IncidentRow.BYTES * (i + 1);
    const file = opened[memory.u32(p + IncidentRow.CHUNK)]?.file ?? 0;
    return {
      kind: memory.u32(p + IncidentRow.KIND),
      collection: `${file} ${memory.u32(p + IncidentRow.ID)}`,
      file,
      text: memory.u32(p + IncidentRow.TEXT),
      at: Number(memory.i64(p + IncidentRow.TIME) - start),
      amount: Math.max(0, Number(memory.i64(p + IncidentRow.AMOUNT))),
    };
  });
}

/**
 * The collection event has the cause, its pause events have the times. If the recorder wrote no pauses, their sum is
 * known and is shown as one pause at the collection's start.
 */
function pauseIncidents(incidents: Incident[]): Incident[] {
  const pauses = incidents.filter(({ kind }) => kind === IncidentKind.Pause);
  const paused = new Set(pauses.map(({ collection }) => collection));
  const collections = incidents.filter(({ kind }) => kind === IncidentKind.Collection);
  const causes = new Map(collections.map(({ collection, text }) => [collection, text]));
  return [
    ...pauses.map((pause) => ({ ...pause, text: causes.get(pause.collection) || pause.text })),
    ...collections.filter(({ collection, amount }) => amount > 0 && !paused.has(collection)),
  ];
}

/** Rows of observations from each moment to the next: of all samples of a row, or of the current selection's. */
function between(core: Access, edges: BigUint64Array, row: TimeRow | null): number {
  const { first = 0, last = 0 } = row ?? {};
  return core.lend(new Uint8Array(edges.buffer), (p) =>
    core.wasm.stretchesOf(p, edges.length, row !== null, first, last),
  );
}

/**
 * Stretches in which no profile has a sample for a second and for UNUSUAL times the usual distance. A gap longer than
 * one of the scanned stretches continues in the next, so its ends are known to the nanosecond.
 */
function gapsOf(core: Access, row: TimeRow, start: bigint): Gap[] {
  const { from, to, file } = row;
  const span = Number(to - from);
  const width = Math.max(SECOND, Math.ceil(span / MOST_STRETCHES));
  const edges = BigUint64Array.from({ length: Math.ceil(span / width) + 1 }, (_, i) => from + BigInt(i * width));
  const rows = between(core, edges, row);
  const taken = Array.from({ length: edges.length - 1 }, (_, i) => {
    const p = rows + StretchAbi.BYTES * i;
    return {
      samples: core.memory.u32(p + StretchAbi.SAMPLES),
      first: core.memory.u64(p + StretchAbi.FIRST),
      last: core.memory.u64(p + StretchAbi.LAST),
    };
  }).filter(({ samples }) => samples > 0);
  const counts = Uint32Array.from(taken, ({ samples }) => samples).sort();
  const usual = width / (counts[counts.length >> 1] ?? 1);
  const least = Math.max(width, UNUSUAL * usual);
  const ranges = core.files.filter(({ name }) => name === file).map(recordedRanges);
  const recorded = ranges.every((each) => each !== null) ? ranges.flat() : null;
  return taken.slice(1).flatMap(({ first }, i): Gap[] => {
    const { last } = taken[i]!;
    const nanos = Number(first - last);
    if (nanos < least) return [];
    const covered = recorded === null ? nanos : overlap(recorded, last, first);
    return [{ at: Number(last - start), nanos, recorded: covered >= nanos / 2, file }];
  });
}

/** How much of a stretch ascending ranges cover, each moment once. */
function overlap(ranges: readonly TimeRange[], from: bigint, to: bigint): number {
  let covered = 0n;
  let at = from;
  for (const range of ranges) {
    if (range.from > at) at = range.from;
    const end = range.to < to ? range.to : to;
    if (end <= at) continue;
    covered += end - at;
    at = end;
  }
  return Number(covered);
}

interface Stretches {
  /** Pauses as ascending ranges that do not touch. */
  ranges: { from: number; to: number }[];
  /** 0, begin and end of each range in turn, and the end of time. */
  edges: BigUint64Array;
}

/** The stretches before, in and after pauses, by their list: all selections have the same. */
const stretches = new WeakMap<Marks["pauses"], Stretches>();

function pauseEdges({ start, pauses }: Marks): Stretches {
  const known = stretches.get(pauses);
  if (known !== undefined) return known;
  const ranges = merged(pauses).filter(({ from, to }) => start + BigInt(from) > 0n && start + BigInt(to) < 1n << 63n);
  const edges = new BigUint64Array(2 * ranges.length + 2);
  for (const [i, { from, to }] of ranges.entries()) edges.set([start + BigInt(from), start + BigInt(to)], 2 * i + 1);
  edges[edges.length - 1] = END_OF_TIME;
  const made = { ranges, edges };
  stretches.set(pauses, made);
  return made;
}

/** How the current selection lies to the pauses, of which there may be hundreds of thousands. */
export function pauseCover(core: Access, marks: Marks): PauseCover {
  const { start, pauses } = marks;
  const { ranges, edges } = pauseEdges(marks);
  const rows = between(core, edges, null);
  let samples = 0;
  let time: TimeRange | undefined;
  for (let i = 0; i < edges.length - 1; i++) {
    const p = rows + StretchAbi.BYTES * i;
    const own = core.memory.u32(p + StretchAbi.SAMPLES);
    // Stretches take turns: before a pause, in it, and so on.
    if (i % 2 === 1) samples += own;
    const to = own === 0 ? 0n : core.memory.u64(p + StretchAbi.LAST);
    if (to > 0n) time = { from: time?.from ?? core.memory.u64(p + StretchAbi.FIRST), to };
  }
  if (time === undefined) return { time: null, samples: 0, pauses: 0, nanos: 0 };
  const [first, last] = [Number(time.from - start), Number(time.to - start)];
  let [count, nanos] = [0, 0];
  pauses.at.forEach((at, i) => {
    if (at <= last && at + pauses.nanos[i]! >= first) count++;
  });
  for (const { from, to } of ranges) nanos += Math.max(0, Math.min(to, last) - Math.max(from, first));
  return { time, samples, pauses: count, nanos };
}

/** Pauses as ascending ranges that do not touch: those of several files may overlap. */
function merged({ at, nanos }: Marks["pauses"]): { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  at.forEach((from, i) => {
    const to = from + nanos[i]!;
    const before = ranges.at(-1);
    if (before !== undefined && from <= before.to) before.to = Math.max(before.to, to);
    else if (to > from) ranges.push({ from, to });
  });
  return ranges;
}
