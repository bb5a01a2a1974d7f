/** Stacks and functions of a core or of parts: decoded once, then the rows of those that a part uses. */

import * as FrameType from "../../../assembly/abi/frame-type.ts";
import * as StoreTable from "../../../assembly/abi/store-table.ts";
import { Numbered } from "../../bytes/numbered.ts";
import type { Instance } from "../../core/instance/instance.ts";
import { allColumns, firstFrames, frameColumns } from "../../core/samples/store-columns.ts";
import { FRAME_TYPES } from "../../model/flame/frame-types.ts";
import { ints, intValues, sameText, textValues } from "../parquet/column-data.ts";
import type { Rows } from "../parquet/file.ts";
import type { Kernels } from "../parquet/kernels.ts";
import { functionHashes, stackHashes } from "./stack-hash.ts";

/** More than the numbers of frame types. */
const TYPES = 8;

export interface StackFunction {
  name: string;
  display: string;
  file: string;
  type: number;
}

/** Their columns. */
interface Functions {
  name: string[];
  display: string[];
  file: string[];
  type: Uint8Array;
}

export function functionColumns(rows: readonly StackFunction[]): Functions {
  const [name, display, file] = (["name", "display", "file"] as const).map((key) => rows.map((row) => row[key]));
  return { name: name!, display: display!, file: file!, type: Uint8Array.from(rows, ({ type }) => type) };
}

/** Frames of stacks, leaf first: stack i has those from `offsets[i]` on. Stack 0 has none. */
export interface StackFrames {
  offsets: Uint32Array;
  functions: Uint32Array;
  lines: Uint32Array;
}

/** Places of `StackFrames` in the memory of the kernels. */
interface Places {
  offsets: number;
  functions: number;
  lines: number;
}

/** Which of the part's rows a stack of the core is; -1 without frames. */
export type StackIds = Int32Array;

export class StackTable {
  /** Stack i has the frames [offsets[i], offsets[i + 1]), leaf first. */
  private readonly offsets: Uint32Array;
  private readonly functionOf: Uint32Array;
  private readonly lines: Uint32Array;
  readonly functions: Functions;
  /** Place of each function in the order of display names. */
  private readonly ranks: Uint32Array;
  private readonly hashes: Uint8Array;
  private readonly kernels: Kernels;

  constructor(kernels: Kernels, functions: Functions, { offsets, functions: functionOf, lines }: StackFrames) {
    this.kernels = kernels;
    this.functions = functions;
    this.offsets = offsets;
    this.functionOf = functionOf;
    this.lines = lines;
    this.ranks = ranksOf(functions);
    this.hashes = functionHashes(kernels, functions.display);
  }

  /** Those of a core. */
  static of(kernels: Kernels, instance: Instance): StackTable {
    const first = firstFrames(instance);
    const { functions, keys, lines } = functionsOf(instance, first.length - 1, first.at(-1)!);
    return new StackTable(kernels, functions, decoded(kernels, instance, first, keys, lines));
  }

  /** Stacks, with the empty one. */
  get count(): number {
    return this.offsets.length - 1;
  }

  /** The function of the leaf frame of a stack; -1 without frames. */
  leafOf(stack: number): number {
    const at = this.offsets[stack]!;
    return at === this.offsets[stack + 1] ? -1 : this.functionOf[at]!;
  }

  /** Rows for the stacks that are marked, and the functions of their frames. */
  rowsOf(part: string, used: Uint8Array): { ids: StackIds; stacks: Rows; functions: Rows; counts: [number, number] } {
    const { kernels } = this;
    return kernels.within(() => {
      const places: Places = {
        offsets: kernels.put(this.offsets),
        functions: kernels.put(this.functionOf),
        lines: kernels.put(this.lines),
      };
      const { ids, distinct } = this.sorted(used, places);
      const { numbers, list } = this.functionsIn(distinct);
      const functions = this.functionRows(part, list);
      const stacks = this.stackRows(part, distinct, numbers, places);
      return { ids, stacks, functions, counts: [distinct.length, list.length] };
    });
  }

  /** The marked stacks with frames, by functions from the root, then by lines; equal ones are one row. */
  private sorted(used: Uint8Array, { offsets, functions, lines }: Places): { ids: StackIds; distinct: Uint32Array } {
    const { kernels } = this;
    const { wasm } = kernels;
    const found = new Uint32Array(used.length);
    let count = 0;
    for (let stack = 1; stack < used.length; stack++) {
      if (used[stack] === 1 && this.leafOf(stack) >= 0) found[count++] = stack;
    }
    return kernels.within(() => {
      const stacks = kernels.put(found.subarray(0, count));
      const ranks = kernels.room(4 * this.functionOf.length);
      wasm.mapped(functions, this.functionOf.length, kernels.put(this.ranks), ranks);
      const ids = kernels.put(new Int32Array(used.length).fill(-1));
      const order = wasm.sortStacks(stacks, count, offsets, ranks, lines, kernels.room(4 * count)) >>> 0;
      const left = wasm.distinctStacks(order, count, offsets, ranks, lines, ids) >>> 0;
      return {
        ids: new Int32Array(kernels.words(ids, used.length).slice().buffer),
        distinct: kernels.words(order, left).slice(),
      };
    });
  }

  /** Functions of the stacks in the order of their display names, and the number of each. */
  private functionsIn(stacks: Uint32Array): { numbers: Uint32Array; list: Uint32Array } {
    const { offsets, functionOf, ranks } = this;
    const used = new Uint8Array(ranks.length);
    for (let row = 0; row < stacks.length; row++) {
      const stack = stacks[row]!;
      for (let i = offsets[stack]!, end = offsets[stack + 1]!; i < end; i++) used[functionOf[i]!] = 1;
    }
    const byRank = new Uint32Array(ranks.length);
    for (let f = 0; f < ranks.length; f++) byRank[ranks[f]!] = f;
    const list = byRank.filter((f) => used[f] === 1);
    const numbers = new Uint32Array(ranks.length);
    for (const [number, f] of list.entries()) numbers[f] = number;
    return { numbers, list };
  }

  private functionRows(part: string, list: Uint32Array): Rows {
    const { name, display, file, type } = this.functions;
    const texts = (of: (f: number) => string, nullable: boolean) => textValues(Array.from(list, of), nullable);
    return {
      part: sameText(part, list.length),
      function_id: intValues(list.map((_, i) => i)),
      function_name: texts((f) => name[f]!, false),
      display_name: texts((f) => display[f]!, false),
      class_name: texts((f) => (type[f] === FrameType.Jvm ? classOf(name[f]!) : ""), true),
      file: texts((f) => file[f]!, true),
      frame_type: texts((f) => FRAME_TYPES[type[f]!] ?? "", true),
    };
  }

  private stackRows(part: string, stacks: Uint32Array, numbers: Uint32Array, places: Places): Rows {
    const { kernels, offsets } = this;
    const rows = stacks.length;
    const starts = stacks.map((stack) => offsets[stack]!);
    const sizes = stacks.map((stack) => offsets[stack + 1]! - offsets[stack]!);
    const size = sizes.reduce((sum, own) => sum + own, 0);
    const { frames, frameOffsets, lines, lineOffsets, absent } = kernels.within(() => {
      const words = (count: number) => kernels.room(4 * count);
      const [list, table] = [kernels.put(stacks), kernels.put(numbers)];
      const [from, items, lineFrom, lineItems] = [words(rows + 1), words(size), words(rows + 1), words(size)];
      const marks = kernels.room(rows);
      const { offsets: at, functions, lines: lineOf } = places;
      kernels.wasm.stackItems(list, rows, at, functions, lineOf, table, from, items, lineFrom, lineItems, marks);
      const ends = kernels.words(lineFrom, rows + 1).slice();
      return {
        frames: new Int32Array(kernels.words(items, size).slice().buffer),
        frameOffsets: kernels.words(from, rows + 1).slice(),
        lines: new Int32Array(kernels.words(lineItems, ends[rows]!).slice().buffer),
        lineOffsets: ends,
        absent: kernels.bytes(marks, rows).slice(),
      };
    });
    return {
      part: sameText(part, rows),
      stack_id: intValues(stacks.map((_, i) => i)),
      stack_hash: stackHashes(kernels, this.hashes, this.functionOf, starts, sizes),
      frames: { kind: "list", offsets: frameOffsets, absent: null, items: ints(frames) },
      lines: { kind: "list", offsets: lineOffsets, absent, items: ints(lines) },
    };
  }
}

/** The class of a method: everything before its name. */
function classOf(name: string): string {
  const end = name.lastIndexOf(".");
  return end <= 0 ? "" : name.slice(0, end);
}

function ranksOf({ display, name }: Functions): Uint32Array {
  const order = [...display.keys()].sort((a, b) => {
    if (display[a] !== display[b]) return display[a]! < display[b]! ? -1 : 1;
    if (name[a] !== name[b]) return name[a]! < name[b]! ? -1 : 1;
    return a - b;
  });
  const ranks = new Uint32Array(order.length);
  for (const [rank, f] of order.entries()) ranks[f] = rank;
  return ranks;
}

/** Functions of all frames, and for each frame its function and line. */
function functionsOf(
  instance: Instance,
  locations: number,
  frames: number,
): { functions: Functions; keys: Uint32Array; lines: Uint32Array } {
  const [, fn, names, lines, , types] = frameColumns(instance, 0, locations, frames) as Uint32Array[];
  const [, , files] = allColumns(instance, StoreTable.Functions);
  const functions = new Numbered<number, StackFunction>();
  const keys = new Uint32Array(frames);
  const { wasm } = instance;
  for (let i = 0; i < frames; i++) {
    // A frame with an address only is identified by its text. Such frames follow all functions.
    const identity = fn![i]! > 0 ? fn![i]! : -1 - names![i]!;
    keys[i] = functions.of(identity * TYPES + types![i]!, () => ({
      name: instance.string(names![i]!),
      display: instance.frameName(wasm.shownName(names![i]!) >>> 0),
      file: instance.string(files![fn![i]!]!),
      type: types![i]!,
    }));
  }
  return { functions: functionColumns(functions.list), keys, lines: lines! };
}

function decoded(
  kernels: Kernels,
  instance: Instance,
  first: Uint32Array,
  keys: Uint32Array,
  lineOf: Uint32Array,
): StackFrames {
  const [pointers, sizes] = allColumns(instance, StoreTable.Stacks);
  const { length } = pointers;
  const all = sizes.reduce((sum, size) => sum + size, 0);
  const { decodeStacks } = kernels.wasm;
  return kernels.within(() => {
    const bytes = kernels.room(all);
    for (let stack = 0, at = bytes; stack < length; at += sizes[stack++]!) {
      kernels.bytes(at, sizes[stack]!).set(instance.memory.bytes(pointers[stack]!, sizes[stack]!));
    }
    const [size, frames] = [kernels.put(sizes), kernels.put(first)];
    const [ofFrame, line] = [kernels.put(keys), kernels.put(lineOf)];
    const offsets = kernels.room(4 * length + 4);
    const decode = (functions: number, lines: number) =>
      decodeStacks(bytes, size, length, frames, ofFrame, line, offsets, functions, lines) >>> 0;
    const count = decode(0, 0);
    const [functions, lines] = [kernels.room(4 * count), kernels.room(4 * count)];
    decode(functions, lines);
    return {
      offsets: kernels.words(offsets, length + 1).slice(),
      functions: kernels.words(functions, count).slice(),
      lines: kernels.words(lines, count).slice(),
    };
  });
}
