/**
 * Encoding of a selection's summary for the page: applies the user's rules, and shortens texts to the size that is
 * transferred.
 */
import type { Core } from "../../core/core.ts";
import type { Why } from "../../core/view-types.ts";
import { type WhyContext, why } from "../../core/why.ts";
import type { FindingRule } from "../../model/span-time/rule-types.ts";
import { lengthsOf } from "../../model/why/kept-context.ts";
import { patternsIn, RuleFileError, rulesOf } from "../../model/why/rule-file.ts";
import { summarySteps, type WhyHow, type WhySummary } from "../../model/why/summary.ts";
import { CROSSING_CAP, cut } from "../../model/words/text.ts";
import { loadPatterns } from "../../pattern/pattern.ts";
import type { Query } from "../api/api.ts";
import type { SpanRequests } from "./span-requests.ts";

/** A user's rules, parsed once: the core caches results by list of rules. */
export class UserRules {
  private text = "";
  private rules: readonly FindingRule[] = [];

  /** The rules of a file's text, or the reason why it is refused. */
  async of(text: string): Promise<readonly FindingRule[] | string> {
    if (text === this.text) return this.rules;
    await loadPatterns(patternsIn(text));
    try {
      this.rules = text === "" ? [] : rulesOf(text);
    } catch (error) {
      if (error instanceof RuleFileError) return error.message;
      throw error;
    }
    this.text = text;
    return this.rules;
  }
}

export function figures(core: Core, query: Query, context: WhyContext): Why {
  return shortened(why(core, query, context));
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
  return shortened(yield* summarySteps(core, why, query, context, { ...how, lengthOf }));
}

function shortened<T extends Why | WhySummary>(answer: T): T {
  for (const row of answer.top) row.name = cut(row.name, CROSSING_CAP);
  for (const thread of answer.threads) thread.name = cut(thread.name, CROSSING_CAP);
  for (const row of answer.states) row.state = cut(row.state, CROSSING_CAP);
  for (const row of answer.standingOut) row.value = cut(row.value, CROSSING_CAP);
  if ("story" in answer) for (const part of answer.story?.parts ?? []) part.name = cut(part.name, CROSSING_CAP);
  return answer;
}
