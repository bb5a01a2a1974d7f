/** Base64 in pieces, held against Node's own. */
import { describe, expect, it } from "vitest";
import { Random } from "../source/fuzzing/random.ts";
import { ascii, concat } from "../source/otlp/testing/message.ts";
import { Base64 } from "./base64.ts";

function decode(text: string, pieceOf: () => number): { bytes: Uint8Array; fault: string | null } {
  const base64 = new Base64();
  const all = ascii(text);
  const out: Uint8Array[] = [];
  for (let at = 0; at < all.length && base64.fault === null; ) {
    const n = pieceOf();
    out.push(base64.push(all.subarray(at, at + n)));
    at += n;
  }
  base64.end();
  return { bytes: concat(out), fault: base64.fault };
}

describe("base64", () => {
  it("gives the same bytes as Node, in whatever pieces, of either alphabet", () => {
    for (let n = 0; n < 300; n++) {
      const random = new Random(3, n);
      const bytes = Buffer.from(Uint8Array.from({ length: n }, () => random.below(256)));
      for (const text of [bytes.toString("base64"), bytes.toString("base64url")]) {
        const decoded = decode(text, () => 1 + random.below(n % 7 === 0 ? 2 : 40));
        expect([Buffer.from(decoded.bytes).toString("hex"), decoded.fault]).toEqual([bytes.toString("hex"), null]);
      }
    }
  });

  it.each([
    ["AAAA*AAA", 3, "base64: byte 2a is none of its characters, after 4 of them"],
    ["AAAAA", 3, "base64: 5 characters, which is one too many or some too few"],
    ["AA==AAAA", 1, "base64: byte 41 follows the padding, after 4 of them"],
    ["AA===", 1, "base64: 3 characters of padding"],
    ["AAAA AAA", 3, "base64: byte 20 is none of its characters, after 4 of them"],
    ["AAAé", 2, "base64: byte c3 is none of its characters, after 3 of them"],
  ])("that is none gives what stands before the fault: %s", (text, length, fault) => {
    for (const n of [1, 3, 99]) {
      const decoded = decode(text, () => n);
      expect([decoded.bytes.length, decoded.fault]).toEqual([length, fault]);
    }
  });
});
