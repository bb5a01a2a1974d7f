import { type ComponentProps, useMemo } from "react";
import type { Filter } from "../../../core/types.ts";
import { filterChipsOf } from "../../../model/query/chips.ts";
import { filterOf } from "../../../model/query/query.ts";
import { choiceOf, selectionWords } from "../../../model/query/span-choice.ts";
import type { BreakdownPart } from "../../../model/span-time/breakdown.ts";
import { durationWords, isLeast, OTHERS, sourceWords } from "../../../model/trace/operation-words.ts";
import { formatCount, formatCounted, formatNanos } from "../../../model/words/format.ts";
import type { ChoiceTime } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer } from "../../parts/answers/use-answer.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { Choice } from "../../primitives/choice/Choice.tsx";
import { Button } from "../../primitives/icon/Icon.tsx";
import timeCss from "../trace/SpanTimeSection.module.css";
import { type OpenSamples, openPause, TimeParts } from "../trace/TimeParts.tsx";
import { OperationChoice } from "./OperationChoice.tsx";
import css from "./OperationsView.module.css";

const SLOWEST = 5;
const WHICH = [
  { value: "all", label: "All requests", title: "All requests of the selection" },
  {
    value: "slowest",
    label: "Slowest 5 % of each",
    title: "Of each endpoint its slowest 5 %, beside its other requests",
  },
];

/**
 * Where the time of the requests of the selection went, beside other requests. An operation or a region of the map
 * narrows the selection.
 */
export function RequestTimePanel({ profile, tabs, query, act }: ViewProps) {
  const { by, of, region, slowest } = query.operations;
  const { filter, shape, look } = query;
  const question = useMemo(
    () => ({ choice: choiceOf({ by, of, region, slowest }), filter: filterOf({ filter, shape, look }) }),
    [by, of, region, slowest, filter, shape, look],
  );
  const ask = (asked: typeof question) => viewer.ofTraces("choiceTime", asked.choice, asked.filter);
  const answered = useAnswer(question, ask);
  const time = answered?.question === question ? answered.answer : undefined;
  const labels = useMemo(() => new Map(tabs.map(({ type, label }) => [type, label])), [tabs]);
  return (
    <div className={css.timed}>
      <div className={css.summary}>
        <OperationChoice {...{ by, of, act }} />
        <Choice
          legend="Requests"
          options={WHICH}
          value={slowest === null ? "all" : "slowest"}
          onChange={(value) =>
            act({ kind: "operations", operations: { slowest: value === "all" ? null : (slowest ?? SLOWEST) } })
          }
          testId="request-time-which"
        />
        {region !== null && (
          <Button testId="request-time-clear" onClick={() => act({ kind: "operations", operations: { region: null } })}>
            Clear region
          </Button>
        )}
      </div>
      <section className={timeCss.section} aria-label="Where the time went" data-testid="request-time">
        <h2 className={timeCss.head}>Where the time went: {selectionWords(question.choice, question.filter)}</h2>
        {time === undefined && <p className={timeCss.hint}>Counting samples…</p>}
        {time === null && <p className={timeCss.hint}>No request is in this selection.</p>}
        {time !== undefined && time !== null && (
          <Answer
            time={time}
            labels={labels}
            onOpen={time.shown === null ? null : openerOf(time.shown, act)}
            onPause={(pause) => act(openPause(pause, profile.type))}
          />
        )}
      </section>
    </div>
  );
}

/** Opens the samples of a part that pass a filter. */
export function openerOf(shown: Filter, act: ViewProps["act"]): OpenSamples {
  return (type, chips) => act({ kind: "open", chips: [...filterChipsOf(shown), ...chips], type, view: "flame" });
}

interface AnswerProps extends Pick<ComponentProps<typeof TimeParts>, "labels" | "onOpen" | "onPause"> {
  time: ChoiceTime;
}

/** Words for the other requests. */
function Answer({ time, labels, onOpen, onPause }: AnswerProps) {
  const { requests, counted, duration, source, rest, isWhole, unknownRoots } = time;
  const inferred = time.inferredSamples === 0 ? "" : `, ${formatCount(time.inferredSamples)} of them inferred`;
  return (
    <>
      <p data-testid="request-time-total" data-requests={requests}>
        {formatCounted(requests, "request")}
        {counted < requests && `, of which ${formatCount(counted)}, spread evenly, are counted`}:{" "}
        {durationWords(duration, source)}
        {counted > 1 && ` together, ${durationWords(duration / counted, source)} on average`}.{" "}
        {formatCounted(time.samples + time.inferredSamples, "wall sample")}
        {inferred}.
      </p>
      <TimeParts
        {...{ time, labels, onOpen, onPause }}
        others={(row) => <Each row={row} counted={counted} rest={rest} />}
      />
      {rest !== null && (
        <p className={timeCss.hint} data-testid="request-time-rest">
          Others: the average of {formatCounted(rest.counted, "other request")}
          {OTHERS[rest.of]}
          {rest.counted < rest.requests && ` of ${formatCount(rest.requests)}, spread evenly`}. ▲ marks a part whose
          interval is above that of the others.
        </p>
      )}
      <details className={timeCss.hint}>
        <summary>How this is counted</summary>
        Requests that ran at the same time each count in full. A span below another of the selection is part of that
        one. Where a request ran on several threads, a moment is in the first part that a thread was in. Ranges are 95 %
        intervals (Wilson) of all samples together.
      </details>
      {isLeast(source) && <p className={timeCss.hint}>{sourceWords(source)}</p>}
      {unknownRoots > 0 && (
        <p className={timeCss.hint} data-testid="request-time-unknown">
          {formatCounted(unknownRoots, "more request")} of the selection: no trace knows them, so they are not counted.
        </p>
      )}
      {onOpen !== null && !isWhole && (
        <p className={timeCss.hint}>A part opens those of its samples that pass the filters.</p>
      )}
      {onOpen === null && <p className={timeCss.hint}>No filter has the samples of so many requests.</p>}
      {counted < requests && onOpen !== null && (
        <p className={timeCss.hint}>Counts are of the counted requests; a part opens the samples of all.</p>
      )}
    </>
  );
}

/** The part of an average request, beside that of the others. */
export function Each({ row, counted, rest }: { row: BreakdownPart; counted: number; rest: ChoiceTime["rest"] }) {
  const other = rest?.breakdown.find(({ part }) => part === row.part);
  const isOut = rest !== null && Number(row.low) / counted > Number(other?.high ?? 0n) / rest.counted;
  return (
    <span className={timeCss.others} data-testid={`request-others-${row.part}`} data-out={isOut}>
      {isOut && (
        <>
          <span aria-hidden="true">▲ </span>
          <span className="visually-hidden">longer than in the others; </span>
        </>
      )}
      {[
        counted > 1 && `${formatNanos(Number(row.nano) / counted)} each`,
        rest !== null && `others ${formatNanos(Number(other?.nano ?? 0n) / rest.counted)}`,
      ]
        .filter(Boolean)
        .join(", ")}
    </span>
  );
}
