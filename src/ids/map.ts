/**
 * A Map by 64-bit ids that files state (hash.ts): open addressing. Entries are in the order in which they were
 * added, and are not removed. Ids are unsigned.
 */
import { idHash } from "./hash.ts";

const FIRST_SLOTS = 16;

export class IdMap<Value> implements Iterable<[bigint, Value]> {
  private ids = new BigUint64Array(FIRST_SLOTS / 2);
  private words = new Uint32Array(this.ids.buffer);
  /** Number of the entry plus 1, 0 where a slot is free. */
  private slots = new Uint32Array(FIRST_SLOTS);
  private readonly entriesOf: Value[] = [];
  /** The id that is looked up, as halves. */
  private readonly asked = new BigUint64Array(1);
  private readonly halves = new Uint32Array(this.asked.buffer);

  constructor(entries: Iterable<readonly [bigint, Value]> = []) {
    for (const [id, value] of entries) this.set(id, value);
  }

  get size(): number {
    return this.entriesOf.length;
  }

  has(id: bigint): boolean {
    return this.slots[this.slotOf(id)] !== 0;
  }

  /** `has` without a number of 64 bits, for rows by the million. */
  hasHalves(low: number, high: number): boolean {
    return this.slots[this.slotOfHalves(low, high)] !== 0;
  }

  get(id: bigint): Value | undefined {
    return this.entriesOf[(this.slots[this.slotOf(id)] ?? 0) - 1];
  }

  set(id: bigint, value: Value): this {
    const slot = this.slotOf(id);
    const known = this.slots[slot] ?? 0;
    if (known > 0) {
      this.entriesOf[known - 1] = value;
      return this;
    }
    const count = this.entriesOf.push(value);
    if (count > this.ids.length) this.grow();
    this.ids[count - 1] = id;
    this.slots[this.slotOf(id)] = count;
    return this;
  }

  *keys(): IterableIterator<bigint> {
    for (let i = 0; i < this.size; i++) yield this.ids[i] ?? 0n;
  }

  values(): IterableIterator<Value> {
    return this.entriesOf.values();
  }

  *[Symbol.iterator](): IterableIterator<[bigint, Value]> {
    for (const [i, value] of this.entriesOf.entries()) yield [this.ids[i] ?? 0n, value];
  }

  /** The slot with this id, or the free one for it. */
  private slotOf(id: bigint): number {
    this.asked[0] = id;
    return this.slotOfHalves(this.halves[0] ?? 0, this.halves[1] ?? 0);
  }

  private slotOfHalves(low: number, high: number): number {
    const { slots, words } = this;
    const mask = slots.length - 1;
    for (let slot = idHash(low, high) & mask; ; slot = (slot + 1) & mask) {
      const word = 2 * ((slots[slot] ?? 0) - 1);
      if (word < 0 || (words[word] === low && words[word + 1] === high)) return slot;
    }
  }

  /** Half of the slots are used at most. */
  private grow(): void {
    const ids = new BigUint64Array(2 * this.ids.length);
    ids.set(this.ids);
    const count = this.ids.length;
    this.ids = ids;
    this.words = new Uint32Array(ids.buffer);
    this.slots = new Uint32Array(2 * this.slots.length);
    for (let i = 0; i < count; i++) this.slots[this.slotOf(ids[i] ?? 0n)] = i + 1;
  }
}

/** Lookups of an IdMap or a Map. */
export type IdLookup<Value> = Pick<IdMap<Value>, "get" | "has" | "size">;
