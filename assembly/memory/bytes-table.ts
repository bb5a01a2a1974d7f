/**
 * Interner of byte runs (strings, packed stacks, attribute sets). Entry 0 is the empty run. The bytes of an entry
 * never move; they are in blocks that the table owns.
 *
 *   entry: | pointer u32 | length u32 |
 *   block: | block before u32 | 0 | bytes … |
 */

import * as Slice from "../abi/slice";
import { alloc, regrow, release } from "./arena";
import { equalBytes, hashBytes } from "./hash";
import { own } from "./resets";
import { setSlice, sliceAt, sliceSize } from "./slice";
import { Slots } from "./slots";

const BLOCK: u32 = 1 << 18;
const BLOCK_HEAD: u32 = 8;

@unmanaged
export class BytesTable extends Slots {
  entries: usize;
  count: u32;
  capacity: u32;
  /** The block that is being filled, 0 before the first; where its next bytes go. */
  block: usize;
  next: usize;
  blockLeft: u32;

  create(expected: u32): void {
    this.init(expected);
    this.capacity = expected < 64 ? 64 : expected;
    this.entries = alloc(<usize>this.capacity * Slice.BYTES);
    this.block = 0;
    this.next = 0;
    this.blockLeft = 0;
    store<u64>(this.entries, 0);
    this.count = 1;
  }

  /** Gives all memory back; the table holds nothing until `create`. */
  drop(): void {
    for (let i: u32 = 1; i < this.count; i++) if (this.size(i) > BLOCK >> 2) release(this.pointer(i), this.size(i));
    for (let at = this.block; at !== 0; ) {
      const before = <usize>load<u32>(at);
      release(at, BLOCK);
      at = before;
    }
    release(this.entries, <usize>this.capacity * Slice.BYTES);
    this.free();
    this.entries = 0;
    this.count = 0;
    this.block = 0;
    this.next = 0;
    this.blockLeft = 0;
  }

  /** Pointer to the bytes of entry `i`. */
  pointer(i: u32): usize {
    return sliceAt(this.entries + <usize>i * Slice.BYTES);
  }

  /** Number of bytes of entry `i`. */
  size(i: u32): u32 {
    return sliceSize(this.entries + <usize>i * Slice.BYTES);
  }

  /** Index of the run of `n` bytes at `p`, which is copied when it is new. */
  intern(p: usize, n: u32): u32 {
    if (n === 0) return 0;
    const hash = hashBytes(p, n);
    const row = this.rowOf(p, n, hash);
    return row !== 0 ? row : this.add(p, n, hash);
  }

  /** Index of the run of `n` bytes at `p`; 0 for the empty run and for one that is not in the table. */
  find(p: usize, n: u32): u32 {
    return n === 0 ? 0 : this.rowOf(p, n, hashBytes(p, n));
  }

  private rowOf(p: usize, n: u32, hash: u32): u32 {
    let i = hash & this.mask;
    while (true) {
      const slot = load<u64>(this.at + ((<usize>i) << 3));
      const row = <u32>slot;
      if (row === 0) return 0;
      if (<u32>(slot >> 32) === hash && this.size(row) === n && equalBytes(this.pointer(row), p, n)) return row;
      i = (i + 1) & this.mask;
    }
  }

  private add(p: usize, n: u32, hash: u32): u32 {
    if (this.count === this.capacity) {
      const bytes = <usize>this.capacity * Slice.BYTES;
      this.entries = regrow(this.entries, bytes, bytes, bytes << 1);
      this.capacity <<= 1;
    }
    this.need();
    const at = this.keep(n);
    const row = this.count++;
    memory.copy(at, p, n);
    setSlice(this.entries + <usize>row * Slice.BYTES, at, n);
    this.insert(row, hash);
    return row;
  }

  /** Room for `n` bytes; a run larger than a quarter block gets a separate block. */
  private keep(n: u32): usize {
    if (n > BLOCK >> 2) return alloc(n);
    if (n > this.blockLeft) {
      const block = alloc(BLOCK);
      store<u32>(block, <u32>this.block);
      this.block = block;
      this.next = block + BLOCK_HEAD;
      this.blockLeft = BLOCK - BLOCK_HEAD;
    }
    const at = this.next;
    this.next += n;
    this.blockLeft -= n;
    return at;
  }
}

export function newBytesTable(expected: u32): BytesTable {
  const t = changetype<BytesTable>(alloc(offsetof<BytesTable>()));
  t.create(expected);
  return t;
}

function make(at: usize, expected: u32, _: u32): void {
  changetype<BytesTable>(at).create(expected);
}

/** A table that every reset makes anew. */
export function ownBytesTable(expected: u32): BytesTable {
  return changetype<BytesTable>(own(make, expected, 0));
}
