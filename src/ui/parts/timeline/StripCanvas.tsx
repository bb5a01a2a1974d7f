import { useEffect, useRef } from "react";
import type { TimeRange } from "../../../core/types.ts";
import { useDark } from "../../primitives/theme/dark.ts";
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
  const dark = useDark();
  const canvas = useRef<HTMLCanvasElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: size and theme are read off the element
  useEffect(() => {
    if (canvas.current === null) return;
    drawStrip(canvas.current, strip, shown, heaviest, stripColours(canvas.current), marked);
  }, [strip, shown, heaviest, marked, width, height, dark]);
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a canvas without tabindex takes no focus
  return <canvas ref={canvas} className={css.canvas} aria-hidden="true" />;
}
