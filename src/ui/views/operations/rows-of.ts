/** What the rows of the view of operations have: the worker's word for it. */
import type { OperationRows } from "../../../model/query/query.ts";
import type { OperationPage } from "../../../worker/api.ts";

export const ROWS_OF: Readonly<Record<OperationRows, OperationPage["of"]>> = {
  endpoint: "requests",
  operation: "spans",
};
