import { describe, expect, it } from "vitest";
import { Texts } from "./interner.ts";

const PRIME = 0x0100_0193;
/** PRIME times this is 1, modulo 2³². */
const INVERSE = 0x359c_449b;

/** Texts of six bytes with one FNV-1a hash: all that begin with one of 2²⁰ beginnings and end with one of 2²⁴ ends. */
function ofOneHash(): Uint8Array[] {
  const byState = new Int32Array(1 << 24);
  const states = new Int32Array(1 << 20);
  for (let start = 0; start < states.length; start++) {
    let hash = 0x811c_9dc5;
    for (let k = 0; k < 3; k++) hash = Math.imul(hash ^ ((start >> (8 * k)) & 255), PRIME);
    states[start] = hash;
    byState[hash & 0xff_ffff] = start + 1;
  }
  const texts: Uint8Array[] = [];
  for (let end = 0; end < 1 << 24; end++) {
    let hash = 0x1234_5678;
    for (let k = 2; k >= 0; k--) hash = Math.imul(hash, INVERSE) ^ ((end >> (8 * k)) & 255);
    const start = (byState[hash & 0xff_ffff] ?? 0) - 1;
    if (start < 0 || states[start] !== hash) continue;
    texts.push(Uint8Array.from([start, start >> 8, start >> 16, end, end >> 8, end >> 16]));
  }
  return texts;
}

describe("an interner", () => {
  it("numbers contents, each once, after the empty one", () => {
    const texts = new Texts();
    const numbers = ["a", "b", "", "a", "bc", "b"].map((text) => {
      const bytes = new TextEncoder().encode(text);
      return texts.intern(bytes, 0, bytes.length);
    });
    expect(numbers).toEqual([1, 2, 0, 1, 3, 2]);
  });

  it("is not slowed down by texts that were chosen to share an FNV-1a hash", () => {
    const chosen = ofOneHash();
    expect(chosen.length).toBeGreaterThan(2_000);
    const texts = new Texts();
    for (const bytes of chosen) texts.intern(bytes, 0, bytes.length);
    expect(texts.size).toBe(chosen.length + 1);
    expect(texts.collisions).toBeLessThan(20 * chosen.length);
  });
});
