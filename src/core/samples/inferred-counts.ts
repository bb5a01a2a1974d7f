/** What is inferred of a profile's observations, in numbers, and the names of the rules. */
import * as ContextRule from "../../../assembly/abi/context-rule.ts";
import type { InferredBy } from "../types.ts";

/** Numbers of a profile's observations with inferred context. */
export interface InferredCounts {
  inferredSpan: number;
  inferredRoot: number;
  inferredBy: InferredBy;
  samplesWithHolder?: number;
}

export function noCounts(): InferredCounts {
  return { inferredSpan: 0, inferredRoot: 0, inferredBy: { scope: 0, trace: 0, neighbours: 0 } };
}

export function addCounts(
  sum: InferredCounts,
  { inferredSpan, inferredRoot, inferredBy, samplesWithHolder = 0 }: InferredCounts,
): void {
  if (samplesWithHolder > 0) sum.samplesWithHolder = (sum.samplesWithHolder ?? 0) + samplesWithHolder;
  sum.inferredSpan += inferredSpan;
  sum.inferredRoot += inferredRoot;
  for (const rule of Object.values(RULE_NAMES)) sum.inferredBy[rule] += inferredBy[rule];
}

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
