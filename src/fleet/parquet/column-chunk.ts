/** A column chunk: the pages of a leaf in a row group, with its statistics, indexes and checksums. */
import { ByteWriter } from "../../bytes/byte-writer.ts";
import { joined } from "../../bytes/joined.ts";
import { checksum } from "./checks.ts";
import { type Dictionary, type How, pickedLongs } from "./column-data.ts";
import { widthOf } from "./decodings.ts";
import { Compression, Encoding, PageType, Physical } from "./format.ts";
import type { Kernels } from "./kernels.ts";
import type { Leaf, LeafValues } from "./leaf.ts";
import { type Statistics, statisticsOf } from "./statistics.ts";
import { Thrift } from "./thrift.ts";

/** A compression: its number in the format, and its function. */
export interface Codec {
  id: number;
  compress: (bytes: Uint8Array) => Uint8Array;
}

export interface Chunk extends Statistics {
  path: readonly string[];
  physical: number;
  encodings: number[];
  codec: number;
  /** Levels. */
  count: number;
  /** All pages. */
  bytes: Uint8Array;
  uncompressed: number;
  /** Of the first data page, from the first byte. */
  dataAt: number;
  /** A page each: place from the first byte, size, first row. */
  pages: { at: number; size: number; row: number }[];
  /** Checksums of the headers of all pages. */
  headers: number[];
}

interface Page {
  type: number;
  body: Uint8Array;
  header: (thrift: Thrift) => void;
}

type Coded = Extract<LeafValues, { kind: "coded" }>;

/** Neighbours that are equal get codes if these take so many times fewer bytes. */
const NEAR_ROWS = 3;

export function chunkOf(kernels: Kernels, name: string, leaf: Leaf, how: How, codec: Codec, pageRows: number): Chunk {
  const pages: Page[] = [];
  const put = encoderOf(kernels, leaf.values, how, pages);
  const out = kernels.room(roomFor(leaf));
  for (let page = 0; page + 1 < leaf.levelCuts.length; page++) {
    const [from, to] = [leaf.levelCuts[page]!, leaf.levelCuts[page + 1]!];
    let at = putLevels(kernels, leaf.repetition, from, to, leaf.maxRepetition, out);
    at = putLevels(kernels, leaf.definition, from, to, leaf.maxDefinition, at);
    const { encoding, end, texts } = put(leaf.valueCuts[page]!, leaf.valueCuts[page + 1]!, at);
    const body = kernels.taken(out, end);
    pages.push({
      type: PageType.data,
      body: texts === null ? body : joined([body, texts]),
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
    ...statisticsOf(kernels, leaf, name),
    path: [name, ...leaf.path],
    physical: physicalOf(leaf.values),
    encodings: [...new Set([Encoding.plain, Encoding.rle, encoding])],
    count: leaf.levelCuts.at(-1)!,
  };
}

/** Bytes that the longest page of a leaf may take: of a value 8 bytes and the heads of its group of 8, of a level 1. */
function roomFor({ levelCuts, valueCuts }: Leaf): number {
  const longest = (cuts: Uint32Array) => cuts.reduce((most, cut, i) => Math.max(most, cut - (cuts[i - 1] ?? 0)), 0);
  return 12 * longest(valueCuts) + 6 * longest(levelCuts) + 4096;
}

function putLevels(kernels: Kernels, levels: number, from: number, to: number, most: number, out: number): number {
  if (most === 0) return out;
  const end = kernels.wasm.hybridBytes(levels + from, to - from, widthOf(most), out + 4) >>> 0;
  const size = end - out - 4;
  const head = kernels.bytes(out, 4);
  for (let i = 0; i < 4; i++) head[i] = size >>> (8 * i);
  return end;
}

/** Writes values [from, to) to a page; texts are returned. */
type Put = ((from: number, to: number, out: number) => { encoding: number; end: number; texts: Uint8Array | null }) & {
  encoding: number;
};

function encoderOf(kernels: Kernels, values: LeafValues, how: How, pages: Page[]): Put {
  if (values.kind === "longs") return numberEncoder(kernels, values.at, 8, how);
  if (values.kind === "ints") return numberEncoder(kernels, values.at, 4, how);
  const { at, used, dictionary } = values;
  const width = widthFor(used.length, how);
  const { different, rows, count } = plainSizes(values);
  const pays = different + (count * width) / 8 < (how === "near" ? rows / NEAR_ROWS : rows);
  if (how !== "plain" && (dictionary.of === "int32" || pays)) {
    pages.push(dictionaryPage(plainValues(dictionary, used), used.length));
    const put = (from: number, to: number, out: number) => {
      kernels.bytes(out, 1)[0] = width;
      const end = kernels.wasm.hybrid(at + 4 * from, to - from, width, out + 1) >>> 0;
      return { encoding: Encoding.dictionary, end, texts: null };
    };
    return Object.assign(put, { encoding: Encoding.dictionary });
  }
  const put = (from: number, to: number, out: number) => {
    const codes = kernels.words(at + 4 * from, to - from).map((code) => used[code]!);
    return { encoding: Encoding.plain, end: out, texts: plainValues(dictionary, codes) };
  };
  return Object.assign(put, { encoding: Encoding.plain });
}

/** Numbers of `bytes` bytes that are at a place. */
function numberEncoder(kernels: Kernels, at: number, bytes: number, how: How): Put {
  const put = (from: number, to: number, out: number) => {
    const place = at + bytes * from;
    if (how === "delta") {
      const { deltas, intDeltas } = kernels.wasm;
      const end = (bytes === 8 ? deltas(place, to - from, out) : intDeltas(place, to - from, out)) >>> 0;
      if (end !== 0) return { encoding: Encoding.delta, end, texts: null };
    }
    kernels.bytes(out, bytes * (to - from)).set(kernels.bytes(place, bytes * (to - from)));
    return { encoding: Encoding.plain, end: out + bytes * (to - from), texts: null };
  };
  return Object.assign(put, { encoding: how === "delta" ? Encoding.delta : Encoding.plain });
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

/** Bytes of the different values, and of those of all rows. */
function plainSizes({ used, counts, dictionary }: Coded): { different: number; rows: number; count: number } {
  const { of } = dictionary;
  let [different, rows, count] = [0, 0, 0];
  for (let i = 0; i < used.length; i++) {
    const size = of === "text" ? 4 + dictionary.values[used[i]!]!.length : SIZES[of];
    different += size;
    rows += size * counts[i]!;
    count += counts[i]!;
  }
  return { different, rows, count };
}

/** Bytes of a value that has always the same. */
const SIZES = { int32: 4, int64: 8, bytes16: 16 } as const;

function plainValues(dictionary: Coded["dictionary"], codes: Uint32Array): Uint8Array {
  if (dictionary.of === "int32") return new Uint8Array(codes.slice().buffer);
  if (dictionary.of === "int64") return new Uint8Array(pickedLongs(dictionary.words, codes).buffer);
  const out = new ByteWriter();
  for (const code of codes) {
    const value = dictionary.values[code]!;
    if (dictionary.of === "text") out.word(value.length);
    out.raw(value);
  }
  return out.taken();
}

function physicalOf(values: LeafValues): number {
  if (values.kind === "longs") return Physical.int64;
  if (values.kind === "ints") return Physical.int32;
  return PHYSICAL[values.dictionary.of];
}

const PHYSICAL: Readonly<Record<Dictionary["of"] | "int32", number>> = {
  int32: Physical.int32,
  int64: Physical.int64,
  text: Physical.bytes,
  bytes16: Physical.fixed,
};

/** Dictionaries of random ids are large and cannot be compressed. Pieces of the pages show whether it pays off. */
const PIECE = 1 << 13;
const WORTH = 0.95;
/** Bytes of a page whose compressed form is about as long: header and trailer of gzip take 18. */
const TINY = 16;

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
): Pick<Chunk, "bytes" | "uncompressed" | "dataAt" | "pages" | "headers" | "codec"> {
  const size = (bodies: readonly { length: number }[]) => bodies.reduce((sum, { length }) => sum + length, 0);
  const whole = size(pages.map(({ body }) => body));
  // Most columns of a part have one value or a few: their pages are runs of some bytes, and a call costs much more.
  const isTiny = whole <= TINY * pages.length;
  const packed = !isTiny && isCompressible(pages, whole, compress) ? pages.map(({ body }) => compress(body)) : [];
  // Pages of a few bytes are larger when they are compressed.
  const isPacked = packed.length > 0 && size(packed) < whole;
  const thrift = new Thrift();
  const { out } = thrift;
  const places: Chunk["pages"] = [];
  const checks: number[] = [];
  let dataAt = 0;
  let headers = 0;
  for (const [i, { type, body, header }] of pages.entries()) {
    const at = out.size;
    const stored = isPacked ? packed[i]! : body;
    thrift.body(() => {
      thrift.i32(1, type);
      thrift.i32(2, body.length);
      thrift.i32(3, stored.length);
      thrift.i32(4, checksum(stored) | 0);
      header(thrift);
    });
    headers += out.size - at;
    checks.push(checksum(out.bytes.subarray(at, out.size)));
    out.raw(stored);
    if (type === PageType.dictionary) dataAt = out.size;
    else places.push({ at, size: out.size - at, row: places.length * pageRows });
  }
  return {
    bytes: out.taken(),
    uncompressed: headers + whole,
    dataAt,
    pages: places,
    headers: checks,
    codec: isPacked ? id : Compression.none,
  };
}
