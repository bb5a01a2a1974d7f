/** The spans that the view of operations shows, as a choice of spans. */
import type { SpanChoice } from "../../core/types.ts";
import type { OperationsPart } from "./query.ts";

/** None of the fields for all. */
export function choiceOf({ of, slowest, region }: Pick<OperationsPart, "of" | "slowest" | "region">): SpanChoice {
  return { ...region, ...(of !== null && { operation: of }), ...(slowest !== null && { slowest }) };
}
