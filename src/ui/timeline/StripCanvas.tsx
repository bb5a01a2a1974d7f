import { useEffect, useRef } from "react";
import { drawStrip, type Strip, stripColours } from "./strip-canvas.ts";
import css from "./Timeline.module.css";

interface Props {
  strip: Strip;
  /** Value of a full bar; 0: that of the heaviest bin of this strip. */
  heaviest: number;
  marked: boolean;
  /** Drawn again when one of them changes. */
  width: number;
  dark: boolean;
}

export function StripCanvas({ strip, heaviest, marked, width, dark }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: width and theme are read off the element
  useEffect(() => {
    if (canvas.current !== null) drawStrip(canvas.current, strip, heaviest, stripColours(canvas.current), marked);
  }, [strip, heaviest, marked, width, dark]);
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a canvas without tabindex takes no focus
  return <canvas ref={canvas} className={css.canvas} aria-hidden="true" />;
}
