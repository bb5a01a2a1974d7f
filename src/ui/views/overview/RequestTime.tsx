import { useMemo } from "react";
import { pin } from "../../../model/query/baseline.ts";
import { exactPattern } from "../../../model/query/pattern.ts";
import { atOnceWords, PART_WORDS } from "../../../model/span-time/words.ts";
import { durationWords, NO_DURATION, OTHERS } from "../../../model/trace/operation-words.ts";
import { formatCounted, formatNanos, formatPercent } from "../../../model/words/format.ts";
import type { ChoiceTime } from "../../../worker/api.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { PartKey, TimeBar } from "../../parts/drawing/TimeBar.tsx";
import { Button } from "../../primitives/icon/Icon.tsx";
import { Each, openerOf } from "../operations/RequestTimePanel.tsx";
import { openPause, PartList } from "../trace/TimeParts.tsx";
import css from "./RequestTime.module.css";

/** Shares from which a part is named under the bar. The list below has all of them. */
const LEAST = 0.01;

/** The time of an average request of the selection above that of the others, on one scale. Null: not yet known. */
export function RequestBars({ time }: { time: ChoiceTime | null }) {
  if (time === null) return <div className={css.bars} aria-busy="true" />;
  const { requests, counted, duration, source, breakdown, rest } = time;
  const own = duration / counted;
  const others = rest === null ? 0 : rest.duration / rest.counted;
  const most = Math.max(own, others);
  const each = requests === 1 ? "" : ` on average of ${formatCounted(requests, "request")}`;
  return (
    <div className={css.bars} data-testid="request-bars">
      <TimeBar breakdown={breakdown} width={most === 0 ? 0 : own / most} />
      <p className={css.own}>
        {durationWords(own, source)}
        {each}
      </p>
      {rest !== null && (
        <>
          <TimeBar breakdown={rest.breakdown} width={most === 0 ? 0 : others / most} isGhost />
          <p className={css.others}>
            {durationWords(others, source)} on average of {formatCounted(rest.counted, "other request")}
            {OTHERS[rest.of]}
          </p>
        </>
      )}
      <ul className={css.legend}>
        {breakdown
          .filter(({ nano }) => Number(nano) / duration >= LEAST)
          .map(({ part, nano }) => (
            <li key={part} data-tip={PART_WORDS[part].about} data-testid={`request-part-${part}`}>
              <PartKey part={part} /> {PART_WORDS[part].name} {formatPercent(nano, duration)}
            </li>
          ))}
      </ul>
    </div>
  );
}

interface TimeProps extends Pick<ViewProps, "profile" | "tabs" | "act"> {
  time: ChoiceTime;
}

/** Each part of the time with its interval, its samples, and the same part of the others. */
export function WhereTimeWent({ time, profile, tabs, act }: TimeProps) {
  const labels = useMemo(() => new Map(tabs.map(({ type, label }) => [type, label])), [tabs]);
  const { counted, rest, shown } = time;
  const atOnce = atOnceWords(time);
  return (
    <section className={css.section} data-testid="request-parts">
      <h2 className={css.title}>Where the time went</h2>
      <p className={css.about}>with 95 % intervals{rest !== null && "; others: on average"}</p>
      {atOnce !== "" && <p className={css.about}>{atOnce}</p>}
      <PartList
        time={time}
        labels={labels}
        onOpen={shown === null ? null : openerOf(shown, act)}
        onPause={(pause) => act(openPause(pause, profile.type))}
        others={(row) => <Each row={row} counted={counted} rest={rest} />}
      />
    </section>
  );
}

interface StepProps extends Pick<ViewProps, "act" | "profile"> {
  /** Name of the hottest function; "" without one. */
  hottest: string;
  hasTimes: boolean;
  /** Nothing is selected, so there are no other samples. */
  isAll: boolean;
  /** Of the requests of the selection; null without them. */
  time: ChoiceTime | null;
}

/** Views that go on from here. */
export function NextSteps({ act, profile, hottest, hasTimes, isAll, time }: StepProps) {
  const show = (view: "flame" | "chart" | "diff") => act({ kind: "view", view });
  const wait = time?.wait ?? null;
  const median = time?.rest?.median ?? null;
  const length = median === null ? NO_DURATION : durationWords(median.duration, time?.source ?? "files");
  return (
    <>
      <Button
        testId="next-flame"
        tip={hottest === "" ? undefined : "Flame graph with the hottest function of the application marked"}
        onClick={() => {
          if (hottest !== "") act({ kind: "search", pattern: exactPattern(hottest) });
          show("flame");
        }}
      >
        Flame graph
      </Button>
      {wait !== null && (
        <Button
          testId="next-wait"
          tip="Order of time around the longest wait that an event states"
          onClick={() => act(openPause(wait, profile.type))}
        >
          Longest wait: {PART_WORDS[wait.part].name} {formatNanos(wait.time.to - wait.time.from)}
        </Button>
      )}
      {wait === null && hasTimes && !isAll && (
        <Button testId="next-chart" onClick={() => show("chart")}>
          Order of time
        </Button>
      )}
      {median !== null && (
        <Button
          testId="next-median"
          tip="Flame graph of the differences from the request with the median duration"
          onClick={() => {
            const filter = median.by === "root" ? { localRoot: median.id } : { span: median.id };
            act({ kind: "baseline", baseline: pin({ filter }) });
            show("diff");
          }}
        >
          Compare with the median{length === NO_DURATION ? "" : `, ${length}`}
        </Button>
      )}
      {!isAll && (
        <Button
          testId="next-diff"
          onClick={() => {
            act({ kind: "baseline", baseline: "" });
            show("diff");
          }}
        >
          Compare with {median === null ? "others" : "all others"}
        </Button>
      )}
    </>
  );
}
