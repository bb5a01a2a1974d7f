import type { FrameTypeName } from "../../../model/flame/frame-types.ts";
import { fitEnd, MORE, NameLabels } from "../../../model/words/short-name.ts";
import { overlaysOf } from "./overlays.ts";

/**
 * Widths of labels in frames: how much of a text has room. Labels are SVG text, which ends nowhere by itself: HTML in a
 * foreignObject does (`text-overflow`), and costs the browser twice as much as everything else of a frame together.
 */
const ASCII = 128;

export class LabelFont {
  private readonly measure: (text: string) => number;
  /** Advance widths in CSS pixels; NaN while not measured. Kerning is left out: it only brings letters closer. */
  private readonly ascii = new Float32Array(ASCII).fill(Number.NaN);
  private readonly others = new Map<string, number>();
  private readonly names: NameLabels;

  constructor(measure: (text: string) => number) {
    this.measure = measure;
    this.others.set(MORE, measure(MORE));
    this.names = new NameLabels((text) => this.widthOf(text));
  }

  /** The longest short form that has room of a frame's name: a function's, or an attribute's at the root. */
  fitName(name: string, kind: FrameTypeName, room: number): string {
    return kind === "root" ? this.names.fitMiddle(name, room) : this.names.fit(name, room);
  }

  /** `text`, or its beginning with an ellipsis; "" where not one letter of it has room. */
  fit(text: string, room: number): string {
    return fitEnd(text, room, (letter) => this.width(letter));
  }

  widthOf(text: string): number {
    let width = 0;
    for (let at = 0; at < text.length; ) {
      const letter = String.fromCodePoint(text.codePointAt(at) ?? 0);
      width += this.width(letter);
      at += letter.length;
    }
    return width;
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

/** Fonts that were measured: each view draws a new graph, and to measure has the browser lay out the page. */
const measured = new Map<string, LabelFont>();

/** Font of the graphs of the page, which is the same for all: to ask for it has the browser compute styles. */
let ofPage: LabelFont | null = null;

/** To be called when the page's fonts have come. */
export function forgetFonts(): void {
  measured.clear();
  ofPage = null;
}

/** The font of the labels in a graph. A graph in a shadow tree can have a font of its own. */
export function graphFont(stage: Element): LabelFont {
  if (stage.getRootNode() !== document) return labelFont(stage);
  ofPage ??= labelFont(stage);
  return ofPage;
}

/** The font that an element is written in. */
export function labelFont(element: Element): LabelFont {
  const style = getComputedStyle(element);
  const key = [style.fontWeight, style.fontSize, style.fontFamily, style.fontVariantNumeric].join(" ");
  const known = measured.get(key) ?? newFont(style, element);
  measured.set(key, known);
  // Also where no graph is on screen then.
  document.fonts.addEventListener("loadingdone", forgetFonts, { once: true });
  return known;
}

function newFont(style: CSSStyleDeclaration, element: Element): LabelFont {
  const size = Number.parseFloat(style.fontSize);
  const context = document.createElement("canvas").getContext("2d");
  if (context !== null) context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const widths = asciiWidths(style, element);
  return new LabelFont(
    (letter) => widths.get(letter) ?? context?.measureText(letter).width ?? letter.length * 0.6 * size,
  );
}

const FIRST_PRINTED = 0x20;
/** Of each letter, so that its width is more than whole pixels. */
const TIMES = 10;

/** Widths of ASCII letters as the page writes them: a canvas knows no figures of one width, which widen hyphens too. */
function asciiWidths({ fontFamily, fontSize, fontWeight, fontVariantNumeric }: CSSStyleDeclaration, of: Element) {
  const letters = Array.from({ length: ASCII - 1 - FIRST_PRINTED }, (_, i) => String.fromCharCode(FIRST_PRINTED + i));
  const box = document.createElement("div");
  Object.assign(box.style, { position: "absolute", visibility: "hidden", whiteSpace: "pre" });
  Object.assign(box.style, { fontFamily, fontSize, fontWeight, fontVariantNumeric });
  const spans = letters.map((letter) => {
    const span = document.createElement("span");
    span.textContent = letter.repeat(TIMES);
    return span;
  });
  box.append(...spans);
  overlaysOf(of).append(box);
  const widths = new Map(letters.map((letter, i) => [letter, spans[i].getBoundingClientRect().width / TIMES]));
  box.remove();
  return widths;
}
