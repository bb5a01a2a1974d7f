/** Fill of each box of a drawing, for both layers: from its tone, or from what it is. */
import { cssOf, FOUND, MARKER, QUIET, TONES, type Tone, toneNumber } from "../../../model/flame/colour.ts";
import { rowOfBox } from "../../../model/flame/flame-layout.ts";
import type { FlameScene } from "./renderer.ts";

/** Colours of TONES as 0xrrggbb, in the light and in the dark theme. */
export const PALETTES = [false, true].map((inDark) =>
  Uint32Array.from(TONES, (tone) => Number.parseInt(cssOf(tone, inDark).slice(1), 16)),
);

export class BoxColours {
  private readonly scene: FlameScene;
  /** By box, as 0xrrggbb. */
  readonly ofBox: Uint32Array;

  constructor(scene: FlameScene) {
    this.scene = scene;
    this.ofBox = coloursOf(scene);
  }

  css(box: number): string {
    return cssOf(this.tone(box), this.scene.dark);
  }

  private tone(box: number): Tone {
    const { layout, matches, tones } = this.scene;
    const row = rowOfBox(layout, box);
    // Ancestors are not part of the focus: they are dimmed like markers.
    if (row < 0) return MARKER;
    if (matches !== null) return matches.has(row) ? FOUND : QUIET;
    return TONES[tones[row]];
  }
}

/** Colours of all boxes in one loop: a drawing has up to 30,000, and a zoom asks in every frame. */
function coloursOf({ layout: { rows, boxes }, matches, tones, dark }: FlameScene): Uint32Array {
  const palette = PALETTES[Number(dark)];
  const colours = new Uint32Array(boxes);
  const rgb = (tone: Tone) => palette[toneNumber(tone)];
  if (matches === null) for (let row = 0; row < rows; row++) colours[row] = palette[tones[row]];
  else {
    colours.fill(rgb(QUIET), 0, rows);
    for (const row of matches) colours[row] = rgb(FOUND);
  }
  return colours.fill(rgb(MARKER), rows);
}
