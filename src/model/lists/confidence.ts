/** Confidence in shares of few samples. */
import { formatCounted } from "../words/format.ts";

/**
 * Between which shares the true one lies, 95 times of 100, when `part` of `whole` samples were seen (Wilson's interval,
 * which holds for few samples too). `part` is between 0 and `whole`.
 */
export function likelyShare(part: number, whole: number): [least: number, most: number] {
  if (whole <= 0) return [0, 1];
  const z = 1.96;
  const share = part / whole;
  const middle = (share + (z * z) / (2 * whole)) / (1 + (z * z) / whole);
  const half = (z / (1 + (z * z) / whole)) * Math.sqrt((share * (1 - share)) / whole + (z * z) / (4 * whole * whole));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

/** How exact shares of so many samples are; null: their number is unknown. */
export function confidenceWords(samples: number | null): string {
  if (samples === null) return "Error not known: the profile has sums of an unknown number of samples.";
  if (samples < 5) return `Only ${formatCounted(samples, "sample")}: too few to rank.`;
  return `Shares are exact to ±${errorOf(samples)?.toFixed(1)} pp (95 %).`;
}

/** Half of the 95 % interval of a share of one half, in percentage points; null of too few samples. */
export function errorOf(samples: number | null): number | null {
  return samples === null || samples < 5 ? null : 100 * 1.96 * Math.sqrt(0.25 / samples);
}
