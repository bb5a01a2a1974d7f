/** A pattern as the instructions of a nondeterministic automaton (Thompson's construction), over classes of characters. */
import { type Characters, cases, LAST_UNIT, WORD } from "./characters.ts";
import { type Assertion, type Node, PatternError } from "./syntax.ts";

/** Goes on behind the instruction if the class of the next character is in set `first`. */
export const TAKE = 0;
/** Goes on at `first` and at `second`. */
export const SPLIT = 1;
/** Goes on behind the instruction if assertion `first` holds. */
export const ASSERT = 2;
export const MATCH = 3;

export const ASSERTIONS: readonly Assertion[] = ["begin", "end", "word", "not-word"];

/** Counted repeats are written out, so a short pattern may be a long program. */
const MOST_INSTRUCTIONS = 10_000;

export interface Program {
  kind: Uint8Array;
  first: Uint16Array;
  second: Uint16Array;
  /** By set and class: 1 for a class in the set. */
  sets: Uint8Array[];
  /** By code unit its class: code units that no set distinguishes are in one class. */
  classOf: Uint16Array;
  classes: number;
  /** By class: 1 for letters, digits and `_`. All 0 if no assertion is about words. */
  isWord: Uint8Array;
}

export function compile(node: Node, ignoreCase: boolean): Program {
  const writer = new Writer();
  writer.write(node);
  writer.add(MATCH);
  const { kind, first, second, sets, aboutWords } = writer;
  const { classOf, starts } = classify(aboutWords ? [...sets, WORD] : sets, ignoreCase);
  const membersOf = (set: Characters) => {
    const members = new Uint8Array(starts.length);
    let at = 0;
    for (const [i, start] of starts.entries()) {
      while (at < set.length && set[at + 1]! < start) at += 2;
      if (at < set.length && set[at]! <= start) members[i] = 1;
    }
    return members;
  };
  return {
    kind: Uint8Array.from(kind),
    first: Uint16Array.from(first),
    second: Uint16Array.from(second),
    sets: sets.map(membersOf),
    classOf,
    classes: starts.length,
    isWord: aboutWords ? membersOf(WORD) : new Uint8Array(starts.length),
  };
}

class Writer {
  readonly kind: number[] = [];
  readonly first: number[] = [];
  readonly second: number[] = [];
  readonly sets: Characters[] = [];
  aboutWords = false;
  /** The number of each set, by its ranges as text. */
  private readonly numbers = new Map<string, number>();
  private visits = 0;

  write(node: Node): void {
    // Empty parts write nothing, but repeating them takes time as well.
    if (++this.visits > 2 * MOST_INSTRUCTIONS) throw tooLarge();
    switch (node.kind) {
      case "characters":
        this.add(TAKE, this.numberOf(node.set));
        break;
      case "assertion":
        this.aboutWords ||= node.assertion === "word" || node.assertion === "not-word";
        this.add(ASSERT, ASSERTIONS.indexOf(node.assertion));
        break;
      case "sequence":
        for (const part of node.parts) this.write(part);
        break;
      case "choice":
        this.choice(node.options);
        break;
      case "repeat":
        this.repeat(node.body, node.least, node.most);
    }
  }

  add(kind: number, first = 0, second = 0): number {
    if (this.kind.length >= MOST_INSTRUCTIONS) throw tooLarge();
    this.first.push(first);
    this.second.push(second);
    return this.kind.push(kind) - 1;
  }

  private choice(options: readonly Node[]): void {
    const ends: number[] = [];
    for (const [i, option] of options.entries()) {
      const isLast = i === options.length - 1;
      const split = isLast ? -1 : this.add(SPLIT, this.kind.length + 1);
      this.write(option);
      if (isLast) continue;
      ends.push(this.add(SPLIT));
      this.second[split] = this.kind.length;
    }
    for (const end of ends) this.first[end] = this.second[end] = this.kind.length;
  }

  private repeat(body: Node, least: number, most: number): void {
    for (let i = 0; i < least; i++) this.write(body);
    if (most === Infinity) {
      const split = this.add(SPLIT, this.kind.length + 1);
      this.write(body);
      this.add(SPLIT, split, split);
      this.second[split] = this.kind.length;
      return;
    }
    const splits: number[] = [];
    for (let i = least; i < most; i++) {
      splits.push(this.add(SPLIT, this.kind.length + 1));
      this.write(body);
    }
    for (const split of splits) this.second[split] = this.kind.length;
  }

  private numberOf(set: Characters): number {
    const text = set.join();
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    const number = this.sets.push(set) - 1;
    this.numbers.set(text, number);
    return number;
  }
}

function tooLarge(): PatternError {
  return new PatternError(
    `with its counts written out, a pattern has at most ${MOST_INSTRUCTIONS.toLocaleString("en")} parts`,
  );
}

/** Cuts the code units where any set begins or ends. Ignoring case, a code unit has the class of its upper case. */
function classify(sets: readonly Characters[], ignoreCase: boolean): { classOf: Uint16Array; starts: number[] } {
  const cuts = new Set([0]);
  for (const set of sets) {
    for (let i = 0; i < set.length; i += 2) cuts.add(set[i]!).add(set[i + 1]! + 1);
  }
  cuts.delete(LAST_UNIT + 1);
  const starts = [...cuts].sort((a, b) => a - b);
  const classOf = new Uint16Array(LAST_UNIT + 1);
  for (const [i, start] of starts.entries()) classOf.fill(i, start, starts[i + 1] ?? LAST_UNIT + 1);
  if (ignoreCase) {
    const { units, upper } = cases();
    for (const [i, unit] of units.entries()) classOf[unit] = classOf[upper[i]!]!;
  }
  return { classOf, starts };
}
