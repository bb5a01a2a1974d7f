/** Search of texts by a user's pattern, with the errors of a request. */
import { newWork, Pattern, PatternError, type Work } from "../../pattern/pattern.ts";
import { SpanflameError } from "../instance/error.ts";

/** Characters of a pattern that an error repeats. */
const QUOTED = 100;

/** By text: whether the pattern finds it. Throws a SpanflameError if the pattern is refused or takes too much work. */
export function foundBy(pattern: string, texts: readonly string[], work = newWork()): boolean[] {
  const expression = compiled(pattern, work);
  const found = texts.map((text) => expression.test(text));
  if (expression.error !== null) throw refused(pattern, expression.error);
  return found;
}

function compiled(pattern: string, work: Work): Pattern {
  try {
    return Pattern.of(pattern, work);
  } catch (error) {
    throw error instanceof PatternError ? refused(pattern, error.message) : error;
  }
}

function refused(pattern: string, reason: string): SpanflameError {
  const quoted = pattern.length > QUOTED ? `${pattern.slice(0, QUOTED)}…` : pattern;
  return new SpanflameError("filter.pattern", `/${quoted}/ is not a supported regular expression: ${reason}`);
}
