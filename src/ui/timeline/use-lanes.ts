/** The threads in view with their strips: threads and strips are asked for one after the other. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useMemo } from "react";
import type { TimeRange } from "../../core/types.ts";
import type { Pattern } from "../../model/query/pattern.ts";
import { chooseLanes, heaviestOf, laneBins } from "../../model/timeline/lanes.ts";
import { viewer } from "../../worker/client.ts";
import { useAnswer } from "../analysis/use-answer.ts";
import type { TimelineDetailProps } from "./ShownTime.tsx";

const LANE_PX = 24;

/** `expression` is what the filter's text is as a regular expression; `shown` is the time that the strips are of. */
export function useLanes(
  { samples, query, onFailure }: TimelineDetailProps,
  scroller: RefObject<HTMLElement | null>,
  expression: Pattern | null,
  shown: TimeRange,
) {
  const { lanes: pattern, laneOrder: order } = query;
  const asked = useMemo(() => ({ samples }), [samples]);
  const threads = useAnswer(asked, (question) => viewer.threads(question.samples), onFailure, true);
  const lanes = useMemo(
    () => (threads === null ? [] : chooseLanes(threads.answer.rows, expression, pattern, order)),
    [threads, expression, pattern, order],
  );
  const virtual = useVirtualizer({
    count: lanes.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LANE_PX,
    overscan: 4,
  });
  const items = virtual.getVirtualItems();
  const inView = items.map(({ index }) => lanes[index].thread).join(" ");
  const question = useMemo(
    () => ({ samples, threads: inView === "" ? [] : inView.split(" ").map(Number), shown }),
    [samples, inView, shown],
  );
  const strips = useAnswer(
    question,
    (wanted) => viewer.timeline(wanted.samples, laneBins(wanted.shown), wanted.threads, wanted.shown),
    onFailure,
    true,
  );
  const heaviest = useMemo(() => heaviestOf(strips?.answer.strips.slice(1) ?? []), [strips]);
  const stripOf = (thread: number) => {
    const at = strips?.question.threads.indexOf(thread) ?? -1;
    return at < 0 ? undefined : strips?.answer.strips[at + 1];
  };
  return { lanes, page: threads?.answer, virtual, stripOf, heaviest };
}
