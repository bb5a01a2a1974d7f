/**
 * Rows [from, to) of a column as leaves of Parquet: values that are there, with the levels that say which are missing
 * and where lists begin.
 */
import type { ColumnData, Values } from "./column-data.ts";

export interface Leaf {
  /** Names below the column's. */
  path: readonly string[];
  values: Values;
  maxDefinition: number;
  maxRepetition: number;
  /** A level for each value and each place without one; null if every row has a value. */
  definition: Uint8Array | null;
  repetition: Uint8Array | null;
  /** First level of each page, and after the last page their number. */
  levelCuts: number[];
  /** The same for the values. */
  valueCuts: number[];
}

export const LIST_PATH = ["list", "element"];
export const KEY_PATH = ["key_value", "key"];
export const VALUE_PATH = ["key_value", "value"];

/** Leaves of rows [from, to), in pages of `pageRows`. `nullable`: by the schema. */
export function leavesOf(data: ColumnData, from: number, to: number, pageRows: number, nullable: boolean): Leaf[] {
  const rowCuts: number[] = [];
  for (let row = from; row < to; row += pageRows) rowCuts.push(row);
  rowCuts.push(to);
  if (data.kind === "map") {
    const keys = nested(KEY_PATH, data.keys, data.offsets, null, rowCuts, false);
    // A key and its value are at the same levels.
    return [keys, { ...keys, path: VALUE_PATH, values: slice(data.values, data.offsets[from]!, data.offsets[to]!) }];
  }
  if (data.kind === "list") return [nested(LIST_PATH, data.items, data.offsets, data.absent, rowCuts, nullable)];
  return [flat(data, from, to, rowCuts, nullable)];
}

function slice(values: Values, from: number, to: number): Values {
  if (values.kind === "coded") return { ...values, codes: values.codes.subarray(from, to) };
  if (values.kind === "ints") return { ...values, values: values.values.subarray(from, to) };
  return { ...values, words: values.words.subarray(2 * from, 2 * to) };
}

function flat(values: Values, from: number, to: number, rowCuts: readonly number[], nullable: boolean): Leaf {
  const all = slice(values, from, to);
  const cuts = rowCuts.map((row) => row - from);
  const plain: Leaf = {
    path: [],
    values: all,
    maxDefinition: nullable ? 1 : 0,
    maxRepetition: 0,
    definition: null,
    repetition: null,
    levelCuts: cuts,
    valueCuts: cuts,
  };
  if (!nullable) return plain;
  const definition = presence(all, to - from);
  const valueCuts = [0];
  let there = 0;
  for (let page = 1; page < cuts.length; page++) {
    for (let i = cuts[page - 1]!; i < cuts[page]!; i++) there += definition[i]!;
    valueCuts.push(there);
  }
  return { ...plain, definition, valueCuts, values: there === to - from ? all : compacted(all, definition, there) };
}

function presence(values: Values, rows: number): Uint8Array {
  const present = new Uint8Array(rows).fill(1);
  if (values.kind === "coded") {
    const { codes, none } = values;
    if (none !== null) for (let i = 0; i < rows; i++) present[i] = codes[i] === none ? 0 : 1;
  } else if (values.kind === "ints") {
    if (values.hasNone) for (let i = 0; i < rows; i++) present[i] = values.values[i] === -1 ? 0 : 1;
  } else if (values.none !== null) {
    const { words } = values;
    for (let i = 0; i < rows; i++) present[i] = (words[2 * i]! | words[2 * i + 1]!) === 0 ? 0 : 1;
  }
  return present;
}

function compacted(values: Values, present: Uint8Array, there: number): Values {
  let n = 0;
  if (values.kind === "coded") {
    const codes = new Uint32Array(there);
    for (let i = 0; i < present.length; i++) if (present[i] === 1) codes[n++] = values.codes[i]!;
    return { ...values, codes };
  }
  if (values.kind === "ints") {
    const ints = new Int32Array(there);
    for (let i = 0; i < present.length; i++) if (present[i] === 1) ints[n++] = values.values[i]!;
    return { ...values, values: ints };
  }
  const words = new Uint32Array(2 * there);
  for (let i = 0; i < present.length; i++) {
    if (present[i] === 0) continue;
    words[n++] = values.words[2 * i]!;
    words[n++] = values.words[2 * i + 1]!;
  }
  return { ...values, words };
}

function nested(
  path: readonly string[],
  items: Values,
  offsets: Uint32Array,
  absent: Uint8Array | null,
  rowCuts: readonly number[],
  nullable: boolean,
): Leaf {
  const from = rowCuts[0]!;
  const to = rowCuts.at(-1)!;
  const maxDefinition = nullable ? 2 : 1;
  let levels = 0;
  for (let row = from; row < to; row++) levels += Math.max(1, offsets[row + 1]! - offsets[row]!);
  const definition = new Uint8Array(levels);
  const repetition = new Uint8Array(levels);
  const levelCuts: number[] = [];
  let at = 0;
  let page = 0;
  for (let row = from; row < to; row++) {
    if (row === rowCuts[page]) {
      levelCuts.push(at);
      page++;
    }
    const count = offsets[row + 1]! - offsets[row]!;
    if (count === 0) {
      definition[at++] = nullable && absent?.[row] !== 1 ? 1 : 0;
      continue;
    }
    definition.fill(maxDefinition, at, at + count);
    repetition.fill(1, at + 1, at + count);
    at += count;
  }
  levelCuts.push(at);
  const base = offsets[from]!;
  return {
    path,
    values: slice(items, base, offsets[to]!),
    maxDefinition,
    maxRepetition: 1,
    definition,
    repetition,
    levelCuts,
    valueCuts: rowCuts.map((row) => offsets[row]! - base),
  };
}
