/** Keys chosen to fall onto one place of a hash table: reading takes no longer for them than any patience. */
import { describe, expect, it } from "vitest";
import { buildChunk, type Value } from "../core/wasm-test/jfr-builder.ts";
import { CPU, cpuType, JVM_TYPES } from "../core/wasm-test/jfr-types.ts";
import { codes, observations, read } from "../core/wasm-test/read-store.ts";

const U64 = (v: bigint) => BigInt.asUintN(64, v);

/** The multiplier of assembly/read/jfr/{pool-index,frames}.ts, and its inverse modulo 2⁶⁴. */
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

  it("in a pool are given up when the patience is at its end, and that is said", async () => {
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
    const started = performance.now();
    const core = await read(bytes);
    expect(performance.now() - started).toBeLessThan(5000);
    expect(codes(core)).toEqual(["jfr.too-complex"]);
    expect(observations(core).length).toBeGreaterThan(0);
  });
});
