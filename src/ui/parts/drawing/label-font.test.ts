import { describe, expect, it } from "vitest";
import { LabelFont } from "./label-font.ts";

/** Every letter 6 px, those of Chinese 12; the ellipsis 6. */
const font = () => new LabelFont((text) => [...text].reduce((sum, c) => sum + (c > "\u3000" ? 12 : 6), 0));

describe("LabelFont", () => {
  it("leaves a text that has room as it is, to the last pixel", () => {
    expect(font().fit("Cart.total", 60)).toBe("Cart.total");
    expect(font().fit("", 0)).toBe("");
  });

  it("cuts what has none, and leaves room for the ellipsis", () => {
    expect(font().fit("Cart.total", 59)).toBe("Cart.tot…");
    expect(font().fit("Cart.total", 54)).toBe("Cart.tot…");
    expect(font().fit("Cart.total", 53)).toBe("Cart.to…");
    expect(font().fit("漢字漢字", 36)).toBe("漢字…");
  });

  it("writes nothing where not one letter and the ellipsis have room", () => {
    expect(font().fit("Cart.total", 12)).toBe("C…");
    expect(font().fit("Cart.total", 11)).toBe("");
    expect(font().fit("漢字", 17)).toBe("");
  });

  it("never cuts a letter of two UTF-16 units in half", () => {
    expect(font().fit("𝒜𝒜𝒜𝒜", 24 + 6)).toBe("𝒜𝒜…");
  });

  it("measures each letter once", () => {
    const measured: string[] = [];
    const counting = new LabelFont((text) => {
      measured.push(text);
      return 6;
    });
    for (let i = 0; i < 3; i++) counting.fit("aba漢漢", 600);
    expect(measured).toEqual(["…", "a", "b", "漢"]);
  });
});
