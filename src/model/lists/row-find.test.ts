import { expect, test } from "vitest";
import { decimalId, hexId } from "../words/ids.ts";
import { idRanges, patternIn, rowFind } from "./row-find.ts";

const LARGEST = (1n << 64n) - 1n;
const IDS = [
  1n,
  9n,
  10n,
  12n,
  0x1fn,
  123n,
  0xabn,
  0xabcdn,
  0x00ab_cdef_0123_4567n,
  0xab00_0000_0000_0001n,
  4657123456789012292n,
  12345678901234567890n,
  LARGEST,
  (0xabn << 120n) | 5n,
  (1n << 64n) | 7n,
];

const found = (text: string) => {
  const ranges = idRanges(text) ?? [];
  return IDS.filter((id) => ranges.some(([from, to]) => id >= from && id <= to));
};

test("digits are the beginning of a decimal id", () => {
  for (const text of [
    "1",
    "12",
    "123",
    "9",
    "4657",
    "12345678901234567890",
    "18446744073709551615",
    "7",
    "184467440737095516150",
  ]) {
    const shown = IDS.filter((id) => id <= LARGEST && id.toString().startsWith(text));
    expect(found(text).filter((id) => id <= LARGEST)).toEqual(shown);
  }
  expect(found("0")).toEqual([]);
  expect(found("012")).toEqual([]);
});

test("hex is the beginning of an id as it is shown, or of one without its zeros", () => {
  for (const digits of ["ab", "abc", "1f", "00ab", "00", "0", "000000000000001f", "f", "ffffffffffffffff", "ab00"]) {
    const shown = IDS.filter((id) => hexId(id).startsWith(digits) || id.toString(16).startsWith(digits));
    expect(found(`0x${digits}`)).toEqual(shown);
    expect(found(`0X${digits.toUpperCase()}`)).toEqual(shown);
    if (/[a-f]/.test(digits)) expect(found(digits)).toEqual(shown);
  }
  expect(found("0x")).toEqual(IDS);
});

test("a whole id finds itself", () => {
  for (const id of IDS) {
    expect(found(`0x${hexId(id)}`)).toContain(id);
    if (id <= LARGEST) expect(found(decimalId(id))).toContain(id);
  }
});

test("what no id begins with is refused for ids, and a part of a name for names", () => {
  const key = { kind: "attribute", key: "k" } as const;
  expect(rowFind("GET", { kind: "span" })).toMatchObject({
    find: null,
    error: "No id begins with GET: decimal, 0x-hex, or hex with a letter",
  });
  expect(rowFind(" 12 ", { kind: "local-root" })).toEqual({ find: { ids: idRanges("12") }, error: null });
  expect(rowFind(" GET ", key)).toEqual({ find: { text: "GET" }, error: null });
  expect(rowFind("/own(er|s)$/", key)).toEqual({ find: { pattern: "own(er|s)$" }, error: null });
  expect(["/own/", "/(/", "own", ""].map((text) => patternIn(rowFind(text, key).find))).toEqual(["own", "(", "", ""]);
  expect(rowFind("/", key)).toEqual({ find: { text: "/" }, error: null });
  expect(rowFind("  ", key)).toEqual({ find: null, error: null });
  expect(rowFind("1".repeat(33), { kind: "span" }).error).not.toBeNull();
});
