import { useEffect, useState } from "react";
import type { Chip } from "../../../model/query/chips.ts";
import type { BreakdownPart } from "../../../model/span-time/breakdown.ts";
import { isFarOut, type Peers } from "../../../model/span-time/peers.ts";
import { STATE_WORDS } from "../../../model/span-time/words.ts";
import { RULE_WORDS, RULES } from "../../../model/trace/coverage.ts";
import { formatCounted, formatNanos, formatPercent } from "../../../model/words/format.ts";
import type { SpanTime, TraceSpans } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer, useSame } from "../../parts/answers/use-answer.ts";
import { Choice } from "../../primitives/choice/Choice.tsx";
import { Button } from "../../primitives/icon/Icon.tsx";
import css from "./SpanTimeSection.module.css";
import { type OpenPause, type OpenSamples, TimeParts } from "./TimeParts.tsx";

export interface SpanTimeProps {
  trace: TraceSpans;
  place: number;
  /** Names of the profile types. */
  labels: ReadonlyMap<string, string>;
  onOpen: OpenSamples;
  onPause: OpenPause;
  /** Opens the flame chart of all samples of the request of a local root; null where it has none. */
  onRequestChart: (() => void) | null;
}

/** Where the time of a span went: one bar of parts that add up to it, and the states of its wall samples. */
export function SpanTimeSection({ trace, place, labels, onOpen, onPause, onRequestChart }: SpanTimeProps) {
  const [wantsRoot, setWantsRoot] = useState(true);
  const [isRoot, setIsRoot] = useState(false);
  const by = isRoot && wantsRoot ? "root" : "span";
  const question = useSame({ trace: trace.trace, place, by } as const);
  const answered = useAnswer(question, (of) => viewer.ofTraces("time", of.trace, of.place, of.by));
  const time = answered?.question === question ? answered.answer : null;
  const compared = useAnswer(question, (of) => viewer.ofTraces("peers", of.trace, of.place, of.by));
  const peers = compared?.question === question ? compared.answer : null;
  const known = time?.isRoot;
  useEffect(() => {
    if (known !== undefined) setIsRoot(known);
  }, [known]);
  // The answer for a former span that was a root.
  if (time === null || (by === "root" && !time.isRoot)) return null;
  const id = trace.id[place] ?? 0n;
  const chip: Chip = by === "root" ? { kind: "local-root", id } : { kind: "span", id };
  return (
    <section className={css.section} aria-label="Where the time went" data-testid="span-time">
      <h3 className={css.head}>Where the time went</h3>
      {time.isRoot && (
        <Choice
          legend="Time of"
          options={WHOSE}
          value={by}
          onChange={(value) => setWantsRoot(value === "root")}
          testId="span-time-by"
        />
      )}
      {by === "root" && onRequestChart !== null && (
        <Button className={css.chart} testId="request-chart" onClick={onRequestChart}>
          Chart of the request
        </Button>
      )}
      <TimeParts
        time={time}
        labels={labels}
        onOpen={(type, chips) => onOpen(type, [chip, ...chips])}
        onPause={onPause}
        others={(row) => peers !== null && peers.count > 0 && <Others row={row} peers={peers} />}
      />
      <Hints time={time} peers={peers} by={by} />
      <States time={time} />
      <Inferred time={time} />
    </section>
  );
}

const WHOSE = [
  {
    value: "root",
    label: "Request",
    title: "The request: this span and all spans below it. A moment is in the first part that a thread was in.",
  },
  { value: "span", label: "This span", title: "The span alone; its child spans are one part" },
];

function Hints({ time, peers, by }: { time: SpanTime; peers: Peers | null; by: "span" | "root" }) {
  return (
    <>
      <p className={css.hint}>
        Ranges are 95 % intervals (Wilson). Events, spans and pauses are measured; samples divide the time that they
        leave.
      </p>
      {time.from === "samples" && (
        <p className={css.hint}>From its first to its last sample: no trace knows the span.</p>
      )}
      {peers !== null && peers.count > 0 && (
        <p className={css.hint} data-testid="span-peers">
          Others: median and 95th percentile of{" "}
          {formatCounted(peers.count, by === "root" ? "other request" : "other span")} of the operation with samples. ▲
          marks a part that is longer than in 95 % of them.
        </p>
      )}
    </>
  );
}

/** A part of the time in other spans or requests. */
function Others({ row, peers }: { row: BreakdownPart; peers: Peers }) {
  const { p50 = 0n, p95 = 0n } = peers.parts.find(({ part }) => part === row.part) ?? {};
  const isOut = isFarOut(row, peers);
  return (
    <span className={css.others} data-testid={`span-others-${row.part}`} data-out={isOut}>
      {isOut && (
        <>
          <span aria-hidden="true">▲ </span>
          <span className="visually-hidden">longer than in 95 % of the others; </span>
        </>
      )}
      others p50 {formatNanos(Number(p50))}, p95 {formatNanos(Number(p95))}
    </span>
  );
}

/** Shares of the wall samples by state, with their 95 % intervals, beside those of the operation's other spans. */
function States({ time: { states, others } }: { time: SpanTime }) {
  if (states.length === 0) return null;
  const samples = states.reduce((sum, each) => sum + each.samples, 0);
  const other = new Map(others.states.map(({ state, share }) => [state, share]));
  return (
    <>
      <table className={css.table} data-testid="span-states">
        <caption>{formatCounted(samples, "wall sample")}</caption>
        <thead>
          <tr>
            <th scope="col">state</th>
            <th scope="col">share</th>
            <th scope="col">95 % interval</th>
            {others.samples > 0 && <th scope="col">others</th>}
          </tr>
        </thead>
        <tbody>
          {states.map(({ state, share, low, high }) => (
            <tr key={state}>
              <th scope="row">{STATE_WORDS[state]}</th>
              <td>{formatPercent(share, 1)}</td>
              <td>
                {formatPercent(low, 1)} – {formatPercent(high, 1)}
              </td>
              {others.samples > 0 && <td>{formatPercent(other.get(state) ?? 0, 1)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {others.samples > 0 && (
        <p className={css.hint}>Others: {formatCounted(others.spans, "span")} of the same operation.</p>
      )}
    </>
  );
}

/** The rules by which samples belong to the span, where its id is not in their event. */
function Inferred({ time: { inferredBy } }: { time: SpanTime }) {
  if (inferredBy === null) return null;
  return RULES.filter((rule) => inferredBy[rule] > 0).map((rule) => (
    <p key={rule} className={css.hint} data-testid="span-inferred">
      {formatCounted(inferredBy[rule], "inferred sample")} by {rule}: {RULE_WORDS[rule]}.
    </p>
  ));
}
