import { X } from "lucide-react";
import { useRef } from "react";
import type { Pair } from "../../../model/query/written/export-choice.ts";
import { visible } from "../../../model/words/text.ts";
import { Button, Icon } from "../../primitives/icon/Icon.tsx";
import css from "./ExportDialog.module.css";

interface Props {
  legend: string;
  about: string;
  /** The rows in a few words, to be unfolded; without it they are open. */
  summary?: string;
  /** Hook for tests. */
  name: string;
  /** What a row is. */
  one: string;
  pairs: Pair[];
  /** Values are not shown while they are typed. */
  secret?: boolean;
  onChange: (pairs: Pair[]) => void;
}

/** Keys and values to edit, with a way to add and to remove. */
export function PairRows({ legend, about, summary, name, one, pairs, secret = false, onChange }: Props) {
  const section = useRef<HTMLFieldSetElement>(null);
  const replace = (at: number, changes: Partial<Pair>) =>
    onChange(pairs.map((pair, i) => (i === at ? { ...pair, ...changes } : pair)));

  const rows = (
    <>
      {pairs.map(({ key, value }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place, its key is being typed
        <div key={at} className={css.pair} data-testid={name}>
          <input
            aria-label={`Name of ${one} ${at + 1}`}
            value={key}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => replace(at, { key: event.currentTarget.value })}
          />
          <input
            aria-label={`Value of ${key === "" ? `${one} ${at + 1}` : visible(key, 60)}`}
            type={secret ? "password" : "text"}
            value={value}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => replace(at, { value: event.currentTarget.value })}
          />
          <Button
            className={css.remove}
            aria-label={`Remove ${one} ${key === "" ? at + 1 : visible(key, 60)}`}
            onClick={() => {
              onChange(pairs.filter((_, i) => i !== at));
              // The button goes with its row; the focus must not fall out of the dialog.
              section.current?.querySelector<HTMLElement>(`.${css.add}`)?.focus();
            }}
          >
            <Icon of={X} size={14} />
          </Button>
        </div>
      ))}
      <Button className={css.add} testId={`${name}-add`} onClick={() => onChange([...pairs, { key: "", value: "" }])}>
        Add {one}
      </Button>
    </>
  );
  return (
    <fieldset ref={section} className={css.section}>
      <legend>{legend}</legend>
      <p className={css.hint}>{about}</p>
      {summary === undefined ? (
        rows
      ) : (
        <details className={css.more} data-testid={`${name}s`}>
          <summary>{summary}</summary>
          {rows}
        </details>
      )}
    </fieldset>
  );
}
