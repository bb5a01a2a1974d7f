/** Sums and products of 64-bit values: what is beyond stays at the limit. It never wraps to another number. */

/** Adds to the i64 at `p`. */
export function addTo(p: usize, value: i64): void {
  store<i64>(p, plus(load<i64>(p), value));
}

export function plus(a: i64, b: i64): i64 {
  const sum = a + b;
  return ((a ^ sum) & (b ^ sum)) < 0 ? limitOf(a < 0) : sum;
}

export function times(a: i64, b: i64): i64 {
  const product = <f64>a * <f64>b;
  return Math.abs(product) < 9223372036854774784 ? a * b : limitOf(product < 0);
}

function limitOf(negative: bool): i64 {
  return negative ? i64.MIN_VALUE : i64.MAX_VALUE;
}
