/** Keys of the attributes that mark samples with inferred context. */
export const CONTEXT_KEY: string = "spanflame.context";
/** Its value is the name of a rule: `scope`, `trace` or `neighbours`. */
export const CONTEXT_RULE_KEY: string = "spanflame.context.rule";
