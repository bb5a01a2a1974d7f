import { useId } from "react";
import type { OperationsPart } from "../../../model/query/query.ts";
import { operationName } from "../../../model/trace/operation-words.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer, useSame } from "../../parts/answers/use-answer.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { Select } from "../../primitives/field/Select.tsx";
import css from "./OperationsView.module.css";
import { ROWS_OF } from "./rows-of.ts";

/** Operations to choose from, those with most spans first. */
const MOST_CHOICES = 500;

/** The operation whose spans are shown. */
export function OperationChoice({ by, of, act }: Pick<ViewProps, "act"> & Pick<OperationsPart, "by" | "of">) {
  const id = useId();
  const asked = useSame({ rows: ROWS_OF[by] });
  const page = useAnswer(asked, ({ rows }) => viewer.ofTraces("operations", "spans", false, 0, MOST_CHOICES, rows));
  const names = page?.answer.rows.map(({ operation }) => operation) ?? [];
  const all = of === null || names.includes(of) ? names : [of, ...names];
  return (
    <div className={css.actions}>
      <label htmlFor={id}>{by === "endpoint" ? "Endpoint" : "Operation"}</label>
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
