import type { ReactNode } from "react";
import { type Chip, chipKey, chipsOf } from "../../model/chips.ts";
import { formatMoments } from "../../model/format.ts";
import { decimalId, hexId, idWord } from "../../model/ids.ts";
import type { QueryAction, QueryState } from "../../model/query.ts";
import { visible } from "../../model/text.ts";
import css from "./Chips.module.css";

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
  const { label, value, full } = wordsOf(chip, start);
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

function wordsOf(chip: Chip, start: bigint): { label: string; value: string; full: string } {
  switch (chip.kind) {
    case "attribute": {
      const sign = chip.exclude ? "≠" : "=";
      const label = `${visible(chip.key, 60)} ${sign}`;
      return { label, value: visible(chip.value, 80), full: `${visible(chip.key)} ${sign} ${visible(chip.value)}` };
    }
    case "frame": {
      const label = chip.exclude ? "no frame" : "frame";
      return { label, value: `/${visible(chip.pattern, 80)}/`, full: `${label} /${visible(chip.pattern)}/` };
    }
    case "time": {
      const value = formatMoments(chip.from - start, chip.to - start);
      return { label: "time", value, full: `${value} after the first sample` };
    }
    default: {
      const label = idWord(chip.kind, chip.id);
      return { label, value: decimalId(chip.id), full: `${label} ${decimalId(chip.id)} (0x${hexId(chip.id)})` };
    }
  }
}
