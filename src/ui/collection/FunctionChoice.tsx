import { useId, useMemo, useState } from "react";
import type { FunctionNames } from "../../model/collection/facts.ts";
import { functionsWith } from "../../model/collection/rows.ts";
import { visible } from "../../model/words/text.ts";
import css from "./CollectionView.module.css";

interface Props {
  names: FunctionNames;
  /** "" for none. */
  value: string;
  onChange: (name: string) => void;
}

const MOST_OFFERED = 50;

/** The function whose trend is shown: by its name, or a part of it. Enter takes the first match. */
export function FunctionChoice({ names, value, onChange }: Props) {
  const list = useId();
  const [text, setText] = useState(value);
  const [before, setBefore] = useState(value);
  if (value !== before) {
    // Chosen elsewhere: from a row, or in another view.
    setBefore(value);
    setText(value);
  }
  const offered = useMemo(() => functionsWith(names, text.trim(), MOST_OFFERED), [names, text]);
  const hasMatch = text === "" || offered.length > 0;
  return (
    <>
      <input
        type="search"
        className={css.search}
        list={list}
        aria-label="Trend of a function: name, or a part of it"
        aria-invalid={!hasMatch}
        placeholder="Trend of a function"
        data-testid="file-function"
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          if (currentTarget.value === "" || names.numberOf(currentTarget.value) >= 0) onChange(currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || offered[0] === undefined || text === "") return;
          setText(offered[0]);
          onChange(offered[0]);
        }}
      />
      <datalist id={list}>
        {offered.map((name) => (
          <option key={name} value={name} label={visible(name, 120)} />
        ))}
      </datalist>
    </>
  );
}
