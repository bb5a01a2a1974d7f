/** One strip of the timeline on a canvas: a heat map of all samples, and over it those of the selection. */
import { heaviestOf, intensities } from "../../model/timeline/lanes.ts";

export interface Strip {
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
 * Draws into the canvas, `height` CSS pixels high and as wide as it is laid out. `marked`: something is left out by the
 * filters, so the selection is drawn in colour, in front of a pale whole.
 */
export function drawStrip(
  canvas: HTMLCanvasElement,
  strip: Strip,
  heaviest: number,
  colours: StripColours,
  marked: boolean,
): void {
  const ratio = devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.scale(ratio, ratio);
  const whole = heaviest > 0 ? heaviest : heaviestOf([strip]);
  drawBins(context, intensities(strip.all, whole), width, height, colours.all, marked ? 0.5 : 1);
  if (marked) drawBins(context, intensities(strip.selected, whole), width, height, colours.selected, 1);
}

/** Bars that grow with the weight, and darken with it. */
function drawBins(
  context: CanvasRenderingContext2D,
  shares: Float64Array,
  width: number,
  height: number,
  colour: string,
  alpha: number,
): void {
  const step = width / shares.length;
  context.fillStyle = colour;
  shares.forEach((share, bin) => {
    if (share === 0) return;
    context.globalAlpha = alpha * (0.35 + 0.65 * share);
    const bar = Math.max(2, Math.round(share * height));
    const left = Math.floor(bin * step);
    context.fillRect(left, height - bar, Math.max(1, Math.ceil((bin + 1) * step) - left), bar);
  });
  context.globalAlpha = 1;
}
