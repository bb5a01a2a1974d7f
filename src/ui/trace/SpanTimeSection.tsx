import { type CSSProperties, useMemo } from "react";
import { RULE_WORDS, RULES } from "../../model/context/coverage.ts";
import type { SpanPart } from "../../model/span-time/parts.ts";
import { PART_WORDS, profileOfPart, STATE_WORDS } from "../../model/span-time/words.ts";
import { formatCounted, formatNanos, formatPercent } from "../../model/words/format.ts";
import type { Failure, SpanTime, TraceSpans } from "../../worker/api.ts";
import { viewer } from "../../worker/client.ts";
import { useAnswer } from "../analysis/use-answer.ts";
import css from "./SpanTimeSection.module.css";

interface Props {
  trace: TraceSpans;
  place: number;
  /** Opens the samples of the span in a profile. */
  onProfile: (type: string) => void;
  onFailure: (failure: Failure) => void;
}

/** Where the time of a span went: one bar of parts that add up to it, and the states of its wall samples. */
export function SpanTimeSection({ trace, place, onProfile, onFailure }: Props) {
  const question = useMemo(() => ({ trace: trace.trace, place }), [trace, place]);
  const answered = useAnswer(question, (asked) => viewer.ofTraces("time", asked.trace, asked.place), onFailure);
  const time = answered?.question === question ? answered.answer : null;
  if (time === null) return null;
  const profileOf = (part: SpanPart) =>
    profileOfPart(part, trace.profiles, (type) => {
      return trace.profiles.find((each) => each.type === type)?.samples[place] ?? 0;
    });
  return (
    <section className={css.section} aria-label="Where the time went" data-testid="span-time">
      <h3 className={css.head}>Where the time went</h3>
      <div className={css.bar} aria-hidden="true">
        {time.parts.map(({ part, nano }) => (
          <span key={part} className={css.part} data-part={part} style={widthOf(Number(nano), time.duration)} />
        ))}
      </div>
      <ul className={css.parts}>
        {time.parts.map(({ part, nano }) => (
          <Part
            key={part}
            part={part}
            nano={Number(nano)}
            of={time.duration}
            type={profileOf(part)}
            onOpen={onProfile}
          />
        ))}
      </ul>
      {time.from === "samples" && (
        <p className={css.hint}>From its first to its last sample: no trace knows the span.</p>
      )}
      <States time={time} onOpen={() => onProfile("wall")} />
      <Inferred time={time} />
    </section>
  );
}

function widthOf(part: number, whole: number): CSSProperties {
  return { flexGrow: whole === 0 ? 0 : part / whole };
}

interface PartProps {
  part: SpanPart;
  nano: number;
  of: number;
  /** The profile with its stacks. */
  type: string | null;
  onOpen: (type: string) => void;
}

function Part({ part, nano, of, type, onOpen }: PartProps) {
  const { name, about } = PART_WORDS[part];
  const figures = `${formatNanos(nano)}, ${formatPercent(nano, of)}`;
  return (
    <li title={about}>
      <span className={css.key} data-part={part} />
      {type === null ? (
        <span className={css.name}>{name}</span>
      ) : (
        <button type="button" className={css.name} data-testid={`span-part-${part}`} onClick={() => onOpen(type)}>
          {name}
        </button>
      )}
      <span className={css.figures}>{figures}</span>
    </li>
  );
}

/** Shares of the wall samples by state, with their 95 % intervals, beside those of the operation's other spans. */
function States({ time: { states, others }, onOpen }: { time: SpanTime; onOpen: () => void }) {
  if (states.length === 0) return null;
  const samples = states.reduce((sum, each) => sum + each.samples, 0);
  const other = new Map(others.states.map(({ state, share }) => [state, share]));
  return (
    <>
      <table className={css.table} data-testid="span-states">
        <caption>
          <button type="button" onClick={onOpen}>
            {formatCounted(samples, "wall sample")}
          </button>
        </caption>
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
