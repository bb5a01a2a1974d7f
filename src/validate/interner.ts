/** Interner of contents: each distinct content has a number from 0 on, and equal contents have equal numbers. */

type Items = Uint8Array | Int32Array;

/** The multiplier of a hash: random above its lowest bits, so that no file can choose contents with equal hashes. */
const FACTOR = ((crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) << 9) | 0x193;

/** Open addressing over the items themselves; hashed like FNV-1a. */
class Interner<T extends Items> {
  private items: T;
  private used = 0;
  /** Where content i begins; content i + 1 begins where it ends. */
  private starts = new Uint32Array(1 << 8);
  private hashes = new Uint32Array(1 << 8);
  private count = 0;
  /** Contents that shared a slot with the one looked for. */
  collisions = 0;
  /** Number + 1 of the content, 0 where free. At most half full. */
  private slots = new Int32Array(1 << 9);

  /** `items` are room to begin with. */
  constructor(items: T) {
    this.items = items;
  }

  get size(): number {
    return this.count;
  }

  /** The number of items [start, end). */
  intern(from: T, start: number, end: number): number {
    let hash = 0x811c_9dc5;
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ (from[i] ?? 0), FACTOR);
    // Of numbers below 2¹⁶ the lower bits alone would hardly differ.
    hash = Math.imul(hash ^ (hash >>> 15), 0x85eb_ca6b);
    hash = (hash ^ (hash >>> 13)) >>> 0;
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const found = (this.slots[slot] ?? 0) - 1;
      if (found < 0) break;
      if (this.hashes[found] === hash && this.isSame(found, from, start, end)) return found;
      this.collisions++;
      slot = (slot + 1) & mask;
    }
    return this.add(from, start, end, hash, slot);
  }

  /** A view of a content. */
  get(i: number): T {
    return this.items.subarray(this.starts[i] ?? 0, this.starts[i + 1] ?? 0) as T;
  }

  private isSame(i: number, from: T, start: number, end: number): boolean {
    const own = this.starts[i] ?? 0;
    if ((this.starts[i + 1] ?? 0) - own !== end - start) return false;
    for (let at = start; at < end; at++) if (this.items[own + at - start] !== from[at]) return false;
    return true;
  }

  private add(from: T, start: number, end: number, hash: number, slot: number): number {
    if (this.used + end - start > this.items.length) {
      this.items = enlarged(this.items, Math.max(2 * this.items.length, this.used + end - start));
    }
    for (let at = start; at < end; at++) this.items[this.used++] = from[at] ?? 0;
    const i = this.count++;
    if (i + 2 > this.starts.length) {
      this.starts = enlarged(this.starts, 2 * this.starts.length);
      this.hashes = enlarged(this.hashes, 2 * this.hashes.length);
    }
    this.starts[i + 1] = this.used;
    this.hashes[i] = hash;
    this.slots[slot] = i + 1;
    if (2 * this.count > this.slots.length) this.rehash();
    return i;
  }

  private rehash(): void {
    const mask = 2 * this.slots.length - 1;
    const slots = new Int32Array(mask + 1);
    for (let i = 0; i < this.count; i++) {
      let slot = (this.hashes[i] ?? 0) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = i + 1;
    }
    this.slots = slots;
  }
}

function enlarged<T extends Items | Uint32Array>(items: T, length: number): T {
  const larger = new (items.constructor as new (n: number) => T)(length);
  larger.set(items);
  return larger;
}

/** Strings and ids of a message. 0 is the empty one. */
export class Texts extends Interner<Uint8Array> {
  constructor() {
    super(new Uint8Array(1 << 12));
    this.intern(new Uint8Array(0), 0, 0);
  }

  text(i: number): string {
    return new TextDecoder().decode(this.get(i));
  }

  /** Whether there are bytes, all of them zero: an invalid id. */
  isAllZero(i: number): boolean {
    const bytes = this.get(i);
    return bytes.length > 0 && bytes.every((byte) => byte === 0);
  }
}

/** Up to here sorting by insertion is the fastest. */
const FEW = 16;

/** Rows of integers. One is pushed number by number, and another may be in between. */
export class Tuples extends Interner<Int32Array> {
  private scratch = new Int32Array(1 << 8);
  private top = 0;

  constructor() {
    super(new Int32Array(1 << 12));
  }

  /** Position of the next number: the handle of a tuple that begins now. */
  begin(): number {
    return this.top;
  }

  push(value: number): void {
    if (this.top === this.scratch.length) this.scratch = enlarged(this.scratch, 2 * this.top);
    this.scratch[this.top++] = value;
  }

  /** Puts the numbers that were pushed from place `from` on in order. */
  sort(from: number): void {
    const { scratch, top } = this;
    if (top - from > FEW) scratch.subarray(from, top).sort();
    else {
      for (let i = from + 1; i < top; i++) {
        const value = scratch[i] ?? 0;
        let at = i;
        for (; at > from && (scratch[at - 1] ?? 0) > value; at--) scratch[at] = scratch[at - 1] ?? 0;
        scratch[at] = value;
      }
    }
  }

  /** Takes the tuple that began at `from` off again and gives its number. */
  end(from: number): number {
    const { top } = this;
    this.top = from;
    return this.intern(this.scratch, from, top);
  }
}
