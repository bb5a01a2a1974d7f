/** Several parts of a date as one: stacks, functions and recordings are numbered again, samples sorted again. */

import { hexOf } from "../../bytes/hex.ts";
import { Numbered } from "../../bytes/numbered.ts";
import type { TableName } from "../../core/tables/data-sets.ts";
import { FRAME_TYPES } from "../../model/flame/frame-types.ts";
import {
  type ColumnData,
  codedOf,
  entriesOf,
  ints,
  intsOf,
  listOf,
  longsOf,
  sameText,
  textsOf,
  wordsOf,
} from "../parquet/column-data.ts";
import { asCodes, concatenated, reordered } from "../parquet/columns.ts";
import { Damaged } from "../parquet/damage.ts";
import type { Columns, Rows } from "../parquet/file.ts";
import type { Kernels } from "../parquet/kernels.ts";
import type { FileRows } from "../parquet/read-file.ts";
import { inOrder } from "./sort.ts";
import { functionColumns, type StackFunction, StackTable } from "./stack-rows.ts";

/** Tables that a part may lack. */
export const DATED = ["spans", "calls"] as const satisfies readonly TableName[];

/** Tables of a part, as files have them. */
export type PartRows = Record<"samples" | "stacks" | "functions" | "recordings", FileRows> &
  Record<(typeof DATED)[number], FileRows | null>;

export interface MergedTable {
  name: TableName;
  rows: Rows | Columns;
  count: number;
}

/** Columns with more different numbers are stored as they are. */
const MOST_VALUES = 1 << 14;
const decoder = new TextDecoder();

/**
 * The tables of the merged part. Columns of samples are read and put in order one after the other. `onlyUsed`: stacks
 * may have no sample, and are left out then.
 */
export function mergedTables(
  kernels: Kernels,
  part: string,
  parts: readonly PartRows[],
  onlyUsed = false,
): MergedTable[] {
  const { table, firstStacks, count } = stacksOf(kernels, parts);
  const used = new Uint8Array(count).fill(onlyUsed ? 0 : 1);
  for (const [i, own] of onlyUsed ? parts.entries() : [])
    for (const id of intsOf(own.samples.column("stack_id"))) if (id >= 0) used[firstStacks[i]! + id] = 1;
  const { ids, stacks, functions, counts } = table.rowsOf(part, used);
  const recordings = merged("recordings", part, parts);
  const samples = merged("samples", part, parts, (own, i) => renumbered(own, ids, firstStacks[i]!));
  const { order, kept } = orderOf(kernels, samples);
  const sorted = (name: string): ColumnData => {
    const known = kept.get(name);
    kept.delete(name);
    return encodable(kernels, name, reordered(kernels, known ?? samples.column(name), order));
  };
  return [
    { name: "functions", rows: functions, count: counts[1] },
    { name: "stacks", rows: stacks, count: counts[0] },
    { name: "recordings", rows: recordings.column, count: recordings.count },
    ...DATED.filter((name) => parts.some((own) => own[name] !== null)).map((name) =>
      mergedDated(kernels, name, part, parts),
    ),
    { name: "samples", rows: sorted, count: samples.count },
  ];
}

/** Spans in the order of span-rows.ts, calls in that of call-rows.ts. */
function mergedDated(kernels: Kernels, name: Dated, part: string, parts: readonly PartRows[]): MergedTable {
  const { column, count } = merged(name, part, parts);
  const starts = longsOf(column("start_unix_nano"));
  const groups = ranks(column(name === "spans" ? "trace_id" : "service"));
  const order = Uint32Array.from({ length: count }, (_, i) => i).sort((a, b) => {
    const [first, second] = [groups.ranks[groups.codes[a]!]!, groups.ranks[groups.codes[b]!]!];
    return first === second ? Number(starts[a]! - starts[b]!) : first - second;
  });
  const sorted = (name: string) => encodable(kernels, name, reordered(kernels, column(name), order));
  return { name, rows: sorted, count };
}

type Dated = (typeof DATED)[number];

/** Rows of a table of all parts that have it. `stackIds` numbers the stacks of a part again. */
function merged(
  name: "samples" | "recordings" | Dated,
  part: string,
  parts: readonly PartRows[],
  stackIds?: (own: ColumnData, part: number) => ColumnData,
): FileRows {
  const firsts: number[] = [];
  let recordings = 0;
  for (const own of parts) {
    firsts.push(recordings);
    recordings += own.recordings.count;
  }
  const count = parts.reduce((sum, own) => sum + (own[name]?.count ?? 0), 0);
  const change = (column: string, own: ColumnData, i: number) => {
    if (column === "recording_id") return shifted(own, firsts[i]!);
    return column === "stack_id" && stackIds !== undefined ? stackIds(own, i) : own;
  };
  const column = (of: string) => {
    if (of === "part") return sameText(part, count);
    return concatenated(parts.flatMap((own, i) => (own[name] === null ? [] : [change(of, own[name].column(of), i)])));
  };
  return { count, column };
}

/** A part whose columns are checked when they are read: rows refer to those that it has. `named` names the table. */
export function checkedPart(own: PartRows, named: (table: TableName, read: () => ColumnData) => ColumnData): PartRows {
  let frameOffsets: Uint32Array | null = null;
  const check = (table: TableName, name: string, data: ColumnData) => {
    const below = (values: Int32Array, count: number, least = 0) => {
      const wrong = values.find((value) => value < least || value >= count);
      if (wrong !== undefined) throw new Damaged(`it refers to row ${wrong} of ${count}`, { column: name });
    };
    if (name === "recording_id" && table !== "recordings") below(intsOf(data), own.recordings.count);
    if (name === "stack_id" && table === "samples") below(intsOf(data), own.stacks.count, -1);
    if (name === "frames") {
      below(listOf(data).items, own.functions.count);
      frameOffsets = listOf(data).offsets;
    }
    if (name === "lines") checkLines(frameOffsets ?? listOf(own.stacks.column("frames")).offsets, listOf(data).offsets);
  };
  const tableOf = (table: TableName, rows: FileRows): FileRows => ({
    count: rows.count,
    column: (name) =>
      named(table, () => {
        const data = rows.column(name);
        check(table, name, data);
        return data;
      }),
  });
  const tables = Object.entries(own) as [TableName, FileRows | null][];
  return Object.fromEntries(
    tables.map(([table, rows]) => [table, rows === null ? null : tableOf(table, rows)]),
  ) as PartRows;
}

/** A stack has a line for each frame, or none. */
function checkLines(frames: Uint32Array, lines: Uint32Array): void {
  for (let row = 0; row + 1 < frames.length; row++) {
    const size = lines[row + 1]! - lines[row]!;
    if (size !== 0 && size !== frames[row + 1]! - frames[row]!)
      throw new Damaged(`row ${row} has ${size} lines`, { column: "lines" });
  }
}

function shifted(ids: ColumnData, first: number): ColumnData {
  return ints(intsOf(ids).map((id) => id + first));
}

function renumbered(data: ColumnData, ids: Int32Array, first: number): ColumnData {
  return ints(
    intsOf(data).map((id) => (id < 0 ? -1 : ids[first + id]!)),
    true,
  );
}

/** Stacks of all parts, and the number of the first one of each part. Stack 0 is the empty one. */
function stacksOf(
  kernels: Kernels,
  parts: readonly PartRows[],
): { table: StackTable; firstStacks: number[]; count: number } {
  const functions = new Numbered<string, StackFunction>();
  const lists = parts.map(({ stacks }) => ({
    frames: listOf(stacks.column("frames")),
    lines: listOf(stacks.column("lines")),
  }));
  const frames = lists.reduce((sum, own) => sum + own.frames.items.length, 0);
  const count = 1 + parts.reduce((sum, { stacks }) => sum + stacks.count, 0);
  const all = {
    offsets: new Uint32Array(count + 1),
    functions: new Uint32Array(frames),
    lines: new Uint32Array(frames),
  };
  const firstStacks: number[] = [];
  let stack = 1;
  let n = 0;
  for (const [i, { stacks, functions: own }] of parts.entries()) {
    firstStacks.push(stack);
    const numbers = addFunctions(own, functions);
    const { frames: list, lines } = lists[i]!;
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
  return { table: new StackTable(kernels, functionColumns(functions.list), all), firstStacks, count };
}

function addFunctions({ column, count }: FileRows, functions: Numbered<string, StackFunction>): Uint32Array {
  const typeOf = new Map(Object.entries(FRAME_TYPES).map(([number, name]) => [name as string, Number(number)]));
  const [name, display] = [textsOf(column("function_name")), textsOf(column("display_name"))];
  const [file, type] = [textsOf(column("file")), textsOf(column("frame_type"))];
  return Uint32Array.from({ length: count }, (_, row) => {
    const words = { name: name[row]!, display: display[row]!, file: file[row]! };
    const key = [words.name, words.display, words.file, type[row]].join("\0");
    return functions.of(key, () => ({ ...words, type: typeOf.get(type[row]!) ?? 0 }));
  });
}

/** The order of sample-rows.ts, and large columns that it was made of. */
function orderOf(kernels: Kernels, { column, count }: FileRows): { order: Uint32Array; kept: Map<string, ColumnData> } {
  const time = column("time_unix_nano");
  const roots = asCodes(kernels, column("local_root_span_id"));
  const traces = asCodes(kernels, column("trace_id"));
  const zero = roots.dictionary.of === "int64" ? codeOfZero(roots.dictionary.words) : -1;
  const rootCount = roots.dictionary.of === "int64" ? roots.dictionary.words.length / 2 : 0;
  const traceCount = traces.dictionary.of === "bytes16" ? traces.dictionary.values.length : 0;
  const request = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const [root, trace] = [roots.codes[i]!, traces.codes[i]!];
    if (root !== zero) request[i] = root + 1;
    else request[i] = trace === 0 ? 0 : rootCount + trace + 1;
  }
  const [services, types] = [ranks(column("service")), ranks(column("profile_type"))];
  const requests = rootCount + traceCount + 1;
  const order = inOrder(kernels, {
    rows: Uint32Array.from({ length: count }, (_, i) => i),
    time: wordsOf(time),
    request,
    requests,
    service: kernels.mapped(services.codes, services.ranks),
    type: kernels.mapped(types.codes, types.ranks),
    types: types.count,
  });
  return {
    order,
    kept: new Map<string, ColumnData>([
      ["time_unix_nano", time],
      ["local_root_span_id", roots],
    ]),
  };
}

function codeOfZero(words: Uint32Array): number {
  for (let i = 0; i < words.length; i += 2) if ((words[i]! | words[i + 1]!) === 0) return i / 2;
  return -1;
}

/** Ids are in the order of their bytes, names in that of their characters. */
function ranks(data: ColumnData): { codes: Uint32Array; ranks: Uint32Array; count: number } {
  const coded = codedOf(data);
  const texts = entriesOf(coded).map((value) =>
    coded.dictionary.of === "text" ? decoder.decode(value) : hexOf(value),
  );
  const order = [...texts.keys()].sort((a, b) => (texts[a]! < texts[b]! ? -1 : 1));
  const own = new Uint32Array(texts.length);
  for (const [rank, code] of order.entries()) own[code] = rank;
  return { codes: coded.codes, ranks: own, count: texts.length };
}

/** A column in the form that the writer encodes best. */
function encodable(kernels: Kernels, name: string, data: ColumnData): ColumnData {
  if (name === "value" && data.kind === "longs") return kernels.codedLongs(data.words, MOST_VALUES) ?? data;
  return name === "local_root_span_id" || name === "span_id" ? asCodes(kernels, data) : data;
}
