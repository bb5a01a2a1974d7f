/** The writer beside protobufjs, and the reader of what it writes. */
import protobuf from "protobufjs";
import { expect, it } from "vitest";
import { Numbered } from "./numbered.ts";
import { DELIMITED, FIXED64, VARINT, Varint, wireFields } from "./protobuf.ts";
import { WireWriter } from "./wire-writer.ts";

/** Around each length of a varint, and the ends of 32, 53 and 64 bits. */
const AWKWARD = [0n, 2n ** 53n - 1n, 2n ** 64n - 1n].concat(
  Array.from({ length: 9 }, (_, i) => 2n ** BigInt(7 * i + 7)).flatMap((n) => [n - 1n, n]),
  [2n ** 32n - 1n, 2n ** 32n],
);

it("varints are as protobufjs has them, from halves, bigints and numbers", () => {
  for (const value of AWKWARD) {
    const low = Number(value & 0xffff_ffffn);
    const high = Number(value >> 32n);
    const expected = [
      ...protobuf.Writer.create()
        .uint64(new protobuf.util.Long(low, high, true))
        .finish(),
    ];
    const written = (write: (to: WireWriter) => void) => {
      const to = new WireWriter();
      write(to);
      return [...to.bytes];
    };
    expect(written((to) => to.varint(low, high))).toEqual(expected);
    expect(written((to) => to.whole(value))).toEqual(expected);
    expect(written((to) => to.whole(BigInt.asIntN(64, value)))).toEqual(expected);
    if (value < 2n ** 53n) expect(written((to) => to.whole(Number(value)))).toEqual(expected);
    const varint = new Varint();
    expect(varint.read(Uint8Array.from(expected), 0, expected.length)).toBe(expected.length);
    expect(varint.long).toBe(value);
  }
});

it("small numbers of either sign take few bytes", () => {
  for (const value of [0, -1, 1, 63, -64, 64, -65, 2 ** 31 - 1, -(2 ** 31)]) {
    const to = new WireWriter();
    to.zigzag(value);
    expect([...to.bytes]).toEqual([...protobuf.Writer.create().sint32(value).finish()]);
  }
});

it("contents keep their bytes where their length takes more than one, at any depth", () => {
  for (const length of [0, 1, 126, 127, 128, 16_383, 16_384, 70_000]) {
    const to = new WireWriter();
    const text = "ä\ud800".repeat(length).slice(0, length);
    to.message(8 + DELIMITED, () => to.message(16 + DELIMITED, () => to.text(24 + DELIMITED, text)));
    to.fixed(32 + FIXED64, -2n);
    to.number(40 + VARINT, 7n);
    const [outer, fixed, number] = [...wireFields(to.taken())];
    const [inner] = [...wireFields(outer!.bytes)];
    const [content] = [...wireFields(inner!.bytes)];
    expect(new TextDecoder().decode(content!.bytes)).toBe(new TextDecoder().decode(new TextEncoder().encode(text)));
    expect([fixed!.bits, number!.bits]).toEqual([2n ** 64n - 2n, 7n]);
  }
});

it("keys have numbers in the order of their first use", () => {
  const texts = new Numbered("");
  expect(["b", "", "a", "b"].map((text) => texts.of(text))).toEqual([1, 0, 2, 1]);
  expect([texts.list, texts.find("a"), texts.find("c")]).toEqual([["", "b", "a"], 2, -1]);
  const rows = new Numbered<number, string>();
  expect([7, 7].map((key) => rows.of(key, () => `row ${key}`))).toEqual([0, 0]);
  expect(rows.list).toEqual(["row 7"]);
});
