import { useId } from "react";
import { type BaselineChoice, baselineText, pin } from "../../model/baseline.ts";
import type { DiffScale, QueryAction, QueryState } from "../../model/query.ts";
import { visible } from "../../model/text.ts";
import { Choice } from "../choice/Choice.tsx";
import css from "./DiffView.module.css";

interface Props {
  choice: BaselineChoice;
  keys: string[];
  query: QueryState;
  act: (action: QueryAction) => void;
}

const SCALES: { value: DiffScale; label: string; title: string }[] = [
  { value: "share", label: "shares", title: "Each as a part of its own whole, so that different sizes compare" },
  { value: "value", label: "values", title: "As they are: the larger selection weighs more everywhere" },
];

/** What the selection is compared with, and how. */
export function DiffTools({ choice, keys, query, act }: Props) {
  const id = useId();
  const onBaseline = (baseline: string) => act({ kind: "baseline", baseline });
  return (
    <div className={css.tools}>
      <label htmlFor={id}>compared with</label>
      <select
        id={id}
        className={css.baseline}
        data-testid="baseline"
        value={choice.kind === "pinned" ? "#" : baselineText(choice)}
        onChange={(event) => onBaseline(event.currentTarget.value)}
      >
        <option value="rest">everything else in the profile</option>
        {keys.map((key) => (
          <option key={key} value={`key:${key}`}>
            the rest of the same {visible(key, 60)}
          </option>
        ))}
        {choice.kind === "pinned" && <option value="#">the pinned selection</option>}
      </select>
      <button
        type="button"
        data-testid="pin"
        title="Compare what is chosen from now on with what is chosen now"
        onClick={() => onBaseline(pin(query))}
      >
        Pin this selection
      </button>
      <Choice
        legend="Compare by"
        options={SCALES}
        value={query.scale}
        onChange={(scale) => act({ kind: "scale", scale })}
        testId="diff-scale"
      />
    </div>
  );
}
