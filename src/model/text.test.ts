import { describe, expect, it } from "vitest";
import { cut, visible, withoutHiddenAddress } from "./text.ts";

describe("withoutHiddenAddress", () => {
  it("drops the address of a hidden class, and nothing else", () => {
    expect(withoutHiddenAddress("demo.Shop$$Lambda$346.0x00007f7b783819c0.run")).toBe("demo.Shop$$Lambda$346.run");
    expect(withoutHiddenAddress("a.B$$Lambda/0x00000008000cb000.get")).toBe("a.B$$Lambda.get");
    for (const name of ["libjvm.so+0x1234abcd", "a.B.0xff"]) expect(withoutHiddenAddress(name)).toBe(name);
  });
});

describe("visible", () => {
  it("leaves ordinary names alone, in any script", () => {
    for (const name of ["java.lang.String.<init>", "zürich-北京", "شركة", "👩‍💻"]) expect(visible(name)).toBe(name);
  });

  it("spells out bidi controls, line breaks and control characters", () => {
    expect(visible("a\u202eb")).toBe("a\\u202eb");
    expect(visible("a\nb\u0000")).toBe("a\\u000ab\\u0000");
    expect(visible("\u2066x\u2069")).toBe("\\u2066x\\u2069");
  });

  it("cuts long names, and never through a surrogate pair", () => {
    expect(visible("x".repeat(1_000_000)).length).toBe(401);
    expect(cut("ab😀", 3)).toBe("ab…");
    expect(cut("ab😀", 4)).toBe("ab😀");
  });
});
