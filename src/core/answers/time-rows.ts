/**
 * Rows of time in the timeline: one for each file, or for each part of a file if its chunks are far apart in time. An
 * event may begin long before its recording; a row covers the recorded time, not the time of all events.
 */
import * as Stretch from "../../../assembly/abi/stretch.ts";
import type { Access } from "../instance/access.ts";
import { recordedParts } from "../tables/recorded-time.ts";
import type { FileSummary, TimeRange } from "../types.ts";
import { measuredFiles } from "./measured-files.ts";

/** A stretch of time that has samples: a file, or a part of one. */
export interface TimeRow extends TimeRange {
  file: string;
  /** Its observations, by the core's numbers: from `first` on and before `last`. */
  first: number;
  last: number;
  /** The file has measurements of the JVM (series.ts). */
  measured: boolean;
}

/** More rows are not for people. */
const MOST_ROWS = 100;
const END_OF_TIME = (1n << 64n) - 1n;

/** In the order of time. Files without a sample that has a time have no row. */
export function timeRows(core: Access): TimeRow[] {
  const measured = measuredFiles(core);
  const rows: TimeRow[] = [];
  let last = 0;
  for (const file of core.files) {
    const first = last;
    last += file.samples;
    if (file.samples > 0) rows.push(...partsOf(core, file, { first, last, measured: measured.has(file.name) }));
  }
  return rows.sort((a, b) => (a.from < b.from ? -1 : Number(a.from > b.from))).slice(0, MOST_ROWS);
}

function partsOf(core: Access, file: FileSummary, of: Omit<TimeRow, "from" | "to" | "file">): TimeRow[] {
  const parts = recordedParts(file);
  const { first, last } = of;
  const { name } = file;
  // A moment at 0 is one without a time, except where the core knows the bounds of the only file.
  const known = core.files.length === 1 ? timeBounds(core) : samplesBetween(core, first, last);
  if (known === null) return [];
  if (parts?.some(({ from, to }) => known.from < to && known.to > from)) {
    const last = parts.at(-1)!;
    // A chunk may be longer than its header says: nothing is recorded after the end.
    if (known.to > last.to && known.to - last.to < last.to - last.from) last.to = known.to;
    return parts.map((part) => ({ ...part, file: name, ...of }));
  }
  // Without usable chunks a file lasts as long as its samples.
  return [{ ...known, file: name, ...of }];
}

export function timeBounds({ wasm }: Access): TimeRange | null {
  const from = BigInt.asUintN(64, wasm.earliest.value);
  const to = BigInt.asUintN(64, wasm.latest.value) + 1n;
  return to > from ? { from, to } : null;
}

/** First and last moment of the observations [first, last); those without a time are at 0. */
function samplesBetween(core: Access, first: number, last: number): TimeRange | null {
  const { wasm, memory } = core;
  const edges = BigUint64Array.of(1n, END_OF_TIME);
  const p = core.lend(new Uint8Array(edges.buffer), (at) => wasm.stretchesOf(at, edges.length, true, first, last));
  if (memory.u32(p + Stretch.SAMPLES) === 0) return null;
  return { from: memory.u64(p + Stretch.FIRST), to: memory.u64(p + Stretch.LAST) + 1n };
}
