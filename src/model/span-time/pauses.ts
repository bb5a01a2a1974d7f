/** Pauses of the collector by time: whether a moment is in one, and the parts of a time that are. */
import type { Marks } from "../../core/view-types.ts";

export class Pauses {
  private readonly start: bigint;
  private readonly from: Float64Array;
  private readonly to: Float64Array;
  /** Latest end of the pauses up to each. */
  private readonly latest: Float64Array;

  constructor({ start, pauses }: Pick<Marks, "start" | "pauses">) {
    this.start = start;
    this.from = pauses.at;
    this.to = pauses.at.map((at, i) => at + (pauses.nanos[i] ?? 0));
    let latest = Number.NEGATIVE_INFINITY;
    this.latest = this.to.map((to) => {
      latest = Math.max(latest, to);
      return latest;
    });
  }

  contain(time: bigint): boolean {
    const at = Number(time - this.start);
    const after = placeAfter(this.from, (from) => from <= at);
    return after > 0 && this.latest[after - 1]! >= at;
  }

  /** The parts of the pauses that touch a time, in ns after its start. */
  within({ start, end }: { start: bigint; end: bigint }): { from: number; to: number }[] {
    const first = Number(start - this.start);
    const last = Number(end - this.start);
    const found: { from: number; to: number }[] = [];
    for (let i = placeAfter(this.latest, (latest) => latest < first); i < this.from.length; i++) {
      const [from, to] = [this.from[i]!, this.to[i]!];
      if (from > last) break;
      if (to >= first) found.push({ from: Math.max(from, first) - first, to: Math.min(to, last) - first });
    }
    return found;
  }
}

/** How many of the first elements of an ascending column are `before` something. */
export function placeAfter(column: Float64Array, before: (value: number) => boolean): number {
  let [low, high] = [0, column.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (before(column[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}
