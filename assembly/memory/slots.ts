/**
 * The index part of every interner: open addressing, linear probing, at most half full.
 *
 *   slot: | row u32 | hash u32 |    row 0 = empty: row 0 of every table is the zero value, never looked up
 *
 * The hash is stored beside the row, so a probe touches the row itself only when 32 bits agree, and growing needs no
 * rows.
 */
import { alloc, release } from "./arena";

@unmanaged
export class Slots {
  at: usize;
  mask: u32;
  used: u32;

  /** An empty table for about `expected` rows. */
  init(expected: u32): void {
    let n: u32 = 64;
    while (n < expected * 2) n <<= 1;
    this.at = alloc((<u64>n) << 3);
    memory.fill(this.at, 0, (<usize>n) << 3);
    this.mask = n - 1;
    this.used = 0;
  }

  /** Empties all slots; their number stays. */
  clear(): void {
    memory.fill(this.at, 0, (<usize>this.mask + 1) << 3);
    this.used = 0;
  }

  free(): void {
    release(this.at, (<usize>this.mask + 1) << 3);
    this.at = 0;
  }

  /**
   * Makes room for one more row. An owner that adds the row to a table calls this before it does: where memory runs
   * out, there is then no row that is in no slot.
   */
  need(): void {
    if ((this.used + 1) << 1 > this.mask) this.grow();
  }

  /** Puts `row` into the first empty slot of its run; the caller knows that no equal row is in the table. */
  insert(row: u32, hash: u32): void {
    this.need();
    let i = hash & this.mask;
    while (load<u32>(this.at + ((<usize>i) << 3)) !== 0) i = (i + 1) & this.mask;
    store<u64>(this.at + ((<usize>i) << 3), ((<u64>hash) << 32) | <u64>row);
    this.used++;
  }

  /**
   * Prefetches the first slot of a hash's run, so that it is in the cache for the lookup. The caller ignores the
   * result.
   */
  touch(hash: u32): u32 {
    return load<u32>(this.at + ((<usize>(hash & this.mask)) << 3));
  }

  /** The first row in a hash's run that bears the hash, else 0: most likely the one that is looked for. */
  likely(hash: u32): u32 {
    let i = hash & this.mask;
    while (true) {
      const slot = load<u64>(this.at + ((<usize>i) << 3));
      if (<u32>slot === 0 || <u32>(slot >> 32) === hash) return <u32>slot;
      i = (i + 1) & this.mask;
    }
  }

  private grow(): void {
    const old = this.at;
    const size = this.mask + 1;
    const at = alloc((<u64>size) << 4);
    const mask = (size << 1) - 1;
    memory.fill(at, 0, (<usize>size) << 4);
    const end = old + ((<usize>size) << 3);
    for (let p = old; p < end; p += 8) {
      const slot = load<u64>(p);
      if (<u32>slot === 0) continue;
      let i = <u32>(slot >> 32) & mask;
      while (load<u32>(at + ((<usize>i) << 3)) !== 0) i = (i + 1) & mask;
      store<u64>(at + ((<usize>i) << 3), slot);
    }
    release(old, (<usize>size) << 3);
    this.at = at;
    this.mask = mask;
  }
}
