/** The stack of the sample nearest to the pointer in the lane of a thread: asked for when the pointer rests. */
import { useCallback, useEffect, useRef } from "react";
import type { Filter, TimeRange } from "../../../core/types.ts";
import type { OrderedSamples } from "../../../core/view-types.ts";
import { visible } from "../../../model/words/text.ts";
import type { Query } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import type { Pointing } from "./use-pointing.ts";

const REST_MS = 120;
/** Pixels on either side of the pointer in which a sample is meant. */
const REACH_PX = 4;
/** Samples so near to each other are asked for to find the nearest. */
const MOST = 200;
/** Frames that a tooltip has room for, from the top of the stack. */
const FRAMES = 12;

/** Asks when the pointer rests; the answer is added to the tooltip if the pointer is still there. */
export function useLaneStack(
  { add, at }: Pick<Pointing, "add" | "at">,
  samples: Query,
  shown: TimeRange,
  width: number,
) {
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(
    (thread: string, moment: bigint) => {
      const place = at.now();
      clearTimeout(timer.current);
      timer.current = window.setTimeout(async () => {
        const reach = BigInt(Math.ceil((REACH_PX * Number(shown.to - shown.from)) / Math.max(1, width)));
        const time = { from: moment - reach, to: moment + reach + 1n };
        const answer = await viewer.ordered({ ...samples, filter: inLane(samples.filter, thread, time) }, MOST);
        if (answer.ok && at.now() === place) add(stackLines(answer.value, moment));
      }, REST_MS);
    },
    [add, at, samples, shown, width],
  );
}

function inLane(filter: Filter, thread: string, time: TimeRange): Filter {
  const others = filter.attributes?.filter(({ key }) => key !== "thread.name") ?? [];
  return { ...filter, time, attributes: [...others, { key: "thread.name", value: thread }] };
}

/** From the top of the stack down. */
function stackLines({ at, origin, stack, offsets, items, names }: OrderedSamples, moment: bigint): string[] {
  const place = Number(moment - origin);
  let nearest = -1;
  at.forEach((each, i) => {
    if (nearest < 0 || Math.abs(each - place) < Math.abs((at[nearest] ?? 0) - place)) nearest = i;
  });
  if (nearest < 0) return [];
  const which = stack[nearest] ?? 0;
  const frames = [...items.subarray(offsets[which], offsets[which + 1])].reverse();
  const lines = frames.slice(0, FRAMES).map((item) => visible(names[item] || "(no name)", 100));
  return frames.length > FRAMES ? [...lines, `… ${frames.length - FRAMES} more`] : lines;
}
