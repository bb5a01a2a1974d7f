/**
 * Moments of a recording as people read them: `+36:20.8 · 21 s` is the time since the beginning of the file and a
 * duration, `20:59:09.9` the clock. Clocks are UTC.
 */
import type { TimeRange } from "../../core/types.ts";
import { formatNanos } from "./format.ts";

/** Where times are counted from: the beginning of each row of time, in the order of time. */
export type Zeros = readonly Pick<TimeRange, "from">[];

const SECOND = 1_000_000_000;
const MOST_DIGITS = 9;

/** The beginning of the last row that is not after the moment, or of the first row; null if no sample has a time. */
export function zeroOf(zeros: Zeros, moment: bigint): bigint | null {
  let zero = zeros[0]?.from ?? null;
  for (const { from } of zeros) if (from <= moment) zero = from;
  return zero;
}

/** Decimals of a second that tell moments apart which are `nanos` apart. */
export function digitsFor(nanos: number): number {
  return Math.min(MOST_DIGITS, Math.max(0, Math.ceil(-Math.log10(Math.max(1, nanos) / SECOND) - 1e-9)));
}

/** Decimals of the beginning of something that lasts so long. */
export function startDigits(nanos: number): number {
  return digitsFor(nanos / 50);
}

/** `+36:20.8`, `+1:02:03`, `−0:00.250`: time since a zero, with so many decimals of a second. */
export function formatOffset(nanos: number | bigint, digits: number): string {
  const whole = typeof nanos === "bigint" ? nanos : BigInt(Math.round(nanos));
  const unit = 10n ** BigInt(MOST_DIGITS - digits);
  const size = whole < 0n ? -whole : whole;
  // In units of the last digit, rounded.
  const units = (size + unit / 2n) / unit;
  const perSecond = 10n ** BigInt(digits);
  const seconds = units / perSecond;
  const fraction = digits === 0 ? "" : `.${(units % perSecond).toString().padStart(digits, "0")}`;
  const pad = (n: bigint) => n.toString().padStart(2, "0");
  const minutes = seconds / 60n;
  const clock = minutes < 60n ? `${minutes}` : `${minutes / 60n}:${pad(minutes % 60n)}`;
  return `${whole < 0n && units > 0n ? "−" : "+"}${clock}:${pad(seconds % 60n)}${fraction}`;
}

/** `20:59:09.9` of a moment since 1970, cut and not rounded, as clocks are; "" if it is not a date. */
export function formatClock(moment: bigint, digits: number): string {
  const date = new Date(Number(moment / 1_000_000n));
  if (Number.isNaN(date.getTime()) || moment <= 0n) return "";
  const fraction = (moment % 1_000_000_000n).toString().padStart(9, "0").slice(0, digits);
  return date.toISOString().slice(11, 19) + (digits === 0 ? "" : `.${fraction}`);
}

/** `2026-11-20` of a moment since 1970; "" if it is not a date. */
export function formatDay(moment: bigint): string {
  const date = new Date(Number(moment / 1_000_000n));
  return Number.isNaN(date.getTime()) || moment <= 0n ? "" : date.toISOString().slice(0, 10);
}

/** `2026-11-20 20:59:09.9 UTC`; "" if it is not a date. */
export function formatMoment(moment: bigint, digits = 0): string {
  const day = formatDay(moment);
  return day === "" ? "" : `${day} ${formatClock(moment, digits)} UTC`;
}

/** `2026-11-20T20:59:09.9Z`, one word for shells and tables; "" if it is not a date. */
export function formatIso(moment: bigint, digits: number): string {
  return formatMoment(moment, digits).replace(" ", "T").replace(" UTC", "Z");
}

/** A range since a zero: `+36:20.8 · 21 s`. The beginning is as exact as the duration asks for. */
export function formatSpan(from: bigint, to: bigint): string {
  const nanos = Number(to - from);
  return `${formatOffset(from, startDigits(nanos))} · ${formatNanos(nanos)}`;
}
