import type { ReactNode } from "react";
import { decimalId, hexId, idWord } from "../../model/ids.ts";
import type { Chip, QueryAction, QueryState } from "../../model/query.ts";
import { chipsOf } from "../../model/query.ts";
import { visible } from "../../model/text.ts";
import css from "./Chips.module.css";

interface Props {
  query: QueryState;
  act: (action: QueryAction) => void;
  /** What else decides the figures, at the end of the row. */
  children?: ReactNode;
}

/** Every filter in force, each with its way out. */
export function Chips({ query, act, children }: Props) {
  const chips = chipsOf(query);
  return (
    <section className={css.bar} aria-label="Filters">
      {chips.length === 0 ? (
        <p className={css.none}>All samples of the recording. Choose a root, a span or a value, or paste an id.</p>
      ) : (
        <ul className={css.chips} aria-label="Filters in force">
          {chips.map((chip) => (
            <ChipView key={keyOf(chip)} chip={chip} onRemove={() => act({ kind: "remove", chip })} />
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

function ChipView({ chip, onRemove }: { chip: Chip; onRemove: () => void }) {
  const { label, value, full } = wordsOf(chip);
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

function wordsOf(chip: Chip): { label: string; value: string; full: string } {
  if (chip.kind === "attribute") {
    const label = `${visible(chip.key, 60)} =`;
    const value = visible(chip.value, 80);
    return { label, value, full: `${visible(chip.key)} = ${visible(chip.value)}` };
  }
  const label = idWord(chip.kind, chip.id);
  return { label, value: decimalId(chip.id), full: `${label} ${decimalId(chip.id)} (0x${hexId(chip.id)})` };
}

function keyOf(chip: Chip): string {
  return chip.kind === "attribute" ? `attribute ${chip.key}` : chip.kind;
}
