/** Limits of times in CDT dumps: a time outside of them is damage. */

/** 2000-01-01 and 2100-01-01, ms. */
const EARLIEST: i64 = 946_684_800_000;
const LATEST: i64 = 4_102_444_800_000;
/** How far a block may be from the time of its file: 20 years, ms. */
const MOST_APART: i64 = 632_448_000_000;

export function isPlausibleTime(ms: i64): bool {
  return ms > EARLIEST && ms < LATEST;
}

export function isNear(ms: i64, other: i64): bool {
  const apart = ms - other;
  return apart <= MOST_APART && apart >= -MOST_APART;
}
