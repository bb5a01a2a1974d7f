/** Tables beside the samples whose rows have dates of their own: spans, calls. */
import type { TableName } from "../../core/tables/data-sets.ts";
import type { Rows } from "../parquet/file.ts";

/** Rows of such a table in a core. */
export interface DatedRows {
  readonly name: TableName;
  /** Days since 1970 with rows, each with the recordings of these rows by their indices. */
  days(): ReadonlyMap<number, ReadonlySet<number>>;
  /** Rows of a day. `numbers`: in the part, by recording. */
  rowsOf(part: string, day: number, numbers: ReadonlyMap<number, number>): { rows: Rows; count: number };
}

const DAY_MS = 86_400_000;

/** The UTC date of a day since 1970. */
export const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** The days of several tables. */
export function daysOf(tables: readonly DatedRows[]): Map<number, Set<number>> {
  const found = new Map<number, Set<number>>();
  for (const [day, recordings] of tables.flatMap((table) => [...table.days()])) {
    found.set(day, new Set([...(found.get(day) ?? []), ...recordings]));
  }
  return found;
}
