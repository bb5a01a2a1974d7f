/**
 * OTLP messages and pprof profiles cut and changed at every byte: nothing traps, nothing hangs, and every answer comes.
 */
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { emptyCore } from "../../kit/core/read-store.ts";
import { MESSAGE, PPROF, survive } from "../../kit/otlp/messages.ts";
import { Random } from "../../kit/random.ts";

describe.each([
  ["an OTLP message", MESSAGE],
  ["a pprof profile", PPROF],
])("%s", (_, sound) => {
  it("is sound to begin with", async () => {
    const core = await emptyCore();
    await survive(core, sound);
    expect(core.diagnostics()).toEqual([]);
    expect(core.samples()).toBeGreaterThan(2);
  });

  it("cut anywhere is read as far as it goes", async () => {
    const core = await emptyCore();
    for (let n = 0; n < sound.length; n++) await survive(core, sound.subarray(0, n));
  });

  it("with a bit changed anywhere does not trap", async () => {
    const core = await emptyCore();
    const bytes = sound.slice();
    for (let bit = 0; bit < 8 * sound.length; bit += 3) {
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      await survive(core, bytes);
      bytes[bit >> 3] = sound[bit >> 3] ?? 0;
    }
  });

  it("with bytes changed at random does not trap, compressed neither", async () => {
    const core = await emptyCore();
    for (let i = 0; i < 500; i++) {
      const random = new Random(8, i);
      const bytes = sound.slice();
      for (let n = 1 + random.below(6); n > 0; n--) bytes[random.below(bytes.length)] = random.below(256);
      await survive(core, i % 5 === 0 ? new Uint8Array(gzipSync(bytes)) : bytes);
    }
  });
});
