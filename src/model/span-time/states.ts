/** States of wall samples, and how sure their shares are. Each sample is in the first state that fits. */
import { waitIn } from "../context/methods.ts";
import { likelyShare } from "../lists/confidence.ts";

export const STATES = ["running", "lock", "wait", "park", "sleep", "io", "gc", "unknown"] as const;
export type SpanState = (typeof STATES)[number];

/** States in which a thread is on a processor or waits for one, as recorders name them. */
const RUNNING = new Set(["RUNNABLE", "STATE_RUNNABLE", "STATE_DEFAULT", "NEW", "UNKNOWN", ""]);

/** `recorded` is the recorder's state of the thread; `isPaused`: the collector had stopped the program. */
export function stateOf(recorded: string, javaLeaf: string, isPaused: boolean): SpanState {
  if (recorded === "CONTENDED") return "lock";
  const wait = waitIn(javaLeaf);
  if (wait === "sleep" || recorded === "SLEEPING") return "sleep";
  if (wait === "park" || wait === "wait") return wait;
  if (wait === "io" || recorded === "SYSCALL") return "io";
  if (isPaused) return "gc";
  if (RUNNING.has(recorded)) return "running";
  return recorded === "WAITING" ? "wait" : "unknown";
}

/**
 * The part of a span's time that a wall sample is evidence of. `runnable`: the recorder states that the thread could
 * run; `running`: it states no state, or one that does not tell.
 */
export type WallPart =
  | "lock"
  | "wait"
  | "park"
  | "sleep"
  | "socket"
  | "file"
  | "call"
  | "gc"
  | "runnable"
  | "running"
  | "unknown";

const COULD_RUN = new Set(["RUNNABLE", "STATE_RUNNABLE"]);
const FILES = /^(?:java\.io\.|java\.util\.zip\.|sun\.nio\.fs\.|sun\.nio\.ch\.(?:File|UnixFile|SimpleAsynchronousFile))/;

/** `state` as `stateOf` has it; `call` is a system call whose kind is not known. */
export function wallPartOf(state: SpanState, recorded: string, javaLeaf: string): WallPart {
  if (state === "running") return COULD_RUN.has(recorded) ? "runnable" : "running";
  if (state !== "io") return state;
  if (waitIn(javaLeaf) !== "io") return "call";
  return FILES.test(javaLeaf) ? "file" : "socket";
}

export interface StateShare {
  state: SpanState;
  samples: number;
  /** Of all samples; `low` and `high` are its 95 % interval (Wilson). All are between 0 and 1. */
  share: number;
  low: number;
  high: number;
}

/** Counts samples by state. */
export class StateCounts {
  private readonly counts = new Map<SpanState, number>();
  total = 0;

  add(state: SpanState, weight: number): void {
    this.counts.set(state, (this.counts.get(state) ?? 0) + weight);
    this.total += weight;
  }

  of(state: SpanState): number {
    return this.counts.get(state) ?? 0;
  }

  /** States with samples, the most first. */
  shares(): StateShare[] {
    const found = STATES.map((state) => ({ state, samples: this.counts.get(state) ?? 0 }));
    return found
      .filter(({ samples }) => samples > 0)
      .sort((a, b) => b.samples - a.samples)
      .map(({ state, samples }) => {
        const [low, high] = likelyShare(samples, this.total);
        return { state, samples, share: samples / this.total, low, high };
      });
  }
}
