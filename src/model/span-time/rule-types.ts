import type { StackState } from "../context/stack-states.ts";

/** A rule of the findings: stacks or events of a selection, limits of their share, and an advice. */
export interface FindingRule {
  /** At most four words, unique among the rules. */
  name: string;
  /** Kinds of profiles that the rule is about: the profile on screen if it is of one, else the first with samples. */
  in: readonly string[];
  /** The figure that `info` and `warning` are compared with. */
  figure: Figure;
  /** Patterns of functions, as in a frame filter: anywhere in the stack, at its leaf, outermost. */
  any?: string;
  leaf?: string;
  outermost?: string;
  /** Functions anywhere in the stack, by their files: a plain pattern. Not for users' rules. */
  files?: string;
  /** Stacks with such a function do not count. By itself: all other stacks. */
  unless?: string;
  /** Samples whose attribute has one of these values; in place of patterns. */
  attribute?: { key: string; values: readonly string[] };
  /** Samples whose attribute has one of these values do not count; for a rule without patterns and attribute. */
  except?: { key: string; values: readonly string[] };
  /** The state of which its patterns are (context/stack-states.ts). */
  state?: StackState;
  info: number;
  warning: number;
  /** One sentence each. */
  why: string;
  advice: string;
}

/**
 * - `share`: the part of the profile's value, in percent
 * - `time`: the events' time of all threads together as a part of the selection's time, in percent, at most 100
 * - `rate`: events per second
 * - `pauses`: pauses of the collector as a part of the selection's time, in percent
 * - `kept`: samples after the end of their span, in percent of those whose span a trace file has; not for users' rules
 * - `held`: the longest time for which one endpoint or thread pool blocks another, in percent of the selection's
 *   time, at most 100; not for users' rules
 */
export type Figure = "share" | "time" | "rate" | "pauses" | "kept" | "held";

export const FIGURES: readonly Figure[] = ["share", "time", "rate", "pauses"];
