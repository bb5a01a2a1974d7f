import { describe, expect, it } from "vitest";
import { cut, visible, visibleLines } from "./text.ts";

describe("visible", () => {
  it("leaves ordinary names alone, in any script", () => {
    for (const name of ["java.lang.String.<init>", "zürich-北京", "شركة", "👩‍💻", "❤️", "👩🏽‍🚀"])
      expect(visible(name)).toBe(name);
  });

  it("spells out bidi controls, line breaks and control characters", () => {
    expect(visible("a\u202eb")).toBe("a\\u202eb");
    expect(visible("a\nb\u0000")).toBe("a\\u000ab\\u0000");
    expect(visible("\u2066x\u2069")).toBe("\\u2066x\\u2069");
  });

  it("spells out everything that has no shape", () => {
    const unseen = [
      ..."\u0009\u001b\u007f\u009b\u00ad\u034f\u061c\u115f\u180e\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u2060\u2064\u3164\ufe0f\ufeff\ufffb",
    ];
    for (const c of unseen) expect(visible(`a${c}b`)).toBe(`a\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}b`);
    expect(visible("a\u{e0041}b")).toBe("a\\udb40\\udc41b");
    expect([visible("a\ud800b"), visible("a\udc00b"), visible("a😀b")]).toEqual(["a\\ud800b", "a\\udc00b", "a😀b"]);
    // Outside an emoji, what joins its parts is unseen too.
    expect(visible("a\ufe0f\u200db")).toBe("a\\ufe0f\\u200db");
  });

  it("cuts long names, and never through a surrogate pair", () => {
    expect(visible("x".repeat(1_000_000)).length).toBe(401);
    expect(cut("ab😀", 3)).toBe("ab…");
    expect(cut("ab😀", 4)).toBe("ab😀");
  });
});

describe("visibleLines", () => {
  it("has the same value in characters that all have a shape", () => {
    const value = { "a\u009bb": ["\u202e", "\n\r\t\u2028\u200b\ufeff", "\u{e0041}", "\ud800", "zürich 👩‍💻"] };
    const text = visibleLines(JSON.stringify(value, null, 1));
    expect(JSON.parse(text)).toEqual(value);
    for (const line of text.split("\n")) expect(visible(line)).toBe(line);
    expect(text).toContain("\\u009b");
    expect(text).toContain("👩‍💻");
  });
});
