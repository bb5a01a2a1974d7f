/** The story and the findings of a selection, with the user's rules. */
import type { Core } from "../../core/core.ts";
import { type WhyContext, why } from "../../core/why.ts";
import type { FindingRule } from "../../model/span-time/rule-types.ts";
import { lengthsOf } from "../../model/why/kept-context.ts";
import { patternsIn, RuleFileError, rulesOf } from "../../model/why/rule-file.ts";
import { summarySteps, type WhyHow, type WhySummary } from "../../model/why/summary.ts";
import { loadPatterns } from "../../pattern/pattern.ts";
import type { Query } from "../api/api.ts";
import { Refusal } from "../refusal.ts";
import type { SpanRequests } from "./span-requests.ts";

/** The user's rules, parsed once: the core caches results by list of rules. */
let user: { text: string; rules: readonly FindingRule[] } = { text: "", rules: [] };

/** The rules of a file's text. Throws a Refusal with the reason why it is refused. */
export async function rulesIn(text: string): Promise<readonly FindingRule[]> {
  if (text === user.text) return user.rules;
  await loadPatterns(patternsIn(text));
  try {
    user = { text, rules: text === "" ? [] : rulesOf(text) };
  } catch (error) {
    throw error instanceof RuleFileError ? new Refusal("rules", error.message) : error;
  }
  return user.rules;
}

/** In steps, between which other questions are answered. */
export function* storySteps(
  core: Core,
  query: Query,
  context: WhyContext,
  { spans, ...how }: WhyHow & { spans: SpanRequests },
): Generator<void, WhySummary> {
  // What recordings know of spans may be a part of their time.
  const tree = spans.overview()?.files.length ? spans.tree() : null;
  const lengthOf = tree === null ? undefined : lengthsOf(tree);
  return yield* summarySteps(core, why, query, context, { ...how, lengthOf });
}
