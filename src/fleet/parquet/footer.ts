/**
 * The footer of a file: leaves of its schema, row groups and their column chunks, with every number compared with the
 * file before it is used. Files of other engines with the same columns are read, too: their schema says how.
 */
import { checkFooter, EXTENSION, unpacked } from "./checks.ts";
import { Damaged, placed } from "./damage.ts";
import { Converted, Logical, MICROSECONDS, Repetition } from "./format.ts";
import { FOOTER_TAIL } from "./parts.ts";
import type { Piece } from "./ranges-ahead.ts";
import {
  bytesIn,
  type Fields,
  listIn,
  numberIn,
  structIn,
  structsIn,
  ThriftReader,
  type Value,
} from "./thrift-reader.ts";

/** Of sound parts they have about 100 KB. */
const MOST_FOOTER = 1 << 24;
/** Rows and levels that a column chunk may claim. Pages have their own limit, and nothing is allocated by these. */
const MOST_ROWS = 2 ** 31;
const LONGEST_FIXED = 1 << 10;
const DEEPEST = 8;

export interface LeafShape {
  /** Name of the column, of which the leaf is a part or the whole. */
  column: string;
  physical: number;
  /** Bytes of a value of fixed length. */
  size: number;
  maxDefinition: number;
  maxRepetition: number;
  /** Definition levels from which on the list is there, and an item of it. */
  listThere: number;
  itemThere: number;
  isMicros: boolean;
}

export interface ChunkShape {
  leaf: LeafShape;
  codec: number;
  /** Levels. */
  count: number;
  whole: Piece;
  hasDictionary: boolean;
  /** Bytes of all pages when they are unpacked, with their headers. */
  uncompressed: number;
  offsetIndex: Piece | null;
  columnIndex: Piece | null;
  bloom: Piece | null;
  /** All values are missing, as far as the statistics say. */
  isEmpty: boolean;
  least: Uint8Array | null;
  most: Uint8Array | null;
  /** Of the extension (checks.ts); null in a file without checksums. */
  checks: number[] | null;
}

export interface Group {
  first: number;
  end: number;
  chunks: ChunkShape[];
}

export interface Footer {
  rows: number;
  leaves: LeafShape[];
  groups: Group[];
  isChecked: boolean;
  /** Texts by name. */
  notes: ReadonlyMap<string, string>;
}

/** Bytes of the footer without its tail, by the tail; throws if it cannot be. */
export function footerSize(tail: Uint8Array, fileSize: number): number {
  const at = fileSize - FOOTER_TAIL;
  if (String.fromCharCode(...tail.subarray(4)) !== "PAR1")
    throw new Damaged("the file does not end as Parquet", { at });
  const size = new DataView(tail.buffer, tail.byteOffset).getUint32(0, true);
  if (size > at - 4 || size > MOST_FOOTER) throw new Damaged(`the footer has ${size} bytes`, { at });
  return size;
}

export function readFooter(bytes: Uint8Array, fileSize: number): Footer {
  const at = fileSize - FOOTER_TAIL - bytes.length;
  return placed({ at }, () => {
    const isChecked = checkFooter(bytes, at);
    const fields = new ThriftReader(bytes).struct();
    const leaves = leavesIn(structsIn(fields, 2, "elements of the schema"));
    const rows = numberIn(fields, 3, "the number of rows", MOST_ROWS);
    let end = 0;
    const groups = structsIn(fields, 4, "row groups").map((group): Group => {
      const first = end;
      end += numberIn(group, 3, "the number of rows of a row group", MOST_ROWS);
      const chunks = structsIn(group, 1, "column chunks");
      if (chunks.length !== leaves.length)
        throw new Damaged(`a row group has ${chunks.length} columns, the schema ${leaves.length}`);
      const shapeOf = (chunk: Fields, i: number) =>
        placed({ column: leaves[i]!.column }, () => chunkOf(chunk, leaves[i]!, end - first, at, isChecked));
      return { first, end, chunks: chunks.map(shapeOf) };
    });
    if (end !== rows) throw new Damaged(`the row groups have ${end} rows, the file ${rows}`);
    const notes = fields[5] === undefined ? [] : structsIn(fields, 5, "texts");
    return { rows, leaves, groups, isChecked, notes: new Map(notes.map((note) => [textIn(note, 1), textIn(note, 2)])) };
  });
}

const decoder = new TextDecoder();

const textIn = (fields: Fields, id: number) => decoder.decode(bytesIn(fields, id) ?? new Uint8Array());

function leavesIn(elements: readonly Fields[]): LeafShape[] {
  const leaves: LeafShape[] = [];
  let next = 0;
  const take = (above: LeafShape, depth: number): void => {
    const element = elements[next++];
    if (element === undefined || depth > DEEPEST) throw new Damaged("the schema is no tree");
    const name = textIn(element, 4);
    const repetition = depth === 0 ? 0 : numberIn(element, 3, "the repetition of a column", 2, 0);
    const own = { ...above, column: depth === 1 ? name : above.column };
    if (repetition !== Repetition.required) own.maxDefinition++;
    if (repetition === Repetition.repeated) {
      own.maxRepetition++;
      [own.listThere, own.itemThere] = [above.maxDefinition, own.maxDefinition];
    }
    const children = numberIn(element, 5, "the number of children", elements.length, 0);
    if (children === 0 && depth > 0) leaves.push(leafOf(element, own));
    for (let i = 0; i < children; i++) take(own, depth + 1);
  };
  const none = { column: "", physical: 0, size: 0, maxDefinition: 0, maxRepetition: 0, isMicros: false };
  take({ ...none, listThere: 0, itemThere: 0 }, 0);
  if (next !== elements.length) throw new Damaged("the schema is no tree");
  return leaves;
}

function leafOf(element: Fields, shape: LeafShape): LeafShape {
  const timestamp = (element[10] as Fields | undefined)?.[Logical.timestamp] as Fields | undefined;
  const unit = timestamp?.[2] as Fields | undefined;
  return {
    ...shape,
    physical: numberIn(element, 1, "the type of a column", 7),
    size: numberIn(element, 2, "the length of values", LONGEST_FIXED, 0),
    isMicros: element[6] === Converted.timestamp || unit?.[MICROSECONDS] !== undefined,
  };
}

const isText = (value: Value): value is Uint8Array => value instanceof Uint8Array;

/** `end`: where the footer begins. */
function chunkOf(chunk: Fields, leaf: LeafShape, rows: number, end: number, isChecked: boolean): ChunkShape {
  const meta = structIn(chunk, 3, "the description of a column chunk");
  const [name] = listIn(meta, 3, isText) ?? [];
  if (name === undefined || decoder.decode(name) !== leaf.column || meta[1] !== leaf.physical)
    throw new Damaged("the column chunk is not that of the schema");
  const count = numberIn(meta, 5, "the number of values", MOST_ROWS);
  if (leaf.maxRepetition === 0 ? count !== rows : count < rows)
    throw new Damaged(`a column chunk of ${rows} rows has ${count} values`);
  const data = numberIn(meta, 9, "the place of the pages", end);
  const dictionary = numberIn(meta, 11, "the place of the dictionary", end, 0);
  const hasDictionary = dictionary > 0 && dictionary < data;
  const from = hasDictionary ? dictionary : data;
  const whole = { from, to: from + numberIn(meta, 7, "the size of the pages", end - from) };
  if (data > whole.to) throw new Damaged("the place of the pages is after their end");
  const statistics = meta[12] === undefined ? {} : structIn(meta, 12, "the statistics");
  const extension = bytesIn(chunk, EXTENSION);
  const offsetIndex = pieceIn(chunk, 4, 5, "the offset index", end);
  if (isChecked && (extension === null || extension.length < 8 || offsetIndex === null))
    throw new Damaged("a column chunk has no checksums");
  return {
    leaf,
    codec: numberIn(meta, 4, "the compression", 255),
    count,
    whole,
    hasDictionary,
    uncompressed: numberIn(meta, 6, "the size of the unpacked pages", Number.MAX_SAFE_INTEGER),
    offsetIndex,
    columnIndex: pieceIn(chunk, 6, 7, "the column index", end),
    bloom: pieceIn(meta, 14, 15, "the bloom filter", end),
    isEmpty: statistics[3] === count,
    least: bytesIn(statistics, 6),
    most: bytesIn(statistics, 5),
    checks: isChecked ? unpacked(extension!) : null,
  };
}

/** A place and its size; null where one of them is not stated. */
function pieceIn(fields: Fields, place: number, size: number, what: string, end: number): Piece | null {
  if (fields[place] === undefined || fields[size] === undefined) return null;
  const from = numberIn(fields, place, `the place of ${what}`, end);
  return { from, to: from + numberIn(fields, size, `the size of ${what}`, end - from) };
}
