/** What is known of a span without samples: why it has none, and what its self time was. */
import { type ReasonFacts, reasonOf } from "../trace/reasons.ts";
import { childTimes } from "../trace/span-extent.ts";
import type { Silence } from "../trace/span-words.ts";
import type { TraceTree } from "../trace/tree.ts";
import { lengthOf, union } from "./parts.ts";
import type { Pauses } from "./pauses.ts";

/** Pauses are counted where the reason is none by itself. */
export function silenceOf(tree: TraceTree, place: number, facts: ReasonFacts, pauses: Pauses): Silence {
  const reason = reasonOf(tree, place, facts);
  const paused = reason === "unsampled" ? pausedNanos(tree, place, facts, pauses) : 0;
  const [period, wall] = [Number(facts.period), Number(facts.wallPeriod)];
  return { reason, self: Number(tree.self[place] ?? 0n), paused, period, wall };
}

/** Ns of a span's self time within pauses. */
function pausedNanos(tree: TraceTree, place: number, { recordings }: ReasonFacts, pauses: Pauses): number {
  const offset = recordings.find(({ clock }) => clock !== null)?.clock?.offset ?? 0n;
  const [start, end] = [tree.start[place] ?? 0n, tree.end[place] ?? 0n];
  const touching = pauses.within({ start: start + offset, end: end + offset });
  if (touching.length === 0) return 0;
  const length = Number(end - start);
  const children = childTimes(tree, place).map(([from, to]): [number, number] => [
    Math.max(0, from),
    Math.min(length, to),
  ]);
  const all = union([...children, ...touching.map(({ from, to }): [number, number] => [from, to])]);
  return lengthOf(all) - lengthOf(union(children));
}
