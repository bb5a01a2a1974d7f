/**
 * Lists of 32-bit words, each of them once. Row 0 is the empty list.
 *
 *   words    all lists one after the other; list `row` is [ends[row - 1], ends[row])
 *   hashes   of each row
 *   slots    rows by hash, open addressing; 0 is free
 */
const FIRST = 256;

/** A copy with room for `size` elements, if it has less. */
export function grown<T extends Uint32Array | BigInt64Array | BigUint64Array | Uint8Array>(array: T, size: number): T {
  if (size <= array.length) return array;
  const larger = new (array.constructor as new (size: number) => T)(Math.max(size, 2 * array.length));
  larger.set(array as never);
  return larger;
}

/** Random, so that crafted ids or texts cannot all hash to one slot (docs/decisions/keyed-hashes.md). */
const [SPREAD, MIX, CHAIN] = crypto
  .getRandomValues(new Uint32Array(3))
  .map((factor) => factor | 1) as never as number[];

function hashOf(list: Uint32Array, from: number, to: number): number {
  let hash = to - from;
  for (let i = from; i < to; i++) {
    const word = Math.imul(list[i]!, SPREAD!);
    hash = Math.imul(hash ^ Math.imul(word ^ (word >>> 15), MIX!), CHAIN!);
  }
  hash = Math.imul(hash ^ (hash >>> 16), MIX!);
  return (hash ^ (hash >>> 15)) >>> 0;
}

export class ListTable {
  words = new Uint32Array(FIRST);
  /** One more than the highest row. */
  count = 1;
  private ends = new Uint32Array(FIRST);
  private hashes = new Uint32Array(FIRST);
  private copy = new Uint32Array(FIRST);
  private slots = new Uint32Array(2 * FIRST);

  /** The row of the words [from, to) of `list`, which are from 0 to 2^32 - 1. */
  intern(given: ArrayLike<number>, from = 0, to = given.length): number {
    if (from === to) return 0;
    // Loops over one type of list are several times as fast.
    const list = given instanceof Uint32Array ? given : this.copied(given);
    const hash = hashOf(list, from, to);
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (let row = this.slots[slot]!; row !== 0; row = this.slots[slot]!) {
      if (this.hashes[row] === hash && this.isList(row, list, from, to)) return row;
      slot = (slot + 1) & mask;
    }
    this.slots[slot] = this.count;
    return this.add(list, from, to, hash);
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

  private copied(list: ArrayLike<number>): Uint32Array {
    this.copy = grown(this.copy, list.length);
    for (let i = 0; i < list.length; i++) this.copy[i] = list[i]!;
    return this.copy;
  }

  private isList(row: number, list: Uint32Array, from: number, to: number): boolean {
    const { words } = this;
    const start = this.start(row);
    if (this.end(row) - start !== to - from) return false;
    let at = start;
    for (let i = from; i < to; i++) if (words[at++] !== list[i]) return false;
    return true;
  }

  private add(list: Uint32Array, from: number, to: number, hash: number): number {
    const row = this.count++;
    this.ends = grown(this.ends, this.count);
    this.hashes = grown(this.hashes, this.count);
    let at = this.start(row);
    this.words = grown(this.words, at + to - from);
    for (let i = from; i < to; i++) this.words[at++] = list[i]!;
    this.ends[row] = at;
    this.hashes[row] = hash;
    if (2 * this.count > this.slots.length) this.rehash();
    return row;
  }

  private rehash(): void {
    const slots = new Uint32Array(2 * this.slots.length);
    const mask = slots.length - 1;
    for (let row = 1; row < this.count; row++) {
      let slot = this.hashes[row]! & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = row;
    }
    this.slots = slots;
  }
}
