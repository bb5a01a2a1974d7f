/** Test vectors of xxHash64 with seed 0, from its reference implementation. */
import { expect, it } from "vitest";
import { hashBytes, hashWord, hashWords, result } from "./hash64.ts";
import { functionHashes, stackHash } from "./stack-hash.ts";

const hex = () => new BigUint64Array(result.slice().buffer)[0]!.toString(16).padStart(16, "0");

it.each([
  ["", "ef46db3751d8e999"],
  ["a", "d24ec4f1a98c6e5b"],
  ["abc", "44bc2cf5ad770999"],
  ["The quick brown fox jumps over the lazy dog", "0b242d361fda71bc"],
])("the hash of %j", (text, hash) => {
  hashBytes(new TextEncoder().encode(text));
  expect(hex()).toBe(hash);
});

it("words hash as their bytes, whatever their number", () => {
  const words = Uint32Array.from({ length: 40 }, (_, i) => Math.imul(i + 1, 0x9e3779b1));
  for (let count = 2; count <= words.length; count += 2) {
    hashBytes(new Uint8Array(words.buffer, 0, 4 * count));
    const expected = hex();
    hashWords(words, count);
    expect(hex()).toBe(expected);
    if (count > 2) continue;
    hashWord(words[1]!, words[0]!);
    expect(hex()).toBe(expected);
  }
});

it("the hash of a stack is that of docs/parquet.md", () => {
  const hashes = functionHashes(["shop.Cart.total", "shop.Main.run"]);
  const out = new Uint32Array(2);
  stackHash(hashes, Uint32Array.of(0, 1), 0, 2, out, 0);
  expect(new BigInt64Array(out.buffer)[0]).toBe(-3499848384339531018n);
});
