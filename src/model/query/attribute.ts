/** The attributes that mark samples whose context is inferred. */
import type { AttributeFilter, Filter } from "../../core/types.ts";

export const CONTEXT_KEY = "spanflame.context";
/** Its value is the name of a rule: `scope`, `trace` or `neighbours`; `contextual` if attributes alone are inferred. */
export const CONTEXT_RULE_KEY = "spanflame.context.rule";

/** Selects the samples with inferred context, or with `exclude` all others. */
export function inferredFilter(exclude = false): AttributeFilter {
  return { key: CONTEXT_KEY, value: "inferred", ...(exclude && { exclude }) };
}

/** The filter for the samples of another filter whose context is inferred; null where it excludes them all. */
export function inferredAmong(filter: Filter): Filter | null {
  const { attributes = [] } = filter;
  const asked = attributes.find(({ key }) => key === CONTEXT_KEY);
  if (asked !== undefined) return asked.exclude === true ? null : filter;
  return { ...filter, attributes: [...attributes, inferredFilter()] };
}
