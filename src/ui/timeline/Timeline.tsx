import { type ComponentType, useMemo, useRef } from "react";
import type { TimeRow } from "../../core/time-rows.ts";
import type { TimeRange } from "../../core/types.ts";
import { withoutKinds } from "../../model/query/chips.ts";
import { filterOf, type QueryAction, type QueryState, type TimelineName } from "../../model/query/query.ts";
import type { Measured } from "../../model/recording/measure.ts";
import { BINS } from "../../model/timeline/lanes.ts";
import { wordsAt } from "../../model/timeline/marks.ts";
import type { Failure } from "../../worker/api.ts";
import { viewer } from "../../worker/client.ts";
import { useAnswer, useSamples } from "../analysis/use-answer.ts";
import { useWidth } from "../flame/use-width.ts";
import { likelySoon } from "../lazy/lazy.ts";
import { useLazy } from "../lazy/use-lazy.ts";
import { RangePicker } from "./RangePicker.tsx";
import type { TimelineDetailProps } from "./ShownTime.tsx";
import { StripCanvas } from "./StripCanvas.tsx";
import css from "./Timeline.module.css";
import { Legend, TimelineMarks } from "./TimelineMarks.tsx";

interface Props {
  profile: Measured;
  /** The time of each file, in the order of time; at least one. */
  rows: readonly TimeRow[];
  query: QueryState;
  act: (action: QueryAction) => void;
  dark: boolean;
  onFailure: (failure: Failure) => void;
}

const DETAIL = likelySoon(() => import("./TimelineDetail.tsx").then(({ TimelineDetail }) => TimelineDetail));

const TOGGLES: { timeline: TimelineName; label: string; title: string }[] = [
  { timeline: "threads", label: "threads", title: "Threads, each with its own strip" },
  { timeline: "heat", label: "heat map", title: "Each second as a column of 50 cells of 20 ms" },
];

/** When the profile's samples were taken, and which of them are selected; dragging takes a range of time. */
export function Timeline({ profile, rows, query, act, dark, onFailure }: Props) {
  const whole = useMemo(
    () => ({ from: rows[0].from, to: rows.reduce((to, row) => (row.to > to ? row.to : to), 0n) }),
    [rows],
  );
  const strip = useRef<HTMLDivElement>(null);
  const toggles = useRef<HTMLDivElement>(null);
  const width = useWidth(strip);
  // The range itself is left out: what lies beside it stays in sight, and is not counted again for each step of an
  // edge.
  const samples = useSamples(profile, filterOf({ ...query, filter: withoutKinds(query.filter, "time") }));
  const question = useMemo(() => ({ samples }), [samples]);
  const timeline = useAnswer(question, (asked) => viewer.timeline(asked.samples, BINS, [], whole), onFailure, true);
  const recording = useMemo(() => ({ whole }), [whole]);
  const marks = useAnswer(recording, () => viewer.marks(), onFailure, true)?.answer ?? null;
  const marked = Object.keys(samples.filter).some((key) => key !== "rawNames");
  const range = query.filter.time ?? null;
  const onRange = (time: TimeRange | null) => {
    if (time !== null) act({ kind: "add", chip: { kind: "time", ...time } });
    else if (range !== null) act({ kind: "remove", chip: { kind: "time", ...range } });
  };

  const { timeline: opened } = query;
  const Detail = useLazy<ComponentType<TimelineDetailProps>>(opened === "strip" ? null : DETAIL, onFailure);
  const leave = () => toggles.current?.querySelector<HTMLElement>("[aria-expanded=true]")?.focus();

  return (
    <section className={css.timeline} aria-label="Timeline">
      <div ref={toggles} className={css.toggles}>
        {TOGGLES.map(({ timeline: name, label, title }) => (
          <button
            key={name}
            type="button"
            className={css.toggle}
            aria-expanded={opened === name}
            data-testid={name === "threads" ? "lanes-toggle" : "heat-toggle"}
            title={title}
            onClick={() => act({ kind: "timeline", timeline: opened === name ? "strip" : name })}
          >
            <span aria-hidden="true">{opened === name ? "▾" : "▸"}</span> {label}
          </button>
        ))}
      </div>
      <div ref={strip}>
        <RangePicker
          whole={whole}
          range={range}
          onRange={onRange}
          testId="timeline"
          keys
          wordsAt={(moment, reach) => (marks === null ? "" : wordsAt(marks, moment, reach))}
        >
          <div className={css.strip}>
            {timeline !== null && (
              <StripCanvas strip={timeline.answer.strips[0]} heaviest={0} marked={marked} width={width} dark={dark} />
            )}
          </div>
          {marks !== null && <TimelineMarks marks={marks} shown={whole} />}
        </RangePicker>
      </div>
      {marks !== null && <Legend marks={marks} />}
      {Detail !== null && (
        <Detail
          profile={profile}
          samples={samples}
          whole={whole}
          marked={marked}
          marks={marks}
          query={query}
          act={act}
          onRange={onRange}
          onLeave={leave}
          dark={dark}
          onFailure={onFailure}
        />
      )}
    </section>
  );
}
