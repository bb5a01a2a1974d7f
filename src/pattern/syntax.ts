/**
 * The syntax of a pattern: a JavaScript regular expression without what an automaton cannot do in linear time (look-around,
 * back-references) and without what would silently mean something else (an escaped letter without a meaning). `(?i)` in front
 * makes capitals equal to small letters.
 */
import { type Characters, complement, DIGITS, LINE_ENDS, SPACES, union, WORD, withUpperCases } from "./characters.ts";

export type Assertion = "begin" | "end" | "word" | "not-word";

export type Node =
  | { kind: "characters"; set: Characters }
  | { kind: "assertion"; assertion: Assertion }
  | { kind: "sequence"; parts: Node[] }
  | { kind: "choice"; options: Node[] }
  | { kind: "repeat"; body: Node; least: number; most: number };

/** A pattern that is refused. The message names the reason, and the place where there is one. */
export class PatternError extends Error {}

/** The parser recurses once per group. */
const MOST_DEPTH = 250;
const MOST_REPEATS = 1000;

const CLASS_ESCAPES: Record<string, Characters> = {
  d: DIGITS,
  D: complement(DIGITS),
  w: WORD,
  W: complement(WORD),
  s: SPACES,
  S: complement(SPACES),
};
const CONTROL_ESCAPES: Record<string, number> = { t: 0x09, n: 0x0a, v: 0x0b, f: 0x0c, r: 0x0d };
const HEX_ESCAPES: Record<string, number> = { x: 2, u: 4 };
const QUANTIFIERS: Record<string, [least: number, most: number]> = {
  "*": [0, Infinity],
  "+": [1, Infinity],
  "?": [0, 1],
};
/** What may follow the `(?` of a group; a result does not depend on which group matched. */
const GROUP_HEADS = /\?(?::|<[\p{ID_Start}_$][\p{ID_Continue}$]*>)/uy;
const LOOK_AROUND = /\?<?[=!]/y;
const BRACES = /\{(\d+)(,?)(\d*)\}/y;
const IGNORE_CASE = "(?i)";

export function parse(pattern: string, ignoreCase: boolean): { node: Node; ignoreCase: boolean } {
  const flagged = pattern.startsWith(IGNORE_CASE);
  const parser = new Parser(pattern, flagged ? IGNORE_CASE.length : 0, ignoreCase || flagged);
  return { node: parser.whole(), ignoreCase: ignoreCase || flagged };
}

class Parser {
  private readonly text: string;
  private at: number;
  private readonly ignoreCase: boolean;
  private depth = 0;

  constructor(text: string, at: number, ignoreCase: boolean) {
    this.text = text;
    this.at = at;
    this.ignoreCase = ignoreCase;
  }

  whole(): Node {
    const node = this.choice();
    if (this.at < this.text.length) throw this.error("no group is open that this ) could close");
    return node;
  }

  private choice(): Node {
    const options = [this.sequence()];
    while (this.skip("|")) options.push(this.sequence());
    return options.length === 1 ? options[0]! : { kind: "choice", options };
  }

  private sequence(): Node {
    const parts: Node[] = [];
    while (this.at < this.text.length && this.peek() !== "|" && this.peek() !== ")") parts.push(this.term());
    return parts.length === 1 ? parts[0]! : { kind: "sequence", parts };
  }

  private term(): Node {
    const from = this.at;
    const body = this.atom();
    const [least, most] = this.quantifier() ?? [1, 1];
    if (least === 1 && most === 1) return body;
    if (body.kind === "assertion" && this.text[from] !== "(") throw this.error("nothing to repeat", from);
    return { kind: "repeat", body, least, most };
  }

  private quantifier(): [least: number, most: number] | null {
    const start = this.at;
    let bounds = QUANTIFIERS[this.peek()];
    if (bounds !== undefined) this.at++;
    else {
      const braces = this.take(BRACES);
      if (braces === null) return null;
      const [, least = "", comma, most = ""] = braces;
      if (Math.max(Number(least), Number(most)) > MOST_REPEATS)
        throw this.error(`a count is at most ${MOST_REPEATS.toLocaleString("en")}`, start);
      const open = comma === "" ? Number(least) : Infinity;
      bounds = [Number(least), most === "" ? open : Number(most)];
      if (bounds[0] > bounds[1]) throw this.error("the first count is larger than the second", start);
    }
    // As few or as many as possible: a match is a match.
    this.skip("?");
    return bounds;
  }

  private atom(): Node {
    const start = this.at;
    const character = this.text[this.at++]!;
    switch (character) {
      case "^":
        return { kind: "assertion", assertion: "begin" };
      case "$":
        return { kind: "assertion", assertion: "end" };
      case "(":
        return this.group(start);
      case "[":
        return { kind: "characters", set: this.bracket(start) };
      case ".":
        return this.characters(complement(LINE_ENDS));
      case "\\":
        if (this.skip("b")) return { kind: "assertion", assertion: "word" };
        if (this.skip("B")) return { kind: "assertion", assertion: "not-word" };
        return this.characters(this.escape(start));
      default:
        if (character in QUANTIFIERS || this.take(BRACES, start) !== null) throw this.error("nothing to repeat", start);
        return this.characters(single(character.charCodeAt(0)));
    }
  }

  private group(start: number): Node {
    if (this.take(LOOK_AROUND) !== null) throw this.error("look-ahead and look-behind are not supported", start);
    if (this.peek() === "?" && this.take(GROUP_HEADS) === null) throw this.error("no such kind of group", start);
    if (++this.depth > MOST_DEPTH) throw this.error(`groups are nested at most ${MOST_DEPTH} deep`, start);
    const node = this.choice();
    this.depth--;
    if (!this.skip(")")) throw this.error("the group is not closed", start);
    return node;
  }

  /** The set between brackets; `[` is behind. */
  private bracket(start: number): Characters {
    const negated = this.skip("^");
    const ranges: number[] = [];
    while (!this.skip("]")) {
      const from = this.at;
      const first = this.member(start);
      if (this.peek() !== "-" || (this.text[this.at + 1] ?? "]") === "]") {
        ranges.push(...first);
        continue;
      }
      this.at++;
      const last = this.member(start);
      // As in JavaScript, a range with \d or the like at an end is both ends and a hyphen.
      if (first.length !== 2 || last.length !== 2 || first[0] !== first[1] || last[0] !== last[1])
        ranges.push(...first, 0x2d, 0x2d, ...last);
      else if (first[0]! > last[0]!) throw this.error("the range is out of order", from);
      else ranges.push(first[0]!, last[0]!);
    }
    const set = this.folded(union(ranges));
    return negated ? complement(set) : set;
  }

  private member(start: number): Characters {
    const from = this.at;
    const character = this.text[this.at++];
    if (character === undefined) throw this.error("the [ is not closed", start);
    if (character !== "\\") return single(character.charCodeAt(0));
    return this.skip("b") ? single(0x08) : this.escape(from);
  }

  /** What follows a backslash. */
  private escape(start: number): Characters {
    const character = this.text[this.at++];
    if (character === undefined) throw this.error("nothing follows the \\", start);
    const set = CLASS_ESCAPES[character];
    if (set !== undefined) return set;
    const control = CONTROL_ESCAPES[character];
    if (control !== undefined) return single(control);
    const digits = HEX_ESCAPES[character];
    if (digits !== undefined) return this.hex(digits, start);
    if (character === "0" && !/\d/.test(this.peek())) return single(0);
    if (/[\dk]/.test(character)) throw this.error("back-references are not supported", start);
    if (/[a-z]/i.test(character)) throw this.error(`\\${character} is not supported`, start);
    return single(character.charCodeAt(0));
  }

  private hex(digits: number, start: number): Characters {
    const text = this.text.slice(this.at, this.at + digits);
    if (text.length < digits || !/^[\da-f]+$/i.test(text))
      throw this.error(`\\${this.text[start + 1]} takes ${digits} hexadecimal digits`, start);
    this.at += digits;
    return single(Number.parseInt(text, 16));
  }

  private characters(set: Characters): Node {
    return { kind: "characters", set: this.folded(set) };
  }

  private folded(set: Characters): Characters {
    return this.ignoreCase ? withUpperCases(set) : set;
  }

  private peek(): string {
    return this.text[this.at] ?? "";
  }

  private skip(character: string): boolean {
    if (this.peek() !== character) return false;
    this.at++;
    return true;
  }

  private take(expression: RegExp, at = this.at): RegExpExecArray | null {
    expression.lastIndex = at;
    const found = expression.exec(this.text);
    if (found !== null) this.at = expression.lastIndex;
    return found;
  }

  private error(reason: string, at = this.at): PatternError {
    return new PatternError(`${reason} (character ${at + 1})`);
  }
}

function single(unit: number): Characters {
  return [unit, unit];
}
