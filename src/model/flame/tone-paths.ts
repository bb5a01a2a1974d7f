/** Boxes of one colour as one path of an SVG: 20,000 boxes are some thirty elements, sharp at any size. */
/** By colour. */
export class TonePaths<Colour> {
  private readonly parts = new Map<Colour, string[]>();

  /** Pixels; `left` and `width` are kept to a tenth. */
  add(colour: Colour, left: number, top: number, width: number, height: number): void {
    const part = `M${tenths(left)} ${top}h${tenths(width)}v${height}h${tenths(-width)}z`;
    const known = this.parts.get(colour);
    if (known === undefined) this.parts.set(colour, [part]);
    else known.push(part);
  }

  /** The data of each colour's path. */
  paths(): [colour: Colour, data: string][] {
    return [...this.parts].map(([colour, parts]) => [colour, parts.join("")]);
  }
}

function tenths(px: number): number {
  return Math.round(px * 10) / 10;
}

/** Width of a box without the gap to its neighbour, which is never most of a narrow box. */
export function innerWidth(width: number): number {
  return Math.max(width - 1, width * 0.8);
}
