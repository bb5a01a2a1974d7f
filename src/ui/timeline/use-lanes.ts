/** The threads in view with their strips: threads and strips are asked for one after the other. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useMemo } from "react";
import type { Pattern } from "../../model/query/pattern.ts";
import { chooseLanes, heaviestOf, laneBins } from "../../model/timeline/lanes.ts";
import { viewer } from "../../worker/client.ts";
import { useAnswer } from "../analysis/use-answer.ts";
import type { TimelineDetailProps } from "./detail-props.ts";

const LANE_PX = 24;

/** `expression` is the filter's text as a regular expression. */
export function useLanes(
  { samples, view, query, onFailure }: TimelineDetailProps,
  scroller: RefObject<HTMLElement | null>,
  expression: Pattern | null,
) {
  const { row, settled } = view;
  const { lanes: pattern, laneOrder: order } = query;
  const asked = useMemo(() => ({ samples, row }), [samples, row]);
  const threads = useAnswer(asked, (question) => viewer.threads(question.samples, question.row), onFailure, true);
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
    () => ({ samples, threads: inView === "" ? [] : inView.split(" ").map(Number), shown: settled }),
    [samples, inView, settled],
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
    const strip = at < 0 ? undefined : strips?.answer.strips[at + 1];
    return strip === undefined || strips === null ? undefined : { ...strips.answer, ...strip };
  };
  return { lanes, page: threads?.answer, virtual, stripOf, heaviest };
}
