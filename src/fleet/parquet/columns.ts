/** Columns of several files one after the other, and their rows in another order. */
import { joined } from "../../bytes/joined.ts";
import { Numbered } from "../../bytes/numbered.ts";
import { type Coded, type ColumnData, codedOf, type Dictionary, type Values } from "./column-data.ts";
import type { Kernels } from "./kernels.ts";

const decoder = new TextDecoder("latin1");

export function concatenated(parts: readonly ColumnData[]): ColumnData {
  const [first] = parts;
  if (first === undefined) throw new RangeError("no columns");
  if (first.kind === "list") {
    const lists = parts as Extract<ColumnData, { kind: "list" }>[];
    const absent = lists.map((list) => list.absent ?? new Uint8Array(list.offsets.length - 1));
    return { kind: "list", offsets: offsets(lists), absent: joined(absent), items: values(lists.map((l) => l.items)) };
  }
  if (first.kind === "map") {
    const maps = parts as Extract<ColumnData, { kind: "map" }>[];
    const keys = values(maps.map((map) => map.keys));
    return { kind: "map", offsets: offsets(maps), keys, values: values(maps.map((map) => map.values)) };
  }
  return values(parts as Values[]);
}

function words(parts: readonly (Uint32Array | Int32Array)[]): ArrayBuffer {
  return joined(parts.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)))
    .buffer;
}

function offsets(lists: readonly { offsets: Uint32Array }[]): Uint32Array {
  const rows = lists.reduce((sum, list) => sum + list.offsets.length - 1, 0);
  const all = new Uint32Array(rows + 1);
  let row = 0;
  let base = 0;
  for (const { offsets: own } of lists) {
    for (let i = 0; i < own.length; i++) all[row + i] = base + own[i]!;
    row += own.length - 1;
    base = all[row]!;
  }
  return all;
}

function values(parts: readonly Values[]): Values {
  const [first] = parts as [Values];
  if (first.kind === "longs") {
    return { ...first, words: new Uint32Array(words(parts.map((part) => (part as typeof first).words))) };
  }
  if (first.kind === "ints") {
    return { ...first, values: new Int32Array(words(parts.map((part) => (part as typeof first).values))) };
  }
  const coded = parts as (typeof first)[];
  const { dictionary, numbers } = sharedDictionary(coded.map((part) => part.dictionary));
  const codes = new Uint32Array(coded.reduce((sum, part) => sum + part.codes.length, 0));
  let at = 0;
  for (const [i, { codes: own }] of coded.entries()) {
    const table = numbers[i]!;
    for (let row = 0; row < own.length; row++) codes[at++] = table[own[row]!]!;
  }
  return { ...first, codes, dictionary };
}

/** One dictionary with the values of several, and for each of those the new number of each value. Number 0 stays 0. */
function sharedDictionary(parts: readonly Dictionary[]): { dictionary: Dictionary; numbers: Uint32Array[] } {
  const texts = new Numbered<string, Uint8Array>();
  const longs = new Numbered<string, readonly [low: number, high: number]>();
  const numbers = parts.map((part) => {
    if (part.of !== "int64") {
      return Uint32Array.from(part.values, (value) => texts.of(decoder.decode(value), () => value));
    }
    const own = new Uint32Array(part.words.length / 2);
    for (let i = 0; i < own.length; i++) {
      const [low, high] = [part.words[2 * i]!, part.words[2 * i + 1]!];
      // A missing value gets the code of the first one. Any code would do.
      own[i] = i === 0 ? longs.of("none", () => [0, 0]) : longs.of(`${low} ${high}`, () => [low, high]);
    }
    return own;
  });
  const of = parts[0]!.of;
  const dictionary: Dictionary =
    of === "int64" ? { of, words: Uint32Array.from(longs.list.flat()) } : { of, values: texts.list };
  return { dictionary, numbers };
}

/** Rows in this order. */
export function reordered(kernels: Kernels, data: ColumnData, order: Uint32Array): ColumnData {
  if (data.kind === "list") {
    const { to, items } = moved(data.offsets, order);
    const absent = data.absent === null ? null : Uint8Array.from(order, (row) => data.absent![row]!);
    return { kind: "list", offsets: to, absent, items: picked(kernels, data.items, items) };
  }
  if (data.kind === "map") {
    const { to, items } = moved(data.offsets, order);
    return {
      kind: "map",
      offsets: to,
      keys: picked(kernels, data.keys, items),
      values: picked(kernels, data.values, items),
    };
  }
  return picked(kernels, data, order);
}

function picked(kernels: Kernels, data: Values, order: Uint32Array): Values {
  if (data.kind === "longs") return { ...data, words: kernels.pairs(data.words, order) };
  if (data.kind === "coded") return { ...data, codes: kernels.mapped(order, data.codes) };
  const { buffer, byteOffset, length } = data.values;
  return { ...data, values: new Int32Array(kernels.mapped(order, new Uint32Array(buffer, byteOffset, length)).buffer) };
}

function moved(from: Uint32Array, order: Uint32Array): { to: Uint32Array; items: Uint32Array } {
  const to = new Uint32Array(order.length + 1);
  for (let i = 0; i < order.length; i++) to[i + 1] = to[i]! + from[order[i]! + 1]! - from[order[i]!]!;
  const items = new Uint32Array(to[order.length]!);
  let n = 0;
  for (const row of order) for (let i = from[row]!; i < from[row + 1]!; i++) items[n++] = i;
  return { to, items };
}

/** Numbers of 64 bits as codes, which a bloom filter needs. */
export function asCodes(kernels: Kernels, data: ColumnData): Coded {
  return data.kind === "longs" ? kernels.codedLongs(data.words, Math.max(1, data.words.length / 2))! : codedOf(data);
}
