/** What the thread of a lane did at the pointer: asked for when the pointer rests. */
import { useCallback, useEffect, useRef } from "react";
import type { TimeRange } from "../../../core/types.ts";
import { stateLines } from "../../../model/waits/state-words.ts";
import { viewer } from "../../../worker/client.ts";
import type { Pointing } from "./use-pointing.ts";

const REST_MS = 120;
/** Pixels on either side of the pointer in which a state is meant. */
const REACH_PX = 4;

/** Asks when the pointer rests; the answer is added to the tooltip if the pointer is still there. */
export function useLaneState({ add, at }: Pick<Pointing, "add" | "at">, shown: TimeRange, width: number) {
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(
    (thread: number, moment: bigint) => {
      const place = at.now();
      clearTimeout(timer.current);
      timer.current = window.setTimeout(async () => {
        const reach = (REACH_PX * Number(shown.to - shown.from)) / Math.max(1, width);
        const answer = await viewer.stateThen(thread, moment, reach);
        if (!answer.ok || at.now() !== place) return;
        add(answer.value === null ? ["no state is known here"] : stateLines(answer.value));
      }, REST_MS);
    },
    [add, at, shown, width],
  );
}
