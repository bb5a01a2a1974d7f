/** Bounds end each library that asks for much, in time and in memory. */
import { readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { CODE } from "../../test/kit/elf-writer.ts";
import { HOSTILE_LIBRARIES } from "../../test/kit/hostile-libraries.ts";
import { bytesSource } from "../bytes/byte-source.ts";
import { Demangler } from "./demangle.ts";
import { Library, type SymbolTools } from "./library.ts";

const MOST_MEMORY = 256 << 20;
const ADDRESSES = Array.from({ length: 500 }, (_, i) => BigInt(CODE + 3989 * i));

let tools: SymbolTools;
beforeAll(async () => {
  const module = await WebAssembly.compile(readFileSync(new URL("../../build/symbols.wasm", import.meta.url)));
  const demangler = await Demangler.create(readFileSync(new URL("../../build/demangle.wasm", import.meta.url)));
  tools = { module, readable: (linkage) => demangler.readable(linkage) };
});

it.each(Object.keys(HOSTILE_LIBRARIES))("%s: every address has an answer, in bounded memory", async (name) => {
  const library = await Library.open([{ path: "hostile.so", source: bytesSource(HOSTILE_LIBRARIES[name]!()) }], tools);
  const resolved = await library.resolve(ADDRESSES);
  expect(resolved.size).toBe(ADDRESSES.length);
  for (const { frames, why } of resolved.values()) {
    expect(frames.length).toBeLessThanOrEqual(64);
    if (frames.length === 0) expect(why).toBeDefined();
  }
  expect(library.bytes).toBeLessThan(MOST_MEMORY);
});

it("symbols that are packed in a library have a limit", async () => {
  const bytes = HOSTILE_LIBRARIES["packed symbols that unpack to much"]!();
  const library = await Library.open([{ path: "a.so", source: bytesSource(bytes) }], tools);
  await library.resolve(ADDRESSES);
  expect(library.diagnostics).toContainEqual(
    expect.objectContaining({
      code: "elf.packed",
      file: "a.so",
      message: expect.stringContaining("more than 67108864 bytes were unpacked"),
    }),
  );
});
