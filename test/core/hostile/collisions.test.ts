/**
 * Keys that fell onto one place of the hash tables before they had a seed. Without one, both tests would outlast their
 * time limit. Steps are counted in test/core/hostile/hash.test.ts.
 */
import { describe, expect, it } from "vitest";
import { codes, observations, read } from "../../kit/core/read-store.ts";
import { buildChunk, type Value } from "../../kit/jfr/jfr-builder.ts";
import { CPU, cpuType, JVM_TYPES } from "../../kit/jfr/jfr-types.ts";

const U64 = (v: bigint) => BigInt.asUintN(64, v);

/** The multiplier of the hash without a seed, and its inverse modulo 2⁶⁴. */
const K = 0x9e3779b97f4a7c15n;
function inverse(k: bigint): bigint {
  let x = k;
  for (let i = 0; i < 6; i++) x = U64(x * (2n - k * x));
  return x;
}
const UNDO = inverse(K);

/** The key whose hash, before it is cut to a table's size, is `product`. */
function keyOf(product: bigint): bigint {
  const mixed = U64(product * UNDO);
  // mixed = key ^ (key >> 29): the upper bits are the key's own.
  const first = mixed ^ (mixed >> 29n);
  return mixed ^ (first >> 29n);
}

describe("keys that collide", () => {
  const COUNT = 150_000;
  // Bits 32 to 55 are what places of tables of up to 2²⁴ slots are made of.
  const keys = Array.from({ length: COUNT }, (_, i) => keyOf((BigInt(i >> 16) << 56n) | BigInt(i & 0xffff)));

  it("do, so that the test means something", () => {
    const places = keys.map((key) => (U64((key ^ (key >> 29n)) * K) >> 32n) & 0xffffffn);
    expect(new Set(places).size).toBe(1);
    expect(new Set(keys).size).toBe(COUNT);
  });

  it("in a pool are all found", async () => {
    const entries = keys.map((key): [bigint, Value] => [key, { truncated: false, frames: [] }]);
    const values = { startTime: 0n, eventThread: 0n, weight: 9n, spanId: 0n, localRootSpanId: 0n };
    const { bytes } = buildChunk({
      types: [...JVM_TYPES, cpuType()],
      items: [
        { event: CPU, values: { ...values, stackTrace: keys[COUNT - 1] ?? 0n } },
        { event: CPU, values: { ...values, stackTrace: keys[0] ?? 0n } },
        { checkpoint: [{ type: "jdk.types.StackTrace", entries }] },
      ],
    });
    const core = await read(bytes);
    expect(codes(core)).toEqual([]);
    expect(observations(core)).toHaveLength(2);
  });

  it("as span ids each make a sample", async () => {
    // What the hash of links without a seed made of a local root and a span id: the span cancels the root.
    const mixed = (h: bigint, word: bigint) => {
      const m = U64((h ^ word) * K);
      return m ^ (m >> 29n);
    };
    const roots = Array.from({ length: COUNT }, (_, i) => BigInt(i + 1));
    const links = roots.map((root) => ({ root, span: mixed(mixed(0n, 0n), root) ^ 1n }));
    const end = (root: bigint, span: bigint) => mixed(mixed(mixed(0n, 0n), root), span);
    expect(new Set(links.slice(0, 1000).map(({ root, span }) => end(root, span))).size).toBe(1);
    const values = { startTime: 0n, eventThread: 0n, stackTrace: 0n, weight: 9n };
    const { bytes } = buildChunk({
      types: [...JVM_TYPES, cpuType()],
      items: links.map(({ root, span }) => ({
        event: CPU,
        values: { ...values, spanId: span, localRootSpanId: root },
      })),
    });
    const core = await read(bytes);
    expect(codes(core)).toEqual([]);
    expect(core.profiles()[0]?.samplesWithSpan).toBe(COUNT);
    expect(core.samples()).toBe(COUNT);
  });
});
