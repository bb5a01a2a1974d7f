import { useId, useState } from "react";
import { isLeast, operationName } from "../../../model/trace/operation-words.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer } from "../../parts/answers/use-answer.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { Select } from "../../primitives/field/Select.tsx";
import css from "./OperationsView.module.css";

/** Operations to choose from, those with most spans first. */
const MOST_CHOICES = 500;

/** The operation whose spans are shown. */
export function OperationChoice({ of, act }: Pick<ViewProps, "act"> & { of: string | null }) {
  const id = useId();
  const [asked] = useState(() => ({ limit: MOST_CHOICES }));
  const page = useAnswer(asked, ({ limit }) => viewer.ofTraces("operations", "spans", false, 0, limit));
  const names = page?.answer.rows.map(({ operation }) => operation) ?? [];
  const all = of === null || names.includes(of) ? names : [of, ...names];
  return (
    <div className={css.actions}>
      <label htmlFor={id}>{isLeast(page?.answer.source ?? "files") ? "Endpoint" : "Operation"}</label>
      <Select
        id={id}
        className={css.pick}
        testId="span-map-of"
        value={of === null ? "" : `=${of}`}
        options={[["", "all"], ...all.map((name) => [`=${name}`, operationName(name)] as const)]}
        onChange={(value) =>
          act({ kind: "operations", operations: { of: value === "" ? null : value.slice(1), region: null } })
        }
      />
    </div>
  );
}
