import { describe, expect, it } from "vitest";
import { Scanline } from "./scanline.ts";

const RED = 0xff0000;
const BLUE = 0x0000ff;

/** Pixels as opacity and colour, after boxes of [left, width, colour]. */
function drawn(pixels: number, scale: number, ...boxes: [left: number, width: number, colour: number][]): string[] {
  const out = new Uint32Array(pixels);
  const line = new Scanline(pixels, scale);
  for (const [left, width, colour] of boxes) line.add(out, left, width, colour);
  line.finish(out);
  return Array.from(out, (pixel) => {
    const [red, green, blue, opacity] = [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255, pixel >>> 24];
    return opacity === 0 ? "-" : `${opacity} ${[red, green, blue].join(",")}`;
  });
}

describe("a line of pixels", () => {
  it("has a gap after a wide box", () => {
    expect(drawn(8, 1, [0, 6, RED])).toEqual([...new Array(5).fill("255 255,0,0"), "-", "-", "-"]);
    expect(drawn(16, 2, [0, 6, RED]).filter((pixel) => pixel !== "-")).toHaveLength(10);
  });

  it("shows half a pixel in part, and two boxes of one pixel in both colours", () => {
    expect(drawn(2, 1, [0, 0.5, RED])).toEqual(["102 255,0,0", "-"]);
    expect(drawn(2, 1, [0, 0.5, RED], [0.5, 0.5, BLUE])).toEqual(["204 127,0,127", "-"]);
  });

  it("spreads a box over the pixels that it touches", () => {
    expect(drawn(5, 1, [0.5, 2.5, RED])).toEqual(["128 255,0,0", "255 255,0,0", "128 255,0,0", "-", "-"]);
  });

  it("draws what of a box is within the line", () => {
    expect(drawn(3, 1, [-4, 100, BLUE])).toEqual(new Array(3).fill("255 0,0,255"));
    expect(drawn(3, 1, [-4, 3, BLUE], [5, 9, BLUE])).toEqual(["-", "-", "-"]);
  });

  it("restarts after each line", () => {
    const line = new Scanline(2, 1);
    line.add(new Uint32Array(2), 0, 0.5, RED);
    line.finish(new Uint32Array(2));
    const out = new Uint32Array(2);
    line.finish(out);
    expect(Array.from(out)).toEqual([0, 0]);
  });
});
