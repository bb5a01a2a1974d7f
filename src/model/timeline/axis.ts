/** Ticks of the time axis: at round offsets from the beginning of the file, each with its offset and its clock. */
import type { TimeRange } from "../../core/types.ts";
import { digitsFor, formatClock, formatOffset } from "../words/moments.ts";
import { placeOf } from "./scale.ts";

const SECOND = 1_000_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** What clocks are divided by. */
const ROUND = [1, 2, 5, 10, 15, 30];

export interface Tick {
  /** Counted from the beginning of the file: every nth tick stays the same while the view moves. */
  index: number;
  /** Share of the width. */
  at: number;
  /** `+0:10`. */
  offset: string;
  /** `20:59:09`. */
  clock: string;
}

/** Ns between two ticks: the shortest round step of which at most `most` fit into the span. */
export function tickStep(span: number, most: number): number {
  const least = span / Math.max(1, most);
  if (least > 10 * HOUR) return DAY * decimalStep(least / DAY);
  for (const unit of [SECOND, MINUTE, HOUR])
    if (least > unit / 2) for (const n of ROUND) if (n * unit >= least && (unit < HOUR || n <= 10)) return n * unit;
  return decimalStep(least);
}

/** The smallest 1, 2 or 5 × 10ⁿ that is at least 1 and `least`. */
function decimalStep(least: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(least)));
  return power * ([1, 2, 5].find((n) => n * power >= least * (1 - 1e-12)) ?? 10);
}

/** Ticks between the ends, at most `most`; `zero` is the beginning of the file. */
export function ticks(shown: TimeRange, zero: bigint, most: number): Tick[] {
  const step = BigInt(tickStep(Number(shown.to - shown.from), most));
  const digits = digitsFor(Number(step));
  const found: Tick[] = [];
  const since = shown.from - zero;
  for (let offset = ((since + step - 1n) / step) * step; zero + offset < shown.to; offset += step) {
    const moment = zero + offset;
    found.push({
      index: Number(offset / step),
      at: placeOf(shown, moment),
      offset: formatOffset(offset, digits),
      clock: formatClock(moment, digits),
    });
  }
  return found;
}
