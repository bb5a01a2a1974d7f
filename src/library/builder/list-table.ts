/**
 * Lists of 32-bit words, each of them once. Row 0 is the empty list.
 *
 *   words    all lists one after the other; list `row` is [ends[row - 1], ends[row])
 *   hashes   of each row
 *   slots    rows by hash, open addressing; 0 is free
 */
import { grown } from "../../bytes/byte-writer.ts";

const FIRST = 256;

/** Random, so that crafted ids or texts cannot all hash to one slot (docs/decisions/keyed-hashes.md). */
const [SPREAD = 1, MIX = 1, CHAIN = 1] = crypto.getRandomValues(new Int32Array(3)).map((factor) => factor | 1);

export class ListTable {
  words = new Uint32Array(FIRST);
  /** One more than the highest row. */
  count = 1;
  private ends = new Uint32Array(FIRST);
  private hashes = new Uint32Array(FIRST);
  private slots = new Uint32Array(2 * FIRST);

  /** The row of the words [from, to) of `list`, which are from 0 to 2^32 - 1. */
  intern(given: ArrayLike<number>, from = 0, to = given.length): number {
    if (from === to) return 0;
    const start = this.start(this.count);
    const end = start + to - from;
    this.reserve(1, to - from);
    const { words } = this;
    // Loops over one type of list are several times as fast.
    let list = given as Uint32Array;
    if (!(given instanceof Uint32Array)) {
      for (let i = from; i < to; i++) words[start + i - from] = given[i]!;
      [list, from, to] = [words, start, end];
    }
    const hash = copyHashed(list, from, to, words, start);
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (let row = this.slots[slot]!; row !== 0; row = this.slots[slot]!) {
      if (this.hashes[row] === hash && this.isList(row, start, end)) return row;
      slot = (slot + 1) & mask;
    }
    const row = this.count++;
    this.slots[slot] = row;
    this.ends[row] = end;
    this.hashes[row] = hash;
    if (2 * this.count > this.slots.length) this.rehash(2 * this.slots.length);
    return row;
  }

  /** Room for so many more rows, which have so many words together. */
  reserve(rows: number, words: number): void {
    this.words = grown(this.words, this.start(this.count) + words);
    this.ends = grown(this.ends, this.count + rows);
    this.hashes = grown(this.hashes, this.count + rows);
  }

  /** Gives up the rows from `count` on. */
  cut(count: number): void {
    this.count = count;
    this.rehash(this.slots.length);
  }

  start(row: number): number {
    return row === 0 ? 0 : this.ends[row - 1]!;
  }

  end(row: number): number {
    return this.ends[row]!;
  }

  /** Word `i` of a row. */
  word(row: number, i: number): number {
    return this.words[this.start(row) + i]!;
  }

  /** Whether a row has the words [start, end) of the table. */
  private isList(row: number, start: number, end: number): boolean {
    const { words } = this;
    let at = this.start(row);
    if (this.end(row) - at !== end - start) return false;
    for (let i = start; i < end; i++) if (words[at++] !== words[i]) return false;
    return true;
  }

  private rehash(length: number): void {
    const slots = new Uint32Array(length);
    const mask = slots.length - 1;
    for (let row = 1; row < this.count; row++) {
      let slot = this.hashes[row]! & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = row;
    }
    this.slots = slots;
  }
}

/** Copies the words [from, to) to `at` of another array. Returns their hash. */
function copyHashed(list: Uint32Array, from: number, to: number, words: Uint32Array, at: number): number {
  let hash = to - from;
  for (let i = from; i < to; i++) {
    const word = list[i]! | 0;
    words[at++] = word;
    const spread = Math.imul(word, SPREAD);
    hash = Math.imul(hash ^ Math.imul(spread ^ (spread >>> 15), MIX), CHAIN);
  }
  hash = Math.imul(hash ^ (hash >>> 16), MIX);
  return (hash ^ (hash >>> 15)) >>> 0;
}
