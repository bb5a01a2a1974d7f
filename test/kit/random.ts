/** Pseudo-random numbers, the same for the same seed and case, so each case can be repeated alone. */
export class Random {
  private state: number;

  constructor(seed: number, index: number) {
    this.state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35)) >>> 0;
    for (let i = 0; i < 4; i++) this.next();
  }

  /** mulberry32: 32 bits. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  }

  /** An integer from 0 up to below `n`; 0 where `n` is 0. */
  below(n: number): number {
    return Math.floor((this.next() / 2 ** 32) * n);
  }

  /** Mostly small, up to below `n`: as often below 16 as between that and `n`. */
  small(n: number): number {
    return Math.min(Math.max(0, n - 1), Math.floor(n ** (this.next() / 2 ** 32)) - 1 + this.below(2));
  }

  one(in_: number): boolean {
    return this.below(in_) === 0;
  }

  pick<T>(from: readonly T[]): T {
    const picked = from[this.below(from.length)];
    if (picked === undefined) throw new RangeError("nothing to pick from");
    return picked;
  }
}
