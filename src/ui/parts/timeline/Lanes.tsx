import { useVirtualizer } from "@tanstack/react-virtual";
import { type CSSProperties, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import type { ThreadPage, ThreadRow } from "../../../core/view-types.ts";
import { hasChip } from "../../../model/query/chips.ts";
import type { Pattern } from "../../../model/query/pattern.ts";
import type { LaneOrder } from "../../../model/query/query.ts";
import { PART_WORDS } from "../../../model/span-time/words.ts";
import { NO_SAMPLES } from "../../../model/timeline/bin-words.ts";
import { chooseLanes, heaviestOf, laneBins, momentAt } from "../../../model/timeline/lanes.ts";
import { formatCount, formatCounted, formatFigure } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import type { StateLanes } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { Choice } from "../../primitives/choice/Choice.tsx";
import { useDebouncedText } from "../../primitives/debounce/use-debounced-text.ts";
import { Button } from "../../primitives/icon/Icon.tsx";
import { useAnswer, useSame } from "../answers/use-answer.ts";
import { StateBand } from "../drawing/StateBand.tsx";
import { PartKey } from "../drawing/TimeBar.tsx";
import { MiddleText } from "../grid/FrameName.tsx";
import { usePattern } from "../search/use-pattern.ts";
import type { TimelineDetailProps } from "./detail-props.ts";
import { RangePicker } from "./RangePicker.tsx";
import { StripCanvas } from "./StripCanvas.tsx";
import css from "./Timeline.module.css";
import { TimelineMarks } from "./TimelineMarks.tsx";
import { useLaneState } from "./use-lane-state.ts";
import { useDescribe } from "./use-pointing.ts";
import { placeWords } from "./use-strip-words.ts";

/** Typing waits so long for the next letter. */
const PAUSE_MS = 100;
const ORDERS: { value: LaneOrder; label: string; title: string }[] = [
  { value: "activity", label: "total", title: "Sort by total: threads with the largest total first" },
  { value: "selected", label: "selection", title: "Sort by selection: threads with the largest selected value first" },
  { value: "first", label: "start", title: "Sort by the time of the first sample" },
  { value: "name", label: "name", title: "Sort by name" },
];

/** A strip for each thread in view. A thread's name filters by it. */
export function Lanes(props: TimelineDetailProps) {
  const { profile, view, pointing, width, marked, marks, query, act, onRange } = props;
  const { shown } = view;
  const scroller = useRef<HTMLDivElement>(null);
  const dragged = useRef("");
  const { error, expression } = usePattern(query.lanes);
  const { lanes, page, virtual, stripOf, heaviest, states, stateOf } = useLanes(props, scroller, expression);
  const askState = useLaneState(pointing, shown, width);
  useDescribe(pointing, "lanes", (share, y) => {
    if (dragged.current !== "") return [dragged.current];
    const lane = lanes[Math.floor(y * lanes.length)];
    if (lane === undefined) return [];
    if (states !== null) askState(lane.thread, momentAt(shown, share));
    const place = placeWords(share, shown, stripOf(lane.thread), marks, width, profile, marked);
    // A state tells of a thread without a sample of this profile.
    return [laneName(lane), ...place.filter((line) => states === null || line !== NO_SAMPLES)];
  });

  return (
    <div className={css.lanes} data-testid="lanes">
      <LaneTools
        query={query}
        act={act}
        isPattern={error === null}
        words={error ?? expression?.error ?? countWords(lanes.length, page)}
      />
      {states !== null && <StateKeys parts={states.parts} />}
      <div ref={scroller} className={css.laneScroller}>
        <ul
          className={css.laneRows}
          aria-label="Threads. Select one to filter by it."
          style={
            { height: virtual.getTotalSize(), "--plot": `${width}px`, "--lane": `${lanePx(states)}px` } as CSSProperties
          }
        >
          {virtual.getVirtualItems().map(({ index, start }) => {
            const lane = lanes[index];
            const strip = stripOf(lane.thread);
            const state = stateOf(lane.thread);
            return (
              <li
                key={lane.thread}
                className={css.lane}
                data-testid="lane"
                style={{ transform: `translateY(${start}px)` }}
              >
                <ThreadName lane={lane} profile={profile} query={query} act={act} />
                <span className={css.laneStrip} data-states={states !== null || undefined}>
                  {state !== undefined && states !== null && (
                    <StateBand of={states} lane={state} names={states.names} shown={shown} width={width} />
                  )}
                  {strip !== undefined && (
                    <StripCanvas strip={strip} shown={shown} heaviest={heaviest} marked={marked} width={width} />
                  )}
                </span>
              </li>
            );
          })}
        </ul>
        <div className={css.lanePicker} style={{ height: virtual.getTotalSize(), width }}>
          <RangePicker
            view={view}
            range={query.filter.time ?? null}
            onRange={onRange}
            testId="lanes-range"
            plot="lanes"
            keys={false}
            dragged={dragged}
          >
            {marks !== null && <TimelineMarks marks={marks} shown={shown} />}
          </RangePicker>
        </div>
      </div>
    </div>
  );
}

interface ToolsProps extends Pick<TimelineDetailProps, "query" | "act"> {
  /** What is typed is a regular expression. */
  isPattern: boolean;
  /** The number of threads, or the error of the pattern. */
  words: string;
}

function LaneTools({ query, act, isPattern, words }: ToolsProps) {
  const [text, setText] = useDebouncedText(query.lanes, PAUSE_MS, (lanes) => act({ kind: "lanes", lanes }));
  return (
    <div className={css.laneTools}>
      <input
        className={css.filter}
        type="search"
        aria-label="Threads whose name matches a regular expression"
        aria-invalid={!isPattern}
        placeholder="filter threads (regex)"
        data-testid="lanes-filter"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Choice
        legend="Sort"
        options={ORDERS}
        value={query.laneOrder}
        onChange={(next) => act({ kind: "lane-order", order: next })}
        testId="lanes-order"
      />
      <span className={css.count} role="status" data-testid="lanes-count">
        {words}
      </span>
    </div>
  );
}

/** What the colours of the lanes mean. */
function StateKeys({ parts }: Pick<StateLanes, "parts">) {
  return (
    <ul className={css.stateKeys} aria-label="Colours of states" data-testid="lane-states">
      {parts.map((part) => (
        <li key={part} data-tip={PART_WORDS[part].about}>
          <PartKey part={part} /> {PART_WORDS[part].name}
        </li>
      ))}
    </ul>
  );
}

function countWords(shown: number, page: ThreadPage | undefined): string {
  const counted = formatCounted(shown, "thread");
  if (page === undefined || page.rows.length === page.count) return counted;
  const busiest = `the ${formatCount(page.rows.length)} busiest of ${formatCount(page.count)}`;
  return shown === page.rows.length ? `${busiest} threads` : `${counted} of ${busiest}`;
}

function laneName({ name }: ThreadRow): string {
  return name === "" ? "(no name)" : visible(name, 120);
}

interface NameProps extends Pick<TimelineDetailProps, "profile" | "query" | "act"> {
  lane: ThreadRow;
}

function ThreadName({ lane, profile, query, act }: NameProps) {
  const chip = { kind: "attribute", key: "thread.name", value: lane.name } as const;
  const chosen = hasChip(query, chip);
  const name = laneName(lane);
  return (
    <Button
      className={css.thread}
      aria-pressed={chosen}
      title={`${name}\n${formatFigure(lane.all, profile)} of the profile, ${formatFigure(lane.selected, profile)} selected`}
      onClick={(event) => {
        if (chosen) act({ kind: "remove", chip });
        else act({ kind: event.ctrlKey || event.metaKey ? "also" : "add", chip });
      }}
    >
      <MiddleText text={name} />
    </Button>
  );
}

/** The threads in view with their strips: threads and strips are asked for one after the other. */
const LANE_PX = 24;
/** With the requests of its thread. */
const LANE_OF_REQUESTS_PX = 38;
const MOST_PIXELS = 4096;

const lanePx = (states: StateLanes | null) => ((states?.names.length ?? 0) > 1 ? LANE_OF_REQUESTS_PX : LANE_PX);

/** `expression` is the filter's text as a regular expression. */
function useLanes(
  { samples, view, query, width, marked }: TimelineDetailProps,
  scroller: RefObject<HTMLElement | null>,
  expression: Pattern | null,
) {
  const { row, settled } = view;
  const { lanes: pattern, laneOrder: order } = query;
  const asked = useSame({ samples, row });
  const threads = useAnswer(asked, (question) => viewer.threads(question.samples, question.row), true);
  const lanes = useMemo(
    () => (threads === null ? [] : chooseLanes(threads.answer.rows, expression, pattern, order)),
    [threads, expression, pattern, order],
  );
  const [height, setHeight] = useState(LANE_PX);
  const virtual = useVirtualizer({
    count: lanes.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
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
    true,
  );
  const pixels = Math.min(MOST_PIXELS, Math.max(1, Math.round(width)));
  const asking = useSame({ question, pixels, marked });
  const known = useAnswer(
    asking,
    ({ question: { samples: of, threads: wanted, shown }, ...how }) =>
      viewer.stateLanes(of.filter, how.marked, wanted, how.pixels, shown),
    true,
  );
  // A recording without states has the samples of the profile alone.
  const states = (known?.answer.parts.length ?? 0) > 0 ? (known?.answer ?? null) : null;
  const wantedHeight = lanePx(states);
  useEffect(() => {
    setHeight(wantedHeight);
    virtual.measure();
  }, [wantedHeight, virtual]);
  const stateOf = (thread: number) => states?.lanes.find((lane) => lane.thread === thread);
  const heaviest = useMemo(() => heaviestOf(strips?.answer.strips.slice(1) ?? []), [strips]);
  const stripOf = (thread: number) => {
    const at = strips?.question.threads.indexOf(thread) ?? -1;
    const strip = at < 0 ? undefined : strips?.answer.strips[at + 1];
    return strip === undefined || strips === null ? undefined : { ...strips.answer, ...strip };
  };
  return { lanes, page: threads?.answer, virtual, stripOf, heaviest, states, stateOf };
}
