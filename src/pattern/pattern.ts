/**
 * A user's pattern: from an address, an argument, a search box or a filter. Nothing else in the project makes a regular
 * expression of a text. Patterns take time that grows with the text and not with what the pattern could backtrack to, and
 * they work alike in the page, its worker, a report and Node.
 */
import { Automaton, type Work } from "./automaton.ts";
import { compile } from "./program.ts";
import { PatternError, parse } from "./syntax.ts";

export type { Work };

/** Characters of a name that patterns see. */
export const LOOKED_AT = 2000;

/** Characters of a pattern: one of the whole first `LOOKED_AT` characters of a name fits, each with a backslash. */
export const MOST_CHARACTERS = 2 * LOOKED_AT;

/** Instructions followed to make the states of a question's patterns: about a second. Usual patterns take a few thousand. */
const MOST_STEPS = 30_000_000;

/** The work of one question, which may have several patterns. */
export function newWork(most = MOST_STEPS): Work {
  return { steps: 0, most };
}

export class Pattern {
  private readonly automaton: Automaton;
  private readonly work: Work;

  private constructor(automaton: Automaton, work: Work) {
    this.automaton = automaton;
    this.work = work;
  }

  /** Throws a PatternError whose message says what is wrong, and where. */
  static of(pattern: string, work = newWork()): Pattern {
    if (pattern.length > MOST_CHARACTERS) {
      const [most, length] = [MOST_CHARACTERS, pattern.length].map((count) => count.toLocaleString("en"));
      throw new PatternError(`a pattern has at most ${most} characters; this one has ${length}`);
    }
    // Capitals matter if there is one, and in the pattern of a whole name.
    const { node, ignoreCase } = parse(pattern, !/\p{Lu}|^\^.*\$$/u.test(pattern));
    return new Pattern(new Automaton(compile(node, ignoreCase), work), work);
  }

  /** Whether the pattern is found in a text. Only the first `LOOKED_AT` characters are read. */
  test(text: string): boolean {
    return this.automaton.matches(text, Math.min(text.length, LOOKED_AT));
  }

  /** Why answers of `test` cannot be relied on, or null. Ask after all texts were tested. */
  get error(): string | null {
    return this.work.steps > this.work.most ? "too much work for these names; a simpler pattern is needed" : null;
  }
}

/** A pattern to show errors of: no exception, and for an empty text neither pattern nor error. */
export function patternOf(pattern: string): { expression: Pattern | null; error: string | null } {
  if (pattern === "") return { expression: null, error: null };
  try {
    return { expression: Pattern.of(pattern), error: null };
  } catch (error) {
    if (error instanceof PatternError) return { expression: null, error: error.message };
    throw error;
  }
}
