/** A column chunk: the pages of a leaf in a row group, with its statistics and indexes. */
import type { Dictionary, Values } from "./column-data.ts";
import { putDeltas, putHybrid, putTexts, widthOf } from "./encodings.ts";
import type { Leaf } from "./leaf.ts";
import { Sink } from "./sink.ts";
import { Thrift } from "./thrift.ts";

/** Numbers of the format. */
export const Physical = { int32: 1, int64: 2, bytes: 6, fixed: 7 } as const;
const Encoding = { plain: 0, rle: 3, delta: 5, dictionary: 8 } as const;
const PageType = { data: 0, dictionary: 2 } as const;
export const UNCOMPRESSED = 0;

/** A compression: its number in the format, and its function. */
export interface Codec {
  id: number;
  compress: (bytes: Uint8Array) => Uint8Array;
}

/** How values of a column are encoded. `aligned`: codes take whole bytes, which compresses better where they repeat. */
export type How = "packed" | "aligned" | "plain" | "delta";

export interface Chunk {
  path: readonly string[];
  physical: number;
  encodings: number[];
  codec: number;
  /** Levels. */
  count: number;
  nulls: number;
  /** All pages. */
  bytes: Uint8Array;
  uncompressed: number;
  /** Of the first data page, from the first byte. */
  dataAt: number;
  /** A page each: place from the first byte, size, first row. */
  pages: { at: number; size: number; row: number }[];
  /** Different values for the bloom filter, if they are numbers of 64 bits. */
  words: Uint32Array | null;
  least: Uint8Array | null;
  most: Uint8Array | null;
  pageLeast: Uint8Array[];
  pageMost: Uint8Array[];
  pageNulls: number[];
}

interface Page {
  type: number;
  body: Uint8Array;
  header: (thrift: Thrift) => void;
}

/** Codes of a leaf that refer to the values that it has, in the order in which they first occur. */
interface Local {
  codes: Uint32Array;
  /** Code in the dictionary of all rows. */
  used: Uint32Array;
}

export function chunkOf(name: string, leaf: Leaf, how: How, codec: Codec, pageRows: number): Chunk {
  const pages: Page[] = [];
  const { values } = leaf;
  const out = new Sink();
  const put = encoderOf(values, how, out, pages);
  const levels = new Sink();
  for (let page = 0; page + 1 < leaf.levelCuts.length; page++) {
    levels.clear();
    const [from, to] = [leaf.levelCuts[page]!, leaf.levelCuts[page + 1]!];
    putLevels(levels, leaf.repetition, from, to, leaf.maxRepetition);
    putLevels(levels, leaf.definition, from, to, leaf.maxDefinition);
    out.clear();
    const encoding = put(leaf.valueCuts[page]!, leaf.valueCuts[page + 1]!);
    levels.put(out.bytes.subarray(0, out.size));
    pages.push({
      type: PageType.data,
      body: levels.taken(),
      header: (thrift) =>
        thrift.struct(5, () => {
          thrift.i32(1, to - from);
          thrift.i32(2, encoding);
          thrift.i32(3, Encoding.rle);
          thrift.i32(4, Encoding.rle);
        }),
    });
  }
  const isCoded = pages[0]?.type === PageType.dictionary;
  const encoding = isCoded ? Encoding.dictionary : put.encoding;
  return {
    ...assembled(pages, codec, pageRows),
    ...statisticsOf(leaf, name),
    path: [name, ...leaf.path],
    physical: physicalOf(values),
    encodings: [...new Set([Encoding.plain, Encoding.rle, encoding])],
    count: leaf.levelCuts.at(-1)!,
  };
}

function putLevels(out: Sink, levels: Uint8Array | null, from: number, to: number, most: number): void {
  if (most === 0) return;
  const at = out.size;
  out.u32(0);
  if (levels !== null) putHybrid(out, levels, from, to, widthOf(most));
  const size = out.size - at - 4;
  new DataView(out.bytes.buffer).setUint32(at, size, true);
}

/** Writes values [from, to) of a page, and returns their encoding. */
type Put = ((from: number, to: number) => number) & { encoding: number };

function encoderOf(values: Values, how: How, out: Sink, pages: Page[]): Put {
  if (values.kind === "longs") return longEncoder(values.words, how, out);
  if (values.kind === "ints") return intEncoder(values.values, how, out, pages);
  const { codes, dictionary } = values;
  const local = localCodes(codes, sizeOf(dictionary));
  const width = widthFor(local.used.length, how);
  const plain = plainSize(dictionary, local);
  if (how !== "plain" && plain.dictionary + (codes.length * width) / 8 < plain.rows) {
    out.clear();
    putPlain(out, dictionary, local.used);
    pages.push(dictionaryPage(out.taken(), local.used.length));
    return codeEncoder(local.codes, width, out);
  }
  const put = (from: number, to: number) => {
    putPlain(out, dictionary, codes.subarray(from, to));
    return Encoding.plain;
  };
  return Object.assign(put, { encoding: Encoding.plain });
}

function codeEncoder(codes: Uint32Array, width: number, out: Sink): Put {
  const put = (from: number, to: number) => {
    out.u8(width);
    putHybrid(out, codes, from, to, width);
    return Encoding.dictionary;
  };
  return Object.assign(put, { encoding: Encoding.dictionary });
}

function widthFor(count: number, how: How): number {
  const width = widthOf(Math.max(0, count - 1));
  return how === "aligned" ? Math.ceil(width / 8) * 8 : width;
}

function dictionaryPage(body: Uint8Array, count: number): Page {
  return {
    type: PageType.dictionary,
    body,
    header: (thrift) =>
      thrift.struct(7, () => {
        thrift.i32(1, count);
        thrift.i32(2, Encoding.plain);
      }),
  };
}

function longEncoder(words: Uint32Array, how: How, out: Sink): Put {
  const put = (from: number, to: number) => {
    if (how === "delta" && putDeltas(out, words, from, to)) return Encoding.delta;
    out.put(new Uint8Array(words.buffer, words.byteOffset + 8 * from, 8 * (to - from)));
    return Encoding.plain;
  };
  return Object.assign(put, { encoding: how === "delta" ? Encoding.delta : Encoding.plain });
}

function intEncoder(values: Int32Array, how: How, out: Sink, pages: Page[]): Put {
  if (how === "plain" || how === "delta") {
    const words = how === "delta" ? widened(values) : null;
    const put = (from: number, to: number) => {
      if (words !== null && putDeltas(out, words, from, to)) return Encoding.delta;
      out.put(new Uint8Array(values.buffer, values.byteOffset + 4 * from, 4 * (to - from)));
      return Encoding.plain;
    };
    return Object.assign(put, { encoding: how === "delta" ? Encoding.delta : Encoding.plain });
  }
  const local = localCodes(new Uint32Array(values.buffer, values.byteOffset, values.length), 1 + highest(values));
  const used = Int32Array.from(local.used);
  pages.push(dictionaryPage(new Uint8Array(used.buffer), used.length));
  return codeEncoder(local.codes, widthFor(used.length, how), out);
}

function highest(values: Int32Array): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) if (values[i]! > most) most = values[i]!;
  return most;
}

function widened(values: Int32Array): Uint32Array {
  const words = new Uint32Array(2 * values.length);
  for (let i = 0; i < values.length; i++) {
    words[2 * i] = values[i]!;
    words[2 * i + 1] = values[i]! < 0 ? -1 : 0;
  }
  return words;
}

function sizeOf(dictionary: Dictionary): number {
  return dictionary.of === "int64" ? dictionary.words.length / 2 : dictionary.values.length;
}

function localCodes(codes: Uint32Array, size: number): Local {
  const numbers = new Uint32Array(size);
  const used = new Uint32Array(Math.min(size, codes.length));
  const local = new Uint32Array(codes.length);
  let count = 0;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!;
    let number = numbers[code]!;
    if (number === 0) {
      used[count] = code;
      number = ++count;
      numbers[code] = number;
    }
    local[i] = number - 1;
  }
  return { codes: local, used: used.slice(0, count) };
}

/** Bytes of the different values, and of those of all rows. */
function plainSize(dictionary: Dictionary, { codes, used }: Local): { dictionary: number; rows: number } {
  if (dictionary.of === "int64") return { dictionary: 8 * used.length, rows: 8 * codes.length };
  if (dictionary.of === "trace_id") return { dictionary: 16 * used.length, rows: 16 * codes.length };
  const sizes = Uint32Array.from(used, (code) => 4 + dictionary.values[code]!.length);
  let rows = 0;
  for (let i = 0; i < codes.length; i++) rows += sizes[codes[i]!]!;
  return { dictionary: sizes.reduce((sum, size) => sum + size, 0), rows };
}

function putPlain(out: Sink, dictionary: Dictionary, codes: Uint32Array): void {
  if (dictionary.of === "text")
    putTexts(
      out,
      Array.from(codes, (code) => dictionary.values[code]!),
    );
  else if (dictionary.of === "trace_id") for (const code of codes) out.put(dictionary.values[code]!);
  else {
    const words = new Uint32Array(2 * codes.length);
    for (let i = 0; i < codes.length; i++) {
      words[2 * i] = dictionary.words[2 * codes[i]!]!;
      words[2 * i + 1] = dictionary.words[2 * codes[i]! + 1]!;
    }
    out.put(new Uint8Array(words.buffer));
  }
}

function physicalOf(values: Values): number {
  if (values.kind === "ints") return Physical.int32;
  if (values.kind === "longs" || values.dictionary.of === "int64") return Physical.int64;
  return values.dictionary.of === "text" ? Physical.bytes : Physical.fixed;
}

/** Dictionaries of random ids are large and cannot be compressed. Pieces of the pages show whether it pays off. */
const PIECE = 1 << 13;
const WORTH = 0.95;

function isCompressible(pages: readonly Page[], whole: number, compress: Codec["compress"]): boolean {
  if (whole < 16 * PIECE) return true;
  let expected = 0;
  for (const type of [PageType.dictionary, PageType.data]) {
    const own = pages.filter((page) => page.type === type);
    if (own.length === 0) continue;
    const largest = own.reduce((most, page) => (page.body.length > most.body.length ? page : most));
    const start = Math.max(0, (largest.body.length - PIECE) >> 1);
    const piece = largest.body.subarray(start, start + PIECE);
    const bytes = own.reduce((sum, { body }) => sum + body.length, 0);
    expected += (bytes * compress(piece).length) / Math.max(1, piece.length);
  }
  return expected < WORTH * whole;
}

function assembled(
  pages: readonly Page[],
  { id, compress }: Codec,
  pageRows: number,
): Pick<Chunk, "bytes" | "uncompressed" | "dataAt" | "pages" | "codec"> {
  const size = (bodies: readonly { length: number }[]) => bodies.reduce((sum, { length }) => sum + length, 0);
  const whole = size(pages.map(({ body }) => body));
  const packed = isCompressible(pages, whole, compress) ? pages.map(({ body }) => compress(body)) : [];
  // Pages of a few bytes are larger when they are compressed.
  const isPacked = packed.length > 0 && size(packed) < whole;
  const thrift = new Thrift();
  const { sink } = thrift;
  const places: Chunk["pages"] = [];
  let dataAt = 0;
  let headers = 0;
  for (const [i, { type, body, header }] of pages.entries()) {
    const at = sink.size;
    const stored = isPacked ? packed[i]! : body;
    thrift.body(() => {
      thrift.i32(1, type);
      thrift.i32(2, body.length);
      thrift.i32(3, stored.length);
      header(thrift);
    });
    headers += sink.size - at;
    sink.put(stored);
    if (type === PageType.dictionary) dataAt = sink.size;
    else places.push({ at, size: sink.size - at, row: places.length * pageRows });
  }
  return {
    bytes: sink.taken(),
    uncompressed: headers + whole,
    dataAt,
    pages: places,
    codec: isPacked ? id : UNCOMPRESSED,
  };
}

type Statistics = Pick<Chunk, "nulls" | "least" | "most" | "pageLeast" | "pageMost" | "pageNulls" | "words">;

/** Dictionaries with more values have no least and most: random ids and names prune nothing. */
const MOST_COMPARED = 4096;
const LONGEST_COMPARED = 64;

function statisticsOf(leaf: Leaf, name: string): Statistics {
  const { values } = leaf;
  const pageNulls: number[] = [];
  for (let page = 0; page + 1 < leaf.levelCuts.length; page++) {
    const there = leaf.valueCuts[page + 1]! - leaf.valueCuts[page]!;
    pageNulls.push(leaf.levelCuts[page + 1]! - leaf.levelCuts[page]! - there);
  }
  const words = values.kind === "coded" && values.dictionary.of === "int64" ? usedWords(values) : null;
  const nulls = pageNulls.reduce((sum, count) => sum + count, 0);
  const ends = name.endsWith("_id") || leaf.repetition !== null ? null : endsOf(values, leaf.valueCuts);
  return { nulls, pageNulls, words, ...(ends ?? { least: null, most: null, pageLeast: [], pageMost: [] }) };
}

function usedWords({ codes, dictionary }: Extract<Values, { kind: "coded" }>): Uint32Array {
  if (dictionary.of !== "int64") return new Uint32Array();
  const { used } = localCodes(codes, dictionary.words.length / 2);
  const words = new Uint32Array(2 * used.length);
  for (let i = 0; i < used.length; i++) words.set(dictionary.words.subarray(2 * used[i]!, 2 * used[i]! + 2), 2 * i);
  return words;
}

type Ends = Pick<Chunk, "least" | "most" | "pageLeast" | "pageMost">;

/** Least and most value of each page and of all; null where they are not wanted. */
function endsOf(values: Values, cuts: readonly number[]): Ends | null {
  const order = orderOf(values);
  if (order === null) return null;
  const { keys, bytesAt } = order;
  const pageLeast: Uint8Array[] = [];
  const pageMost: Uint8Array[] = [];
  let [least, most] = [-1, -1];
  for (let page = 0; page + 1 < cuts.length; page++) {
    let [low, high] = [cuts[page]!, cuts[page]!];
    if (low === cuts[page + 1]) {
      pageLeast.push(new Uint8Array());
      pageMost.push(new Uint8Array());
      continue;
    }
    for (let i = low + 1; i < cuts[page + 1]!; i++) {
      if (keys[i]! < keys[low]!) low = i;
      else if (keys[i]! > keys[high]!) high = i;
    }
    pageLeast.push(bytesAt(low));
    pageMost.push(bytesAt(high));
    if (least < 0 || keys[low]! < keys[least]!) least = low;
    if (most < 0 || keys[high]! > keys[most]!) most = high;
  }
  return { least: least < 0 ? null : bytesAt(least), most: most < 0 ? null : bytesAt(most), pageLeast, pageMost };
}

/** Doubles that have the order of the values, and the values as the format stores them. */
interface Order {
  keys: Float64Array;
  bytesAt: (i: number) => Uint8Array;
}

function orderOf(values: Values): Order | null {
  if (values.kind === "ints") return null;
  if (values.kind === "longs") return orderOfLongs(values.words);
  const { codes, dictionary } = values;
  if (sizeOf(dictionary) > MOST_COMPARED || dictionary.of === "trace_id") return null;
  const order = dictionary.of === "int64" ? orderOfLongs(dictionary.words) : orderOfTexts(dictionary.values);
  if (order === null) return null;
  const keys = new Float64Array(codes.length);
  for (let i = 0; i < codes.length; i++) keys[i] = order.keys[codes[i]!]!;
  return { keys, bytesAt: (i) => order.bytesAt(codes[i]!) };
}

/** As differences from the first one: doubles are exact for times of some months and for most other numbers. */
function orderOfLongs(words: Uint32Array): Order | null {
  const count = words.length / 2;
  const keys = new Float64Array(count);
  const base = count === 0 ? 0 : words[1]! | 0;
  for (let i = 0; i < count; i++) {
    keys[i] = ((words[2 * i + 1]! | 0) - base) * 2 ** 32 + words[2 * i]!;
    if (Math.abs(keys[i]!) > Number.MAX_SAFE_INTEGER) return null;
  }
  return { keys, bytesAt: (i) => new Uint8Array(words.slice(2 * i, 2 * i + 2).buffer) };
}

function orderOfTexts(values: readonly Uint8Array[]): Order | null {
  if (values.some(({ length }) => length > LONGEST_COMPARED)) return null;
  const order = [...values.keys()].sort((a, b) => compared(values[a]!, values[b]!));
  const keys = new Float64Array(values.length);
  for (const [rank, code] of order.entries()) keys[code] = rank;
  return { keys, bytesAt: (i) => values[i]! };
}

/** The order of Parquet's texts: unsigned bytes. */
function compared(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}
