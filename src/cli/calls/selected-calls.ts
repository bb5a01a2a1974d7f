/**
 * Calls of dumps that pass a filter, by their numbers: a dump may have millions, so records are made only of those that
 * a test of texts needs, and of those that are printed.
 */
import type { CallColumns, CallFigure } from "../../core/dumps/call-columns.ts";
import type { Dumps } from "../../core/dumps/dump.ts";
import { type Call, callOf } from "../../model/calls/call.ts";
import { ALL_CALLS, type CallFilter, passes } from "../../model/calls/call-filter.ts";
import type { CallOrder } from "../../model/calls/call-orders.ts";

const NANOS = 1_000_000n;

export class SelectedCalls {
  numbers: number[];
  private readonly dumps: Dumps;
  private readonly columns: CallColumns;

  constructor(dumps: Dumps, filter: CallFilter) {
    this.dumps = dumps;
    this.columns = dumps.columns;
    this.numbers = this.matching(filter);
  }

  call(number: number): Call {
    const row = this.dumps.call(number);
    return callOf(number, row, this.dumps.runs, this.dumps.word(row.run, row.method));
  }

  private matching(filter: CallFilter): number[] {
    const { columns, dumps } = this;
    const [recorded, starts, durations] = [columns.recorded(), columns.figures("start"), columns.figures("duration")];
    const wanted = filter.roots === "all" ? null : Number(filter.roots === "recorded");
    const [least, most] = [Number(filter.min), Number(filter.max)];
    // A start in ms is in [from, to) where its nanoseconds are.
    const [first, last] = [filter.from, filter.to].map((time) => Number((time + NANOS - 1n) / NANOS)) as [
      number,
      number,
    ];
    // Few calls are in the blocks of those that are wanted.
    const blocks = new Set(filter.ids.map((id) => Number(/:(\d+):\d+(~\d+)?$/.exec(id)?.[1])));
    const offsets = columns.numbers("offset");
    const { ids, threads, params, query } = filter;
    const hasTexts = ids.length + threads.length + params.length > 0 || query.trim() !== "";
    const test = passes({ ...ALL_CALLS, ids, threads, params, query });
    const found: number[] = [];
    for (let i = 1; i <= dumps.callCount; i++) {
      if (wanted !== null && recorded[i] !== wanted) continue;
      if (!(durations[i]! >= least && durations[i]! < most && starts[i]! >= first && starts[i]! < last)) continue;
      if (ids.length > 0 && !blocks.has(offsets[i]!)) continue;
      if (!hasTexts || test(this.call(i))) found.push(i);
    }
    return found;
  }

  /** Sums of figures that every call has, ms. */
  sumOf(figure: CallFigure): bigint {
    const column = this.columns.figures(figure);
    return BigInt(this.numbers.reduce((sum, number) => sum + column[number]!, 0));
  }

  /** The first `limit` calls of an order; where the figure is equal, by start, run and key. */
  first(limit: number, order: CallOrder): Call[] {
    const compare = this.comparison(order);
    let best: number[] = [];
    const most = Math.max(2 * limit, limit + LEAST_ROOM);
    for (const number of this.numbers) {
      if (best.length >= most) best = best.sort(compare).slice(0, limit);
      best.push(number);
    }
    return best
      .sort(compare)
      .slice(0, limit)
      .map((number) => this.call(number));
  }

  private comparison(order: CallOrder): (a: number, b: number) => number {
    const { columns } = this;
    const figure = this.figureOf(order);
    const starts = columns.figures("start");
    const keys = (["run", "file", "offset", "ordinal", "twin"] as const).map((name) => columns.numbers(name));
    return (a, b) => {
      const [x, y] = [figure[a]!, figure[b]!];
      // Calls without the figure are last.
      if (x !== y && !(Number.isNaN(x) && Number.isNaN(y))) {
        return Number.isNaN(x) || Number.isNaN(y) ? Number(Number.isNaN(x)) - Number(Number.isNaN(y)) : y - x;
      }
      if (starts[a] !== starts[b]) return starts[a]! - starts[b]!;
      for (const key of keys) if (key[a] !== key[b]) return key[a]! - key[b]!;
      return 0;
    };
  }

  /** Descending; NaN where a call does not have it. */
  private figureOf(order: CallOrder): Float64Array | Uint32Array {
    const { columns } = this;
    switch (order) {
      case "net": {
        const suspensions = columns.figures("suspension");
        return columns.figures("duration").map((duration, i) => duration - suspensions[i]!);
      }
      case "start":
        return columns.figures("start").map((start) => -start);
      case "calls":
        return columns.numbers("enters");
      default:
        return columns.figures(order);
    }
  }
}

/** Calls that are kept before they are sorted, beside those that are wanted. */
const LEAST_ROOM = 1000;
