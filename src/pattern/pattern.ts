/**
 * Regular expressions of users: from an address, an argument, a search box or a filter. No other code of the project
 * compiles a user's text as a regular expression. The engine is re2js, which takes linear time and does not backtrack.
 * It is loaded when the first pattern needs it.
 */
import { type Finder, hasCapital, plainPattern } from "./plain.ts";

type Engine = typeof import("re2js");
type Expression = ReturnType<Engine["RE2JS"]["compile"]>;

/** Characters of a name that patterns see. */
export const LOOKED_AT = 2000;

/** Characters of a pattern: one of the whole first `LOOKED_AT` characters of a name fits, each with a backslash. */
export const MOST_CHARACTERS = 2 * LOOKED_AT;

/** Parts of a pattern after `a{3}` became `aaa`, and instructions of its program. */
const MOST_PARTS = 10_000;

/** Bytes of states that a question's patterns may make the engine's automata build: about two seconds of work. */
const MOST_BYTES = 150_000_000;

/** A state of the engine's automaton, besides its instructions, and each of those. */
const STATE_BYTES = 150;
const INSTRUCTION_BYTES = 8;

/** Characters of the engine's words about a refused pattern. */
const QUOTED = 40;

/** A pattern that is refused. The message names the reason. */
export class PatternError extends Error {}

/** A pattern needs the engine, and `loadPatterns` was not awaited. */
export class EngineMissing extends Error {
  constructor() {
    super("The engine for patterns is not loaded: await loadPatterns first.");
  }
}

/** The work of one question, which may have several patterns. */
export interface Work {
  /** Bytes of states built so far. */
  bytes: number;
  readonly most: number;
}

export function newWork(most = MOST_BYTES): Work {
  return { bytes: 0, most };
}

let engine: Engine | null = null;

/**
 * Loads the engine if one of the patterns needs it; without patterns in any case. Throws a PatternError if that fails.
 */
export async function loadPatterns(patterns?: readonly string[]): Promise<void> {
  if (engine !== null || patterns?.every(isPlain)) return;
  try {
    engine = await import("re2js");
  } catch {
    throw new PatternError("the engine for patterns could not be loaded");
  }
}

/** Whether `Pattern.of` can be called: the engine is loaded, or the pattern does not need it. */
export function isReady(pattern: string): boolean {
  return engine !== null || isPlain(pattern);
}

function isPlain(pattern: string): boolean {
  return pattern.length > MOST_CHARACTERS || plainPattern(pattern, ignoresCase(pattern)) !== null;
}

/** Capitals matter if there is one, and in the pattern of a whole name. */
function ignoresCase(pattern: string): boolean {
  return !hasCapital(pattern) && !(pattern.startsWith("^") && pattern.endsWith("$"));
}

export class Pattern {
  private readonly finder: Finder;
  private readonly expression: Expression | null;
  private readonly work: Work;

  private constructor(finder: Finder, expression: Expression | null, work: Work) {
    this.finder = finder;
    this.expression = expression;
    this.work = work;
  }

  /** Throws a PatternError with the fault in its message, and an EngineMissing. */
  static of(pattern: string, work = newWork()): Pattern {
    const { length } = pattern;
    if (length > MOST_CHARACTERS)
      throw new PatternError(
        `a pattern has at most ${counted(MOST_CHARACTERS)} characters; this one has ${counted(length)}`,
      );
    const ignoreCase = ignoresCase(pattern);
    const plain = plainPattern(pattern, ignoreCase);
    if (plain !== null) return new Pattern(plain, null, work);
    const expression = compile(pattern, ignoreCase);
    return new Pattern(expression, expression, work);
  }

  /**
   * Whether the pattern is found in the first `LOOKED_AT` characters of a text. False once the work is past its limit.
   */
  test(text: string): boolean {
    const { work, expression, finder } = this;
    if (work.bytes > work.most) return false;
    const read = text.length > LOOKED_AT ? text.slice(0, LOOKED_AT) : text;
    if (expression === null) return finder.test(read);
    const { dfa } = expression.re2Input;
    const before = dfa.memBudget;
    const found = expression.test(read);
    work.bytes += builtBetween(before, dfa.memBudget, dfa.maxMem, read.length, expression.programSize());
    return found;
  }

  /** Why answers of `test` cannot be relied on, or null. Ask after all texts were tested. */
  get error(): string | null {
    return this.work.bytes > this.work.most ? "too much work for these names; use a simpler pattern" : null;
  }
}

/**
 * Bytes of states built for a text, by the memory that the engine's automaton had left before and after it. A text that
 * needs no new states takes the same short time per character, whatever the pattern is. When the memory is used up, the
 * engine drops all states or goes on without an automaton: then the most counts that the text can have needed, a state
 * per character.
 */
function builtBetween(before: number, after: number, whole: number, length: number, instructions: number): number {
  if (after < before) return before - after;
  const usedUp = after > before || after < whole / 8;
  return usedUp ? length * (STATE_BYTES + INSTRUCTION_BYTES * instructions) : 0;
}

function compile(pattern: string, ignoreCase: boolean): Expression {
  if (engine === null) throw new EngineMissing();
  const { RE2JS, RE2JSException } = engine;
  if (writtenOut(pattern) > MOST_PARTS) throw tooLarge();
  try {
    const expression = RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    if (expression.programSize() > MOST_PARTS) throw tooLarge();
    return expression;
  } catch (error) {
    throw error instanceof RE2JSException ? new PatternError(reasonOf(error, ignoreCase)) : error;
  }
}

function tooLarge(): PatternError {
  return new PatternError(`with its counts written out, a pattern has at most ${counted(MOST_PARTS)} parts`);
}

/**
 * About how many parts a pattern has after its counts are written out. The engine would first write out a million
 * parts. Quotes like \Q(\E are read as operators here: the size of the program is checked as well.
 */
function writtenOut(pattern: string): number {
  const token = /\\.|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|./gs;
  const outer: number[] = [];
  let parts = 0;
  let last = 0;
  for (const [text, least, most] of pattern.matchAll(token)) {
    if (text === "(") {
      outer.push(parts);
      parts = 0;
    } else if (text === ")") {
      last = parts + 2;
      parts = (outer.pop() ?? 0) + last;
    } else {
      const times = Math.max(Number(least ?? 1), Number(most ?? 0), 1);
      const more = least === undefined ? 1 : last * (times - 1);
      last = least === undefined ? 1 : last + more;
      parts += more;
    }
  }
  return outer.reduce((sum, each) => sum + each, parts);
}

/**
 * The engine's message, with plain words for syntax of other engines that users expect. The engine writes its own flag
 * into a pattern.
 */
function reasonOf(error: Error & { error?: string; input?: string | null }, ignoreCase: boolean): string {
  const { error: reason = error.message, input } = error;
  const part = (input ?? "").slice(ignoreCase && input?.startsWith("(?i)") ? 4 : 0);
  if (/^\(\?<?[=!]/.test(part)) return "look-ahead and look-behind are not supported";
  if (/^\\[\dk]/.test(part)) return "back-references are not supported";
  if (part === "") return reason;
  return `${reason}: ${part.length > QUOTED ? `${part.slice(0, QUOTED)}…` : part}`;
}

function counted(count: number): string {
  return count.toLocaleString("en");
}

export interface Checked {
  expression: Pattern | null;
  /** Why the pattern is refused. */
  error: string | null;
}

/** A pattern to show errors of: no PatternError is thrown, and for an empty text there is neither pattern nor error. */
export function patternOf(pattern: string): Checked {
  if (pattern === "") return { expression: null, error: null };
  try {
    return { expression: Pattern.of(pattern), error: null };
  } catch (error) {
    return refusedBy(error);
  }
}

/** A pattern to show errors of, after the engine was loaded if the pattern needs it. */
export async function loadedPattern(pattern: string): Promise<Checked> {
  try {
    await loadPatterns([pattern]);
  } catch (error) {
    return refusedBy(error);
  }
  return patternOf(pattern);
}

function refusedBy(error: unknown): Checked {
  if (error instanceof PatternError) return { expression: null, error: error.message };
  throw error;
}
