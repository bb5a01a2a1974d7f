import type { ReactNode } from "react";
import { type Chip, chipKey, chipsOf } from "../../model/chips.ts";
import type { QueryAction, QueryState } from "../../model/query.ts";
import css from "./Chips.module.css";
import { chipWords } from "./chip-words.ts";

interface Props {
  query: QueryState;
  /** First moment of the recording: times are told from there. */
  start: bigint;
  act: (action: QueryAction) => void;
  /** What else decides the figures, at the end of the row. */
  children?: ReactNode;
}

/** Every filter in force, each with its way out. */
export function Chips({ query, start, act, children }: Props) {
  const chips = chipsOf(query);
  return (
    <section className={css.bar} aria-label="Filters">
      {chips.length === 0 ? (
        <p className={css.none}>All samples of the recording. Choose a root, a span or a value, or paste an id.</p>
      ) : (
        <ul className={css.chips} aria-label="Filters in force">
          {chips.map((chip) => (
            <ChipView key={chipKey(chip)} chip={chip} start={start} onRemove={() => act({ kind: "remove", chip })} />
          ))}
        </ul>
      )}
      {chips.length > 0 && (
        <button type="button" className={css.clear} data-testid="clear" onClick={() => act({ kind: "clear" })}>
          clear
        </button>
      )}
      {children}
    </section>
  );
}

function ChipView({ chip, start, onRemove }: { chip: Chip; start: bigint; onRemove: () => void }) {
  const { label, value, full } = chipWords(chip, start);
  return (
    <li className={css.chip} data-testid="chip" data-kind={chip.kind} title={full}>
      <span className={css.label}>{label}</span>
      <bdi className={css.value}>{value}</bdi>
      <button type="button" className={css.remove} aria-label={`Remove ${label} ${value}`} onClick={onRemove}>
        ×
      </button>
    </li>
  );
}
