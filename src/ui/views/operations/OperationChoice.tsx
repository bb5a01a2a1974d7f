import { useId, useState } from "react";
import type { QueryAction } from "../../../model/query/query.ts";
import { operationName } from "../../../model/trace/operation-words.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer } from "../../parts/answers/use-answer.ts";
import css from "./OperationsView.module.css";

/** Operations to choose from, those with most spans first. */
const MOST_CHOICES = 500;

interface ChoiceProps {
  of: string | null;
  act: (action: QueryAction) => void;
}

/** The operation whose spans are shown. */
export function OperationChoice({ of, act }: ChoiceProps) {
  const id = useId();
  const [asked] = useState(() => ({ limit: MOST_CHOICES }));
  const page = useAnswer(asked, ({ limit }) => viewer.ofTraces("operations", "spans", false, 0, limit));
  const names = page?.answer.rows.map(({ operation }) => operation) ?? [];
  const all = of === null || names.includes(of) ? names : [of, ...names];
  return (
    <div className={css.actions}>
      <label htmlFor={id}>Operation</label>
      <select
        id={id}
        className={css.pick}
        data-testid="span-map-of"
        value={of === null ? "" : `=${of}`}
        onChange={({ currentTarget: { value } }) =>
          act({ kind: "operations", operations: { of: value === "" ? null : value.slice(1), region: null } })
        }
      >
        <option value="">all</option>
        {all.map((name) => (
          <option key={name} value={`=${name}`}>
            {operationName(name)}
          </option>
        ))}
      </select>
    </div>
  );
}
