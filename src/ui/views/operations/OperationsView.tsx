import { OPERATION_SHAPES, type OperationShape } from "../../../model/query/query.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { ViewTools } from "../../parts/view/ViewTools.tsx";
import { Choice } from "../../primitives/choice/Choice.tsx";
import css from "./OperationsView.module.css";
import { OperationTable } from "./OperationTable.tsx";
import { RequestTimePanel } from "./RequestTimePanel.tsx";
import { SpanMapPanel } from "./SpanMapPanel.tsx";

const SHAPES: Readonly<Record<OperationShape, { label: string; title: string }>> = {
  table: { label: "table", title: "Durations and costs of each endpoint or operation" },
  map: { label: "map", title: "All spans, or requests, by start and duration" },
  time: { label: "time", title: "Where the time of requests went, beside the other requests" },
};

/** The operations of the spans: a table of durations and costs, a map of the spans, or where time went. */
export function OperationsView(props: ViewProps) {
  const { profile, query, act } = props;
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
      </ViewTools>
      {shape === "table" && <OperationTable {...props} />}
      {shape === "map" && <SpanMapPanel {...props} />}
      {shape === "time" && <RequestTimePanel {...props} />}
    </section>
  );
}
