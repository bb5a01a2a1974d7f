/**
 * States of wall samples, and how sure their shares are. A monitor that the recorder names comes first, then what the
 * stack waits for (context/stack-states.ts), then pauses of the collector, then the state that the recorder noted: it
 * often notes only that a thread does not run, and not even that for a sleep in a system call.
 */
import type { StackState } from "../context/stack-states.ts";
import { likelyShare } from "../lists/confidence.ts";

/** `call`: a system call whose kind is not known. */
export const STATES = [
  ...["running", "lock", "wait", "park", "sleep", "socket", "file"],
  ...["call", "idle", "gc", "unknown"],
] as (StackState | "running" | "call")[];
export type SpanState = (typeof STATES)[number];

/** The recorder's word for the state of a thread. */
export const STATE_KEY = "thread.state";

/** States in which a thread waits for a monitor, as recorders name them. */
export const BLOCKED = ["CONTENDED", "BLOCKED"];

const RECORDED: ReadonlyMap<string, SpanState> = new Map(
  Object.entries<SpanState>({
    SLEEPING: "sleep",
    WAITING: "wait",
    OBJECT_WAIT: "wait",
    SYSCALL: "call",
    IO_WAIT: "call",
    PARKED: "unknown",
    STATE_SLEEPING: "unknown",
    TERMINATED: "unknown",
  }),
);

/** What a recorder's word for a state means; running without one that is known. */
export function recordedState(recorded: string): SpanState {
  if (BLOCKED.includes(recorded)) return "lock";
  return RECORDED.get(recorded) ?? "running";
}

/** `ofStack`: what the stack waits for; `isPaused`: the collector had stopped the program. */
export function stateOf(recorded: string, ofStack: StackState | null, isPaused: boolean): SpanState {
  const noted = recordedState(recorded);
  if (noted === "lock") return "lock";
  if (ofStack !== null) return ofStack;
  if (noted === "sleep" || noted === "call") return noted;
  return isPaused ? "gc" : noted;
}

/**
 * The part of a span's time that a wall sample is evidence of. `runnable`: the recorder states that the thread could
 * run; `running`: it states no state, or one that does not tell.
 */
export type WallPart = SpanState | "runnable";

const COULD_RUN = new Set(["RUNNABLE", "STATE_RUNNABLE"]);

/** `state` as `stateOf` has it. */
export function wallPartOf(state: SpanState, recorded: string): WallPart {
  return state === "running" && COULD_RUN.has(recorded) ? "runnable" : state;
}

/** The states that people and scripts are told: reading and writing are one, and `gc` is a pause of the collector. */
export const TOLD = ["running", "lock", "wait", "park", "sleep", "io", "idle", "gc", "unknown"] as const;
export type ToldState = (typeof TOLD)[number];

/** Of a sample outside of pauses. Who waits for the collector there is in the state that the recorder noted. */
export function toldState(state: SpanState, recorded: string): ToldState {
  const told = state === "gc" ? recordedState(recorded) : state;
  return told === "socket" || told === "file" || told === "call" ? "io" : told;
}

export interface StateShare {
  state: ToldState;
  samples: number;
  /** Of all samples; `low` and `high` are its 95 % interval (Wilson). All are between 0 and 1. */
  share: number;
  low: number;
  high: number;
}

/** Counts samples by state. */
export class StateCounts {
  private readonly counts = new Map<ToldState, number>();
  total = 0;

  add(state: ToldState, weight: number): void {
    this.counts.set(state, (this.counts.get(state) ?? 0) + weight);
    this.total += weight;
  }

  of(state: ToldState): number {
    return this.counts.get(state) ?? 0;
  }

  /** States with samples, the most first. */
  shares(): StateShare[] {
    const found = TOLD.map((state) => ({ state, samples: this.counts.get(state) ?? 0 }));
    return found
      .filter(({ samples }) => samples > 0)
      .sort((a, b) => b.samples - a.samples)
      .map(({ state, samples }) => {
        const [low, high] = likelyShare(samples, this.total);
        return { state, samples, share: samples / this.total, low, high };
      });
  }
}
