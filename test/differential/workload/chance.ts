/** How likely it is that honest sampling gives a count this far off. */

/** ln n!, by summing; n is a number of samples. */
const LOG_FACTORIAL: number[] = [0];
function logFactorial(n: number): number {
  for (let i = LOG_FACTORIAL.length; i <= n; i++) LOG_FACTORIAL.push((LOG_FACTORIAL[i - 1] ?? 0) + Math.log(i));
  return LOG_FACTORIAL[n] ?? 0;
}

/** P(from ≤ X ≤ to) for X ~ Binomial(n, p). */
function binomial(n: number, p: number, from: number, to: number): number {
  if (p <= 0) return from <= 0 ? 1 : 0;
  if (p >= 1) return to >= n ? 1 : 0;
  let sum = 0;
  for (let k = from; k <= to; k++) {
    const ways = logFactorial(n) - logFactorial(k) - logFactorial(n - k);
    sum += Math.exp(ways + k * Math.log(p) + (n - k) * Math.log1p(-p));
  }
  return sum;
}

/**
 * The smaller tail: how likely n samples give at most (or at least) `count` where the share is p ± `slack`. Exact, for
 * most cells hold few samples and a number of sigmas means little there. Samples on a timer spread more evenly than
 * independent ones, so the true chance is smaller still.
 */
export function chanceOf(count: number, n: number, p: number, slack: number): number {
  const few = binomial(n, p - slack, 0, count);
  const many = binomial(n, p + slack, count, n);
  return Math.min(few, many, 1);
}

/**
 * The number of standard deviations that chi² lies above what its degrees of freedom say, after Wilson and Hilferty.
 */
export function sigmasOfChi2(chi2: number, degrees: number): number {
  const spread = 2 / (9 * degrees);
  return (Math.cbrt(chi2 / degrees) - (1 - spread)) / Math.sqrt(spread);
}
