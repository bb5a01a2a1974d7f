/**
 * Pauses of the run whose streams are read, as their union: sorted and disjoint.
 *
 *   rows of abi/rows/pause-row.ts
 *
 * `before(t)` is the paused time up to `t`, so a frame's is a difference. Most times are in the same
 * time between two pauses as the one before.
 */
import * as PauseRow from "../abi/rows/pause-row";
import { alloc, regrow, release } from "../memory/arena";

@unmanaged
export class Pauses {
  rows: usize;
  count: u32;
  capacity: u32;
  /** Time between two pauses, and the paused time before it. */
  calmFrom: i64;
  calmTo: i64;
  calmBefore: i64;

  create(): void {
    this.capacity = 64;
    this.rows = alloc(<usize>this.capacity * PauseRow.BYTES);
    this.count = 0;
    this.setCalm(0, 0, 0);
  }

  free(): void {
    release(this.rows, <usize>this.capacity * PauseRow.BYTES);
    this.rows = 0;
    this.count = 0;
    this.capacity = 0;
  }

  private at(i: u32): usize {
    return this.rows + <usize>i * PauseRow.BYTES;
  }

  /** Adds [from, to] as it was recorded. `unite` comes before the first question. */
  add(from: i64, to: i64): void {
    if (this.count === this.capacity) {
      const bytes = <usize>this.capacity * PauseRow.BYTES;
      this.rows = regrow(this.rows, bytes, bytes, bytes << 1);
      this.capacity <<= 1;
    }
    const p = this.at(this.count++);
    store<i64>(p, from, PauseRow.FROM);
    store<i64>(p, to, PauseRow.TO);
  }

  /** Sorts the pauses, makes one of those that touch, and adds them up. */
  unite(): void {
    if (!this.isSorted()) this.sort();
    let kept: u32 = 0;
    let sum: i64 = 0;
    for (let i: u32 = 0; i < this.count; i++) {
      const from = load<i64>(this.at(i), PauseRow.FROM);
      const to = load<i64>(this.at(i), PauseRow.TO);
      if (kept > 0 && from <= load<i64>(this.at(kept - 1), PauseRow.TO)) {
        const last = this.at(kept - 1);
        if (to > load<i64>(last, PauseRow.TO)) store<i64>(last, to, PauseRow.TO);
      } else if (to > from) {
        if (kept > 0) sum += this.length(kept - 1);
        const p = this.at(kept++);
        store<i64>(p, from, PauseRow.FROM);
        store<i64>(p, to, PauseRow.TO);
        store<i64>(p, sum, PauseRow.BEFORE);
      }
    }
    this.count = kept;
    this.setCalm(0, 0, 0);
  }

  private length(i: u32): i64 {
    return load<i64>(this.at(i), PauseRow.TO) - load<i64>(this.at(i), PauseRow.FROM);
  }

  private isSorted(): bool {
    for (let i: u32 = 1; i < this.count; i++) {
      if (load<i64>(this.at(i), PauseRow.FROM) < load<i64>(this.at(i - 1), PauseRow.FROM)) return false;
    }
    return true;
  }

  /** Heap sort by `from`: no order of the file makes it slow. */
  private sort(): void {
    for (let i = this.count >> 1; i > 0; i--) this.sift(i - 1, this.count);
    for (let end = this.count; end > 1; ) {
      end--;
      this.swap(0, end);
      this.sift(0, end);
    }
  }

  private sift(i: u32, end: u32): void {
    while (true) {
      let child: u32 = 2 * i + 1;
      if (child >= end) return;
      if (child + 1 < end && load<i64>(this.at(child + 1), PauseRow.FROM) > load<i64>(this.at(child), PauseRow.FROM))
        child++;
      if (load<i64>(this.at(child), PauseRow.FROM) <= load<i64>(this.at(i), PauseRow.FROM)) return;
      this.swap(i, child);
      i = child;
    }
  }

  private swap(i: u32, j: u32): void {
    const a = this.at(i);
    const b = this.at(j);
    const from = load<i64>(a, PauseRow.FROM);
    const to = load<i64>(a, PauseRow.TO);
    store<i64>(a, load<i64>(b, PauseRow.FROM), PauseRow.FROM);
    store<i64>(a, load<i64>(b, PauseRow.TO), PauseRow.TO);
    store<i64>(b, from, PauseRow.FROM);
    store<i64>(b, to, PauseRow.TO);
  }

  /** Paused time before `t`, ms. */
  before(t: i64): i64 {
    return t >= this.calmFrom && t < this.calmTo ? this.calmBefore : this.find(t);
  }

  private find(t: i64): i64 {
    const i = this.search(t);
    if (i === this.count) {
      this.setCalm(i64.MIN_VALUE, this.count === 0 ? i64.MAX_VALUE : load<i64>(this.at(0), PauseRow.FROM), 0);
      return 0;
    }
    const p = this.at(i);
    const to = load<i64>(p, PauseRow.TO);
    const sum = load<i64>(p, PauseRow.BEFORE) - load<i64>(p, PauseRow.FROM);
    if (t < to) return sum + t;
    this.setCalm(to, i + 1 === this.count ? i64.MAX_VALUE : load<i64>(this.at(i + 1), PauseRow.FROM), sum + to);
    return sum + to;
  }

  private setCalm(from: i64, to: i64, before: i64): void {
    this.calmFrom = from;
    this.calmTo = to;
    this.calmBefore = before;
  }

  /** The last pause that begins at `t` or before; `count` if there is none. */
  private search(t: i64): u32 {
    let low: u32 = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (load<i64>(this.at(middle), PauseRow.FROM) <= t) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? this.count : low - 1;
  }

  /** Paused time within [from, to], ms. */
  within(from: i64, to: i64): i64 {
    return to > from ? this.before(to) - this.before(from) : 0;
  }
}
