import {
  OPERATION_ROWS,
  OPERATION_SHAPES,
  type OperationRows,
  type OperationShape,
} from "../../../model/query/query.ts";
import { isLeast } from "../../../model/trace/operation-words.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer } from "../../parts/answers/use-answer.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { ViewTools } from "../../parts/view/ViewTools.tsx";
import { Choice } from "../../primitives/choice/Choice.tsx";
import css from "./OperationsView.module.css";
import { OperationTable } from "./OperationTable.tsx";
import { RequestList } from "./RequestList.tsx";
import { RequestTimePanel } from "./RequestTimePanel.tsx";
import { SpanMapPanel } from "./SpanMapPanel.tsx";

const SHAPES: Readonly<Record<OperationShape, { label: string; title: string }>> = {
  table: { label: "table", title: "Durations and costs of each endpoint or operation" },
  list: { label: "list", title: "Each request with its time, duration, cause and id, in any order" },
  map: { label: "map", title: "All spans, or requests, by start and duration" },
  time: { label: "time", title: "Where the time of requests went, beside the other requests" },
};

const ROWS: Readonly<Record<OperationRows, { label: string; title: string }>> = {
  endpoint: { label: "endpoint", title: "Requests by what they asked for, as without a trace file" },
  operation: { label: "operation", title: "All spans by their names" },
};

/** Any row says where durations are from. */
const FIRST = {};

/** The requests by endpoint, or the spans by operation: a table of durations and costs, a list, a map, or time. */
export function OperationsView(props: ViewProps) {
  const { profile, query, act } = props;
  const { by } = query.operations;
  const first = useAnswer(FIRST, () => viewer.ofTraces("operations", "p95", false, 0, 1));
  // Without spans that have names there are requests alone.
  const hasSpans = first !== null && !isLeast(first.answer.source);
  // Spans alone do not tell where their time went.
  const shapes = OPERATION_SHAPES.filter((each) => each !== "time" || profile.exact === undefined);
  const shape = shapes.find((each) => each === query.operations.shape) ?? "table";
  return (
    <section className={css.view} aria-label="Requests">
      <ViewTools>
        <Choice
          legend="Show"
          options={shapes.map((value) => ({ value, ...SHAPES[value] }))}
          value={shape}
          onChange={(next) => act({ kind: "operations", operations: { shape: next } })}
          testId="operations-shape"
        />
        {hasSpans && (
          <Choice
            legend="By"
            options={OPERATION_ROWS.map((value) => ({ value, ...ROWS[value] }))}
            value={by}
            onChange={(next) => act({ kind: "operations", operations: { by: next, of: null, region: null } })}
            testId="operations-by"
          />
        )}
      </ViewTools>
      {shape === "table" && <OperationTable {...props} />}
      {shape === "list" && <RequestList {...props} />}
      {shape === "map" && <SpanMapPanel {...props} />}
      {shape === "time" && <RequestTimePanel {...props} />}
    </section>
  );
}
