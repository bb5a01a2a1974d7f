import type { TimeRange } from "../../../core/types.ts";
import { useCanvas } from "../drawing/use-canvas.ts";
import { drawStrip, type StripBins, stripColours } from "./strip-canvas.ts";
import css from "./Timeline.module.css";

interface Props {
  strip: StripBins;
  /** What lies between left and right. */
  shown: TimeRange;
  /** Value of a full bar; 0: that of the heaviest bin of this strip. */
  heaviest: number;
  marked: boolean;
  /** Drawn again when one of them changes. */
  width: number;
  height?: number;
}

export function StripCanvas({ strip, shown, heaviest, marked, width, height = 0 }: Props) {
  const draw = (element: HTMLCanvasElement) =>
    drawStrip(element, strip, shown, heaviest, stripColours(element), marked);
  const canvas = useCanvas(draw, [strip, shown, heaviest, marked, width, height]);
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a canvas without tabindex takes no focus
  return <canvas ref={canvas} className={css.canvas} aria-hidden="true" />;
}
