/**
 * Widths of labels in frames: how much of a text has room. Labels are SVG text, which ends nowhere by itself: HTML in a
 * foreignObject does (`text-overflow`), and costs the browser twice as much as everything else of a frame together.
 */
const MORE = "…";
const ASCII = 128;

export class LabelFont {
  private readonly measure: (text: string) => number;
  /** Advance widths in CSS pixels; NaN while not measured. Kerning is left out: it only brings letters closer. */
  private readonly ascii = new Float32Array(ASCII).fill(Number.NaN);
  private readonly others = new Map<string, number>();
  private readonly more: number;

  constructor(measure: (text: string) => number) {
    this.measure = measure;
    this.more = measure(MORE);
  }

  /** `text`, or its beginning with an ellipsis; "" where not one letter of it has room. */
  fit(text: string, room: number): string {
    let used = 0;
    /** Of the longest beginning that leaves room for the ellipsis. */
    let kept = 0;
    for (let at = 0; at < text.length; ) {
      const letter = String.fromCodePoint(text.codePointAt(at) ?? 0);
      if (used + this.more <= room) kept = at;
      used += this.width(letter);
      if (used > room) return kept === 0 ? "" : text.slice(0, kept) + MORE;
      at += letter.length;
    }
    return text;
  }

  private width(letter: string): number {
    const code = letter.length === 1 ? letter.charCodeAt(0) : ASCII;
    const known = code < ASCII ? this.ascii[code] : this.others.get(letter);
    if (known !== undefined && !Number.isNaN(known)) return known;
    const measured = this.measure(letter);
    if (code < ASCII) this.ascii[code] = measured;
    else this.others.set(letter, measured);
    return measured;
  }
}

/** The font that an element is written in. */
export function labelFont(element: Element): LabelFont {
  const { fontFamily, fontSize } = getComputedStyle(element);
  const context = document.createElement("canvas").getContext("2d");
  if (context === null) return new LabelFont((text) => text.length * 0.6 * Number.parseFloat(fontSize));
  context.font = `${fontSize} ${fontFamily}`;
  return new LabelFont((text) => context.measureText(text).width);
}
