/** What the platform's decompressor refuses is decompressed by members: browsers take only one of them. */
import { gunzipSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { unpackGzip, unpackMembers } from "../../../src/bytes/gzip.ts";
import { concat } from "../../kit/jfr/jfr-bytes.ts";

/** Bytes that do not pack: a linear congruential generator. */
function noise(length: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  });
}

const packed = (bytes: Uint8Array) => new Uint8Array(gzipSync(bytes));
const PARTS = [noise(100_000), new Uint8Array(0), noise(3), new Uint8Array(3_000_000), noise(20_000)];
const FILE = concat(...PARTS.map(packed));

async function all(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const piece of pieces) parts.push(piece);
  return Buffer.concat(parts);
}

describe("unpackMembers", () => {
  it("gives the bytes of all members, without those that are skipped", async () => {
    for (const skip of [0, 1, 65_536, 100_000, 3_100_002]) {
      const bytes = await all(unpackMembers(bytesSource(FILE), skip));
      expect(bytes.equals(Buffer.concat(PARTS).subarray(skip))).toBe(true);
    }
  });

  it("takes thousands of members in a row, and heads with names", async () => {
    const one = packed(noise(2));
    const name = new TextEncoder().encode("a name of a file\0");
    const named = concat(one.subarray(0, 3), [8], one.subarray(4, 10), name, one.subarray(10));
    const many = concat(...Array.from({ length: 5000 }, () => [one, named]).flat());
    expect((await all(unpackMembers(bytesSource(many), 0))).length).toBe(20_000);
  });

  it("refuses a wrong checksum or size, of the last member too, and what is no member", async () => {
    const first = packed(PARTS[0] as Uint8Array);
    for (const end of [first.length, FILE.length]) {
      for (const back of [8, 4]) {
        const wrong = FILE.slice();
        wrong[end - back] = (wrong[end - back] ?? 0) ^ 1;
        await expect(all(unpackMembers(bytesSource(wrong), 0))).rejects.toThrow("checksum");
      }
    }
    await expect(all(unpackMembers(bytesSource(concat(first, [1, 2, 3, 4])), 0))).rejects.toThrow();
    await expect(all(unpackMembers(bytesSource(FILE.subarray(0, FILE.length - 9)), 0))).rejects.toThrow();
  });
});

describe("unpackGzip where the platform takes one member only", () => {
  /** As browsers are: the first member, of which the last bytes may be missing, then an error. */
  function takeOneMember(given: number): void {
    vi.stubGlobal(
      "DecompressionStream",
      class extends TransformStream<Uint8Array, Uint8Array> {
        constructor() {
          super({
            transform: (_, controller) => {
              if (given > 0) controller.enqueue(gunzipSync(packed(PARTS[0] as Uint8Array)).subarray(0, given));
              given = 0;
            },
            flush: () => {
              throw new TypeError("Junk found after end of compressed data.");
            },
          });
        }
      },
    );
  }
  afterEach(() => vi.unstubAllGlobals());

  it.each([0, 65_536, 100_000])("goes on after %d bytes", async (given) => {
    takeOneMember(given);
    expect((await all(unpackGzip(bytesSource(FILE)))).equals(Buffer.concat(PARTS))).toBe(true);
  });

  it("reports what the platform reports where the file is damaged, after the bytes that could be read", async () => {
    takeOneMember(1000);
    const bytes: number[] = [];
    const read = async () => {
      for await (const piece of unpackGzip(bytesSource(FILE.subarray(0, FILE.length - 9)))) bytes.push(piece.length);
    };
    await expect(read()).rejects.toThrow("Junk found");
    expect(bytes.reduce((sum, n) => sum + n, 0)).toBeGreaterThan(3_100_003);
  });
});
