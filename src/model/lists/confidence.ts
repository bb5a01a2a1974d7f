/** Confidence in shares of few samples. */

/**
 * Between which shares the true one lies, 95 times of 100, when `part` of `whole` samples were seen (Wilson's interval,
 * which holds for few samples too).
 */
export function likelyShare(part: number, whole: number): [least: number, most: number] {
  if (whole <= 0) return [0, 1];
  const z = 1.96;
  const share = part / whole;
  const middle = (share + (z * z) / (2 * whole)) / (1 + (z * z) / whole);
  const half = (z / (1 + (z * z) / whole)) * Math.sqrt((share * (1 - share)) / whole + (z * z) / (4 * whole * whole));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

/** What so many samples are good for. */
export function confidenceWords(samples: number): string {
  if (samples < 5) return "Too few samples to tell where the time went: look at the operation instead of one span.";
  if (samples < 30) return "Few samples: only the largest shares mean something.";
  if (samples < 300) return "Enough samples for the larger shares.";
  return "Enough samples for shares of a percent.";
}
