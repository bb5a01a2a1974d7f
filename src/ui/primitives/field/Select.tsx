import type { ComponentProps, ReactNode } from "react";

interface SelectProps extends Omit<ComponentProps<"select">, "onChange"> {
  testId: string;
  value: string;
  options: readonly (readonly [value: string, words: ReactNode])[];
  onChange: (value: string) => void;
}

/** One of a list of values, by the browser's own means. */
export function Select({ testId, options, onChange, ...props }: SelectProps) {
  return (
    <select {...props} data-testid={testId} onChange={(event) => onChange(event.currentTarget.value)}>
      {options.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  );
}
