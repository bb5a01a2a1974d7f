/** Names of the parts of a span's time and of the states of its samples. */
import type { ProfileSummary } from "../../core/types.ts";
import type { SpanPart } from "./parts.ts";
import type { SpanState } from "./states.ts";

export const PART_WORDS: Record<SpanPart, { name: string; about: string }> = {
  lock: { name: "lock", about: "blocked by monitors" },
  wait: { name: "wait", about: "waiting on monitors" },
  park: { name: "park", about: "parked" },
  sleep: { name: "sleep", about: "asleep" },
  socket: { name: "socket", about: "socket I/O" },
  file: { name: "file", about: "file I/O" },
  gc: { name: "GC", about: "GC pauses" },
  cpu: { name: "CPU", about: "on a processor" },
  other: { name: "not known", about: "runnable, or shorter than the recorder's limits" },
};

export const STATE_WORDS: Record<SpanState, string> = {
  running: "running or runnable",
  lock: "blocked",
  wait: "waiting",
  park: "parked",
  sleep: "asleep",
  io: "in I/O",
  gc: "in a GC pause",
  unknown: "not known",
};

/** Beginnings of the names of the profile types that have the stacks of a part, in the order of preference. */
const PROFILE_OF: Record<SpanPart, string[]> = {
  lock: ["lock-contention"],
  wait: ["lock-contention"],
  park: ["park"],
  sleep: ["sleep"],
  socket: ["socket-"],
  file: ["file-"],
  gc: [],
  cpu: ["cpu"],
  other: ["wall"],
};

/** The profile with the stacks of a part, the one with the most samples of the span where several are; null without. */
export function profileOfPart(
  part: SpanPart,
  profiles: readonly Pick<ProfileSummary, "type">[],
  samplesOf: (type: string) => number,
): string | null {
  const of = profiles.filter(({ type }) => PROFILE_OF[part].some((start) => type.startsWith(start)));
  const sampled = of.map(({ type }) => ({ type, samples: samplesOf(type) })).filter(({ samples }) => samples > 0);
  return sampled.sort((a, b) => b.samples - a.samples)[0]?.type ?? null;
}
