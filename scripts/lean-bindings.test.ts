import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { instantiate } from "../build/core.js";
import { leanBindings } from "./lean-bindings.ts";

const built = (name: string) => fileURLToPath(new URL(`../build/${name}`, import.meta.url));
const ASC = readFileSync(built("core.js"), "utf8");

const module = async () => WebAssembly.compile(readFileSync(built("core.wasm")));
type Bindings = Awaited<ReturnType<typeof instantiate>>;

async function both(): Promise<{ asc: Bindings; lean: Bindings }> {
  const url = `data:text/javascript,${encodeURIComponent(leanBindings(ASC))}`;
  const loaded = (await import(/* @vite-ignore */ url)) as { instantiate: typeof instantiate };
  return { asc: await instantiate(await module(), {}), lean: await loaded.instantiate(await module(), {}) };
}

describe("leanBindings", () => {
  it("have each member of asc's, and each answers in the same type", async () => {
    const { asc, lean } = await both();
    const names: string[] = [];
    for (const name in asc) names.push(name);
    expect(names.filter((name) => !(name in lean))).toEqual([]);
    const typeOf = (one: Bindings, name: string) => {
      const member = one[name as keyof Bindings] as unknown;
      return member instanceof WebAssembly.Memory || typeof member === "function"
        ? typeof member
        : typeof (member as { value: unknown }).value;
    };
    expect(names.map((name) => [name, typeOf(lean, name)])).toEqual(names.map((name) => [name, typeOf(asc, name)]));
  });

  it("convert answers as asc's do: unsigned, wide and yes or no", async () => {
    for (const one of Object.values(await both())) {
      new Uint8Array(one.memory.buffer).set([1, 2, 3, 255], 64);
      expect(one.contentHash(64, 4)).toBeGreaterThanOrEqual(0n);
      one.idHigh.value = 2n ** 64n - 1n;
      expect(one.idHigh.value).toBe(2n ** 64n - 1n);
      one.timelineAfter.value = 2 ** 32 - 1;
      expect(one.timelineAfter.value).toBe(2 ** 32 - 1);
      expect(one.exhausted.value).toBe(false);
    }
    const { asc, lean } = await both();
    new Uint8Array(asc.memory.buffer).set([9, 9], 64);
    new Uint8Array(lean.memory.buffer).set([9, 9], 64);
    expect(lean.contentHash(64, 2)).toBe(asc.contentHash(64, 2));
  });

  it("refuse a form that they do not know", () => {
    expect(() => leanBindings(ASC.replace(" >>> 0;", " >>> 1;"))).toThrow("unknown form");
    expect(() => leanBindings(ASC.replace("    contentHash(", "    async contentHash("))).toThrow("unknown form");
  });
});
