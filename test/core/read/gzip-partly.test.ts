/** gzip files that were copied while an agent wrote them: all bytes before the cut, and why there are no more. */
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { type GzipFault, unpackPartly } from "../../../src/bytes/gzip-partly.ts";
import { concat } from "../../kit/jfr/jfr-bytes.ts";

const TEXT = new TextEncoder().encode(Array.from({ length: 60 }, (_, i) => `line ${i * i}\n`).join(""));
const packed = (bytes: Uint8Array, level = 6) => new Uint8Array(gzipSync(bytes, { level }));
const TAIL = 8;

async function partly(file: Uint8Array): Promise<{ bytes: Buffer; fault: GzipFault | null }> {
  let fault: GzipFault | null = null;
  const parts: Uint8Array[] = [];
  const found = (each: GzipFault) => {
    fault = each;
  };
  for await (const piece of unpackPartly(bytesSource(file), found)) parts.push(piece);
  return { bytes: Buffer.concat(parts), fault };
}

describe("unpackPartly", () => {
  it.each([
    ["a member", packed(TEXT), TEXT],
    ["stored data", packed(TEXT, 0), TEXT],
    ["no data", packed(new Uint8Array(0)), new Uint8Array(0)],
    ["two members", concat(packed(TEXT), packed(TEXT)), concat(TEXT, TEXT)],
  ])("%s without some of its last bytes", async (_, file, all) => {
    expect(await partly(file)).toEqual({ bytes: Buffer.from(all), fault: null });
    for (let missing = 1; missing <= TAIL; missing++) {
      const { bytes, fault } = await partly(file.slice(0, file.length - missing));
      expect(bytes.equals(all)).toBe(true);
      expect(fault).toMatchObject({ code: "truncated", bytes: all.length });
      expect(fault?.text).toContain(`but ${missing} byte`);
    }
    for (let missing = TAIL + 1; missing < TAIL + 60 && missing < file.length - 10; missing++) {
      const { bytes, fault } = await partly(file.slice(0, file.length - missing));
      expect(Buffer.from(all).subarray(0, bytes.length).equals(bytes)).toBe(true);
      expect(fault).toMatchObject({ code: "truncated", bytes: bytes.length });
      expect(fault?.text).toContain("cut off");
    }
  });

  it("a wrong checksum, a wrong size, and bytes after the end are damage; all data is given", async () => {
    const file = packed(TEXT);
    for (let back = 1; back <= TAIL; back++) {
      const wrong = file.slice();
      wrong[file.length - back]! ^= 0x10;
      const { bytes, fault } = await partly(wrong);
      expect([fault?.code, bytes.equals(TEXT)]).toEqual(["damaged", true]);
    }
    for (let extra = 1; extra < 12; extra++) {
      const end = file.length - TAIL;
      const { bytes, fault } = await partly(concat(file.slice(0, end), Array(extra).fill(7), file.slice(end)));
      expect([fault?.code, bytes.equals(TEXT)]).toEqual(["damaged", true]);
    }
    for (const more of [[0], [1, 2, 3], [0, 0, 0, 0], Array(40).fill(0)]) {
      const { bytes, fault } = await partly(concat(file, more));
      expect([fault?.code, bytes.equals(TEXT)]).toEqual(["damaged", true]);
    }
  });
});
