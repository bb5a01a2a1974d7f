/** Test vectors of xxHash64 with seed 0, from its reference implementation. */
import { readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { Kernels } from "./kernels.ts";
import { functionHashes, stackHashes } from "./stack-hash.ts";

let kernels: Kernels;
beforeAll(async () => {
  const bytes = readFileSync(new URL("../../build/parquet.wasm", import.meta.url));
  kernels = await Kernels.create(await WebAssembly.compile(bytes));
});

function hashOf(bytes: Uint8Array): string {
  const hash = kernels.within(() => kernels.wasm.hashBytes(kernels.put(bytes), bytes.length));
  return BigInt.asUintN(64, hash).toString(16).padStart(16, "0");
}

it.each([
  ["", "ef46db3751d8e999"],
  ["a", "d24ec4f1a98c6e5b"],
  ["abc", "44bc2cf5ad770999"],
  ["The quick brown fox jumps over the lazy dog", "0b242d361fda71bc"],
])("the hash of %j", (text, hash) => {
  expect(hashOf(new TextEncoder().encode(text))).toBe(hash);
});

it("a stack of any length has the hash of the bytes of its functions' hashes", () => {
  const hashes = Uint32Array.from({ length: 40 }, (_, i) => Math.imul(i + 1, 0x9e3779b1));
  const functions = Uint32Array.from({ length: 20 }, (_, i) => i);
  const sizes = Uint32Array.from({ length: 20 }, (_, i) => i + 1);
  const words = stackHashes(kernels, hashes, functions, new Uint32Array(20), sizes);
  const found = Array.from(new BigUint64Array(words.buffer), (hash) => hash.toString(16).padStart(16, "0"));
  expect(found).toEqual(Array.from(sizes, (size) => hashOf(new Uint8Array(hashes.buffer, 0, 8 * size))));
});

it("the hash of a stack is that of docs/parquet.md", () => {
  const hashes = functionHashes(kernels, ["shop.Cart.total", "shop.Main.run"]);
  const words = stackHashes(kernels, hashes, Uint32Array.of(0, 1), Uint32Array.of(0), Uint32Array.of(2));
  expect(new BigInt64Array(words.buffer)[0]).toBe(-3499848384339531018n);
});
