/** Strings and ids of a message, each content once: two are the same when their numbers are. 0 is the empty one. */
export class Texts {
  private bytes = new Uint8Array(1 << 12);
  private used = 0;
  /** Where text i begins; text i + 1 begins where it ends. */
  private starts = new Uint32Array(1 << 8);
  private hashes = new Uint32Array(1 << 8);
  private count = 0;
  /** Open addressing: number + 1 of the text, 0 where free. At most half full. */
  private slots = new Int32Array(1 << 9);

  constructor() {
    this.intern(new Uint8Array(0), 0, 0);
  }

  intern(from: Uint8Array, start: number, end: number): number {
    // FNV-1a.
    let hash = 0x811c_9dc5;
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ (from[i] ?? 0), 0x0100_0193);
    hash = (hash ^ (hash >>> 15)) >>> 0;
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const found = (this.slots[slot] ?? 0) - 1;
      if (found < 0) break;
      if (this.hashes[found] === hash && this.isSame(found, from, start, end)) return found;
      slot = (slot + 1) & mask;
    }
    return this.add(from, start, end, hash, slot);
  }

  /** How many there are, the empty one among them. */
  get size(): number {
    return this.count;
  }

  get(text: number): Uint8Array {
    return this.bytes.subarray(this.starts[text] ?? 0, this.starts[text + 1] ?? 0);
  }

  text(text: number): string {
    return new TextDecoder().decode(this.get(text));
  }

  /** Whether there are bytes, all of them zero: an id that is none. */
  isAllZero(text: number): boolean {
    const bytes = this.get(text);
    return bytes.length > 0 && bytes.every((byte) => byte === 0);
  }

  private isSame(text: number, from: Uint8Array, start: number, end: number): boolean {
    const own = this.starts[text] ?? 0;
    if ((this.starts[text + 1] ?? 0) - own !== end - start) return false;
    for (let i = start; i < end; i++) if (this.bytes[own + i - start] !== from[i]) return false;
    return true;
  }

  private add(from: Uint8Array, start: number, end: number, hash: number, slot: number): number {
    const length = end - start;
    if (this.used + length > this.bytes.length) {
      const larger = new Uint8Array(Math.max(2 * this.bytes.length, this.used + length));
      larger.set(this.bytes.subarray(0, this.used));
      this.bytes = larger;
    }
    this.bytes.set(from.subarray(start, end), this.used);
    this.used += length;
    const text = this.count++;
    if (text + 2 > this.starts.length) this.moreTexts();
    this.starts[text + 1] = this.used;
    this.hashes[text] = hash;
    this.slots[slot] = text + 1;
    if (2 * this.count > this.slots.length) this.rehash();
    return text;
  }

  private moreTexts(): void {
    const { starts, hashes } = this;
    this.starts = new Uint32Array(2 * starts.length);
    this.starts.set(starts);
    this.hashes = new Uint32Array(2 * hashes.length);
    this.hashes.set(hashes);
  }

  private rehash(): void {
    const mask = 2 * this.slots.length - 1;
    const slots = new Int32Array(mask + 1);
    for (let text = 0; text < this.count; text++) {
      let slot = (this.hashes[text] ?? 0) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = text + 1;
    }
    this.slots = slots;
  }
}
