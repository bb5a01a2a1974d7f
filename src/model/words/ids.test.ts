import { describe, expect, it } from "vitest";
import { decimalId, hexId, parseId, shortId } from "./ids.ts";

function idOf(text: string): bigint | string {
  const parsed = parseId(text);
  return parsed.ok ? parsed.id : parsed.error;
}

describe("parseId", () => {
  it("reads decimal, 0x-hex, and hex with a letter", () => {
    expect(idOf("4657010203042292")).toBe(4657010203042292n);
    expect(idOf("0x10")).toBe(16n);
    expect(idOf("0XFF")).toBe(255n);
    expect(idOf("10")).toBe(10n);
    expect(idOf("1a")).toBe(26n);
    expect(idOf("00000000000000AB")).toBe(171n);
  });

  it("takes digits alone as decimal, with leading zeros too", () => {
    expect(idOf("0000000000000010")).toBe(10n);
  });

  it("ignores white space around a pasted id", () => {
    expect(idOf("  42\n")).toBe(42n);
  });

  it("covers the unsigned range and nothing more", () => {
    expect(idOf("18446744073709551615")).toBe((1n << 64n) - 1n);
    expect(idOf("ffffffffffffffff")).toBe((1n << 64n) - 1n);
    expect(idOf("18446744073709551616")).toContain("64 bits");
    expect(idOf("0x10000000000000000")).toContain("64 bits");
    expect(idOf("9".repeat(1_000_000))).toContain("64 bits");
  });

  it("takes 32 hex digits as a trace id, letters or not", () => {
    expect(idOf("6b00b705000000000cb2a068373f9c72")).toBe(0x6b00b705000000000cb2a068373f9c72n);
    expect(idOf("0x10000000000000000000000000000000")).toBe(1n << 124n);
    expect(idOf("00000000000000000000000000000010")).toBe(16n);
    expect(idOf("0".repeat(32))).toContain("a sample has no id");
  });

  it("refuses texts that are not ids, with the reason", () => {
    expect(idOf("")).toContain("missing");
    expect(idOf("0")).toContain("a sample has no id");
    expect(idOf("0x0")).toContain("a sample has no id");
    for (const text of ["-1", "1.5", "0x", "xyz", "1_000", "GET /"]) expect(idOf(text)).toContain("is not an id");
  });
});

describe("writing ids", () => {
  it("writes 16 hex digits and plain decimals", () => {
    expect(hexId(255n)).toBe("00000000000000ff");
    expect(decimalId((1n << 64n) - 1n)).toBe("18446744073709551615");
  });

  it("shortens only what is long", () => {
    expect(shortId(4657123412342292n)).toBe("4657…2292");
    expect(shortId(123456789n)).toBe("123456789");
  });
});
