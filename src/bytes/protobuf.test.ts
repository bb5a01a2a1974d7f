/** Varints and fields: the examples of protobuf's documentation, and hostile bytes. */
import { describe, expect, it } from "vitest";
import { CUT, TOO_LONG, Varint, wireFields } from "./protobuf.ts";

function read(bytes: number[]) {
  const varint = new Varint();
  const at = varint.read(Uint8Array.from(bytes), 0, bytes.length);
  return { at, low: varint.low, high: varint.high, isWhole: varint.isWhole };
}

describe("a varint", () => {
  it.each([
    [[0], 1, 0, 0],
    [[0x96, 0x01], 2, 150, 0],
    [[0xff, 0xff, 0xff, 0xff, 0x0f], 5, 0xffff_ffff, 0],
    [[0x80, 0x80, 0x80, 0x80, 0x10], 5, 0, 1],
    [[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], 10, 0xffff_ffff, 0xffff_ffff],
  ])("%o ends at %i", (bytes, at, low, high) => {
    expect(read(bytes)).toEqual({ at, low, high, isWhole: true });
  });

  it("of more than 64 bits loses the rest and says so", () => {
    expect(read([...Array<number>(9).fill(0x80), 0x02])).toEqual({ at: 10, low: 0, high: 0, isWhole: false });
  });

  it("without an end is too long after ten bytes, or cut", () => {
    expect(read(Array<number>(11).fill(0x80)).at).toBe(TOO_LONG);
    expect(read([0x80, 0x81])).toEqual({ at: CUT, low: 128, high: 0, isWhole: true });
    expect(read([]).at).toBe(CUT);
  });
});

describe("the fields of a message", () => {
  const fields = (bytes: number[]) =>
    [...wireFields(Uint8Array.from(bytes))].map((f) => [f.number, f.wire, f.bits, [...f.bytes], f.isWhole]);

  it("have numbers, wire types and values", () => {
    const message = [0x08, 0x96, 0x01, 0x12, 2, 7, 8, 0x19, 1, 0, 0, 0, 0, 0, 0, 0x80, 0x25, 4, 3, 2, 1];
    expect(fields(message)).toEqual([
      [1, 0, 150n, [], true],
      [2, 2, 0n, [7, 8], true],
      [3, 1, 0x8000_0000_0000_0001n, [], true],
      [4, 5, 0x0102_0304n, [], true],
    ]);
  });

  it.each([
    ["a varint", [0x08, 0x80]],
    ["a length", [0x0a, 0x80]],
    ["a text", [0x0a, 3, 1, 2]],
    ["a length of 2⁶³", [0x0a, ...Array<number>(9).fill(0x80), 0x01]],
    ["8 bytes", [0x09, 1, 2]],
    ["4 bytes", [0x0d, 1]],
    ["a group, which protobuf 3 does not have", [0x0b, 1, 2, 3]],
  ])("end at %s that is not whole", (_, bytes) => {
    expect(fields([0x08, 1, ...bytes]).map((f) => f.at(-1))).toEqual([true, false]);
  });
});
