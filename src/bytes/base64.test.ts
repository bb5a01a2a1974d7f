/** Base64 in pieces, compared with Node's implementation. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Base64 } from "./base64.ts";

function decode(text: string, size: number): { bytes: Uint8Array; fault: string | null; isStandard: boolean } {
  const base64 = new Base64();
  const all = new TextEncoder().encode(text);
  const out: number[] = [];
  for (let at = 0; at < all.length && base64.fault === null; at += size) {
    out.push(...base64.push(all.subarray(at, at + size)));
  }
  base64.end();
  return { bytes: Uint8Array.from(out), fault: base64.fault, isStandard: base64.isStandard };
}

describe("base64", () => {
  it("gives the same bytes as Node, in whatever pieces, of either alphabet", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 40 }), (bytes, size) => {
        const hex = Buffer.from(bytes).toString("hex");
        const standard = Buffer.from(bytes).toString("base64");
        for (const text of [standard, Buffer.from(bytes).toString("base64url")]) {
          const decoded = decode(text, size);
          const isStandard = text === standard;
          expect([Buffer.from(decoded.bytes).toString("hex"), decoded.fault, decoded.isStandard]).toEqual([
            hex,
            null,
            isStandard,
          ]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ["AAAA*AAA", 3, "base64: byte 2a is not one of its characters, after 4 of them"],
    ["AAAAA", 3, "base64: 5 characters, which is an impossible number"],
    ["AA==AAAA", 1, "base64: byte 41 follows the padding, after 4 of them"],
    ["AA===", 1, "base64: 3 characters of padding"],
    ["AAAA AAA", 3, "base64: byte 20 is not one of its characters, after 4 of them"],
    ["AAAé", 2, "base64: byte c3 is not one of its characters, after 3 of them"],
  ])("that is none gives what stands before the fault: %s", (text, length, fault) => {
    for (const size of [1, 3, 99]) {
      const decoded = decode(text, size);
      expect([decoded.bytes.length, decoded.fault, decoded.isStandard]).toEqual([length, fault, false]);
    }
  });
});
