/** One strip of the timeline on a canvas: columns of all samples, and over them those of the selection. */
import type { TimeRange } from "../../../core/types.ts";
import { heaviestOf, intensities } from "../../../model/timeline/lanes.ts";
import { placeOf } from "../../../model/timeline/scale.ts";
import { cleared } from "../drawing/use-canvas.ts";

/** Columns over a range of time, which need not be the one that is shown. */
export interface StripBins extends TimeRange {
  all: Float64Array;
  selected: Float64Array;
}

export interface StripColours {
  all: string;
  selected: string;
  mark: string;
}

/** Colours of the theme in force: the element's style has them in properties that nothing else here uses. */
export function stripColours(element: Element): StripColours {
  const { color, outlineColor, textDecorationColor } = getComputedStyle(element);
  return { all: color, selected: outlineColor, mark: textDecorationColor };
}

/**
 * Draws what lies in `shown` over the whole width. `marked`: something is left out by the filters, so the selection is
 * drawn in colour, in front of a pale whole.
 */
export function drawStrip(
  canvas: HTMLCanvasElement,
  strip: StripBins,
  shown: TimeRange,
  heaviest: number,
  colours: StripColours,
  marked: boolean,
): void {
  const { context, width, height } = cleared(canvas);
  if (context === null) return;
  const whole = heaviest > 0 ? heaviest : heaviestOf([strip]);
  const left = placeOf(shown, strip.from) * width;
  const step = (placeOf(shown, strip.to) * width - left) / strip.all.length;
  const draw = (values: Float64Array, colour: string, alpha: number) => {
    context.fillStyle = colour;
    const shares = intensities(values, whole);
    const first = Math.max(0, Math.floor(-left / step));
    const end = Math.min(shares.length, Math.ceil((width - left) / step));
    for (let bin = first; bin < end; bin++) {
      const share = shares[bin];
      if (share === 0) continue;
      context.globalAlpha = alpha * (0.35 + 0.65 * share);
      const bar = Math.max(2, Math.round(share * height));
      const x = Math.floor(left + bin * step);
      context.fillRect(x, height - bar, Math.max(1, Math.floor(left + (bin + 1) * step) - x), bar);
    }
    context.globalAlpha = 1;
  };
  draw(strip.all, colours.all, marked ? 0.5 : 1);
  if (marked) draw(strip.selected, colours.selected, 1);
}
