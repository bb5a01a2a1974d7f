/** The samples behind each part of a span's time: the profile, and the filters that select exactly these samples. */

import { profileOfKind } from "../../core/tables/kinds.ts";
import type { AttributeFilter, FrameFilter, ProfileKind, ProfileSummary } from "../../core/types.ts";
import { WAIT_FRAMES } from "../context/methods.ts";
import { type Account, addCount, type WallCount } from "./accounts.ts";
import type { BreakdownName, BreakdownPart } from "./breakdown.ts";
import type { WallPart } from "./states.ts";
import { STATE_KEY } from "./thread-states.ts";

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
const { sleep, park, wait, io } = WAIT_FRAMES;
const ANY_WAIT = [sleep, park, wait, io].join("|");

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
      const frame: FrameFilter = { pattern: WAIT_FRAMES.wait, ...(part !== "wait" && { exclude: true }) };
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

/** Wall samples by the part of their stack and state, also those in pauses. */
function stackParts({ wall, inPauses }: Account): Map<WallPart, WallCount> {
  const parts = new Map<WallPart, WallCount>();
  for (const counts of [wall, inPauses]) {
    for (const [part, { samples, recorded }] of counts) {
      if (part !== "gc") addCount(parts, part, samples, recorded);
    }
  }
  return parts;
}

/** The recorder's states where they distinguish the part from all others, else the method that waits as well. */
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
  if (part === "sleep" || part === "park" || part === "wait")
    return { attributes, frames: [{ pattern: WAIT_FRAMES[part] }] };
  if (part === "file" && wall.has("socket")) return { attributes, frames: [{ pattern: WAIT_FRAMES.file }] };
  if (part === "socket" && wall.has("file")) {
    return { attributes, frames: [{ pattern: WAIT_FRAMES.io }, { pattern: WAIT_FRAMES.file, exclude: true }] };
  }
  if (part === "socket" || part === "file") return { attributes, frames: [{ pattern: WAIT_FRAMES.io }] };
  return { attributes, frames: [{ pattern: ANY_WAIT, exclude: true }] };
}
