import { describe, expect, it } from "vitest";
import type { Tone } from "./colour.ts";
import { cssOf, packageOf, TONES, toneOf } from "./colour.ts";

/** Label colours of src/ui/theme/tokens.css. */
const LABEL = { light: [27, 31, 36], dark: [237, 240, 243] };

function luminance(rgb: number[]): number {
  const [r, g, b] = rgb.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: number[], b: number[]): number {
  const [hi, lo] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (hi + 0.05) / (lo + 0.05);
}

function rgbOf({ h, s }: Tone, l: number): number[] {
  const a = (s / 100) * Math.min(l / 100, 1 - l / 100);
  const channel = (n: number) => {
    const k = (n + h / 30) % 12;
    return 255 * (l / 100 - a * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}

describe("frame colours", () => {
  it("keep labels readable in both themes", () => {
    for (const tone of TONES) {
      expect(contrast(rgbOf(tone, tone.light), LABEL.light)).toBeGreaterThan(4.5);
      expect(contrast(rgbOf(tone, tone.dark), LABEL.dark)).toBeGreaterThan(4.5);
    }
  });

  it("go by package, not by method", () => {
    expect(packageOf("org.acme.shop.Cart.total(int)")).toBe("org.acme.shop");
    expect(packageOf("org.acme.shop.deep.er.Cart.total")).toBe("org.acme.shop");
    expect(packageOf("demo.Shop$$Lambda$346.0x00007f7b783819c0.run")).toBe("demo");
    expect(packageOf("Main.main")).toBe("");
    expect(packageOf("memcpy")).toBe("");
    expect(toneOf("org.acme.shop.A.x", "jvm")).toBe(toneOf("org.acme.shop.B.y", "jvm"));
  });

  it("keep JDK, native and kernel frames apart", () => {
    const tones = new Set([
      toneOf("java.util.HashMap.get", "jvm"),
      toneOf("memcpy", "native"),
      toneOf("do_syscall_64", "kernel"),
      toneOf("[truncated]", ""),
    ]);
    expect(tones.size).toBe(4);
    expect(toneOf("javassist.util.A.b", "jvm")).not.toBe(toneOf("java.util.A.b", "jvm"));
  });

  it("are CSS colours", () => {
    expect(cssOf({ h: 0, s: 100, light: 50, dark: 25 }, false)).toBe("#ff0000");
    expect(cssOf({ h: 120, s: 100, light: 50, dark: 25 }, true)).toBe("#008000");
    for (const tone of TONES) {
      const channels = rgbOf(tone, tone.light).map((value) => Math.round(value).toString(16).padStart(2, "0"));
      expect(cssOf(tone, false)).toBe(`#${channels.join("")}`);
    }
  });
});
