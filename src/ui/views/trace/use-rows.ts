/** The rows of a waterfall: spans and their waits, which of them are closed, and which one is active. */
import { useMemo, useState } from "react";
import { openedTo, shownPlaces } from "../../../model/trace/waterfall.ts";
import { type WaterfallRow, waitsByPlace, waterfallRows } from "../../../model/waits/wait-rows.ts";
import type { Wait } from "../../../model/waits/waits.ts";
import type { TraceSpans } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer } from "../../parts/answers/use-answer.ts";

export function useRows(trace: TraceSpans, start: () => number) {
  const [closed, setClosed] = useState<ReadonlySet<number>>(() => new Set());
  const [active, setActive] = useState((): WaterfallRow => ({ place: start(), wait: null }));
  const places = useMemo(() => shownPlaces(trace, closed), [trace, closed]);
  const waits = useWaits(trace);
  const rows = useMemo(() => waterfallRows(places, closed, waits), [places, closed, waits]);
  const row = rows.findIndex(({ place, wait }) => place === active.place && wait === active.wait);
  const at = (index: number): WaterfallRow => rows[index] ?? { place: 0, wait: null };
  const hasBelow = (place: number) => (trace.size[place] ?? 1) > 1 || waits.has(place);
  const goTo = (place: number) => {
    setClosed((now) => openedTo(trace, now, place));
    setActive({ place, wait: null });
  };
  const toggle = (place: number) => {
    const next = new Set(closed);
    if (!next.delete(place)) next.add(place);
    setClosed(next);
  };
  /** False if the key is none that opens, closes or moves. */
  const onArrow = (key: string, index: number): boolean => {
    const { place, wait } = at(index);
    const up = wait === null ? (trace.up[place] ?? -1) : place;
    const opens = wait === null && hasBelow(place);
    if (key === "ArrowRight") {
      if (opens && closed.has(place)) toggle(place);
      else if (opens) setActive(at(index + 1));
    } else if (key === "ArrowLeft") {
      if (opens && !closed.has(place)) toggle(place);
      else if (up >= 0) setActive({ place: up, wait: null });
    } else return false;
    return true;
  };
  return { closed, rows, row: Math.max(0, row), active: active.place, at, hasBelow, setActive, goTo, toggle, onArrow };
}

const NO_WAITS: ReadonlyMap<number, Wait[]> = new Map();

/** The waits of the spans, by place; none until the answer is there. */
function useWaits(trace: TraceSpans): ReadonlyMap<number, Wait[]> {
  const answered = useAnswer(trace, ({ id }) => viewer.waitsOfSpans([...new Set(id)]), true);
  const waits = answered?.question === trace ? answered.answer : null;
  return useMemo(() => (waits === null ? NO_WAITS : waitsByPlace(trace, waits)), [trace, waits]);
}
