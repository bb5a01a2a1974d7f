/** `spans --by operation` with --trace: durations and samples of the spans of each name. */
import type { Core } from "../core/core.ts";
import { durationsOf, placesByName } from "../model/trace/operations.ts";
import { formatCount, formatNanos, formatValue } from "../model/words/format.ts";
import type { Chosen } from "./read.ts";
import { printTable } from "./terminal.ts";
import type { Traces } from "./trace-files.ts";

export interface OperationRow {
  operation: string;
  spans: number;
  p50Nano: bigint;
  p95Nano: bigint;
  maxNano: bigint;
  samples: number;
  value: bigint;
}

const ALL = 2 ** 31 - 1;

/** A row for each name of a span, by value, then by name. The samples are those of the current selection. */
export function operationRows(core: Core, { spans, columns, tree }: Traces, hasSamples: boolean): OperationRow[] {
  const totals = new Map(hasSamples ? core.views.rank({ kind: "span" }, 0, ALL).rows.map((row) => [row.id, row]) : []);
  const places = placesByName(tree.row.map((row) => columns.name[row] ?? 0));
  const rows = [...places].map(([name, of]): OperationRow => {
    const lengths = Array.from(of, (place) => (tree.end[place] ?? 0n) - (tree.start[place] ?? 0n));
    const durations = durationsOf(BigInt64Array.from(lengths));
    const ids = new Set(Array.from(of, (place) => tree.id[place] ?? 0n));
    const own = [...ids].map((id) => totals.get(id)).filter((row) => row !== undefined);
    return {
      operation: spans.string(name),
      spans: durations.spans,
      p50Nano: durations.p50,
      p95Nano: durations.p95,
      maxNano: durations.max,
      samples: own.reduce((sum, { samples }) => sum + samples, 0),
      value: own.reduce((sum, { value }) => sum + value, 0n),
    };
  });
  return rows.sort((a, b) => (a.value === b.value ? byName(a, b) : Number(b.value > a.value) * 2 - 1));
}

const byName = (a: OperationRow, b: OperationRow) =>
  Number(a.operation > b.operation) - Number(a.operation < b.operation);

/** For people: value, samples, spans, percentiles of their durations, and the name. */
export function printOperations(rows: readonly OperationRow[], chosen: Chosen | null): void {
  const unit = chosen?.profile.measures[chosen.measure]?.unit ?? "";
  printTable(
    rows.map((row) => [
      formatValue(row.value, unit),
      formatCount(row.samples),
      formatCount(row.spans),
      `p50 ${formatNanos(row.p50Nano)}`,
      `p95 ${formatNanos(row.p95Nano)}`,
      `max ${formatNanos(row.maxNano)}`,
      row.operation,
    ]),
  );
}
