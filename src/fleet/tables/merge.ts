/** Several parts of a date as one: stacks, functions and recordings are numbered again, samples sorted again. */

import type { TableName } from "../../core/tables/data-sets.ts";
import { FRAME_TYPES } from "../../model/flame/frame-types.ts";
import { type ColumnData, sameText, type Values } from "../parquet/column-data.ts";
import { asCodes, concatenated, reordered } from "../parquet/columns.ts";
import { Damaged } from "../parquet/damage.ts";
import type { Rows } from "../parquet/file.ts";
import type { Kernels } from "../parquet/kernels.ts";
import { tableOf } from "../parquet/schema.ts";
import { inOrder } from "./sort.ts";
import { type Functions, StackTable } from "./stack-rows.ts";

/** Tables that a part may lack. */
export const DATED = ["spans", "calls"] as const satisfies readonly TableName[];

/** Tables of a part, as files have them. */
export type PartRows = Record<"samples" | "stacks" | "functions" | "recordings", TableRows> &
  Record<(typeof DATED)[number], TableRows | null>;

interface TableRows {
  rows: Rows;
  count: number;
}

export interface MergedTable {
  name: TableName;
  rows: Rows;
  count: number;
}

/** Columns with more different numbers are stored as they are. */
const MOST_VALUES = 1 << 14;
const decoder = new TextDecoder();

export function mergedTables(kernels: Kernels, part: string, parts: readonly PartRows[]): MergedTable[] {
  const { table, firstStacks, count } = stacksOf(kernels, parts);
  const { ids, stacks, functions, counts } = table.rowsOf(part, new Uint8Array(count).fill(1));
  const recordings = merged("recordings", part, parts, (own, _, first) => ({
    ...own,
    recording_id: shifted(own, first),
  }));
  const samples = merged("samples", part, parts, (own, i, _first, firstRecording) => ({
    ...own,
    recording_id: shifted(own, firstRecording),
    stack_id: renumbered(own.stack_id, ids, firstStacks[i]!),
  }));
  const order = orderOf(kernels, samples.rows, samples.count);
  const rows = Object.fromEntries(
    Object.entries(samples.rows).map(([name, data]) => [name, reordered(kernels, data, order)]),
  );
  return [
    { name: "functions", rows: functions, count: counts[1] },
    { name: "stacks", rows: stacks, count: counts[0] },
    { ...recordings, name: "recordings" },
    ...DATED.filter((name) => parts.some((own) => own[name] !== null)).map((name) =>
      mergedDated(kernels, name, part, parts),
    ),
    { name: "samples", rows: encodable(kernels, rows), count: samples.count },
  ];
}

/** Spans in the order of span-rows.ts, calls in that of call-rows.ts. */
function mergedDated(kernels: Kernels, name: Dated, part: string, parts: readonly PartRows[]): MergedTable {
  const { rows, count } = merged(name, part, parts, (own, _, _first, firstRecording) => ({
    ...own,
    recording_id: shifted(own, firstRecording),
  }));
  const start = rows.start_unix_nano;
  if (start?.kind !== "longs") throw new RangeError("a column of other values");
  const starts = new BigInt64Array(start.words.slice().buffer);
  const groups = ranks(name === "spans" ? rows.trace_id : rows.service);
  const order = Uint32Array.from({ length: count }, (_, i) => i).sort((a, b) => {
    const [first, second] = [groups.ranks[groups.codes[a]!]!, groups.ranks[groups.codes[b]!]!];
    return first === second ? Number(starts[a]! - starts[b]!) : first - second;
  });
  const sorted = Object.entries(rows).map(([name, data]) => [name, reordered(kernels, data, order)] as const);
  const own: Rows = Object.fromEntries(sorted);
  return { name, rows: { ...own, span_id: asCodes(kernels, own.span_id) }, count };
}

type Dated = (typeof DATED)[number];
type Change = (own: Rows, part: number, first: number, firstRecording: number) => Rows;

/** Rows of a table of all parts that have it. */
function merged(name: "samples" | "recordings" | Dated, part: string, parts: readonly PartRows[], change: Change) {
  let count = 0;
  let firstRecording = 0;
  const changed = parts.flatMap((own, i) => {
    const table = own[name];
    const rows = table === null ? [] : [change(table.rows, i, count, firstRecording)];
    count += table?.count ?? 0;
    firstRecording += own.recordings.count;
    return rows;
  });
  const rows: Rows = {};
  for (const column of tableOf(name).columns) {
    const all = changed.map((own) => own[column.name]!);
    rows[column.name] = column.name === "part" ? sameText(part, count) : concatenated(all);
  }
  return { rows, count };
}

/** Throws if a row of a table refers to one that its part does not have. */
export function checkPart(table: TableName, part: PartRows): void {
  const own = part[table];
  if (own === null) return;
  const { rows } = own;
  const below = (column: string, values: Int32Array, count: number, least = 0) => {
    const wrong = values.find((value) => value < least || value >= count);
    if (wrong !== undefined) throw new Damaged(`it refers to row ${wrong} of ${count}`, { column });
  };
  if (rows.recording_id !== undefined) below("recording_id", ints(rows.recording_id), part.recordings.count);
  if (table === "samples") below("stack_id", ints(rows.stack_id), part.stacks.count, -1);
  if (table !== "stacks") return;
  const [frames, lines] = [listOf(rows.frames), listOf(rows.lines)];
  below("frames", frames.items, part.functions.count);
  const sizeOf = ({ offsets }: typeof frames, row: number) => offsets[row + 1]! - offsets[row]!;
  for (let row = 0; row < own.count; row++) {
    const size = sizeOf(lines, row);
    if (size !== 0 && size !== sizeOf(frames, row))
      throw new Damaged(`row ${row} has ${size} lines`, { column: "lines" });
  }
}

function ints(data: ColumnData | undefined): Int32Array {
  if (data?.kind !== "ints") throw new RangeError("a column of other values");
  return data.values;
}

function shifted({ recording_id: ids }: Rows, first: number): ColumnData {
  return { kind: "ints", values: ints(ids).map((id) => id + first), hasNone: false };
}

function renumbered(data: ColumnData | undefined, ids: Int32Array, first: number): ColumnData {
  return { kind: "ints", values: ints(data).map((id) => (id < 0 ? -1 : ids[first + id]!)), hasNone: true };
}

/** Stacks of all parts, and the number of the first one of each part. Stack 0 is the empty one. */
function stacksOf(
  kernels: Kernels,
  parts: readonly PartRows[],
): { table: StackTable; firstStacks: number[]; count: number } {
  const functions: Functions = { name: [], display: [], file: [], type: new Uint8Array() };
  const types: number[] = [];
  const known = new Map<string, number>();
  const frames = parts.reduce((sum, { stacks }) => sum + listOf(stacks.rows.frames).items.length, 0);
  const count = 1 + parts.reduce((sum, { stacks }) => sum + stacks.count, 0);
  const all = {
    offsets: new Uint32Array(count + 1),
    functions: new Uint32Array(frames),
    lines: new Uint32Array(frames),
  };
  const firstStacks: number[] = [];
  let stack = 1;
  let n = 0;
  for (const { stacks, functions: own } of parts) {
    firstStacks.push(stack);
    const numbers = addFunctions(own.rows, own.count, functions, types, known);
    const list = listOf(stacks.rows.frames);
    const lines = listOf(stacks.rows.lines);
    for (let row = 0; row < stacks.count; row++) {
      const from = list.offsets[row]!;
      const size = list.offsets[row + 1]! - from;
      const line = lines.offsets[row]!;
      const hasLines = lines.offsets[row + 1]! > line;
      for (let i = 0; i < size; i++) {
        all.functions[n] = numbers[list.items[from + i]!]!;
        all.lines[n++] = hasLines ? lines.items[line + i]! : 0;
      }
      all.offsets[++stack] = n;
    }
  }
  functions.type = Uint8Array.from(types);
  return { table: new StackTable(kernels, functions, all), firstStacks, count };
}

function listOf(data: ColumnData | undefined): { offsets: Uint32Array; items: Int32Array } {
  if (data?.kind !== "list" || data.items.kind !== "ints") throw new RangeError("a column of other values");
  return { offsets: data.offsets, items: data.items.values };
}

function textsOf(data: ColumnData | undefined): (row: number) => string {
  if (data?.kind !== "coded" || data.dictionary.of !== "text") throw new RangeError("a column of other values");
  const texts = data.dictionary.values.map((value) => decoder.decode(value));
  return (row) => texts[data.codes[row]!]!;
}

function addFunctions(
  rows: Rows,
  count: number,
  functions: Functions,
  types: number[],
  known: Map<string, number>,
): Uint32Array {
  const typeOf = new Map(Object.entries(FRAME_TYPES).map(([number, name]) => [name as string, Number(number)]));
  const [name, display] = [textsOf(rows.function_name), textsOf(rows.display_name)];
  const [file, type] = [textsOf(rows.file), textsOf(rows.frame_type)];
  return Uint32Array.from({ length: count }, (_, row) => {
    const key = [name(row), display(row), file(row), type(row)].join("\0");
    const found = known.get(key);
    if (found !== undefined) return found;
    known.set(key, functions.name.length);
    functions.name.push(name(row));
    functions.display.push(display(row));
    functions.file.push(file(row));
    types.push(typeOf.get(type(row)) ?? 0);
    return functions.name.length - 1;
  });
}

/** The order of sample-rows.ts. */
function orderOf(kernels: Kernels, rows: Rows, count: number): Uint32Array {
  const time = rows.time_unix_nano;
  if (time?.kind !== "longs") throw new RangeError("a column of other values");
  const roots = asCodes(kernels, rows.local_root_span_id);
  const traces = asCodes(kernels, rows.trace_id);
  const zero = roots.dictionary.of === "int64" ? codeOfZero(roots.dictionary.words) : -1;
  const rootCount = roots.dictionary.of === "int64" ? roots.dictionary.words.length / 2 : 0;
  const traceCount = traces.dictionary.of === "bytes16" ? traces.dictionary.values.length : 0;
  const request = roots.codes.map((root, i) => {
    if (root !== zero) return root + 1;
    return traces.codes[i] === 0 ? 0 : rootCount + traces.codes[i]! + 1;
  });
  const [services, types] = [ranks(rows.service), ranks(rows.profile_type)];
  const group = services.codes.map((code, i) => services.ranks[code]! * types.count + types.ranks[types.codes[i]!]!);
  const requests = rootCount + traceCount + 1;
  return inOrder(kernels, {
    rows: Uint32Array.from({ length: count }, (_, i) => i),
    time: time.words,
    request,
    requests,
    group,
  });
}

function codeOfZero(words: Uint32Array): number {
  for (let i = 0; i < words.length; i += 2) if ((words[i]! | words[i + 1]!) === 0) return i / 2;
  return -1;
}

function hexOf(id: Uint8Array): string {
  return Array.from(id, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function ranks(data: ColumnData | undefined): { codes: Uint32Array; ranks: Uint32Array; count: number } {
  if (data?.kind !== "coded" || data.dictionary.of === "int64") throw new RangeError("a column of other values");
  // Ids as the text of their digits, names as they are read.
  const textOf = data.dictionary.of === "text" ? (value: Uint8Array) => decoder.decode(value) : hexOf;
  const texts = data.dictionary.values.map(textOf);
  const order = [...texts.keys()].sort((a, b) => (texts[a]! < texts[b]! ? -1 : 1));
  const own = new Uint32Array(texts.length);
  for (const [rank, code] of order.entries()) own[code] = rank;
  return { codes: data.codes, ranks: own, count: texts.length };
}

/** Columns in the forms that the writer encodes best. */
function encodable(kernels: Kernels, rows: Rows): Rows {
  const value = rows.value as Values;
  const few = value.kind === "longs" ? kernels.codedLongs(value.words, MOST_VALUES) : value;
  return {
    ...rows,
    value: few ?? value,
    local_root_span_id: asCodes(kernels, rows.local_root_span_id),
    span_id: asCodes(kernels, rows.span_id),
  };
}
