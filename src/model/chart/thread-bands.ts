/**
 * What threads did over time, without overlap. An event states the time that it lasted; CPU samples tell of the rest,
 * and wall samples of what these leave. A sample is of the time up to the next one, as in the chart of samples:
 *
 *   park event            ├────────────┤
 *   CPU samples   ├──┤                        ├──┤
 *   wall samples  ├ running ┼ park ┼ park ┼ running ┤
 *   bands         cpu├ run. ┤    park    ┤run.┤cpu┤
 */
import type { SampleReader } from "../../core/samples/sample-reader.ts";
import type { Filter, ProfileSummary } from "../../core/types.ts";
import type { Marks } from "../../core/view-types.ts";
import { BREAKDOWN } from "../span-time/breakdown.ts";
import { Pauses } from "../span-time/pauses.ts";
import { SampleStates } from "../span-time/sample-states.ts";
import { kindsOf } from "../span-time/strips.ts";
import { firstAbove } from "./visible.ts";

/** Columns of one thread in the order of time. Times are ns after a base. */
export interface Bands {
  from: Float64Array;
  to: Float64Array;
  /** Index in BREAKDOWN. */
  part: Uint8Array;
  /** 1: an event states it. */
  measured: Uint8Array;
  /** Row of the store, which names span and request. */
  link: Uint32Array;
  /** Of the event or sample, which may begin before the band. */
  at: Float64Array;
}

/** A sample that is late by half a period follows the one before without a gap. */
const LATE = 1.5;

interface Row {
  from: number;
  to: number;
  part: number;
  link: number;
  at: number;
}

/** Rows of a thread: events, CPU samples, wall samples. Those before hide those after. */
type Layers = [Row[], Row[], Row[]];

interface Asked {
  profiles: readonly ProfileSummary[];
  marks: Pick<Marks, "start" | "pauses">;
  filter: Filter;
  /** Rows of the store. */
  threads: ReadonlySet<number>;
  /** Ns since 1970. */
  base: bigint;
}

/** By row of the thread in the store; of all its samples that pass the filter. */
export function threadBands(reader: SampleReader, asked: Asked): Map<number, Bands> {
  const { profiles, marks, filter, base } = asked;
  const kinds = kindsOf(reader, profiles, new SampleStates(reader, new Pauses(marks)));
  const threads = new Map([...asked.threads].map((thread): [number, Layers] => [thread, [[], [], []]]));
  if (kinds.size === 0) return new Map();
  reader.eachOf(new Set(kinds.keys()), filter, (profile, sample) => {
    const layers = threads.get(sample.thread);
    const [part, lasted] = (layers && kinds.get(profile)?.(sample)) ?? [];
    if (layers === undefined || part === undefined || sample.time === 0n) return;
    const isEvent = lasted !== undefined && lasted > 0;
    const at = Number(sample.time - base);
    const to = at + Math.max(1, isEvent ? lasted : Number(sample.nanos));
    const row = { from: at, to, part: BREAKDOWN.indexOf(part), link: sample.link, at };
    const ofSample = part === "cpu" ? 1 : 2;
    layers[isEvent ? 0 : ofSample].push(row);
  });
  return new Map([...threads].map(([thread, layers]) => [thread, bandsOf(layers)]));
}

function bandsOf([events, cpu, wall]: Layers): Bands {
  const measured = unnested(events);
  const rows = beneath(beneath(measured, apart(cpu, LATE)), apart(wall, LATE));
  const own = new Set(measured);
  return {
    from: Float64Array.from(rows, ({ from }) => from),
    to: Float64Array.from(rows, ({ to }) => to),
    part: Uint8Array.from(rows, ({ part }) => part),
    measured: Uint8Array.from(rows, (row) => Number(own.has(row))),
    link: Uint32Array.from(rows, ({ link }) => link),
    at: Float64Array.from(rows, ({ at }) => at),
  };
}

/** Events in the order of time. If an event goes on after one inside it, the rest is a separate row. */
function unnested(events: Row[], deepest = DEEPEST): Row[] {
  events.sort(byTime);
  const rest: Row[] = [];
  for (let i = 0; i + 1 < events.length; i++) {
    const { to } = events[i + 1]!;
    if (events[i]!.to > to) rest.push({ ...events[i]!, from: to });
  }
  const rows = apart(events, 1);
  return rest.length === 0 || deepest === 0 ? rows : unnested([...rows, ...rest], deepest - 1);
}

/** Levels of nested events. A deeper event loses what comes after those inside it. */
const DEEPEST = 8;

const byTime = (a: Row, b: Row) => a.from - b.from || a.to - b.to;

/** In the order of time; each ends where the next one begins, and reaches it if that is near. */
function apart(rows: Row[], late: number): Row[] {
  rows.sort(byTime);
  for (let i = 0; i + 1 < rows.length; i++) {
    const row = rows[i]!;
    const next = rows[i + 1]!.from;
    if (next <= row.from + late * (row.to - row.from)) row.to = next;
  }
  return rows.filter(({ from, to }) => to > from);
}

/** The upper rows, and what they leave of the lower ones. */
function beneath(upper: readonly Row[], lower: readonly Row[]): Row[] {
  const found: Row[] = [];
  let next = 0;
  for (const row of lower) {
    let { from } = row;
    while (next < upper.length && upper[next]!.from < row.to) {
      const above = upper[next]!;
      if (above.from > from) found.push({ ...row, from, to: above.from });
      from = Math.max(from, above.to);
      if (above.to > row.to) break;
      found.push(above);
      next++;
    }
    if (from < row.to) found.push({ ...row, from });
  }
  return [...found, ...upper.slice(next)].sort((a, b) => a.from - b.from);
}

/** A pixel without a band. */
export const NO_PART = 255;

/** Columns by pixel. */
export interface Pixels {
  /** The state that took most of its time, `NO_PART` for none. */
  part: Uint8Array;
  /** Of its time of which a state is known, 0 to 1. */
  density: Float32Array;
  /** That of the longest band with one, 0 for none. */
  link: Uint32Array;
}

/** Bands in `count` equal pixels of a time. However short a band is, its pixel has a state. */
export function pixelsOf({ from, to, part, link }: Bands, start: number, end: number, count: number): Pixels {
  const step = Math.max(1, end - start) / count;
  const pixels = {
    part: new Uint8Array(count).fill(NO_PART),
    density: new Float32Array(count),
    link: new Uint32Array(count),
  };
  const nanos = new Float64Array(BREAKDOWN.length);
  let [linked, shown] = [0, -1];
  for (let i = firstAbove(to, start, 0, to.length); i < from.length && from[i]! < end; i++) {
    const [first, last] = [Math.max(start, from[i]!), Math.min(end, to[i]!)];
    for (
      let pixel = pixelAt(first);
      pixel < count && (pixel === pixelAt(first) || start + pixel * step < last);
      pixel++
    ) {
      if (pixel !== shown) {
        nanos.fill(0);
        [linked, shown] = [0, pixel];
      }
      const left = start + pixel * step;
      const own = Math.min(last, left + step) - Math.max(first, left);
      const sum = nanos[part[i]!]! + own;
      nanos[part[i]!] = sum;
      pixels.density[pixel] = Math.min(1, pixels.density[pixel]! + own / step);
      const before = pixels.part[pixel]!;
      if (before === NO_PART || sum > nanos[before]!) pixels.part[pixel] = part[i]!;
      if (link[i] !== 0 && own > linked) [linked, pixels.link[pixel]] = [own, link[i]!];
    }
  }
  return pixels;

  function pixelAt(moment: number): number {
    return Math.min(count - 1, Math.floor((moment - start) / step));
  }
}

/** The band at a moment, else the nearest one within reach; −1 without one. */
export function bandAt({ from, to }: Bands, moment: number, reach: number): number {
  const at = firstAbove(from, moment, 0, from.length) - 1;
  if (at >= 0 && to[at]! > moment) return at;
  const before = at >= 0 ? moment - to[at]! : Number.POSITIVE_INFINITY;
  const after = at + 1 < from.length ? from[at + 1]! - moment : Number.POSITIVE_INFINITY;
  if (Math.min(before, after) > reach) return -1;
  return before <= after ? at : at + 1;
}

/** The bands around one that are one stay in its state: those that touch it, of samples or of events as it is. */
export function stayAround(
  { from, to, part, measured }: Bands,
  at: number,
): { from: number; to: number; rows: number } {
  const isSame = (a: number, b: number) =>
    a >= 0 && b < from.length && to[a] === from[b] && part[a] === part[b] && measured[a] === 0 && measured[b] === 0;
  let [first, last] = [at, at];
  while (isSame(first - 1, first)) first--;
  while (isSame(last, last + 1)) last++;
  return { from: from[first]!, to: to[last]!, rows: last - first + 1 };
}
