import { useMemo } from "react";
import type { SpanChoice } from "../../core/types.ts";
import { choiceOf } from "../../model/query/operations-choice.ts";
import type { BreakdownPart } from "../../model/span-time/breakdown.ts";
import { choiceWords } from "../../model/trace/span-choice.ts";
import { formatCount, formatCounted, formatNanos } from "../../model/words/format.ts";
import type { ChoiceTime } from "../../worker/api.ts";
import { viewer } from "../../worker/client.ts";
import { useAnswer } from "../analysis/use-answer.ts";
import { Choice } from "../choice/Choice.tsx";
import timeCss from "../trace/SpanTimeSection.module.css";
import { TimeParts } from "../trace/TimeParts.tsx";
import type { ViewProps } from "../view-props.ts";
import { OperationChoice } from "./OperationChoice.tsx";
import css from "./OperationsView.module.css";

const SLOWEST = 5;
const WHICH = [
  { value: "all", label: "All requests", title: "All requests of the operation" },
  { value: "slowest", label: "Slowest 5 %", title: "The slowest 5 % of the requests, beside the other ones" },
];

/** Where the time of the requests of an operation, a region of the map or a filter went, beside the other requests. */
export function RequestTimePanel({ tabs, query, act, onFailure }: ViewProps) {
  const { of, region, slowest } = query.operations;
  const filtered = query.filter.spans;
  const choice = useMemo(() => {
    const chosen = choiceOf({ of, region, slowest });
    return of === null && region === null && filtered !== undefined ? { ...filtered, ...chosen } : chosen;
  }, [of, region, slowest, filtered]);
  const answered = useAnswer(choice, (asked) => viewer.ofTraces("choiceTime", asked), onFailure);
  const time = answered?.question === choice ? answered.answer : undefined;
  const labels = useMemo(() => new Map(tabs.map(({ type, label }) => [type, label])), [tabs]);
  const isAll = Object.keys(choice).length === 0;
  return (
    <div className={css.timed}>
      <div className={css.summary}>
        <OperationChoice {...{ of, act, onFailure }} />
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
          <button
            type="button"
            data-testid="request-time-clear"
            onClick={() => act({ kind: "operations", operations: { region: null } })}
          >
            Clear region
          </button>
        )}
      </div>
      <section className={timeCss.section} aria-label="Where the time went" data-testid="request-time">
        <h2 className={timeCss.head}>Where the time went{isAll ? "" : `: ${choiceWords(choice).value}`}</h2>
        {time === undefined && <p className={timeCss.hint}>Counting samples…</p>}
        {time === null && <p className={timeCss.hint}>No request is in this selection.</p>}
        {time !== undefined && time !== null && (
          <Answer
            time={time}
            labels={labels}
            onOpen={isAll ? null : (type, chips) => openOf(act, choice, type, chips)}
          />
        )}
      </section>
    </div>
  );
}

type Open = NonNullable<Parameters<typeof TimeParts>[0]["onOpen"]>;

function openOf(act: ViewProps["act"], choice: SpanChoice, type: string, chips: Parameters<Open>[1]): void {
  act({ kind: "open", chips: [{ kind: "spans", ...choice }, ...chips], type, view: "flame" });
}

interface AnswerProps {
  time: ChoiceTime;
  labels: ReadonlyMap<string, string>;
  onOpen: Open | null;
}

function Answer({ time, labels, onOpen }: AnswerProps) {
  const { requests, counted, duration, source, rest } = time;
  const inferred = time.inferredSamples === 0 ? "" : `, ${formatCount(time.inferredSamples)} of them inferred`;
  return (
    <>
      <p data-testid="request-time-total" data-requests={requests}>
        {formatCounted(requests, "request")}
        {counted < requests && `, of which ${formatCount(counted)}, spread evenly, are counted`}:{" "}
        {formatNanos(duration)} together, {formatNanos(duration / counted)} on average.{" "}
        {formatCounted(time.samples + time.inferredSamples, "wall sample")}
        {inferred}.
      </p>
      <TimeParts
        time={time}
        labels={labels}
        onOpen={onOpen}
        others={(row) => <Each row={row} counted={counted} rest={rest} />}
      />
      {rest !== null && (
        <p className={timeCss.hint} data-testid="request-time-rest">
          Others: the average of {formatCounted(rest.counted, "other request")}
          {rest.counted < rest.requests && ` of ${formatCount(rest.requests)}, spread evenly`}. ▲ marks a part whose
          interval is above that of the others.
        </p>
      )}
      <p className={timeCss.hint}>
        Requests that ran at the same time each count in full. A span below another of the selection is part of that
        one. Where a request ran on several threads, a moment is in the first part that a thread was in. Ranges are 95 %
        intervals (Wilson) of all samples together.
      </p>
      {source === "roots" && (
        <p className={timeCss.hint}>Each request lasts from its first to its last sample: no trace knows it.</p>
      )}
      {counted < requests && onOpen !== null && (
        <p className={timeCss.hint}>Counts are of the counted requests; a part opens the samples of all.</p>
      )}
    </>
  );
}

/** The part of an average request, beside that of the others. */
function Each({ row, counted, rest }: { row: BreakdownPart; counted: number; rest: ChoiceTime["rest"] }) {
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
      each {formatNanos(Number(row.nano) / counted)}
      {rest !== null && `, others ${formatNanos(Number(other?.nano ?? 0n) / rest.counted)}`}
    </span>
  );
}
