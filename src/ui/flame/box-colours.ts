/** Fill of each box of a drawing, for both layers: from its tone, or from what it is. */
import { cssOf, FOUND, MARKER, QUIET, type Tone } from "../../model/flame/colour.ts";
import { rowOfBox } from "../../model/flame/flame-layout.ts";
import type { FlameScene } from "./renderer.ts";

export class BoxColours {
  private readonly scene: FlameScene;
  /** Colours by tone: a drawing has few tones and many boxes. */
  private readonly byTone = new Map<Tone, number>();
  /** Colour of each box + 1, 0 until it is asked for: a zoom asks in every frame. */
  private readonly byBox: Uint32Array;

  constructor(scene: FlameScene) {
    this.scene = scene;
    this.byBox = new Uint32Array(scene.layout.boxes);
  }

  css(box: number): string {
    return cssOf(this.tone(box), this.scene.dark);
  }

  /** As 0xrrggbb. */
  of(box: number): number {
    const known = this.byBox[box];
    if (known > 0) return known - 1;
    const colour = this.paint(this.tone(box));
    this.byBox[box] = colour + 1;
    return colour;
  }

  private paint(tone: Tone): number {
    const found = this.byTone.get(tone);
    if (found !== undefined) return found;
    const colour = Number.parseInt(cssOf(tone, this.scene.dark).slice(1), 16);
    this.byTone.set(tone, colour);
    return colour;
  }

  private tone(box: number): Tone {
    const { layout, matches, toneOf } = this.scene;
    const row = rowOfBox(layout, box);
    // Ancestors are not part of the focus: they are dimmed like markers.
    if (row < 0) return MARKER;
    if (matches !== null) return matches.has(row) ? FOUND : QUIET;
    return toneOf(row);
  }
}
