/**
 * Rows [from, to) of a column as leaves of Parquet, in the memory of the kernels: values that are there, with the
 * levels of missing values and lists.
 */
import type { ColumnData, Dictionary, How, Values } from "./column-data.ts";
import type { Kernels } from "./kernels.ts";

/** Values of a leaf without the missing ones; `at` is their place. */
export type LeafValues =
  /** Codes by first occurrence. Code i is value `used[i]` of the dictionary and occurs `counts[i]` times. */
  | { kind: "coded"; at: number; used: Uint32Array; counts: Uint32Array; dictionary: Dictionary | Numbers }
  | { kind: "longs"; at: number }
  | { kind: "ints"; at: number };

/** A dictionary of the numbers themselves. */
export interface Numbers {
  of: "int32";
}

export interface Leaf {
  /** Names below the column's. */
  path: readonly string[];
  values: LeafValues;
  maxDefinition: number;
  maxRepetition: number;
  /** Places of the levels, one for each value and each place without one; 0 if every row has a value. */
  definition: number;
  repetition: number;
  /** First level of each page, and after the last page their number. */
  levelCuts: Uint32Array;
  /** First value of each page, and after the last page their number. */
  valueCuts: Uint32Array;
}

export interface LeafOptions {
  pageRows: number;
  /** By the schema. */
  nullable: boolean;
  how: How;
}

const LIST_PATH = ["list", "element"];
const KEY_PATH = ["key_value", "key"];
const VALUE_PATH = ["key_value", "value"];

export function leavesOf(kernels: Kernels, data: ColumnData, from: number, to: number, options: LeafOptions): Leaf[] {
  if (data.kind === "map") {
    const keys = nested(kernels, KEY_PATH, data.keys, data, from, to, { ...options, nullable: false });
    // A key and its value are at the same levels.
    const items = slice(data.values, data.offsets[from]!, data.offsets[to]!);
    return [
      keys,
      { ...keys, path: VALUE_PATH, values: valuesOf(kernels, items, { ...options, nullable: false }).values },
    ];
  }
  if (data.kind === "list") return [nested(kernels, LIST_PATH, data.items, data, from, to, options)];
  return [flat(kernels, slice(data, from, to), to - from, options)];
}

function slice(values: Values, from: number, to: number): Values {
  if (values.kind === "coded") return { ...values, codes: values.codes.subarray(from, to) };
  if (values.kind === "ints") return { ...values, values: values.values.subarray(from, to) };
  return { ...values, words: values.words.subarray(2 * from, 2 * to) };
}

function cutsOf(rows: number, pageRows: number): Uint32Array {
  const pages = Math.max(1, Math.ceil(rows / pageRows));
  return Uint32Array.from({ length: pages + 1 }, (_, page) => Math.min(rows, page * pageRows));
}

function flat(kernels: Kernels, all: Values, rows: number, options: LeafOptions): Leaf {
  const { values, definition, cuts } = valuesOf(kernels, all, options);
  const isOne = isOneValue(values, rows, cuts.at(-1)!);
  return {
    path: [],
    values,
    maxDefinition: options.nullable ? 1 : 0,
    maxRepetition: 0,
    definition,
    repetition: 0,
    levelCuts: isOne ? Uint32Array.of(0, rows) : cutsOf(rows, options.pageRows),
    valueCuts: isOne ? Uint32Array.of(0, cuts.at(-1)!) : cuts,
  };
}

/** Whether all rows have one value, or none has any: such a column is one page, and most columns of a part are such. */
function isOneValue(values: LeafValues, rows: number, there: number): boolean {
  return values.kind === "coded" && values.used.length <= 1 && (there === rows || there === 0);
}

interface Present {
  values: LeafValues;
  definition: number;
  cuts: Uint32Array;
}

/** The values that are there. */
function valuesOf(kernels: Kernels, all: Values, { pageRows, nullable, how }: LeafOptions): Present {
  if (all.kind === "coded") return codedValues(kernels, all, pageRows, nullable, all.none);
  if (all.kind === "ints") {
    const { values, hasNone, table } = all;
    if (how === "plain" || how === "delta")
      return {
        values: { kind: "ints", at: kernels.put(values) },
        definition: 0,
        cuts: cutsOf(values.length, pageRows),
      };
    const codes = new Uint32Array(values.buffer, values.byteOffset, values.length);
    return codedValues(
      kernels,
      { codes, table, dictionary: { of: "int32" } },
      pageRows,
      nullable,
      hasNone ? MISSING : null,
    );
  }
  const rows = all.words.length / 2;
  const at = kernels.put(all.words);
  const cuts = cutsOf(rows, pageRows);
  if (!nullable || all.none === null)
    return { values: { kind: "longs", at }, definition: presence(kernels, rows, nullable), cuts };
  const [definition, places] = [kernels.room(rows), kernels.put(cuts)];
  kernels.wasm.presentLongs(at, rows, pageRows, definition, places);
  return { values: { kind: "longs", at }, definition, cuts: kernels.words(places, cuts.length).slice() };
}

/** -1 as a code. */
const MISSING = 2 ** 32 - 1;

/** Levels of rows that are all there. */
function presence(kernels: Kernels, rows: number, nullable: boolean): number {
  if (!nullable) return 0;
  const definition = kernels.room(rows);
  kernels.bytes(definition, rows).fill(1);
  return definition;
}

interface Coded {
  codes: Uint32Array;
  table?: Uint32Array | undefined;
  dictionary: Dictionary | Numbers;
}

function codedValues(
  kernels: Kernels,
  { codes, table, dictionary }: Coded,
  pageRows: number,
  nullable: boolean,
  none: number | null,
): Present {
  const rows = codes.length;
  const at = kernels.put(codes);
  if (table !== undefined) kernels.wasm.mapped(at, rows, kernels.put(table), at);
  const size = dictionary.of === "int32" ? 1 + kernels.wasm.highest(at, rows) : sizeOf(dictionary);
  const different = Math.min(size, rows);
  const numbers = kernels.zeros(size);
  const [used, counts] = [kernels.room(4 * different), kernels.room(4 * different)];
  const cuts = cutsOf(rows, pageRows);
  const places = kernels.put(cuts);
  const isNullable = nullable && none !== null;
  const definition = presence(kernels, rows, nullable);
  const { localise } = kernels.wasm;
  const count = localise(at, rows, isNullable, none ?? 0, pageRows, numbers, used, counts, definition, places);
  return {
    values: {
      kind: "coded",
      at,
      used: kernels.words(used, count).slice(),
      counts: kernels.words(counts, count).slice(),
      dictionary,
    },
    definition,
    cuts: rows === 0 ? cuts : kernels.words(places, cuts.length).slice(),
  };
}

function sizeOf(dictionary: Dictionary): number {
  return dictionary.of === "int64" ? dictionary.words.length / 2 : dictionary.values.length;
}

interface Lists {
  offsets: Uint32Array;
  absent?: Uint8Array | null;
}

function nested(
  kernels: Kernels,
  path: readonly string[],
  items: Values,
  { offsets, absent }: Lists,
  from: number,
  to: number,
  options: LeafOptions,
): Leaf {
  const { nullable } = options;
  const rows = to - from;
  const own = offsets.subarray(from, to + 1);
  const pageRows = own[rows] === own[0] ? Math.max(1, rows) : options.pageRows;
  const maxDefinition = nullable ? 2 : 1;
  const most = own[rows]! - own[0]! + rows;
  const [definition, repetition] = [kernels.room(most), kernels.room(most)];
  const rowCuts = cutsOf(rows, pageRows);
  const marks = absent === null || absent === undefined ? 0 : kernels.put(absent.subarray(from, to));
  const places = kernels.put(rowCuts);
  const { wasm } = kernels;
  wasm.nestedLevels(
    kernels.put(own),
    rows,
    pageRows,
    marks,
    nullable ? 1 : 0,
    maxDefinition,
    definition,
    repetition,
    places,
  );
  return {
    path,
    values: valuesOf(kernels, slice(items, own[0]!, own[rows]!), { ...options, nullable: false }).values,
    maxDefinition,
    maxRepetition: 1,
    definition,
    repetition,
    levelCuts: rows === 0 ? rowCuts : kernels.words(places, rowCuts.length).slice(),
    valueCuts: rowCuts.map((row) => own[row]! - own[0]!),
  };
}
