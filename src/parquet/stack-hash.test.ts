/** Hashes of stacks, beside SHA-256 of Node. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { Kernels } from "./kernels.ts";
import { functionHashes, HASH_BYTES, stackHashes } from "./stack-hash.ts";

let kernels: Kernels;
beforeAll(async () => {
  const bytes = readFileSync(new URL("../../build/parquet.wasm", import.meta.url));
  kernels = await Kernels.create(await WebAssembly.compile(bytes));
});

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest().subarray(0, HASH_BYTES);
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** The hash of each stack of display names, leaf first. */
function hashesOf(stacks: readonly (readonly string[])[]): string[] {
  const names = [...new Set(stacks.flat())];
  const functions = Uint32Array.from(stacks.flat(), (name) => names.indexOf(name));
  const sizes = Uint32Array.from(stacks, ({ length }) => length);
  const starts = sizes.map((_, i) => sizes.subarray(0, i).reduce((sum, size) => sum + size, 0));
  return stackHashes(kernels, functionHashes(kernels, names), functions, starts, sizes).map(hex);
}

it("the hash of bytes of any length is the beginning of SHA-256", () => {
  for (let size = 0; size < 300; size++) {
    const bytes = Uint8Array.from({ length: size }, (_, i) => Math.imul(i + size, 0x9e3779b1) >>> 13);
    const found = kernels.within(() => {
      const [at, out] = [kernels.put(bytes), kernels.room(HASH_BYTES)];
      kernels.wasm.hashBytes(at, size, out);
      return hex(kernels.bytes(out, HASH_BYTES));
    });
    expect(found).toBe(hex(sha256(bytes)));
  }
});

it("a stack of any length has the hash of its functions' hashes", () => {
  const names = Array.from({ length: 150 }, (_, i) => `a.Bé${i}.run`);
  const hashes = Buffer.concat(names.map((name) => sha256(Buffer.from(name))));
  const stacks = names.map((_, i) => names.slice(0, i + 1));
  const expected = stacks.map(({ length }) => hex(sha256(hashes.subarray(0, HASH_BYTES * length))));
  expect(hashesOf(stacks)).toEqual(expected);
});

it("stacks with the same text in other frames have other hashes", () => {
  const cuts = [
    ["a;b"],
    ["a", "b"],
    ["b", "a"],
    ["a;", "b"],
    ["a", ";b"],
    ["ab"],
    ["a", "", "b"],
    ["", "a", "b"],
    ["a\0b"],
  ];
  const stacks = [...cuts, ["a"], ["a", "a"], ["a", "a", "a"], [""], ["", ""], []];
  expect(new Set(hashesOf(stacks)).size).toBe(stacks.length);
});

it("the hash of a stack is that of docs/parquet.md", () => {
  const document = readFileSync(new URL("../../docs/parquet.md", import.meta.url), "utf8");
  expect(document).toContain(`has the hash\n  \`${hashesOf([["shop.Cart.total", "shop.Main.run"]])[0]}\``);
});
