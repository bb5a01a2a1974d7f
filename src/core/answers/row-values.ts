/** Values of rows that a table shows already, in another selection: the samples of it with inferred context. */
import type { Views } from "./views.ts";

/** Nodes of the call tree by the nodes above them, or functions by their names. */
export type TableRows = { below: readonly number[] } | { names: readonly string[] };

export interface RowValue {
  self: number;
  total: number;
}

/** By node or by name; rows without weight are left out. */
export type RowValues = ReadonlyMap<number | string, RowValue>;

export function rowValues(views: Pick<Views, "children" | "functions">, rows: TableRows): RowValues {
  const found =
    "names" in rows
      ? views.functions(rows.names).map((row) => ({ key: row.name, ...row }))
      : rows.below.flatMap((node) => views.children(node).map((row) => ({ key: row.node, ...row })));
  return new Map(found.map(({ key, self, total }) => [key, { self: Number(self), total: Number(total) }]));
}
