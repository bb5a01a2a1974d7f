/** Numbers as people read them: counts, values with their unit, shares. English notation, the same on every machine. */
import { nanosOfUnit } from "../../core/tables/kinds.ts";
import { countedWord, type Weighed } from "./measure.ts";

/** `14,202`. */
export function formatCount(n: number | bigint): string {
  return grouped(typeof n === "bigint" ? n : Math.round(n));
}

/** By hand, at most two decimals: the first Intl.NumberFormat costs a process 7 MiB. */
function grouped(n: number | bigint): string {
  return String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** `1 sample`, `14,202 samples`. */
export function formatCounted(n: number | bigint, one: string, many: string = `${one}s`): string {
  return `${formatCount(n)} ${Number(n) === 1 ? one : many}`;
}

/** A value in its unit, short: `3.42 s`, `1.2 MiB`, `341 samples`. */
export function formatValue(value: number | bigint, unit: string): string {
  if (unit === "nanoseconds") return formatNanos(value);
  if (unit === "bytes") return formatBytes(value);
  const nanos = nanosOfUnit(unit);
  if (nanos !== null) return formatNanos(Number(value) * nanos);
  if (unit === "thousandths") return grouped(Number(value) / 1000);
  if (unit === "samples" || unit === "count" || unit === "") return formatCounted(value, "sample");
  return `${formatCount(value)} ${unit}`;
}

const TIME_STEPS: [limit: number, size: number, unit: string][] = [
  [1e3, 1, "ns"],
  [1e6, 1e3, "µs"],
  [1e9, 1e6, "ms"],
  [Number.POSITIVE_INFINITY, 1e9, "s"],
];

/** From these seconds on a duration is two whole numbers instead of fractions of minutes or hours. */
const LONG_STEPS: [limit: number, size: number, unit: string, part: number, partUnit: string][] = [
  [3600, 60, "min", 1, "s"],
  [48 * 3600, 3600, "h", 60, "min"],
  [730 * 86_400, 86_400, "d", 3600, "h"],
];
const LONG = 120;
const YEAR = 365.25 * 86_400;

/** `420 ms`, `1.4 s`, `36 min 20 s`, `2 h`, `4.5 years`. */
export function formatNanos(nanos: number | bigint): string {
  const seconds = Math.round(Math.abs(Number(nanos)) / 1e9);
  if (seconds < LONG) return scaled(Number(nanos), TIME_STEPS);
  const sign = nanos < 0 ? "−" : "";
  for (const [limit, size, unit, part, partUnit] of LONG_STEPS) {
    const parts = Math.round(seconds / part);
    if (parts * part >= limit) continue;
    const rest = parts % (size / part);
    const whole = `${sign}${grouped(Math.floor((parts * part) / size))} ${unit}`;
    return rest === 0 ? whole : `${whole} ${rest} ${partUnit}`;
  }
  return `${sign}${grouped(Number((seconds / YEAR).toPrecision(3)))} years`;
}

const BYTE_STEPS: [limit: number, size: number, unit: string][] = [
  [1024, 1, "B"],
  [1024 ** 2, 1024, "KiB"],
  [1024 ** 3, 1024 ** 2, "MiB"],
  [1024 ** 4, 1024 ** 3, "GiB"],
  [Number.POSITIVE_INFINITY, 1024 ** 4, "TiB"],
];

export function formatBytes(bytes: number | bigint): string {
  return scaled(Number(bytes), BYTE_STEPS);
}

/** Three significant digits, or all before the point, in the first step whose limit the rounded value is below. */
function scaled(value: number, steps: [limit: number, size: number, unit: string][]): string {
  for (const [limit, size, unit] of steps) {
    const exact = value / size;
    const rounded = Math.abs(exact) >= 100 ? Math.round(exact) : Number(exact.toPrecision(3));
    if (Math.abs(rounded) * size < limit) return `${grouped(Number(rounded.toFixed(2)))} ${unit}`;
  }
  return formatCount(value);
}

/** `2.4 %`; `0 %` and `100 %` only when it is exactly that. */
export function formatPercent(part: number | bigint, whole: number | bigint): string {
  const share = Number(whole) === 0 ? 0 : (100 * Number(part)) / Number(whole);
  if (share === 0) return "0 %";
  if (share < 0) return `−${formatPercent(-share, 100)}`;
  if (share < 0.05) return "<0.1 %";
  if (share > 99.95 && share < 100) return ">99.9 %";
  return share === 100 ? "100 %" : `${share.toFixed(1)} %`;
}

/** A difference of shares, `+12.3 pp`, or a relative one, `+12.3 %`. */
export function formatPoints(share: number, unit: "pp" | "%" = "pp"): string {
  const points = 100 * share;
  // Rounded to nothing it has no sign.
  const text = points.toFixed(1).replace(/^-(?=0\.0$)/, "");
  return `${text !== "0.0" && points > 0 ? "+" : ""}${text.replace("-", "−")} ${unit}`;
}

/** A profile's value: `3.42 s`, `42,493 objects`, and `36 samples by weight` where the weights are not all 1. */
export function formatProfileValue(value: number | bigint, profile: Weighed): string {
  if (isWeighted(profile)) return formatCounted(value, "sample by weight", "samples by weight");
  if (profile.unit !== "count") return formatValue(value, profile.unit);
  const many = countedWord(profile);
  return many === "" ? formatCount(value) : formatCounted(value, many.replace(/s$/, ""), many);
}

/** Values count samples, and some count for more than one. */
export function isWeighted({ unit, value, samples }: Weighed): boolean {
  return unit === "samples" && value !== BigInt(samples);
}

/**
 * Samples × period, the time that the samples represent: `≈ 3.41 s`. Null if the period is unknown, or the values are
 * not numbers of samples.
 */
export function formatEstimate(value: number | bigint, profile: Weighed): string | null {
  if (profile.unit !== "samples" || profile.periodUnit !== "nanoseconds" || profile.period <= 0n) return null;
  return `≈ ${formatNanos(Number(value) * Number(profile.period))}`;
}

/** The part of a value for each request: `≈ 1.2 ms`, `3.4 KiB`; counts and weights as `0.27`. */
export function formatEach(value: number | bigint, requests: number, profile: Weighed): string {
  const each = Number(value) / requests;
  const isCount = ["samples", "count", ""].includes(profile.unit);
  const figure = isCount ? String(Number(each.toPrecision(3))) : formatValue(Math.round(each), profile.unit);
  return formatEstimate(each, profile) ?? figure;
}

/** Counts with more digits do not fit into a column. */
const LONG_COUNT = 1e7;
const COUNT_STEPS: [limit: number, size: number, unit: string][] = [
  [1e9, 1e6, "M"],
  [1e12, 1e9, "G"],
  [Number.POSITIVE_INFINITY, 1e12, "T"],
];

/** A short value, for a column whose head names the unit: `9,876,543`, from ten million on `12.3 M`. */
export function formatFigure(value: number | bigint, profile: Weighed): string {
  const estimate = formatEstimate(value, profile);
  if (estimate !== null) return estimate.replace("≈ ", "");
  if (!["samples", "count"].includes(profile.unit)) return formatValue(value, profile.unit);
  return Math.abs(Number(value)) < LONG_COUNT ? formatCount(value) : scaled(Number(value), COUNT_STEPS);
}

/** Caption of that column. */
export function figureName(profile: Weighed): string {
  if (formatEstimate(0n, profile) !== null || profile.unit === "nanoseconds") return "time";
  if (profile.unit === "samples") return isWeighted(profile) ? "weight" : "samples";
  if (profile.unit === "bytes") return "size";
  return profile.unit === "count" ? "count" : "value";
}
