/** Where the time of a call of a dump went, as far as its profiler measured that. */
import type { BreakdownName } from "./breakdown.ts";

/** Milliseconds; null where the format of the dump has no such figure. */
interface Times {
  duration: number;
  suspension: number;
  cpu: number | null;
  wait: number | null;
}

/** A row of data for each part: its colour, its name, its figure. */
const PARTS: readonly { part: BreakdownName; name: string; of: (call: Times) => number | null }[] = [
  { part: "gc", name: "suspended", of: ({ suspension }) => suspension },
  { part: "wait", name: "waiting", of: ({ wait }) => wait },
  { part: "cpu", name: "on CPU", of: ({ cpu }) => cpu },
];

export interface CallTimePart {
  part: BreakdownName;
  name: string;
  /** As measured. The CPU time of a call may be more than its duration. */
  ms: number;
  /** Its part of the duration. */
  shown: number;
}

/** The parts that are not 0, and the rest of the duration. */
export function callTime(call: Times): CallTimePart[] {
  let rest = call.duration;
  const parts = PARTS.map(({ part, name, of }): CallTimePart => {
    const ms = of(call) ?? 0;
    const shown = Math.min(ms, rest);
    rest -= shown;
    return { part, name, ms, shown };
  });
  return [...parts, { part: "unsampled" as const, name: "not measured", ms: rest, shown: rest }].filter(
    ({ ms }) => ms > 0,
  );
}
