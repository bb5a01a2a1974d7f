/**
 * Hash of 64-bit ids. The engine's hash of a bigint is the same in every process, so the author of a file could choose
 * ids that share a slot of a Map, and each would take as long as all before it. This one has random factors.
 */
const [FIRST = 1, SECOND = 1, THIRD = 1] = crypto.getRandomValues(new Uint32Array(3)).map((factor) => factor | 1);

/** 32 bits; `low` and `high` are the halves of the id. */
export function idHash(low: number, high: number): number {
  // Each half is spread over all bits before the two meet, so that neither cancels the other.
  let one = Math.imul(low, FIRST);
  one = Math.imul(one ^ (one >>> 15), THIRD);
  let hash = Math.imul(high ^ one ^ (one >>> 13), SECOND);
  hash = Math.imul(hash ^ (hash >>> 16), THIRD);
  return (hash ^ (hash >>> 15)) >>> 0;
}
