/** Rules of inferred context, by number and by the name that marks the samples (assembly/store/keys.ts). */
import * as ContextRule from "../../assembly/abi/context-rule.ts";
import type { InferredBy } from "./types.ts";

/** Names of the rules by their numbers. */
export const RULE_NAMES: Readonly<Record<number, keyof InferredBy>> = {
  [ContextRule.Scope]: "scope",
  [ContextRule.Trace]: "trace",
  [ContextRule.Neighbours]: "neighbours",
};

/** The number of a rule's name, 0 for another text. */
export function ruleNumber(name: string): number {
  return Number(Object.keys(RULE_NAMES).find((rule) => RULE_NAMES[Number(rule)] === name) ?? 0);
}
