/** The frames of a drawing as boxes for the renderer. */
import { useMemo } from "react";
import { frameName, partName } from "../../model/flame/flame.ts";
import { layOutFlame } from "../../model/flame/flame-layout.ts";
import type { FlameGraphProps } from "./graph-props.ts";
import type { FlameScene } from "./renderer.ts";
import type { Drawing } from "./use-frames.ts";

/** Hidden frames get a marker that is at least so wide. */
const MARKER_PX = 4;

type Props = Pick<FlameGraphProps, "drawing" | "rootName" | "dark" | "matches" | "tones">;

export function useScene({ drawing, rootName, dark, matches, tones }: Props): FlameScene {
  const { answer, width } = drawing;
  const part = partOf(drawing, rootName);
  const layout = useMemo(
    () => layOutFlame(answer, { rootName, markerFrom: MARKER_PX / width, part }),
    [answer, rootName, part, width],
  );
  return useMemo(() => ({ layout, width, dark, matches, tones }), [layout, width, dark, matches, tones]);
}

/** Name of the focus where its widest children are left out; undefined where it is shown whole. */
export function partOf({ answer, past = 0 }: Drawing, rootName: string): string | undefined {
  return past === 0 ? undefined : partName(frameName(answer.frames, 0, rootName), past);
}
