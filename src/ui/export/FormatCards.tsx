import { useId } from "react";
import { type ExportChoice, isOtlp, offered } from "../../model/words/export-choice.ts";
import { FORMAT_CARDS } from "../../model/words/format-cards.ts";
import css from "./FormatCards.module.css";

interface Props {
  choice: ExportChoice;
  onFormat: (format: ExportChoice["format"]) => void;
}

/** Formats by purpose: one group of radio buttons on three cards. A receiver takes OTLP only. */
export function FormatCards({ choice, onFormat }: Props) {
  const group = useId();
  const cards = FORMAT_CARDS.map((card) => ({
    ...card,
    formats: card.formats.filter(({ name }) => choice.target === "file" || isOtlp(name)),
  })).filter(({ formats }) => formats.length > 0);
  return (
    <fieldset className={css.cards}>
      <legend className="visually-hidden">Format</legend>
      {cards.map(({ title, about, formats }) => (
        <div key={title} className={css.card} data-testid="export-card">
          <p className={css.title}>{title}</p>
          <p className={css.about}>{about}</p>
          <div className={css.formats}>
            {formats.map(({ name, label }) => (
              <label key={name} className={css.format} data-tip={offered(name).about}>
                <input
                  type="radio"
                  name={group}
                  className="visually-hidden"
                  data-testid={`format-${name}`}
                  checked={name === choice.format}
                  onChange={() => onFormat(name)}
                />
                {label}
              </label>
            ))}
          </div>
        </div>
      ))}
    </fieldset>
  );
}
