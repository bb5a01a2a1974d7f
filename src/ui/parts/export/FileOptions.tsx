import { useEffect, useId, useRef } from "react";
import { dialogOptions, type ExportChoice, isOtlp, offered } from "../../../model/query/written/export-choice.ts";
import { formatBytes } from "../../../model/words/format.ts";
import { FORMAT_CARDS } from "../../../model/words/shown-formats.ts";
import type { Overview } from "../../../worker/api.ts";
import { ChoiceList } from "./ChoiceList.tsx";
import css from "./ExportDialog.module.css";

export interface OptionsProps {
  choice: ExportChoice;
  onChange: (changes: Partial<ExportChoice>) => void;
}

/** How the message is compressed, and whether the recording goes along: the boxes that the format's row has. */
export function FileOptions({ overview, choice, onChange }: OptionsProps & { overview: Overview }) {
  const { format, target, withRecordings } = choice;
  const isPlain = overview.inputs.every(({ kind, packed }) => kind === "jfr" && !packed);
  const bytes = overview.files.reduce((sum, file) => sum + file.bytes, 0);
  return (
    <fieldset className={css.section}>
      <legend>Options</legend>
      {dialogOptions(choice).map(({ key, id, label, about }) => {
        const isPossible = key !== "withRecordings" || isPlain;
        return (
          <Option
            key={id}
            id={id}
            label={label}
            about={isPossible ? about[target] : "only uncompressed recordings can be attached"}
            checked={choice[key] && isPossible}
            disabled={!isPossible || (key === "gzip" && offered(format).compressed === true)}
            onChange={(checked) => onChange({ [key]: checked })}
          />
        );
      })}
      {withRecordings && isPlain && <RecordingWarning bytes={bytes} />}
    </fieldset>
  );
}

/** Warns of the contents of an attached recording; scrolls into view because it appears below the option. */
function RecordingWarning({ bytes }: { bytes: number }) {
  const warning = useRef<HTMLParagraphElement>(null);
  useEffect(() => warning.current?.scrollIntoView({ block: "nearest" }), []);
  return (
    <p ref={warning} className={css.warning} role="alert" data-testid="recording-warning">
      The file will contain the whole, unfiltered recording ({formatBytes(bytes)}): all spans, host and thread names,
      and any recorded command lines, system properties and environment variables.
    </p>
  );
}

interface OptionProps {
  id: string;
  label: string;
  about: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

function Option({ id, label, about, checked, disabled = false, onChange }: OptionProps) {
  return (
    <label className={css.choice}>
      <input
        type="checkbox"
        data-testid={`export-${id}`}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span className={css.name}>{label}</span>
      <span className={css.hint}>{about}</span>
    </label>
  );
}

/** Options of a report or a picture. */
export function ShownOptions({ choice, onChange }: OptionsProps) {
  if (choice.format === "html") {
    return (
      <p className={css.hint}>
        The report contains function names, the recording's name, the filters and facts about the process: think before
        you share it. Its colours follow the reader's light or dark setting.
      </p>
    );
  }
  return (
    <ChoiceList
      legend="Colours"
      name="colours"
      value={choice.dark ? "dark" : "light"}
      onChange={(colours) => onChange({ dark: colours === "dark" })}
      rows={[
        { value: "light", name: "light", about: "on white, for print and documents" },
        { value: "dark", name: "dark", about: "on a dark background, for screens" },
      ]}
    >
      <p className={css.hint}>The graph as grouped and zoomed on the page, with search matches marked.</p>
    </ChoiceList>
  );
}

interface FormatCardsProps {
  choice: ExportChoice;
  onFormat: (format: ExportChoice["format"]) => void;
}

/** Formats by purpose: one group of radio buttons on three cards. A receiver takes OTLP only. */
export function FormatCards({ choice, onFormat }: FormatCardsProps) {
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
