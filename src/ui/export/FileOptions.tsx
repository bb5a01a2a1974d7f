import { useEffect, useRef } from "react";
import { dialogOptions, type ExportChoice, offered } from "../../model/words/export-choice.ts";
import { formatBytes } from "../../model/words/format.ts";
import type { Overview } from "../../worker/api.ts";
import css from "./ExportDialog.module.css";

interface Props {
  overview: Overview;
  choice: ExportChoice;
  onChange: (changes: Partial<ExportChoice>) => void;
}

/** How the message is compressed, and whether the recording goes along: the boxes that the format's row has. */
export function FileOptions({ overview, choice, onChange }: Props) {
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
