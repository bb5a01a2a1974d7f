/** Names of Go programs without debug information, beside what Go says of the same program with it. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { needTools } from "../../test/kit/native/llvm.ts";
import { Random } from "../../test/kit/random.ts";
import { bytesSource } from "../bytes/byte-source.ts";
import { GoTable } from "./go-table.ts";
import { Library } from "./library.ts";

const GO = needTools("go", "llvm-nm");
const SOURCE = `package main

func weigh(price, count int) int { return price * count }

//go:noinline
func total(n int) int {
	s := 0
	for i := 0; i < n; i++ {
		s += weigh(i, n)
	}
	return s
}

func main() { println(total(3)) }
`;

GO.describe("a Go program without debug information", () => {
  let folder: string;
  const go = (args: string[], input = "") =>
    execFileSync("go", args, { cwd: folder, input, stdio: ["pipe", "pipe", "ignore"], encoding: "utf8" });
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "spanflame-go-"));
    writeFileSync(join(folder, "main.go"), SOURCE);
    go(["build", "-o", "whole", "main.go"]);
    go(["build", "-ldflags", "-s -w", "-o", "stripped", "main.go"]);
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  GO.it("has the functions and lines of the whole one, and survives damage", async () => {
    const code = go(["tool", "nm", "-n", "whole"]).match(/[0-9a-f]+(?= [tT] (?:runtime\.e?text|main\.total)\n)/g) ?? [];
    const [low = 0, high = 0, total = 0] = [...new Set(code.map((hex) => Number.parseInt(hex, 16)))].sort(
      (a, b) => a - b,
    );
    expect(total + high).toBeGreaterThan(2 * low);
    const last = Math.max(high, total);
    const random = new Random(3, 0);
    const addresses = Array.from({ length: 200 }, () => low + random.below(last - low));
    const said = go(
      ["tool", "addr2line", "whole"],
      `${addresses.map((each) => `0x${each.toString(16)}`).join("\n")}\n`,
    );
    const lines = said.trim().split("\n");
    const module = await WebAssembly.compile(readFileSync(new URL("../../build/symbols.wasm", import.meta.url)));
    const bytes = new Uint8Array(readFileSync(join(folder, "stripped")));
    const file = { path: "stripped", source: bytesSource(bytes) };
    const library = await Library.open([file], { module, readable: (linkage) => linkage });
    const resolved = await library.resolve(addresses.map(BigInt));
    const got = addresses.map((address) => {
      const [frame] = resolved.get(BigInt(address))?.frames ?? [];
      return `${frame?.linkageName ?? "?"} ${frame?.file}:${frame?.line}`;
    });
    // Between functions Go has no line.
    expect(got).toEqual(addresses.map((_, i) => `${lines[2 * i]} ${lines[2 * i + 1]?.replace(/^:-1$/, ":0")}`));
    expect(library.diagnostics).toEqual([]);

    const at = Buffer.from(bytes).indexOf(Uint8Array.of(0xf1, 0xff, 0xff, 0xff, 0, 0));
    for (let i = 0; i < 60; i++) {
      const table = bytes.slice(at, at + 400_000);
      for (let n = random.below(20); n >= 0; n--) table[random.small(table.length)] = random.below(256);
      table.set([0xf1, 0xff, 0xff, 0xff]);
      const damaged = await GoTable.open(bytesSource(table), BigInt(low));
      for (const address of addresses.slice(0, 40)) damaged?.frameOf(BigInt(address));
    }
  });
});
