/** Filters of samples by whether their span or request is inferred, other than attributes alone (rule `contextual`). */
import type { AttributeFilter, InferredBy } from "../../core/types.ts";
import { CONTEXT_RULE_KEY } from "./attribute.ts";

const RULES: readonly (keyof InferredBy)[] = ["scope", "trace", "neighbours"];

/** Selects the samples whose span, request or attributes of no id are inferred, or with `exclude` all others. */
export function inferredSpans(exclude = false): AttributeFilter[] {
  return RULES.map((value) => ({ key: CONTEXT_RULE_KEY, value, ...(exclude && { exclude }) }));
}
