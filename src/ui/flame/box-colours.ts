/** Fill of each box of a drawing, for both layers: from its tone, or from what it is. */
import { cssOf, FOUND, MARKER, QUIET, type Tone } from "../../model/flame/colour.ts";
import { rowOfBox } from "../../model/flame/flame-layout.ts";
import type { FlameScene } from "./renderer.ts";

export class BoxColours {
  private readonly scene: FlameScene;
  /** Colours by tone: a drawing has few tones and many boxes. */
  private readonly byTone = new Map<Tone, number>();

  constructor(scene: FlameScene) {
    this.scene = scene;
  }

  css(box: number): string {
    return cssOf(this.tone(box), this.scene.dark);
  }

  /** As 0xrrggbb. */
  of(box: number): number {
    const tone = this.tone(box);
    const found = this.byTone.get(tone);
    if (found !== undefined) return found;
    const colour = Number.parseInt(cssOf(tone, this.scene.dark).slice(1), 16);
    this.byTone.set(tone, colour);
    return colour;
  }

  private tone(box: number): Tone {
    const { layout, matches, toneOf } = this.scene;
    const row = rowOfBox(layout, box);
    // Ancestors are not part of what is looked at: quiet as markers.
    if (row < 0) return MARKER;
    if (matches !== null) return matches.has(row) ? FOUND : QUIET;
    return toneOf(row);
  }
}
