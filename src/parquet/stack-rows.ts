/** Stacks and functions of a core or of parts: decoded once, then the rows of those that a part uses. */
import * as FrameType from "../../assembly/abi/frame-type.ts";
import * as StoreTable from "../../assembly/abi/store-table.ts";
import type { Instance } from "../core/instance.ts";
import { allColumns, frameColumns } from "../core/store-columns.ts";
import { FRAME_TYPES } from "../model/flame/frame-types.ts";
import { intValues, sameText, textValues } from "./column-data.ts";
import type { Rows } from "./file.ts";
import { functionHashes, stackHash } from "./stack-hash.ts";

/** More than the numbers of frame types. */
const TYPES = 8;

export interface Functions {
  name: string[];
  display: string[];
  file: string[];
  type: Uint8Array;
}

/** Frames of stacks, leaf first: stack i has those from `offsets[i]` on. Stack 0 has none. */
export interface StackFrames {
  offsets: Uint32Array;
  functions: Uint32Array;
  lines: Uint32Array;
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
  private readonly hashes: Uint32Array;

  constructor(functions: Functions, { offsets, functions: functionOf, lines }: StackFrames) {
    this.functions = functions;
    this.offsets = offsets;
    this.functionOf = functionOf;
    this.lines = lines;
    this.ranks = ranksOf(functions);
    this.hashes = functionHashes(functions.display);
  }

  /** Those of a core. */
  static of(instance: Instance): StackTable {
    const [counts] = allColumns(instance, StoreTable.FrameCounts) as [Uint32Array];
    const first = new Uint32Array(counts.length + 1);
    for (let i = 0; i < counts.length; i++) first[i + 1] = first[i]! + counts[i]!;
    const { functions, keys, lines } = functionsOf(instance, counts.length, first[counts.length]!);
    return new StackTable(functions, decoded(instance, first, keys, lines));
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
    const order = this.sorted(used);
    const ids = new Int32Array(used.length).fill(-1);
    const distinct: number[] = [];
    for (const stack of order) {
      const before = distinct.at(-1);
      if (before === undefined || this.compare(before, stack) !== 0) distinct.push(stack);
      ids[stack] = distinct.length - 1;
    }
    const { numbers, list } = this.functionsIn(distinct);
    const functions = this.functionRows(part, list);
    const stacks = this.stackRows(part, distinct, numbers);
    return { ids, stacks, functions, counts: [distinct.length, list.length] };
  }

  private sorted(used: Uint8Array): Uint32Array {
    const found: number[] = [];
    for (let stack = 1; stack < used.length; stack++) {
      if (used[stack] === 1 && this.leafOf(stack) >= 0) found.push(stack);
    }
    return Uint32Array.from(found).sort((a, b) => this.compare(a, b));
  }

  /** By functions from the root, then by lines. */
  private compare(a: number, b: number): number {
    const { offsets, functionOf, ranks, lines } = this;
    const [startA, startB] = [offsets[a]!, offsets[b]!];
    let i = offsets[a + 1]! - 1;
    let k = offsets[b + 1]! - 1;
    for (; i >= startA && k >= startB; i--, k--) {
      const [f, g] = [functionOf[i]!, functionOf[k]!];
      if (f !== g) return ranks[f]! - ranks[g]!;
    }
    if (i >= startA || k >= startB) return i - startA - (k - startB);
    for (let at = 0; startA + at < offsets[a + 1]!; at++) {
      const step = lines[startA + at]! - lines[startB + at]!;
      if (step !== 0) return step;
    }
    return 0;
  }

  /** Functions of the stacks in the order of their display names, and the number of each. */
  private functionsIn(stacks: readonly number[]): { numbers: Uint32Array; list: Uint32Array } {
    const { offsets, functionOf, ranks } = this;
    const used = new Uint8Array(ranks.length);
    for (const stack of stacks) {
      for (let i = offsets[stack]!; i < offsets[stack + 1]!; i++) used[functionOf[i]!] = 1;
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

  private stackRows(part: string, stacks: readonly number[], numbers: Uint32Array): Rows {
    const { offsets, functionOf } = this;
    const rows = stacks.length;
    const frames = new Uint32Array(rows + 1);
    for (const [i, stack] of stacks.entries()) frames[i + 1] = frames[i]! + offsets[stack + 1]! - offsets[stack]!;
    const items = new Int32Array(frames[rows]!);
    const lines = new Int32Array(frames[rows]!);
    const lineOffsets = new Uint32Array(rows + 1);
    const absent = new Uint8Array(rows);
    const hashes = new Uint32Array(2 * rows);
    let n = 0;
    for (const [row, stack] of stacks.entries()) {
      const [from, to] = [offsets[stack]!, offsets[stack + 1]!];
      let hasLines = false;
      for (let i = from; i < to; i++) {
        items[frames[row]! + i - from] = numbers[functionOf[i]!]!;
        lines[n + i - from] = this.lines[i]!;
        if (this.lines[i] !== 0) hasLines = true;
      }
      if (hasLines) n += to - from;
      else absent[row] = 1;
      lineOffsets[row + 1] = n;
      stackHash(this.hashes, functionOf, from, to, hashes, row);
    }
    return {
      part: sameText(part, rows),
      stack_id: intValues(stacks.map((_, i) => i)),
      stack_hash: { kind: "longs", words: hashes, none: null },
      frames: { kind: "list", offsets: frames, absent: null, items: { kind: "ints", values: items, hasNone: false } },
      lines: {
        kind: "list",
        offsets: lineOffsets,
        absent,
        items: { kind: "ints", values: lines.subarray(0, n), hasNone: false },
      },
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
  const [, , files] = allColumns(instance, StoreTable.Functions) as Uint32Array[];
  const known = new Map<number, number>();
  const keys = new Uint32Array(frames);
  const functions: Functions = { name: [], display: [], file: [], type: new Uint8Array() };
  const type: number[] = [];
  const { wasm } = instance;
  for (let i = 0; i < frames; i++) {
    // A frame with an address only is identified by its text. Such frames follow all functions.
    const identity = fn![i]! > 0 ? fn![i]! : -1 - names![i]!;
    const key = identity * TYPES + types![i]!;
    const found = known.get(key);
    if (found !== undefined) {
      keys[i] = found;
      continue;
    }
    keys[i] = functions.name.length;
    known.set(key, functions.name.length);
    functions.name.push(instance.string(names![i]!));
    functions.display.push(instance.frameName(wasm.shownName(names![i]!) >>> 0));
    functions.file.push(instance.string(files![fn![i]!]!));
    type.push(types![i]!);
  }
  functions.type = Uint8Array.from(type);
  return { functions, keys, lines: lines! };
}

function decoded(instance: Instance, first: Uint32Array, keys: Uint32Array, lineOf: Uint32Array): StackFrames {
  const [pointers, sizes] = allColumns(instance, StoreTable.Stacks) as [Uint32Array, Uint32Array];
  const offsets = new Uint32Array(pointers.length + 1);
  let functions = new Uint32Array(sizes.reduce((sum, size) => sum + size, 16));
  let lines = new Uint32Array(functions.length);
  let n = 0;
  for (let stack = 0; stack < pointers.length; stack++) {
    const bytes = instance.memory.bytes(pointers[stack]!, sizes[stack]!);
    for (let p = 0; p < bytes.length; ) {
      let location = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[p++]!;
        location |= (byte & 0x7f) << shift;
        if (byte < 0x80) break;
      }
      const [from, to] = [first[location >>> 0]!, first[(location >>> 0) + 1]!];
      if (n + to - from > functions.length) {
        functions = grown(functions, n + to - from);
        lines = grown(lines, n + to - from);
      }
      for (let frame = from; frame < to; frame++) {
        functions[n] = keys[frame]!;
        lines[n++] = lineOf[frame]!;
      }
    }
    offsets[stack + 1] = n;
  }
  return { offsets, functions, lines };
}

function grown(items: Uint32Array, least: number): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(Math.max(2 * items.length, least));
  more.set(items);
  return more;
}
