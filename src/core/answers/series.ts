/**
 * Series of measurements: numbers over time that the timeline draws as strips. Most are values that the JVM wrote. Two
 * are computed:
 *
 * - The allocation rate is the growth of the heap from the end of one collection to the beginning of the next, by the
 *   time between them. A collector that frees memory while the program runs makes it too small.
 * - Throttling is the growth of the container's throttled time, by the time between two readings.
 */
import * as MeasurementRow from "../../../assembly/abi/rows/measurement-row.ts";
import type { Access } from "../instance/access.ts";
import { SERIES_KINDS, type SeriesKind } from "../tables/measurements.ts";
import type { TimeRange } from "../types.ts";
import type { SeriesLine, SeriesSummary, SeriesUnit } from "../view-types.ts";
import { eachMeasurement } from "./measured-files.ts";

const SECOND = 1e9;

/** Values in the order of time. One holds from `at` up to `until`, ns after the first measurement of all files. */
interface Points {
  at: Float64Array;
  until: Float64Array;
  value: Float64Array;
}

type Point = [at: number, until: number, value: number];
type Read = (kind: SeriesKind) => Point[];

interface SeriesRow {
  id: string;
  unit: SeriesUnit;
  points: (read: Read) => Point[];
}

const SERIES: SeriesRow[] = [
  { id: "cpu-machine", unit: "share", points: (read) => read("cpu-machine") },
  { id: "cpu-process", unit: "share", points: (read) => read("cpu-process") },
  { id: "heap", unit: "bytes", points: (read) => read("heap-after-gc") },
  {
    id: "allocation",
    unit: "bytes/s",
    points: (read) => growth(read("heap-after-gc"), read("heap-before-gc"), SECOND),
  },
  { id: "threads", unit: "count", points: (read) => read("threads") },
  {
    id: "safepoints",
    unit: "nanoseconds",
    points: (read) => read("safepoint").map(([at, , span]) => [at, at + span, span]),
  },
  { id: "throttled", unit: "share", points: (read) => growth(read("throttled"), read("throttled"), 1) },
];

/** Measurements of one file. `processors`: the machine's, 0 if they are not known. */
export interface FileSeries {
  file: string;
  processors: number;
  lines: { row: SeriesRow; points: Points }[];
}

export interface Measured {
  start: bigint;
  files: FileSeries[];
}

/**
 * The growth from each value of `ends` to the next one of `begins`, divided by the time between them in `per` ns;
 * decreases are left out.
 */
function growth(ends: Point[], begins: Point[], per: number): Point[] {
  let next = 0;
  return ends.flatMap(([from, , low], i): Point[] => {
    while (next < begins.length && begins[next]![0] <= from) next++;
    const [to, , high] = begins[next] ?? [Number.POSITIVE_INFINITY, 0, 0];
    const following = ends[i + 1]?.[0] ?? Number.POSITIVE_INFINITY;
    // The file has no start of the next collection.
    if (to === Number.POSITIVE_INFINITY || to > following || high < low) return [];
    return [[from, to, ((high - low) * per) / (to - from)]];
  });
}

/** Safepoints and VM operations in the order of time: ns from `origin`, and their lengths. */
export function safepoints(core: Access, origin: bigint): { at: Float64Array; nanos: Float64Array } {
  const kind = SERIES_KINDS.indexOf("safepoint") + 1;
  const found: [at: number, nanos: number][] = [];
  eachMeasurement(core, (p) => {
    if (core.memory.u32(p + MeasurementRow.SERIES) !== kind) return;
    found.push([Number(core.memory.i64(p + MeasurementRow.TIME) - origin), core.memory.f64(p + MeasurementRow.VALUE)]);
  });
  found.sort((a, b) => a[0] - b[0]);
  return { at: Float64Array.from(found, ([at]) => at), nanos: Float64Array.from(found, ([, nanos]) => nanos) };
}

export function readSeries(core: Access): Measured {
  const { memory, opened } = core;
  let start = 0n;
  const found = new Map<string, Map<SeriesKind, Point[]>>();
  eachMeasurement(core, (p) => {
    const time = memory.i64(p + MeasurementRow.TIME);
    start ||= time;
    const file = core.files[opened[memory.u32(p + MeasurementRow.CHUNK)]?.file ?? 0]?.name ?? "";
    const kind = SERIES_KINDS[memory.u32(p + MeasurementRow.SERIES) - 1];
    if (kind === undefined) return;
    const kinds = found.get(file) ?? new Map<SeriesKind, Point[]>();
    found.set(file, kinds);
    const points = kinds.get(kind) ?? [];
    kinds.set(kind, points);
    const at = Number(time - start);
    points.push([at, at, memory.f64(p + MeasurementRow.VALUE)]);
  });
  const files = Array.from(found, ([file, kinds]): FileSeries => {
    for (const points of kinds.values()) points.sort((a, b) => a[0] - b[0]);
    const lines = SERIES.map((row) => ({ row, points: columnsOf(row.points((kind) => kinds.get(kind) ?? [])) }));
    const processors = kinds.get("processors")?.at(-1)?.[2] ?? 0;
    return { file, processors, lines: lines.filter(({ points }) => points.at.length > 0) };
  });
  return { start, files };
}

function columnsOf(points: Point[]): Points {
  return {
    at: Float64Array.from(points, ([at]) => at),
    until: Float64Array.from(points, ([, until]) => until),
    value: Float64Array.from(points, ([, , value]) => value),
  };
}

/**
 * The lines of a file over a range of time, in `bins` equal bins with the least and the greatest value each; the
 * extremes are those of `whole`.
 */
export function linesIn(
  { start, files }: Measured,
  file: string,
  whole: TimeRange,
  shown: TimeRange,
  bins: number,
): SeriesLine[] {
  const from = Number(shown.from - start);
  const scale = bins / Math.max(1, Number(shown.to - shown.from));
  const first = Number(whole.from - start);
  const last = Number(whole.to - start);
  const own = files.find((each) => each.file === file)?.lines ?? [];
  return own.flatMap(({ row, points: { at, until, value } }): SeriesLine[] => {
    const low = new Float64Array(bins).fill(Number.NaN);
    const high = new Float64Array(bins).fill(Number.NaN);
    let [least, most, count] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
    at.forEach((begin, i) => {
      const end = until[i]!;
      if (begin >= last || end < first) return;
      const size = value[i]!;
      count++;
      least = Math.min(least, size);
      most = Math.max(most, size);
      const leftmost = Math.floor((begin - from) * scale);
      const rightmost = Math.min(bins - 1, Math.max(leftmost, Math.ceil((end - from) * scale) - 1));
      for (let bin = Math.max(0, leftmost); bin <= rightmost; bin++) {
        low[bin] = Number.isNaN(low[bin]!) ? size : Math.min(low[bin]!, size);
        high[bin] = Number.isNaN(high[bin]!) ? size : Math.max(high[bin]!, size);
      }
    });
    return count === 0 ? [] : [{ id: row.id, unit: row.unit, low, high, least, most, count }];
  });
}

/**
 * The CPU time of the processes by the JVM's own load, ns: each value holds since the one before. Null without a load,
 * or where the number of processors is not known.
 */
export function jvmCpuNanos({ files }: Measured): number | null {
  const own = files.flatMap(({ processors, lines }) => {
    const load = lines.find(({ row }) => row.id === "cpu-process")?.points;
    if (load === undefined || processors === 0) return [];
    return load.value.reduce(
      (sum, value, i) => sum + value * processors * (load.at[i]! - load.at[Math.max(0, i - 1)]!),
      0,
    );
  });
  return own.length === 0 ? null : own.reduce((sum, each) => sum + each, 0);
}

/** Every series of every file, in figures. */
export function seriesSummary({ files }: Measured): SeriesSummary[] {
  return files.flatMap(({ file, lines }) =>
    lines.map(({ row: { id, unit }, points: { value } }) => ({
      file,
      series: id,
      unit,
      values: value.length,
      least: value.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY),
      most: value.reduce((most, each) => Math.max(most, each), Number.NEGATIVE_INFINITY),
    })),
  );
}
