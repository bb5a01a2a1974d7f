import type { ReactNode } from "react";
import { useId } from "react";
import css from "./ExportDialog.module.css";

interface Row<T extends string> {
  value: T;
  name: string;
  /** The rest of the line. */
  about: string;
  disabled?: boolean;
}

interface Props<T extends string> {
  legend: string;
  /** Hook for tests: `NAME-VALUE`. */
  name: string;
  value: T;
  rows: Row<T>[];
  onChange: (value: T) => void;
  children?: ReactNode;
}

/** One of several, each explained in a line. */
export function ChoiceList<T extends string>({ legend, name, value, rows, onChange, children }: Props<T>) {
  const group = useId();
  return (
    <fieldset className={css.section}>
      <legend>{legend}</legend>
      {rows.map((row) => (
        <label key={row.value} className={css.choice}>
          <input
            type="radio"
            name={group}
            data-testid={`${name}-${row.value}`}
            checked={row.value === value}
            disabled={row.disabled === true}
            onChange={() => onChange(row.value)}
          />
          <bdi className={css.name}>{row.name}</bdi>
          <span className={css.hint}>{row.about}</span>
        </label>
      ))}
      {children}
    </fieldset>
  );
}
