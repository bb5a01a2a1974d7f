/**
 * `spans --by operation`: durations and samples of the spans of each name, of trace files or of those that the
 * recordings know.
 */
import type { Views } from "../../core/answers/views.ts";
import type { Core } from "../../core/core.ts";
import { knownRequests } from "../../core/samples/recorded-spans.ts";
import type { RankRow } from "../../core/types.ts";
import { servicesOf } from "../../model/trace/beside.ts";
import { durationsOf, placesByName } from "../../model/trace/operations.ts";
import { settleHalves } from "../../model/trace/tree.ts";
import { formatCount, formatNanos, formatValue } from "../../model/words/format.ts";
import type { Chosen } from "../../node/read.ts";
import { printTable } from "../../node/terminal.ts";
import type { ReadSpans } from "../../requests/read-spans.ts";

interface Durations {
  spans: number;
  p50Nano: bigint;
  p95Nano: bigint;
  maxNano: bigint;
}

/** Null where no recording knows the spans of the operation. */
type Nullable<T> = { [Name in keyof T]: T[Name] | null };

export interface OperationRow extends Durations {
  operation: string;
  samples: number;
  value: bigint;
}

const ALL = 2 ** 31 - 1;

/** A row for each name of a span, by value, then by name, with the samples of a selection. */
export function operationRows(core: Core, { spans, columns, tree }: ReadSpans, views: Views | null): OperationRow[] {
  settleHalves(tree, columns, servicesOf(core, spans));
  const totals = new Map((views?.rank({ kind: "span" }, 0, ALL).rows ?? []).map((row) => [row.id, row]));
  const lengthOf = (place: number) => (tree.end[place] ?? 0n) - (tree.start[place] ?? 0n);
  const isKnown = knownRequests(spans, columns, columns.id.length);
  const places = placesByName(tree.row.map((row) => columns.name[row] ?? 0));
  const rows = [...places].flatMap(([name, all]): OperationRow[] => {
    const of = all.filter((place) => isKnown(tree.row[place] ?? 0));
    if (of.length === 0) return [];
    const lengths = Array.from(of, lengthOf);
    const durations = durationsOf(BigInt64Array.from(lengths));
    const ids = new Set(
      Array.from(
        of.filter((place) => tree.silent[place] === 0),
        (place) => tree.id[place] ?? 0n,
      ),
    );
    const own = [...ids].map((id) => totals.get(id)).filter((row) => row !== undefined);
    const row = {
      operation: spans.string(name),
      spans: durations.spans,
      p50Nano: durations.p50,
      p95Nano: durations.p95,
      maxNano: durations.max,
      samples: own.reduce((sum, { samples }) => sum + samples, 0),
      value: own.reduce((sum, { value }) => sum + value, 0n),
    };
    return [row];
  });
  return rows.sort((a, b) =>
    a.value === b.value ? byText(a.operation, b.operation) : Number(b.value > a.value) * 2 - 1,
  );
}

const byText = (a: string, b: string) => Number(a > b) - Number(a < b);

/** A value of the attribute that names operations, with the durations that the recordings know. */
interface NamedOperation extends Pick<OperationRow, "samples" | "value">, Nullable<Durations> {
  key: string;
}

/**
 * Without a trace file: the rows of the attribute, with durations, and the operations that only names of spans state.
 * The samples of these are those of their spans. By value, then by name.
 */
export function namedOperations(ranked: readonly RankRow[], known: readonly OperationRow[]): NamedOperation[] {
  const byOperation = new Map(known.map((row) => [row.operation, row]));
  const unknown = { spans: null, p50Nano: null, p95Nano: null, maxNano: null };
  const rows = ranked.map(({ label: key, samples, value }): NamedOperation => {
    const { operation: _, ...durations } = byOperation.get(key) ?? { operation: key, ...unknown };
    byOperation.delete(key);
    return { key, ...durations, samples, value };
  });
  byOperation.delete("");
  for (const { operation: key, ...row } of byOperation.values()) rows.push({ key, ...row });
  return rows.sort((a, b) => (a.value === b.value ? byText(a.key, b.key) : Number(b.value > a.value) * 2 - 1));
}

/** For people: value, samples, spans, percentiles of their durations, and the name. */
export function printOperations(rows: readonly (OperationRow | NamedOperation)[], chosen: Chosen | null): void {
  const unit = chosen?.profile.measures[chosen.measure]?.unit ?? "";
  const time = (name: string, nanos: bigint | null) => (nanos === null ? "" : `${name} ${formatNanos(nanos)}`);
  printTable(
    rows.map((row) => [
      formatValue(row.value, unit),
      formatCount(row.samples),
      row.spans === null ? "" : formatCount(row.spans),
      time("p50", row.p50Nano),
      time("p95", row.p95Nano),
      time("max", row.maxNano),
      "key" in row ? row.key : row.operation,
    ]),
    ["value", "samples", "spans", "p50", "p95", "longest", "operation"],
  );
}
