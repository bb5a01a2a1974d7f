import { useMemo, useRef, useState } from "react";
import type { TimeRange } from "../../core/types.ts";
import type { Measured } from "../../model/measure.ts";
import { filterOf, type QueryAction, type QueryState } from "../../model/query.ts";
import type { Failure } from "../../worker/api.ts";
import { viewer } from "../../worker/client.ts";
import { useAnswer, useSamples } from "../analysis/use-answer.ts";
import { useWidth } from "../flame/use-width.ts";
import { Lanes } from "./Lanes.tsx";
import { RangePicker } from "./RangePicker.tsx";
import { StripCanvas } from "./StripCanvas.tsx";
import css from "./Timeline.module.css";

interface Props {
  profile: Measured;
  /** First and last moment of the recording. */
  whole: TimeRange;
  query: QueryState;
  act: (action: QueryAction) => void;
  dark: boolean;
  onFailure: (failure: Failure) => void;
}

/** Of the strip; on a wide screen a bin is a few pixels, as wide as the eye needs. */
export const BINS = 300;

/** When the profile's samples were taken, and which of them are selected; dragging takes a range of time. */
export function Timeline({ profile, whole, query, act, dark, onFailure }: Props) {
  const strip = useRef<HTMLDivElement>(null);
  const width = useWidth(strip);
  const [unfolded, setUnfolded] = useState(false);
  // The range itself is left out: what lies beside it stays in sight, and is not counted again for each step of an edge.
  const samples = useSamples(profile, filterOf({ ...query, time: null }));
  const question = useMemo(() => ({ samples }), [samples]);
  const timeline = useAnswer(question, (asked) => viewer.timeline(asked.samples, BINS, [], whole), onFailure, true);
  const marked = Object.keys(samples.filter).length > 0;
  const onRange = (time: TimeRange | null) => {
    if (time !== null) act({ kind: "add", chip: { kind: "time", ...time } });
    else if (query.time !== null) act({ kind: "remove", chip: { kind: "time", ...query.time } });
  };

  return (
    <section className={css.timeline} aria-label="Timeline">
      <button
        type="button"
        className={css.unfold}
        aria-expanded={unfolded}
        data-testid="lanes-toggle"
        title="Threads, each with its own strip"
        onClick={() => setUnfolded(!unfolded)}
      >
        {unfolded ? "▾" : "▸"} threads
      </button>
      <div ref={strip} className={css.whole}>
        <RangePicker whole={whole} range={query.time} onRange={onRange} testId="timeline" keys>
          <div className={css.strip}>
            {timeline !== null && (
              <StripCanvas strip={timeline.answer.strips[0]} heaviest={0} marked={marked} width={width} dark={dark} />
            )}
          </div>
        </RangePicker>
      </div>
      {unfolded && (
        <Lanes
          profile={profile}
          samples={samples}
          whole={whole}
          range={query.time}
          marked={marked}
          query={query}
          act={act}
          onRange={onRange}
          dark={dark}
          onFailure={onFailure}
        />
      )}
    </section>
  );
}
