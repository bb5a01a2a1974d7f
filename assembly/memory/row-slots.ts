/**
 * The index part of a table of rows (row-table.ts): open addressing, linear probing, at most half full.
 *
 *   slot: | tag | row |    u32; 0 = empty: row 0 is the zero value, never looked up
 *
 * At most half of 2ⁿ slots are used, so a row takes n − 1 bits. The tag is the other bits of its hash. A probe touches
 * the row itself only when the tags agree. Growing hashes the rows again: they are read in their order, and a slot with
 * the whole hash beside the row takes twice the memory.
 */
import { alloc, release } from "./arena";

@unmanaged
export class RowSlots {
  at: usize;
  mask: u32;
  used: u32;

  /** Empty slots for about `expected` rows. */
  init(expected: u32): void {
    let n: u32 = 64;
    while (n < expected * 2) n <<= 1;
    this.empty(n, alloc((<u64>n) << 2));
  }

  free(): void {
    release(this.at, (<usize>this.mask + 1) << 2);
    this.at = 0;
  }

  isFull(): bool {
    return (this.used + 1) << 1 > this.mask;
  }

  /** Empties all slots and doubles their number. */
  enlarge(): void {
    const n = (this.mask + 1) << 1;
    const at = alloc((<u64>n) << 2);
    this.free();
    this.empty(n, at);
  }

  private empty(n: u32, at: usize): void {
    memory.fill(at, 0, (<usize>n) << 2);
    this.at = at;
    this.mask = n - 1;
    this.used = 0;
  }

  /** Puts `row` into the first empty slot of its run; no equal row is in a slot, and there is room. */
  insert(row: u32, hash: u32): void {
    let i = hash & this.mask;
    while (load<u32>(this.at + ((<usize>i) << 2)) !== 0) i = (i + 1) & this.mask;
    store<u32>(this.at + ((<usize>i) << 2), (hash & ~(this.mask >> 1)) | row);
    this.used++;
  }

  /**
   * Prefetches the first slot of a hash's run, so that it is in the cache for the lookup. The caller ignores the
   * result.
   */
  touch(hash: u32): u32 {
    return load<u32>(this.at + ((<usize>(hash & this.mask)) << 2));
  }

  /** The first row in a hash's run that bears the hash's tag, else 0: most likely the one that is looked for. */
  likely(hash: u32): u32 {
    const rows = this.mask >> 1;
    let i = hash & this.mask;
    while (true) {
      const slot = load<u32>(this.at + ((<usize>i) << 2));
      if (slot === 0 || (slot ^ hash) <= rows) return slot & rows;
      i = (i + 1) & this.mask;
    }
  }
}
