/** Rows of a column as typed arrays, as the writer takes them. */

import { Numbered } from "../../bytes/numbered.ts";

/** Different values that codes refer to. */
export type Dictionary =
  | { of: "text"; values: readonly Uint8Array[] }
  | { of: "bytes16"; values: readonly Uint8Array[] }
  /** Halves of numbers of 64 bits, the lower one first. */
  | { of: "int64"; words: Uint32Array };

/** Values of a column without repetitions, in the order of the rows. */
export type Values =
  /** Code `none` is a missing value. With a table, `codes` are places in it, and it has the codes. */
  | { kind: "coded"; codes: Uint32Array; table?: Uint32Array; dictionary: Dictionary; none: number | null }
  /** -1 is a missing value where the column may have some. A table is one of values, too. */
  | { kind: "ints"; values: Int32Array; table?: Uint32Array; hasNone: boolean }
  /** `none`: numbers with this value are missing. */
  | { kind: "longs"; words: Uint32Array; none: 0 | null };

export type ColumnData =
  | Values
  /** Row i has the items [offsets[i], offsets[i + 1]). `absent`: rows without a list. */
  | { kind: "list"; offsets: Uint32Array; absent: Uint8Array | null; items: Values }
  | { kind: "map"; offsets: Uint32Array; keys: Values; values: Values };

/**
 * How values of a column are encoded. `aligned`: codes take whole bytes, which compresses better where they repeat.
 * `near`: equal values are neighbours, so that they compress well without codes, and a reader of one page needs no
 * large dictionary.
 */
export type How = "packed" | "aligned" | "near" | "plain" | "delta";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export type Coded = Extract<Values, { kind: "coded" }>;

export function coded(dictionary: Dictionary, codes: Uint32Array, none: number | null = null, table?: Uint32Array) {
  return { kind: "coded", codes, dictionary, none, ...(table !== undefined && { table }) } as const;
}

export function ints(values: Int32Array, hasNone = false, table?: Uint32Array): Values {
  return { kind: "ints", values, hasNone, ...(table !== undefined && { table }) };
}

export function longs(words: Uint32Array, none: 0 | null = null) {
  return { kind: "longs", words, none } as const;
}

function isOther(): never {
  throw new RangeError("a column of other values");
}

export function intsOf(data: ColumnData | undefined): Int32Array {
  return data?.kind === "ints" ? data.values : isOther();
}

/** Halves of numbers of 64 bits, the lower one first. */
export function wordsOf(data: ColumnData): Uint32Array {
  return data.kind === "longs" ? data.words : isOther();
}

export function longsOf(data: ColumnData): BigInt64Array {
  return new BigInt64Array(wordsOf(data).slice().buffer);
}

export function codedOf(data: ColumnData | undefined): Coded {
  return data?.kind === "coded" ? data : isOther();
}

/** Texts, or ids of 16 bytes, that codes refer to. */
export function entriesOf({ dictionary }: Coded): readonly Uint8Array[] {
  return dictionary.of === "int64" ? isOther() : dictionary.values;
}

/** The text of each row. */
export function textsOf(data: ColumnData): string[] {
  const texts = entriesOf(codedOf(data)).map((value) => decoder.decode(value));
  return Array.from(codedOf(data).codes, (code) => texts[code]!);
}

export function listOf(data: ColumnData): { offsets: Uint32Array; items: Int32Array } {
  return data.kind === "list" ? { offsets: data.offsets, items: intsOf(data.items) } : isOther();
}

/** Numbers of 64 bits of a dictionary. */
export function pickedLongs(words: Uint32Array, codes: Uint32Array): Uint32Array<ArrayBuffer> {
  const all = new Uint32Array(2 * codes.length);
  for (let i = 0; i < codes.length; i++) {
    all[2 * i] = words[2 * codes[i]!]!;
    all[2 * i + 1] = words[2 * codes[i]! + 1]!;
  }
  return all;
}

export function textTable(texts: readonly string[]): Dictionary {
  return { of: "text", values: texts.map((text) => encoder.encode(text)) };
}

/** Texts that get a number when they first occur. Number 0 is "". */
export class Texts extends Numbered<string> {
  constructor() {
    super("");
  }

  private readonly encoded: Uint8Array[] = [];

  /** A column of these texts. */
  column(codes: Uint32Array, none: 0 | null = null, table?: Uint32Array): Coded {
    for (let i = this.encoded.length; i < this.list.length; i++) this.encoded.push(encoder.encode(this.list[i]));
    return coded({ of: "text", values: this.encoded }, codes, none, table);
  }
}

/** A column in which every row has the same text; null for none. */
export function sameText(text: string | null, rows: number): Values {
  return coded(textTable([text ?? ""]), new Uint32Array(rows), text === null ? 0 : null);
}

/** A column of texts; "" is a missing one if `nullable`. */
export function textValues(texts: readonly string[], nullable: boolean): Values {
  const known = new Texts();
  return known.column(
    Uint32Array.from(texts, (text) => known.of(text)),
    nullable ? 0 : null,
  );
}

export function longValues(values: readonly bigint[], none: 0 | null = null): Values {
  return longs(new Uint32Array(BigInt64Array.from(values).buffer), none);
}

export function intValues(values: ArrayLike<number>, hasNone = false): Values {
  return ints(Int32Array.from(values), hasNone);
}

/** A column of lists of texts. */
export function textLists(lists: readonly (readonly string[])[]): ColumnData {
  return { kind: "list", offsets: offsetsOf(lists), absent: null, items: textValues(lists.flat(), false) };
}

export function textMaps(maps: readonly Record<string, string>[]): ColumnData {
  const entries = maps.map((map) => Object.entries(map));
  const all = entries.flat();
  return {
    kind: "map",
    offsets: offsetsOf(entries),
    keys: textValues(
      all.map(([key]) => key),
      false,
    ),
    values: textValues(
      all.map(([, value]) => value),
      false,
    ),
  };
}

function offsetsOf(lists: readonly { length: number }[]): Uint32Array {
  const offsets = new Uint32Array(lists.length + 1);
  for (const [i, list] of lists.entries()) offsets[i + 1] = offsets[i]! + list.length;
  return offsets;
}
