/** States of wall samples, remembered by attribute set and stack. */
import type { ReadSample, SampleReader } from "../../core/samples/sample-reader.ts";
import { bitsOf, stateOfBits } from "../context/stack-states.ts";
import type { Pauses } from "./pauses.ts";
import { type SpanState, STATE_KEY, STATES, stateOf, type ToldState, toldState } from "./states.ts";

/** Sets are keyed above all stacks. */
const MOST_STACKS = 2 ** 26;
/** A pair of states in one number. */
const PAIR = 16;

export class SampleStates {
  private readonly reader: SampleReader;
  private readonly pauses: Pauses;
  /** Index of the state in a pause of the collector, then outside of one. */
  private readonly known = new Map<number, number>();

  constructor(reader: SampleReader, pauses: Pauses) {
    this.reader = reader;
    this.pauses = pauses;
  }

  of(sample: ReadSample): SpanState {
    return STATES[this.indexOf(sample)] ?? "unknown";
  }

  /** The state that people are told. */
  told(sample: ReadSample): ToldState {
    const state = this.of(sample);
    if (state === "gc" && this.isPaused(sample)) return "gc";
    const told = toldState(state, state === "gc" ? this.reader.attribute(sample.set, STATE_KEY) : "");
    return told === "io" && this.computes(sample.stack) ? "running" : told;
  }

  /** Whether a thread with this stack waits for its next task, whatever it calls for that. */
  isIdle(stack: number): boolean {
    return stateOfBits(this.reader.bitsOf(stack, bitsOf)) === "idle";
  }

  /** Whether code of Java runs below what a stack waits for: a stream calls the recorder, or loads a class. */
  private computes(stack: number): boolean {
    return this.reader.leafBits(stack, bitsOf) === 0;
  }

  /** The state that a sample would have without pauses. */
  besidePauses({ set, stack }: ReadSample): SpanState {
    return STATES[this.knownPair(set, stack) % PAIR] ?? "unknown";
  }

  isPaused({ time }: ReadSample): boolean {
    return this.pauses.contain(time);
  }

  /** Index of the state in `STATES`. */
  indexOf(sample: ReadSample): number {
    const pair = this.knownPair(sample.set, sample.stack);
    const [paused, other] = [Math.floor(pair / PAIR), pair % PAIR];
    return paused !== other && this.pauses.contain(sample.time) ? paused : other;
  }

  private knownPair(set: number, stack: number): number {
    const key = set * MOST_STACKS + stack;
    const pair = this.known.get(key) ?? this.pairOf(set, stack);
    this.known.set(key, pair);
    return pair;
  }

  private pairOf(set: number, stack: number): number {
    const recorded = this.reader.attribute(set, STATE_KEY);
    const ofStack = stateOfBits(this.reader.bitsOf(stack, bitsOf));
    return PAIR * STATES.indexOf(stateOf(recorded, ofStack, true)) + STATES.indexOf(stateOf(recorded, ofStack, false));
  }
}
