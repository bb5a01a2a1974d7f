import { useId } from "react";
import css from "./Choice.module.css";

interface Props<T extends string> {
  /** The choice in words, for assistive technology. */
  legend: string;
  options: { value: T; label: string; title: string }[];
  value: T;
  onChange: (value: T) => void;
  testId: string;
}

/** One of a few, all of them in sight. */
export function Choice<T extends string>({ legend, options, value, onChange, testId }: Props<T>) {
  const group = useId();
  return (
    <fieldset className={css.choice} data-testid={testId}>
      <legend className="visually-hidden">{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className={css.option} title={option.title}>
          <input
            type="radio"
            className="visually-hidden"
            name={group}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
