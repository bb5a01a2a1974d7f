/** A call tree that is opened frame by frame, as the rows of a table. */
import type { TreeRow } from "../../core/view-types.ts";

export interface OpenRow extends TreeRow {
  /** Of the topmost frames 1. */
  level: number;
  open: boolean;
  /** Its place among those of the same caller, from 1, and how many they are. */
  position: number;
  siblings: number;
  /** Index of the row of its caller, -1 for the topmost. */
  above: number;
}

/** Rows of the open nodes: `below` has the fetched children by node; node 0 is the root, which has no row. */
export function openRows(below: ReadonlyMap<number, TreeRow[]>, open: ReadonlySet<number>): OpenRow[] {
  const rows: OpenRow[] = [];
  // No recursion: stacks may be two thousand frames deep.
  const pending: OpenRow[] = [];
  const push = (node: number, level: number, above: number) => {
    const children = below.get(node) ?? [];
    for (let i = children.length - 1; i >= 0; i--) {
      const row = children[i];
      const isOpen = open.has(row.node);
      pending.push({ ...row, level, open: isOpen, position: i + 1, siblings: children.length, above });
    }
  };
  push(0, 1, -1);
  for (let row = pending.pop(); row !== undefined; row = pending.pop()) {
    rows.push(row);
    if (row.open) push(row.node, row.level + 1, rows.length - 1);
  }
  return rows;
}
