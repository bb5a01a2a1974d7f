/** Output that is compressed in pieces is one gzip member, for every reader. */

import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { Gzip } from "./gzip.ts";

function packed(parts: Uint8Array[], level = 6): Uint8Array {
  const out: Uint8Array[] = [];
  const gzip = new Gzip(level, (bytes) => out.push(Uint8Array.from(bytes)));
  for (const part of parts) gzip.push(part);
  gzip.end();
  return Buffer.concat(out);
}

/** Bytes that neither repeat nor are all alike. */
const some = (n: number) => Uint8Array.from({ length: n }, (_, i) => (i * i) >> (i % 11));

describe("gzip in pieces", () => {
  it.each([
    ["nothing", []],
    ["one byte", [1]],
    ["a piece exactly", [1 << 20]],
    ["more than a piece", [(1 << 20) + 1]],
    ["many small ones and a large one", [3, 0, 5, 1 << 19, 3 << 20, 7]],
  ] as [string, number[]][])("of %s is what was pushed", (_, sizes) => {
    const parts = sizes.map(some);
    const whole = Buffer.concat(parts);
    for (const level of [1, 6]) expect(gunzipSync(packed(parts, level)).equals(whole)).toBe(true);
  });

  it("is one member: what reads one only reads all", async () => {
    const bytes = packed([some(3 << 20)]);
    const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream("gzip"));
    expect((await new Response(stream).arrayBuffer()).byteLength).toBe(3 << 20);
  });
});
