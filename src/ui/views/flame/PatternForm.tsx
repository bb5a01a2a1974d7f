import { type ReactNode, useState } from "react";
import { usePattern } from "../../parts/search/use-pattern.ts";
import css from "./ViewSettings.module.css";

interface Props {
  id: string;
  /** Of the field; those of the button and of the error begin with it. */
  testId: string;
  /** Name of the field where `id` is not that of a label's. */
  label?: string;
  title: string;
  placeholder?: string;
  button: string;
  /** False if what `children` ask for is missing. */
  isReady?: boolean;
  onPattern: (pattern: string) => void;
  /** Fields before the pattern. */
  children?: ReactNode;
}

/** A regular expression for frames, with a button that applies it and its error below. */
export function PatternForm({
  id,
  testId,
  label,
  title,
  button,
  isReady = true,
  onPattern,
  children,
  ...props
}: Props) {
  const [text, setText] = useState("");
  const { expression, error } = usePattern(text);
  const canApply = expression !== null && isReady;
  return (
    <form
      className={css.pattern}
      onSubmit={(event) => {
        event.preventDefault();
        if (!canApply) return;
        onPattern(text);
        setText("");
      }}
    >
      {children}
      <input
        id={id}
        className={css.own}
        data-testid={testId}
        aria-label={label}
        placeholder={props.placeholder ?? "frames matching /…/"}
        title={title}
        maxLength={500}
        spellCheck={false}
        autoComplete="off"
        value={text}
        aria-invalid={error !== null}
        aria-describedby={`${id}-error`}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" data-testid={`${testId}-do`} disabled={!canApply}>
        {button}
      </button>
      <span id={`${id}-error`} role="status" className={css.error} data-testid={`${testId}-error`}>
        {error ?? ""}
      </span>
    </form>
  );
}
