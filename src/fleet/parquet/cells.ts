/** Values of a column in some pages of a row group, by their rows in the file. */
import { Damaged } from "./damage.ts";
import type { LeafRows } from "./leaf-rows.ts";
import type { Piece } from "./ranges-ahead.ts";
import { listsOf } from "./read-file.ts";

/** Rows [from, to). */
export type RowRange = Piece;

/** Numbers of 64 bits are bigints, maps are pairs; null is a missing value. */
export type Cell =
  | string
  | number
  | bigint
  | Uint8Array
  | Int32Array
  | readonly string[]
  | (readonly [string, string])[]
  | null;

const decoder = new TextDecoder();

/** A leaf of the column. */
class LeafCells {
  readonly rows: LeafRows;
  private readonly ranges: readonly RowRange[];
  /** Row of `rows` with which each range begins. */
  private readonly bases: number[] = [];
  private readonly longs: BigInt64Array | null;
  private readonly decoded: string[] = [];
  private range = 0;
  /** Flat: place of the value of each row, -1 for none; null where every row has its own. */
  private readonly slots: Int32Array | null = null;
  private readonly lists: { offsets: Uint32Array; absent: Uint8Array } | null = null;

  constructor(rows: LeafRows, ranges: readonly RowRange[]) {
    this.rows = rows;
    this.ranges = ranges;
    let count = 0;
    for (const { from, to } of ranges) {
      this.bases.push(count);
      count += to - from;
    }
    const { leaf, definition, values, levels } = rows;
    this.longs = values.of === "int64" ? new BigInt64Array(values.data.buffer, 0, values.count) : null;
    if (leaf.maxRepetition > 0) {
      this.lists = listsOf(rows, count);
      if (values.count !== this.lists.offsets[count]) throw new Damaged("lists have missing items");
      return;
    }
    if (levels !== count) throw new Damaged(`the pages have ${levels} rows instead of ${count}`);
    if (definition === null || values.count === levels) return;
    this.slots = new Int32Array(levels);
    let n = 0;
    for (let i = 0; i < levels; i++) this.slots[i] = definition[i] === leaf.maxDefinition ? n++ : -1;
  }

  /** Rows that are looked for ascend, mostly. */
  private placeOf(row: number): number {
    const { ranges } = this;
    if (row < ranges[this.range]!.from) this.range = 0;
    while (row >= ranges[this.range]!.to) this.range++;
    return this.bases[this.range]! + row - ranges[this.range]!.from;
  }

  private value(i: number): string | number | bigint | Uint8Array {
    const { values } = this.rows;
    if (this.longs !== null) return this.longs[i]!;
    const code = values.data[i]!;
    if (values.of === "int32") return code | 0;
    if (values.of === "bytes16") return values.texts[code]!;
    this.decoded[code] ??= decoder.decode(values.texts[code]);
    return this.decoded[code];
  }

  /** Place of the value of a row; -1 for none. */
  private slotOf(row: number): number {
    const place = this.placeOf(row);
    return this.slots === null ? place : this.slots[place]!;
  }

  at(row: number): string | number | bigint | Uint8Array | null {
    const slot = this.slotOf(row);
    return slot < 0 ? null : this.value(slot);
  }

  numbers(row: number): Int32Array | null {
    const { offsets, absent } = this.lists!;
    const place = this.placeOf(row);
    const { data } = this.rows.values;
    if (absent[place] === 1) return null;
    return new Int32Array(data.buffer, 4 * offsets[place]!, offsets[place + 1]! - offsets[place]!);
  }

  texts(row: number): string[] {
    const { offsets } = this.lists!;
    const place = this.placeOf(row);
    const length = offsets[place + 1]! - offsets[place]!;
    return Array.from({ length }, (_, i) => String(this.value(offsets[place]! + i)));
  }

  /** Adds the rows of a range whose values hold. A condition of a text is asked once for each text. */
  addPlaces({ from, to }: RowRange, holds: (value: Cell) => boolean, found: number[]): void {
    const { values } = this.rows;
    const known: boolean[] = [];
    const isCoded = values.of === "text" || values.of === "bytes16";
    const holdsText = (slot: number) => {
      const code = values.data[slot]!;
      known[code] ??= holds(this.value(slot));
      return known[code];
    };
    for (let row = from; row < to; row++) {
      const slot = this.slotOf(row);
      const isHit = isCoded && slot >= 0 ? holdsText(slot) : holds(slot < 0 ? null : this.value(slot));
      if (isHit) found.push(row);
    }
  }
}

export class Cells {
  private readonly leaves: readonly LeafCells[];

  /** Leaves of a column in order, each with the ranges of its pages; none where the file does not have the column. */
  constructor(leaves: readonly { rows: LeafRows; ranges: readonly RowRange[] }[]) {
    this.leaves = leaves.map(({ rows, ranges }) => new LeafCells(rows, ranges));
  }

  at(row: number): Cell {
    const [first, second] = this.leaves;
    if (first === undefined) return null;
    if (first.rows.leaf.maxRepetition === 0) return first.at(row);
    if (second === undefined) return first.rows.values.of === "int32" ? first.numbers(row) : first.texts(row);
    const [keys, values] = [first.texts(row), second.texts(row)];
    if (keys.length !== values.length)
      throw new Damaged("a map has more keys than values", { column: first.rows.leaf.column });
    return keys.map((key, i) => [key, values[i]!] as const);
  }

  /** Rows of ascending ranges whose values hold. */
  placesIn(ranges: readonly RowRange[], holds: (value: Cell) => boolean): number[] {
    const found: number[] = [];
    for (const range of ranges) this.leaves[0]?.addPlaces(range, holds, found);
    return found;
  }
}
