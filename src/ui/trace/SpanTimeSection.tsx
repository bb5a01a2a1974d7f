import { type CSSProperties, useEffect, useMemo, useState } from "react";
import { RULE_WORDS, RULES } from "../../model/context/coverage.ts";
import type { Chip } from "../../model/query/chips.ts";
import type { BreakdownPart } from "../../model/span-time/breakdown.ts";
import type { PartSamples } from "../../model/span-time/opens.ts";
import { isFarOut, type Peers } from "../../model/span-time/peers.ts";
import { intervalWords, PART_WORDS, STATE_WORDS } from "../../model/span-time/words.ts";
import { formatCount, formatCounted, formatNanos, formatPercent } from "../../model/words/format.ts";
import { visible } from "../../model/words/text.ts";
import type { Failure, SpanTime, TraceSpans } from "../../worker/api.ts";
import { viewer } from "../../worker/client.ts";
import { useAnswer } from "../analysis/use-answer.ts";
import { Choice } from "../choice/Choice.tsx";
import css from "./SpanTimeSection.module.css";

/** Opens the samples that pass these filters in a profile. */
export type OpenSamples = (type: string, chips: readonly Chip[]) => void;

interface Props {
  trace: TraceSpans;
  place: number;
  /** Names of the profile types. */
  labels: ReadonlyMap<string, string>;
  onOpen: OpenSamples;
  onFailure: (failure: Failure) => void;
}

/** Where the time of a span went: one bar of parts that add up to it, and the states of its wall samples. */
export function SpanTimeSection({ trace, place, labels, onOpen, onFailure }: Props) {
  const [wantsRoot, setWantsRoot] = useState(true);
  const [isRoot, setIsRoot] = useState(false);
  const by = isRoot && wantsRoot ? "root" : "span";
  const question = useMemo(() => ({ trace: trace.trace, place, by }) as const, [trace, place, by]);
  const answered = useAnswer(question, (of) => viewer.ofTraces("time", of.trace, of.place, of.by), onFailure);
  const time = answered?.question === question ? answered.answer : null;
  const compared = useAnswer(question, (of) => viewer.ofTraces("peers", of.trace, of.place, of.by), onFailure);
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
      <TimeBar time={time} />
      <ul className={css.parts}>
        {time.breakdown.map((row) => (
          <Part
            key={row.part}
            row={row}
            of={time.duration}
            opens={time.opens.filter(({ part }) => part === row.part)}
            peers={peers}
            labels={labels}
            onOpen={(opened) => onOpen(opened.type, [chip, ...chipsOf(opened)])}
          />
        ))}
      </ul>
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
    title: "All spans below this local root. A moment is in the first part that a thread was in.",
  },
  { value: "span", label: "This span", title: "The span alone; its child spans are one part" },
];

function TimeBar({ time: { breakdown, duration } }: { time: SpanTime }) {
  return (
    <div className={css.bar} aria-hidden="true">
      {breakdown.map(({ part, nano }) => (
        <span key={part} className={css.part} data-part={part} style={widthOf(Number(nano), duration)} />
      ))}
    </div>
  );
}

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

function chipsOf({ attributes, frames }: PartSamples): Chip[] {
  return [
    ...attributes.map((attribute): Chip => ({ kind: "attribute", ...attribute })),
    ...frames.map((frame): Chip => ({ kind: "frame", ...frame })),
  ];
}

function widthOf(part: number, whole: number): CSSProperties {
  return { flexGrow: whole === 0 ? 0 : part / whole };
}

interface PartProps {
  row: BreakdownPart;
  of: number;
  /** The samples behind the part. */
  opens: readonly PartSamples[];
  peers: Peers | null;
  labels: ReadonlyMap<string, string>;
  onOpen: (opened: PartSamples) => void;
}

function Part({ row, of, opens, peers, labels, onOpen }: PartProps) {
  const { part, nano } = row;
  const { name, about } = PART_WORDS[part];
  return (
    <li title={about}>
      <span className={css.key} data-part={part} />
      <span className={css.name}>{name}</span>
      {opens.map((opened, i) => {
        const profile = visible(labels.get(opened.type) ?? opened.type, 40);
        return (
          <button
            key={`${opened.type} ${opened.samples}`}
            type="button"
            className={css.opens}
            data-testid={i === 0 ? `span-part-${part}` : `span-part-${part}-${i}`}
            data-samples={opened.samples}
            aria-label={`${name}: ${profile}, ${formatCounted(opened.samples, "sample")}`}
            onClick={() => onOpen(opened)}
          >
            {profile} {formatCount(opened.samples)}
          </button>
        );
      })}
      <span className={css.figures}>
        {formatNanos(Number(nano))}, {formatPercent(Number(nano), of)}
      </span>
      <span className={css.interval} data-testid={`span-interval-${part}`}>
        {intervalWords(row)}
      </span>
      {peers !== null && peers.count > 0 && <Others row={row} peers={peers} />}
    </li>
  );
}

/** The same part of other spans or requests. */
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
      others {formatNanos(Number(p50))}, p95 {formatNanos(Number(p95))}
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
