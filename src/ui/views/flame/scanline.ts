/**
 * One line of pixels with the boxes of one level. All lines of a level are alike, so a drawing of 30,000 boxes is one
 * line for each level, stretched by the canvas.
 *
 *   edge of a box within a pixel    the pixel takes the box's colour in proportion; several boxes share it
 */

/** Boxes from this width on have a gap of one pixel on their right; narrower ones leave a fifth of their width. */
const GAP_FROM_PX = 5;
const INNER = 0.8;
const OPAQUE = 0xff << 24;

export class Scanline {
  /** Sums of red, green, blue and coverage of pixels that boxes cover in part. */
  private readonly sums: Float32Array;
  private readonly touched: Uint32Array;
  private count = 0;
  private readonly pixels: number;
  private readonly scale: number;

  /** A line of so many device pixels; `scale` of them are a CSS pixel. */
  constructor(pixels: number, scale: number) {
    this.pixels = pixels;
    this.scale = scale;
    this.sums = new Float32Array(pixels * 4);
    this.touched = new Uint32Array(pixels);
  }

  /** Adds a box from `left`, `width` wide, in CSS pixels, with a colour 0xrrggbb. */
  add(out: Uint32Array, left: number, width: number, colour: number): void {
    const { scale, pixels } = this;
    const inner = width >= GAP_FROM_PX ? width - 1 : width * INNER;
    const from = Math.max(0, left * scale);
    const to = Math.min(pixels, (left + inner) * scale);
    if (to <= from) return;
    const first = Math.ceil(from);
    const last = Math.floor(to);
    if (first > last) {
      this.blend(last, to - from, colour);
      return;
    }
    if (first > from) this.blend(first - 1, first - from, colour);
    if (last > first) {
      // Bytes are red, green, blue, opacity: the lowest first.
      const red = colour >> 16;
      const blue = colour & 0xff;
      const pixel = (OPAQUE | (blue << 16) | (colour & 0xff00) | red) >>> 0;
      if (last - first > 16) out.fill(pixel, first, last);
      else for (let at = first; at < last; at++) out[at] = pixel;
    }
    if (to > last) this.blend(last, to - last, colour);
  }

  private blend(pixel: number, part: number, colour: number): void {
    const { sums } = this;
    const at = pixel * 4;
    if (sums[at + 3] === 0) this.touched[this.count++] = pixel;
    sums[at] += part * (colour >> 16);
    sums[at + 1] += part * ((colour >> 8) & 0xff);
    sums[at + 2] += part * (colour & 0xff);
    sums[at + 3] += part;
  }

  /** Writes the pixels that are covered in part, and is ready for another line. */
  finish(out: Uint32Array): void {
    const { sums, touched, count } = this;
    for (let i = 0; i < count; i++) {
      const at = touched[i] * 4;
      const all = sums[at + 3];
      // To the nearest whole: a half more, without what follows the point.
      const opacity = (255 * (all < 1 ? all : 1) + 0.5) | 0;
      const red = (sums[at] / all + 0.5) | 0;
      const green = (sums[at + 1] / all + 0.5) | 0;
      const blue = (sums[at + 2] / all + 0.5) | 0;
      out[touched[i]] = (opacity << 24) | (blue << 16) | (green << 8) | red;
      sums[at] = 0;
      sums[at + 1] = 0;
      sums[at + 2] = 0;
      sums[at + 3] = 0;
    }
    this.count = 0;
  }
}
