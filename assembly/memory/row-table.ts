/**
 * Interner of rows of `words` u32 words each: an even number, because they are hashed and compared in pairs, and at
 * most 2 × HASHED_WORDS. Row 0 is all zero. Rows move when the table grows: hold indices, not pointers. A caller fills
 * `draft` (through `put`) and calls `intern`.
 */
import { alloc, growth, regrow, release } from "./arena";
import { finish, product } from "./hash";
import { own } from "./resets";
import { RowSlots } from "./row-slots";

@unmanaged
export class RowTable extends RowSlots {
  rows: usize;
  count: u32;
  capacity: u32;
  words: u32;
  /** One row of scratch: what `intern` looks up. */
  draft: usize;

  create(words: u32, expected: u32): void {
    this.init(expected);
    this.words = words;
    this.capacity = expected < 64 ? 64 : expected;
    this.rows = alloc((<usize>(this.capacity * words)) << 2);
    this.draft = alloc((<usize>words) << 2);
    memory.fill(this.rows, 0, (<usize>words) << 2);
    memory.fill(this.draft, 0, (<usize>words) << 2);
    this.count = 1;
  }

  /** Gives the slots back, until rows are looked up again (`findable`). */
  forgetSlots(): void {
    if (this.at !== 0) this.free();
  }

  /** To be called before rows are looked up where the slots may be given back. */
  findable(): void {
    if (this.at === 0) this.findAgain();
  }

  private findAgain(): void {
    this.init(this.count);
    this.insertAll();
  }

  private insertAll(): void {
    for (let row: u32 = 1; row < this.count; row++) this.insert(row, this.hashAt(this.row(row)));
  }

  /** Makes room for one more row. */
  private need(): void {
    if (!this.isFull()) return;
    this.enlarge();
    this.insertAll();
  }

  /** Gives all memory back; the table holds nothing until `create`. */
  drop(): void {
    release(this.rows, (<usize>(this.capacity * this.words)) << 2);
    release(this.draft, (<usize>this.words) << 2);
    this.free();
    this.rows = 0;
    this.draft = 0;
    this.count = 0;
  }

  /** Pointer to row `i`, good until the next `intern`. */
  row(i: u32): usize {
    return this.rows + ((<usize>(i * this.words)) << 2);
  }

  /** Word `w` of row `i`. */
  get(i: u32, w: u32): u32 {
    return load<u32>(this.rows + ((<usize>(i * this.words + w)) << 2));
  }

  /** Words `w` and `w + 1` of row `i` as one little-endian value. */
  get64(i: u32, w: u32): u64 {
    return load<u64>(this.rows + ((<usize>(i * this.words + w)) << 2));
  }

  put(w: u32, value: u32): void {
    store<u32>(this.draft + ((<usize>w) << 2), value);
  }

  put64(w: u32, value: u64): void {
    store<u64>(this.draft + ((<usize>w) << 2), value);
  }

  /** Hash of the draft. */
  hashDraft(): u32 {
    return this.hashAt(this.draft);
  }

  /** Hash of the row at `p`. */
  hashAt(p: usize): u32 {
    const end = p + ((<usize>this.words) << 2);
    let sum: u64 = 0;
    let i: usize = 0;
    for (; p < end; p += 8) sum += product(i++, load<u64>(p));
    return finish(sum);
  }

  /** Index of the row equal to the draft, added when new; 0 for the all-zero draft. */
  intern(): u32 {
    return this.internHashed(this.hashDraft());
  }

  /** `intern` of a draft whose hash is known already. */
  internHashed(hash: u32): u32 {
    const known = this.rowOf(this.draft, hash);
    if (known !== 0) return known;
    if (this.isZero()) return 0;
    if (this.count === this.capacity) {
      const bytes = (<usize>(this.capacity * this.words)) << 2;
      const shift = growth(bytes);
      this.rows = regrow(this.rows, bytes, bytes, bytes << shift);
      this.capacity <<= shift;
    }
    this.need();
    const row = this.count++;
    memory.copy(this.row(row), this.draft, (<usize>this.words) << 2);
    this.insert(row, hash);
    return row;
  }

  /** Index of the row equal to the one at `row`, whose hash is `hash`; 0 if no row is equal. */
  rowOf(row: usize, hash: u32): u32 {
    const rows = this.mask >> 1;
    let i = hash & this.mask;
    while (true) {
      const slot = load<u32>(this.at + ((<usize>i) << 2));
      if (slot === 0) return 0;
      // What differs between slot and hash is in the bits of the row only: the tag agrees.
      if ((slot ^ hash) <= rows && this.same(slot & rows, row)) return slot & rows;
      i = (i + 1) & this.mask;
    }
  }

  /** Row 0 is in no slot, so a draft that was not found may still be it. */
  private isZero(): bool {
    const end = this.draft + ((<usize>this.words) << 2);
    let any: u64 = 0;
    for (let p = this.draft; p < end; p += 8) any |= load<u64>(p);
    return any === 0;
  }

  private same(i: u32, row: usize): bool {
    const at = this.row(i);
    const bytes = (<usize>this.words) << 2;
    for (let o: usize = 0; o < bytes; o += 8) {
      if (load<u64>(at + o) !== load<u64>(row + o)) return false;
    }
    return true;
  }
}

export function newRowTable(words: u32, expected: u32): RowTable {
  const t = changetype<RowTable>(alloc(offsetof<RowTable>()));
  t.create(words, expected);
  return t;
}

function make(at: usize, words: u32, expected: u32): void {
  changetype<RowTable>(at).create(words, expected);
}

/** A table that every reset makes anew. */
export function ownRowTable(words: u32, expected: u32): RowTable {
  return changetype<RowTable>(own(make, words, expected));
}
