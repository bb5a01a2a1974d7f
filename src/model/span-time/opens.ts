/** The samples behind each part of a span's time: the profile, and the filters that select exactly these samples. */

import { profileOfKind } from "../../core/tables/kinds.ts";
import type { AttributeFilter, FrameFilter, ProfileKind, ProfileSummary } from "../../core/types.ts";
import { framesOf, STACK_STATES, type StackState } from "../context/stack-states.ts";
import { type Account, addCount, type WallCount } from "./accounts.ts";
import type { BreakdownName, BreakdownPart } from "./breakdown.ts";
import { STATE_KEY, type WallPart } from "./states.ts";

export interface PartSamples {
  part: BreakdownName;
  /** Profile type. */
  type: string;
  samples: number;
  /** Those of them in pauses of the collector, which no filter leaves out. */
  inPauses: number;
  attributes: AttributeFilter[];
  frames: FrameFilter[];
}

const NO_FILTER = { attributes: [], frames: [] };
const OF_EVENTS = { inPauses: 0, ...NO_FILTER };
const OBJECT_WAIT = framesOf("wait", [])[0] as FrameFilter;

/**
 * The samples of an account by the parts of a breakdown, each in one of them; of each part the profile with the most
 * samples first.
 */
export function samplesOfParts(
  account: Account,
  profiles: readonly ProfileSummary[],
  breakdown: readonly Pick<BreakdownPart, "part">[],
): PartSamples[] {
  const typeOf = (kind: ProfileKind) => profileOfKind(profiles, kind)?.type ?? kind;
  const found: PartSamples[] = [...account.events].flatMap(([type, { parts }]) =>
    [...parts].map(([part, samples]) => {
      if (parts.size === 1) return { part, type, samples, ...OF_EVENTS };
      // Of one profile are only events that wait for a monitor and those that wait on one.
      const frame: FrameFilter = { ...OBJECT_WAIT, ...(part !== "wait" && { exclude: true }) };
      return { part, type, samples, ...OF_EVENTS, frames: [frame] };
    }),
  );
  if (account.cpu.samples > 0) {
    found.push({ part: "cpu", type: typeOf("cpu"), samples: account.cpu.samples, ...OF_EVENTS });
  }
  const wall = stackParts(account);
  const rows = new Set(breakdown.map(({ part }) => part));
  for (const [part, { samples }] of wall) {
    const inPauses = account.inPauses.get(part)?.samples ?? 0;
    const shown = inPauses === samples ? "gc" : rowOf(part, rows);
    found.push({ part: shown, type: typeOf("wall"), samples, inPauses, ...wallFilter(wall, part) });
  }
  return found.sort((a, b) => b.samples - a.samples);
}

/** Threads that could run are in one row, and in that of CPU time where CPU samples explain them all. */
function rowOf(part: WallPart, rows: ReadonlySet<BreakdownName>): BreakdownName {
  if (part !== "runnable" && part !== "running") return part;
  return (["runnable", "running", "cpu"] as const).find((row) => rows.has(row)) ?? part;
}

/** Wall samples by the part of their stack and state: those of `gc` by that of `inPauses`. */
function stackParts({ wall, inPauses }: Account): Map<WallPart, WallCount> {
  const parts = new Map<WallPart, WallCount>();
  for (const [part, { samples, recorded }] of [...[...wall].filter(([part]) => part !== "gc"), ...inPauses]) {
    addCount(parts, part, samples, recorded);
  }
  return parts;
}

/** The recorder's states where they distinguish the part from all others, else what the stack waits for as well. */
function wallFilter(
  wall: ReadonlyMap<WallPart, WallCount>,
  part: WallPart,
): Pick<PartSamples, "attributes" | "frames"> {
  if (wall.size === 1) return NO_FILTER;
  const own = wall.get(part)?.recorded ?? new Set();
  const others = new Set([...wall].flatMap(([each, { recorded }]) => (each === part ? [] : [...recorded])));
  const isMissing = own.has("");
  const attributes = isMissing
    ? [...others].filter((state) => !own.has(state)).map((value) => ({ key: STATE_KEY, value, exclude: true }))
    : [...own].map((value) => ({ key: STATE_KEY, value }));
  if (![...own].some((state) => others.has(state))) return { attributes, frames: [] };
  const isOfStack = (each: string): each is StackState => (STACK_STATES as readonly string[]).includes(each);
  return { attributes, frames: framesOf(isOfStack(part) ? part : null, [...wall.keys()].filter(isOfStack)) };
}
