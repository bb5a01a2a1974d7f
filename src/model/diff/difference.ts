/**
 * The difference of two measured values and its sampling error. A value is a sum of weights of independent
 * observations, so its variance is about the sum of the squared weights. Used by the page's comparison and by
 * `spanflame diff`.
 */

/** A sum of weights on one side of a comparison, and the quantity that it is divided by. */
export interface Side {
  value: number;
  /** Sum of the squared weights. With weights of 1 it is the value. */
  squares: number;
  /** Seconds, requests, or for a share the value of the whole of which this is a part. */
  per: number;
  /** Squared weights of that whole; 0 if `per` is no sum of weights, and exact. */
  perSquares: number;
}

export interface Difference {
  /** Values divided by `per`. */
  value: number;
  base: number;
  /** Half of the 95 % interval of `value - base`. */
  error: number;
  /** `value / base - 1`; null if the base is 0. */
  relative: number | null;
  /** Half of the 95 % interval of `relative`. */
  relativeError: number | null;
}

/** Observations of average weight; with fewer in both sides together, no test is valid. */
const LEAST_SAMPLES = 5;
/** 95 of 100 values of a normal distribution are within so many standard deviations. */
const Z_95 = 1.96;

/** A side of samples that all have the weight 1, as a part of a whole. */
export function countedSide(part: number, whole: number): Side {
  return { value: part, squares: part, per: whole, perSquares: whole };
}

/** Whether two sides differ beyond chance (p < 0.05). */
export function isBeyondChance(side: Side, base: Side): boolean {
  return deviationsOf(side, base) > Z_95;
}

/**
 * Standard deviations between the two sides, if in truth they were the same: of shares the test of two proportions, of
 * rates the test of two Poisson rates, both with weights. 0 if there are too few observations to tell.
 */
export function deviationsOf(side: Side, base: Side): number {
  if (side.per <= 0 || base.per <= 0 || isTooFew(side, base)) return 0;
  const per = side.per + base.per;
  const share = isShare(side) ? (side.value + base.value) / per : 0;
  const squares = varianceOf(side.squares + base.squares, share, side.perSquares + base.perSquares);
  const deviation = Math.sqrt((squares / per) * (1 / side.per + 1 / base.per));
  return deviation === 0 ? 0 : Math.abs(side.value / side.per - base.value / base.per) / deviation;
}

export function isTooFew(side: Side, base: Side): boolean {
  const squares = side.squares + base.squares;
  return squares <= 0 || (side.value + base.value) ** 2 / squares < LEAST_SAMPLES;
}

/** Probability that chance alone gives so many standard deviations or more, in either direction; exact from 1 on. */
export function chanceOf(deviations: number): number {
  if (deviations < 1) return 1;
  // The continued fraction of the normal distribution's tail; 100 terms are enough from 1 on.
  let fraction = deviations;
  for (let k = 100; k > 0; k--) fraction = deviations + k / fraction;
  return (2 * Math.exp((-deviations * deviations) / 2)) / (Math.sqrt(2 * Math.PI) * fraction);
}

/**
 * For many tests of one table, which of them are significant: at most 5 % of those that are reported so are expected to
 * be chance (Benjamini and Hochberg 1995). `deviations`: of each test.
 */
export function significant(deviations: readonly number[]): boolean[] {
  const chances = deviations.map(chanceOf);
  const sorted = [...chances].sort((a, b) => a - b);
  let limit = 0;
  for (const [i, chance] of sorted.entries()) if (chance <= (0.05 * (i + 1)) / sorted.length) limit = chance;
  return chances.map((chance) => chance <= limit);
}

export function differenceOf(side: Side, base: Side): Difference {
  const value = rateOf(side);
  const other = rateOf(base);
  const weight = weightOf(side, base);
  const relative = other === 0 ? null : value / other - 1;
  const errorAt = (factor: number) => Z_95 * Math.sqrt(errorOf(side, weight) + factor ** 2 * errorOf(base, weight));
  const relativeError = relative === null ? null : errorAt(1 + relative) / Math.abs(other);
  return { value, base: other, error: errorAt(1), relative, relativeError };
}

/**
 * By how much `value` exceeds `factor` × `base` + `offset`, and half of the 95 % interval of that. With a factor of 0
 * the base has no influence.
 */
export function excessOf(side: Side, base: Side, factor: number, offset: number): { excess: number; error: number } {
  const weight = weightOf(side, base);
  const variance = errorOf(side, weight) + factor ** 2 * errorOf(base, weight);
  return { excess: rateOf(side) - factor * rateOf(base) - offset, error: Z_95 * Math.sqrt(variance) };
}

function rateOf({ value, per }: Side): number {
  return per === 0 ? 0 : value / per;
}

/**
 * Variance of a side's rate. It includes one more observation of the average weight, so that a side without
 * observations is not exact.
 */
function errorOf(side: Side, weight: number): number {
  if (side.per === 0) return 0;
  const share = isShare(side) ? side.value / side.per : 0;
  return (varianceOf(side.squares, share, side.perSquares) + weight ** 2) / side.per ** 2;
}

/** Variance of the value of a part: in a share, the whole varies with it. */
function varianceOf(squares: number, share: number, wholeSquares: number): number {
  return Math.max(0, (1 - 2 * share) * squares + share ** 2 * wholeSquares);
}

function weightOf(side: Side, base: Side): number {
  const value = side.value + base.value;
  return value === 0 ? 0 : (side.squares + base.squares) / value;
}

function isShare({ perSquares }: Side): boolean {
  return perSquares > 0;
}
