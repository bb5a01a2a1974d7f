/** Hashes of functions and stacks are the ones of Node's SHA-256, as docs/parquet/layout.md describes them. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { Kernels } from "../parquet/kernels.ts";
import { functionHashes, stackHashes } from "./stack-hash.ts";

let kernels: Kernels;
beforeAll(async () => {
  const bytes = readFileSync(new URL("../../../build/parquet.wasm", import.meta.url));
  kernels = await Kernels.create(await WebAssembly.compile(bytes));
});

const sha = (data: string | Uint8Array) => createHash("sha256").update(data).digest().subarray(0, 16);
const stackOf = (names: readonly string[]) => sha(Buffer.concat(names.map(sha).reverse())).toString("hex");

/** Hashes of stacks by the module; each has its names leaf first. */
function hashesOf(stacks: readonly (readonly string[])[]): string[] {
  const names = [...new Set(stacks.flat())];
  const sizes = Uint32Array.from(stacks, (stack) => stack.length);
  const starts = sizes.map((_, i) => sizes.subarray(0, i).reduce((sum, size) => sum + size, 0));
  const frames = Uint32Array.from(stacks.flat(), (name) => names.indexOf(name));
  const values = stackHashes(kernels, functionHashes(kernels, names), frames, starts, sizes);
  if (values.kind !== "coded" || values.dictionary.of !== "bytes16") throw new Error("other values");
  const { dictionary } = values;
  return Array.from(values.codes, (code) => Buffer.from(dictionary.values[code]!).toString("hex"));
}

it("a function has the hash of its name, of any length", () => {
  const names = ["a.b", "größer.日本", ...Array.from({ length: 200 }, (_, i) => "x".repeat(i))];
  expect(Buffer.from(functionHashes(kernels, names))).toEqual(Buffer.concat(names.map(sha)));
});

it("a stack of any length has the hash of its frames, whatever stack is before it", () => {
  let seed = 1;
  const random = (most: number) => {
    seed = Math.imul(seed, 1103515245) + 12345;
    return ((seed >>> 16) & 0x7fff) % most;
  };
  const stacks: string[][] = [];
  for (let i = 0; i < 400; i++) {
    const root = (stacks.at(-1) ?? []).slice(-random(20));
    stacks.push([...Array.from({ length: 1 + random(25) }, () => `f${random(3)}`), ...root]);
  }
  expect(hashesOf(stacks)).toEqual(stacks.map(stackOf));
});

it("names with separators, and frames that share text, give other hashes", () => {
  const stacks = [["a;b"], ["a", "b"], ["b", "a"], ["ab"], ["a", "b", ""], ["", "a", "b"], ["a\0b"], ["b;a"]];
  expect(new Set(hashesOf(stacks)).size).toBe(stacks.length);
});

it("the hash of a stack is that of docs/parquet/layout.md", () => {
  const [hash] = hashesOf([["shop.Cart.total", "shop.Main.run"]]);
  expect(readFileSync(new URL("../../../docs/parquet/layout.md", import.meta.url), "utf8")).toContain(
    `hash \`${hash}\``,
  );
});
