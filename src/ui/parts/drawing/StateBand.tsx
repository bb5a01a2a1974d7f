/** The states of a thread on a canvas, in the colours of the table of parts, below the requests that it worked for. */
import type { TimeRange } from "../../../core/types.ts";
import { NO_PART } from "../../../model/chart/thread-bands.ts";
import { BREAKDOWN } from "../../../model/span-time/breakdown.ts";
import { placeOf } from "../../../model/timeline/scale.ts";
import { visible } from "../../../model/words/text.ts";
import type { StateLanes } from "../../../worker/api.ts";
import { partColours } from "./part-colours.ts";
import css from "./StateBand.module.css";
import { cleared, useCanvas } from "./use-canvas.ts";

interface Props {
  /** What the pixels are of. */
  of: TimeRange;
  lane: StateLanes["lanes"][number];
  names: StateLanes["names"];
  /** What lies between left and right. */
  shown: TimeRange;
  /** Drawn again when it changes. */
  width: number;
}

/** Of the requests, which are left out where no thread has one. */
const REQUEST_PX = 13;
const GAP_PX = 1;
const LABEL_PX = 30;
const PAD_PX = 3;
/** A state of the narrowest band is seen, and those that the filters leave out are pale. */
const LEAST_DENSITY = 0.4;
const LEFT_OUT = 0.25;

export function StateBand({ of, lane, names, shown, width }: Props) {
  const hasRequests = names.length > 1;
  const draw = (canvas: HTMLCanvasElement) => {
    const { context, width: wide, height } = cleared(canvas);
    if (context === null) return;
    const { part, density, own, request } = lane;
    const left = placeOf(shown, of.from) * wide;
    const step = (placeOf(shown, of.to) * wide - left) / part.length;
    const xOf = (pixel: number) => Math.round(left + pixel * step);
    const colours = partColours(canvas);
    const top = hasRequests ? REQUEST_PX + GAP_PX : 0;
    eachRun(
      part.length,
      (i) => `${part[i]} ${own[i]} ${shade(density[i] ?? 0)}`,
      (from, to) => {
        if (part[from] === NO_PART) return;
        context.fillStyle = colours[BREAKDOWN[part[from] ?? 0] ?? "unknown"];
        context.globalAlpha = shade(density[from] ?? 0) * (own[from] === 1 ? 1 : LEFT_OUT);
        context.fillRect(xOf(from), top, Math.max(1, xOf(to) - xOf(from)), height - top);
      },
    );
    context.globalAlpha = 1;
    if (!hasRequests) return;
    const { outlineColor, color, font } = getComputedStyle(canvas);
    context.font = font;
    eachRun(
      request.length,
      (i) => `${request[i]}`,
      (from, to) => {
        const name = visible(names[request[from] ?? 0] ?? "", 80);
        if (name === "") return;
        const [x, end] = [Math.max(0, xOf(from)), Math.min(wide, xOf(to))];
        context.fillStyle = outlineColor;
        context.fillRect(x, 0, Math.max(1, end - x - GAP_PX), REQUEST_PX);
        if (end - x < LABEL_PX) return;
        context.save();
        context.beginPath();
        context.rect(x, 0, end - x - PAD_PX, REQUEST_PX);
        context.clip();
        context.fillStyle = color;
        context.fillText(name, x + PAD_PX, REQUEST_PX - 3);
        context.restore();
      },
    );
  };
  const canvas = useCanvas(draw, [of, lane, names, shown, width]);
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a canvas without tabindex takes no focus
  return <canvas ref={canvas} className={css.band} data-requests={hasRequests || undefined} aria-hidden="true" />;
}

/** In steps, so that neighbours are one rectangle. */
function shade(density: number): number {
  return LEAST_DENSITY + (1 - LEAST_DENSITY) * (Math.ceil(5 * density) / 5);
}

function eachRun(count: number, keyOf: (i: number) => string, take: (from: number, to: number) => void): void {
  for (let from = 0, to = 1; from < count; from = to++) {
    const key = keyOf(from);
    while (to < count && keyOf(to) === key) to++;
    take(from, to);
  }
}
