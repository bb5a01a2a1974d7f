/** What the threads did in the samples of the frame under the pointer: asked for when the pointer rests on it. */
import { useEffect, useState } from "react";
import type { FrameStates } from "../../../../worker/api.ts";
import { useSurroundings } from "../../../parts/answers/surroundings.ts";
import type { Drawing } from "../../../parts/answers/use-frames.ts";
import { likelySoon } from "../../../primitives/lazy/lazy.ts";

export const FRAME_TIP = likelySoon(() => import("./frame-tip.ts"));

const REST_MS = 120;

interface Known {
  drawing: Drawing;
  row: number;
  states: FrameStates;
}

/** The words about it, "" until they are known; the tooltip gets a bar with them. */
export function useFrameStates(drawing: Drawing, row: number, tell: (box: number, line: Node) => void): string {
  const { frameStates } = useSurroundings();
  const [known, setKnown] = useState<Known | null>(null);
  const { origins = [], profile, past = 0, answer } = drawing;
  const [origin] = origins;
  const samples = origins.length === 1 && origin?.grouping === null ? origin.samples : null;
  const isAsked = profile.meaning.kind === "wall" && past === 0 && row > 0 && frameStates !== undefined;
  const node = isAsked && samples !== null ? (answer.frames.node[row] ?? 0) : 0;
  useEffect(() => {
    if (node === 0 || samples === null) return;
    let isWanted = true;
    const timer = setTimeout(async () => {
      // A hint: without an answer the tooltip stays as it is.
      const found = await frameStates?.(samples, node);
      if (!isWanted || found?.ok !== true || found.value === null) return;
      const states = found.value;
      FRAME_TIP.use(({ statesBar }) => {
        if (!isWanted) return;
        setKnown({ drawing, row, states });
        tell(row, statesBar(states));
      });
    }, REST_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [frameStates, samples, node, drawing, row, tell]);
  if (known === null || known.drawing !== drawing || known.row !== row) return "";
  return FRAME_TIP.loaded?.statesWords(known.states) ?? "";
}
