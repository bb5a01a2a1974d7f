/** Statistics of a column chunk: least and most values of its pages, missing values. */
import type { Dictionary } from "./column-data.ts";
import type { Kernels } from "./kernels.ts";
import type { Leaf, LeafValues } from "./leaf.ts";

export interface Statistics {
  nulls: number;
  pageNulls: number[];
  least: Uint8Array | null;
  most: Uint8Array | null;
  /** Empty without values, or where there are no statistics. */
  pageLeast: Uint8Array[];
  pageMost: Uint8Array[];
}

type Ends = Omit<Statistics, "nulls" | "pageNulls">;

/** With more different values there is no least and most one: random ids and names prune nothing. */
const MOST_COMPARED = 4096;
const LONGEST_COMPARED = 64;
const NO_ENDS: Ends = { least: null, most: null, pageLeast: [], pageMost: [] };

export function statisticsOf(kernels: Kernels, leaf: Leaf, name: string): Statistics {
  const { values, levelCuts, valueCuts } = leaf;
  const pageNulls: number[] = [];
  for (let page = 0; page + 1 < levelCuts.length; page++) {
    const there = valueCuts[page + 1]! - valueCuts[page]!;
    pageNulls.push(levelCuts[page + 1]! - levelCuts[page]! - there);
  }
  const nulls = pageNulls.reduce((sum, count) => sum + count, 0);
  const hasEnds = (name === "trace_id" || !name.endsWith("_id")) && leaf.maxRepetition === 0;
  return { nulls, pageNulls, ...(hasEnds ? endsOf(kernels, values, valueCuts) : NO_ENDS) };
}

function endsOf(kernels: Kernels, values: LeafValues, cuts: Uint32Array): Ends {
  if (values.kind === "ints") return NO_ENDS;
  return values.kind === "longs" ? endsOfLongs(kernels, values.at, cuts) : endsOfCodes(kernels, values, cuts);
}

function endsOfLongs(kernels: Kernels, at: number, cuts: Uint32Array): Ends {
  const out = kernels.room(16);
  const pageEnds = (from: number, to: number): [Uint8Array, Uint8Array] => {
    kernels.wasm.longEnds(at + 8 * from, to - from, out);
    return [kernels.taken(out, out + 8), kernels.taken(out + 8, out + 16)];
  };
  const [least, most] = pageEnds(0, cuts.at(-1)!);
  return byPage(cuts, pageEnds, least, most);
}

type PageEnds = (from: number, to: number) => [Uint8Array, Uint8Array];

function byPage(cuts: Uint32Array, endsIn: PageEnds, least: Uint8Array, most: Uint8Array): Ends {
  const ends: Ends = { least, most, pageLeast: [], pageMost: [] };
  if (cuts.at(-1) === 0) [ends.least, ends.most] = [null, null];
  for (let page = 0; page + 1 < cuts.length; page++) {
    const [from, to] = [cuts[page]!, cuts[page + 1]!];
    const [low, high] = from === to ? [new Uint8Array(), new Uint8Array()] : endsIn(from, to);
    ends.pageLeast.push(low);
    ends.pageMost.push(high);
  }
  return ends;
}

function endsOfCodes(kernels: Kernels, values: Extract<LeafValues, { kind: "coded" }>, cuts: Uint32Array): Ends {
  const { at, used, dictionary } = values;
  const isTraces = dictionary.of === "bytes16";
  if ((used.length > MOST_COMPARED && !isTraces) || dictionary.of === "int32") return NO_ENDS;
  const sorted = sortedOf(dictionary, used);
  if (sorted === null) return NO_ENDS;
  const ranks = new Uint32Array(used.length);
  for (const [rank, code] of sorted.order.entries()) ranks[code] = rank;
  const [table, out] = [kernels.put(ranks), kernels.room(8)];
  const bytesOf = (rank: number) => sorted.bytes(sorted.order[rank]!);
  const endsIn: PageEnds = (from, to) => {
    kernels.wasm.rankEnds(at + 4 * from, to - from, table, out);
    const [low, high] = kernels.words(out, 2);
    return [bytesOf(low!), bytesOf(high!)];
  };
  if (used.length === 0) return byPage(cuts, endsIn, new Uint8Array(), new Uint8Array());
  return byPage(cuts, endsIn, bytesOf(0), bytesOf(used.length - 1));
}

/** Codes of a leaf in the order of their values. */
interface Sorted {
  order: number[];
  bytes: (code: number) => Uint8Array;
}

function sortedOf(dictionary: Exclude<Dictionary, { of: "int32" }>, used: Uint32Array): Sorted | null {
  if (dictionary.of === "int64") return sortedLongs(dictionary, used);
  if (dictionary.of === "bytes16") return ascendingIds(dictionary.values, used);
  return sortedTexts(dictionary.values, used);
}

/** Ids of traces that ascend from row to row, as those of spans do: others prune nothing. */
function ascendingIds(ids: readonly Uint8Array[], used: Uint32Array): Sorted | null {
  const values = Array.from(used, (code) => ids[code]!);
  if (values.some((value, i) => i > 0 && compared(values[i - 1]!, value) > 0)) return null;
  return { order: [...values.keys()], bytes: (code) => values[code]! };
}

function sortedLongs({ words }: Extract<Dictionary, { of: "int64" }>, used: Uint32Array): Sorted {
  const values = Array.from(used, (code) => (BigInt(words[2 * code + 1]! | 0) << 32n) | BigInt(words[2 * code]!));
  const order = [...values.keys()].sort((a, b) => (values[a]! < values[b]! ? -1 : 1));
  return { order, bytes: (code) => new Uint8Array(words.slice(2 * used[code]!, 2 * used[code]! + 2).buffer) };
}

function sortedTexts(texts: readonly Uint8Array[], used: Uint32Array): Sorted | null {
  const values = Array.from(used, (code) => texts[code]!);
  if (values.some(({ length }) => length > LONGEST_COMPARED)) return null;
  const order = [...values.keys()].sort((a, b) => compared(values[a]!, values[b]!));
  return { order, bytes: (code) => values[code]! };
}

/** The order of Parquet's texts: unsigned bytes. */
export function compared(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}
