/** The frames of a drawing as boxes for the renderer. */
import { useMemo } from "react";
import { buildFlame, frameName, partName } from "../../model/flame/flame.ts";
import type { FlameGraphProps } from "./graph-props.ts";
import type { FlameScene } from "./renderer.ts";
import type { Drawing } from "./use-frames.ts";

/** Hidden children get a marker when it is at least so wide. */
const MARKER_PX = 4;

type Props = Pick<FlameGraphProps, "drawing" | "rootName" | "dark" | "matches" | "toneOf">;

export function useScene({ drawing, rootName, dark, matches, toneOf }: Props): FlameScene {
  const { answer, width } = drawing;
  const { frames, path } = answer;
  const part = partOf(drawing, rootName);
  return useMemo((): FlameScene => {
    const markerFrom = (MARKER_PX * frames.total[0]) / width;
    const tree = buildFlame(frames, { rootName, markerFrom, whole: answer.selectionTotal, part });
    return { tree, width, dark, level: path.length + 1, matches, toneOf };
  }, [frames, rootName, answer.selectionTotal, part, width, dark, path.length, matches, toneOf]);
}

/** Name of the focus where its widest children are left out; undefined where it is shown whole. */
export function partOf({ answer, past = 0 }: Drawing, rootName: string): string | undefined {
  return past === 0 ? undefined : partName(frameName(answer.frames, 0, rootName), past);
}
