/**
 * Keys the hash tables of a fresh core by 64 random bits, which an author of files cannot know: without them nobody can
 * choose inputs that share a slot. No answer depends on the seed; tests give their own.
 */
export function seeded<T extends { seedHashes(seed: bigint): void }>(wasm: T, seed?: bigint): T {
  wasm.seedHashes(seed ?? crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n);
  return wasm;
}
