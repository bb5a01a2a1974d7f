/** Calls over time: a grid of start × duration, and the share of pauses in each column. */
import type { Dumps } from "../../core/dumps/dump.ts";
import type { Filter } from "../../core/types.ts";
import { durationRow } from "../../model/calls/density.ts";
import { filterKey } from "../../model/query/query.ts";
import type { CallDensity, DensityQuestion } from "../api/calls-api.ts";
import type { CallSamples } from "./call-samples.ts";
import type { CallTable } from "./call-table.ts";

/** Cells of a grid at most, so that no question takes memory without end. */
const MOST_COLUMNS = 4096;
const MOST_ROWS = 256;

export class Densities {
  private readonly dumps: Dumps;
  private readonly table: CallTable;
  private readonly samples: CallSamples;
  private chosen: { key: string; isSelected: Uint8Array } | null = null;
  private red: Uint8Array | null = null;

  constructor({ dumps, table, samples }: { dumps: Dumps; table: CallTable; samples: CallSamples }) {
    this.dumps = dumps;
    this.table = table;
    this.samples = samples;
  }

  of(question: DensityQuestion): CallDensity {
    const { filter, from, to } = question;
    const columns = Math.max(1, Math.min(MOST_COLUMNS, Math.floor(question.columns)));
    const rows = Math.max(1, Math.min(MOST_ROWS, Math.floor(question.rows)));
    const isSelected = this.selected(filter);
    const isRed = this.reds();
    const starts = this.table.columns.figures("start");
    const durations = this.table.columns.figures("duration");
    const cells = columns * rows;
    const grid = {
      all: new Uint32Array(cells),
      selected: new Uint32Array(cells),
      red: new Uint32Array(cells),
    };
    const counts = { calls: 0, selectedCalls: 0, redCalls: 0 };
    const longest = this.longest();
    const width = Math.max(1, to - from);
    for (let call = 1; call <= this.table.count; call++) {
      const start = starts[call]!;
      if (start < from || start >= to) continue;
      const column = Math.min(columns - 1, Math.floor(((start - from) / width) * columns));
      const cell = durationRow(durations[call]!, longest, rows) * columns + column;
      grid.all[cell]!++;
      counts.calls++;
      if (isSelected[call] === 0) continue;
      grid.selected[cell]!++;
      counts.selectedCalls++;
      if (isRed[call] === 0) continue;
      grid.red[cell]!++;
      counts.redCalls++;
    }
    return { from, to, columns, rows, longest, ...grid, ...counts, ...this.pauses(from, to, columns) };
  }

  private longest(): number {
    return this.table.columns.figures("duration").reduce((most, duration) => Math.max(most, duration), 0);
  }

  /** By the numbers of the calls. */
  private selected(filter: Filter): Uint8Array {
    const key = filterKey(filter);
    if (this.chosen?.key !== key) {
      const isSelected = new Uint8Array(this.table.count + 1);
      for (const call of this.samples.callsOf(filter)) isSelected[call] = 1;
      this.chosen = { key, isSelected };
    }
    return this.chosen.isSelected;
  }

  private reds(): Uint8Array {
    if (this.red === null) {
      this.red = new Uint8Array(this.table.count + 1);
      const isRed = this.table.reds();
      for (let call = 1; call <= this.table.count; call++) this.red[call] = Number(isRed(call));
    }
    return this.red;
  }

  /** The longest share of a column that the JVM of any run was paused; ms of pauses of all runs. */
  private pauses(from: number, to: number, columns: number): { paused: Float64Array; pausedMs: number } {
    const shares = new Float64Array(columns);
    const width = Math.max(1, to - from) / columns;
    let pausedMs = 0;
    for (const run of this.dumps.runs.keys()) {
      const own = new Float64Array(columns);
      const pauses = this.dumps.pausesWithin(run, from, to);
      for (let i = 0; i < pauses.from.length; i++) {
        const begin = Math.max(from, pauses.from[i]!);
        const end = Math.min(to, pauses.to[i]!);
        pausedMs += end - begin;
        const last = Math.min(columns - 1, Math.floor((end - from) / width));
        for (let column = Math.floor((begin - from) / width); column <= last; column++) {
          const left = from + column * width;
          own[column]! += Math.max(0, Math.min(end, left + width) - Math.max(begin, left)) / width;
        }
      }
      for (let column = 0; column < columns; column++) {
        shares[column] = Math.max(shares[column]!, Math.min(1, own[column]!));
      }
    }
    return { paused: shares, pausedMs };
  }
}
