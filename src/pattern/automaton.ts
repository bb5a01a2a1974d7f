/**
 * Matching in linear time: a deterministic automaton, whose states are made when a text first leads to them. A state is the
 * set of instructions that may come next, so a text is read once, from left to right, whatever the pattern is. Only the
 * states themselves take work that grows with the pattern; that work is counted and has a limit.
 */
import { ASSERT, ASSERTIONS, MATCH, type Program, SPLIT, TAKE } from "./program.ts";

/** What precedes the next character. The start of the text counts as no word. */
const AT_START = 0;
const AFTER_OTHER = 1;
const AFTER_WORD = 2;

/** Numbers that all states hold together; then they are made again. */
const MOST_HELD = 1_000_000;

/** A new state takes about as long as following so many instructions. */
const STATE_STEPS = 50;

class State {
  /** Instructions, ascending. */
  readonly at: Uint16Array;
  readonly before: number;
  /** By class, and for the end of the text after the last class; undefined if it was not needed yet. */
  readonly next: (State | undefined)[];

  constructor(at: Uint16Array, before: number, classes: number) {
    this.at = at;
    this.before = before;
    this.next = new Array(classes + 1).fill(undefined);
  }
}

const MATCHED = new State(new Uint16Array(), AFTER_OTHER, 0);
const STUCK = new State(new Uint16Array(), AFTER_OTHER, 0);

/** The work of one or more automata to make their states, and its limit. */
export interface Work {
  /** Instructions followed so far. */
  steps: number;
  readonly most: number;
}

export class Automaton {
  private readonly program: Program;
  private readonly work: Work;
  private readonly states = new Map<string, State>();
  private held = 0;
  private start: State;
  /** The round in which an instruction was reached, and in which it was put into the next state. */
  private readonly reached: Uint32Array;
  private readonly queued: Uint32Array;
  private round = 0;
  private readonly stack: number[] = [];

  constructor(program: Program, work: Work) {
    this.program = program;
    this.work = work;
    this.reached = new Uint32Array(program.kind.length);
    this.queued = new Uint32Array(program.kind.length);
    this.start = new State(Uint16Array.of(0), AT_START, program.classes);
  }

  /** Whether the pattern is found in the first `length` code units of a text; false if the work is past its limit. */
  matches(text: string, length: number): boolean {
    const { classOf, classes } = this.program;
    let state = this.start;
    for (let i = 0; i < length; i++) {
      const unit = classOf[text.charCodeAt(i)]!;
      state = state.next[unit] ?? this.follow(state, unit);
      if (state === MATCHED) return true;
      if (state === STUCK) return false;
    }
    return (state.next[classes] ?? this.follow(state, classes)) === MATCHED;
  }

  /** The state after a character of a class, or after the end of the text. */
  private follow(state: State, unit: number): State {
    if (this.work.steps > this.work.most) return STUCK;
    const next = this.after(state, unit);
    state.next[unit] = next;
    return next;
  }

  private after(state: State, unit: number): State {
    const { kind, first, second, sets, classes, isWord } = this.program;
    const { work, stack, reached, queued } = this;
    const round = ++this.round;
    const found: number[] = [];
    const go = (at: number) => {
      if (reached[at] === round) return;
      reached[at] = round;
      stack.push(at);
    };
    // A match may begin at every character.
    go(0);
    for (const at of state.at) go(at);
    work.steps += stack.length;
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      work.steps++;
      if (kind[at] === MATCH) {
        stack.length = 0;
        return MATCHED;
      }
      if (kind[at] === SPLIT) {
        go(first[at]!);
        go(second[at]!);
      } else if (kind[at] === ASSERT) {
        if (this.holds(first[at]!, state.before, unit)) go(at + 1);
      } else if (kind[at] === TAKE && sets[first[at]!]![unit] === 1 && queued[at + 1] !== round) {
        queued[at + 1] = round;
        found.push(at + 1);
      }
    }
    if (unit === classes) return STUCK;
    work.steps += 2 * found.length;
    return this.stateOf(Uint16Array.from(found).sort(), isWord[unit] === 1 ? AFTER_WORD : AFTER_OTHER);
  }

  private holds(assertion: number, before: number, unit: number): boolean {
    const { classes, isWord } = this.program;
    const isBorder = (before === AFTER_WORD) !== (isWord[unit] === 1);
    switch (ASSERTIONS[assertion]) {
      case "begin":
        return before === AT_START;
      case "end":
        return unit === classes;
      case "word":
        return isBorder;
      default:
        return !isBorder;
    }
  }

  private stateOf(at: Uint16Array, before: number): State {
    const key = String.fromCharCode(before, ...at);
    const known = this.states.get(key);
    if (known !== undefined) return known;
    const { classes } = this.program;
    this.work.steps += STATE_STEPS;
    this.held += 2 * at.length + classes + 8;
    if (this.held > MOST_HELD) {
      this.states.clear();
      this.held = 0;
      this.start = new State(Uint16Array.of(0), AT_START, classes);
    }
    const state = new State(at, before, classes);
    this.states.set(key, state);
    return state;
  }
}
