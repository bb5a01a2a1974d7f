/**
 * A map from a 64-bit key to a row, for rows whose identity fits into one word: one load decides, without reading the
 * row.
 *
 *   slot: | key u64 | row u32 | 0 |      row 0 = empty; open addressing, linear probing, at most half full
 */
import { alloc, release } from "./arena";
import { hashWord } from "./hash";
import { own } from "./resets";

export const SLOT_KEY: usize = 0;
export const SLOT_ROW: usize = 8;
export const SLOT_BYTES: usize = 16;

@unmanaged
export class KeyTable {
  at: usize;
  mask: u32;
  used: u32;

  create(expected: u32): void {
    let n: u32 = 64;
    while (n < expected << 1) n <<= 1;
    this.at = alloc((<u64>n) << 4);
    memory.fill(this.at, 0, (<usize>n) << 4);
    this.mask = n - 1;
    this.used = 0;
  }

  /** Empties all slots; their number stays. */
  clear(): void {
    memory.fill(this.at, 0, (<usize>this.mask + 1) << 4);
    this.used = 0;
  }

  free(): void {
    release(this.at, (<usize>this.mask + 1) << 4);
    this.at = 0;
  }

  /** Prefetches the first slot of a key's run, as `Slots.touch` does. */
  touch(key: u64): u32 {
    return load<u32>(this.at + <usize>(hashWord(key) & this.mask) * SLOT_BYTES);
  }

  /** The row of `key`, 0 if the key is absent. */
  find(key: u64): u32 {
    let i = hashWord(key) & this.mask;
    while (true) {
      const p = this.at + <usize>i * SLOT_BYTES;
      const row = load<u32>(p, SLOT_ROW);
      if (row === 0 || load<u64>(p, SLOT_KEY) === key) return row;
      i = (i + 1) & this.mask;
    }
  }

  /** Gives `key` this row, whether it has one or not. */
  put(key: u64, row: u32): void {
    let i = hashWord(key) & this.mask;
    while (true) {
      const p = this.at + <usize>i * SLOT_BYTES;
      if (load<u32>(p, SLOT_ROW) === 0) break;
      if (load<u64>(p, SLOT_KEY) === key) {
        store<u32>(p, row, SLOT_ROW);
        return;
      }
      i = (i + 1) & this.mask;
    }
    this.add(key, row);
  }

  /** Adds a key that is absent. */
  add(key: u64, row: u32): void {
    if ((this.used + 1) << 1 > this.mask) this.grow();
    this.place(this.at, this.mask, key, row);
    this.used++;
  }

  private place(at: usize, mask: u32, key: u64, row: u32): void {
    let i = hashWord(key) & mask;
    while (load<u32>(at + <usize>i * SLOT_BYTES, SLOT_ROW) !== 0) i = (i + 1) & mask;
    store<u64>(at + <usize>i * SLOT_BYTES, key, SLOT_KEY);
    store<u32>(at + <usize>i * SLOT_BYTES, row, SLOT_ROW);
  }

  private grow(): void {
    const size = this.mask + 1;
    const fresh = alloc((<u64>size) << 5);
    memory.fill(fresh, 0, (<usize>size) << 5);
    const end = this.at + ((<usize>size) << 4);
    for (let p = this.at; p < end; p += SLOT_BYTES) {
      if (load<u32>(p, SLOT_ROW) !== 0)
        this.place(fresh, (size << 1) - 1, load<u64>(p, SLOT_KEY), load<u32>(p, SLOT_ROW));
    }
    release(this.at, (<usize>size) << 4);
    this.at = fresh;
    this.mask = (size << 1) - 1;
  }
}

export function newKeyTable(expected: u32): KeyTable {
  const t = changetype<KeyTable>(alloc(offsetof<KeyTable>()));
  t.create(expected);
  return t;
}

function make(at: usize, expected: u32, _: u32): void {
  changetype<KeyTable>(at).create(expected);
}

/** A table that every reset makes anew. */
export function ownKeyTable(expected: u32): KeyTable {
  return changetype<KeyTable>(own(make, expected, 0));
}
