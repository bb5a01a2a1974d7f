/** Why a span has no samples: the first reason that holds. */
import type { Evidence } from "../../core/samples/spans.ts";
import type { Clock } from "./clock.ts";
import type { TraceTree } from "./tree.ts";

/**
 * - `other-process`: it has an instance, and no span of this instance has evidence in a recording; without any
 *   evidence, no recording states this instance, but each of them states one; or it is the half of a shared span whose
 *   samples belong to the other half
 * - `outside`: no chunk of a recording covers any of its time
 * - `no-context`: no sample of the recordings carries a span id
 * - `short`: its self time is below the shortest sampling period
 * - `unsampled`: none of these
 */
export type Reason = "other-process" | "outside" | "no-context" | "short" | "unsampled";

/** A stretch of time that a recording covers, ns since 1970. */
export interface Covered {
  from: bigint;
  to: bigint;
}

/** A recording beside the trace. */
export interface Beside {
  name: string;
  /** Null without evidence: then its times are compared as they are. */
  clock: Clock | null;
  covered: readonly Covered[];
}

export interface ReasonFacts {
  recordings: readonly Beside[];
  /** Instances of the spans with evidence. */
  home: ReadonlySet<number>;
  /** Instances that the recordings state. */
  own: ReadonlySet<number>;
  /** Whether any sample carries a span id. */
  hasContext: boolean;
  /** Shortest period of the profiles whose samples carry span ids, in ns; 0n if no recording states one. */
  period: bigint;
  /** The same of the wall profiles among them. */
  wallPeriod: bigint;
}

/** Instances of the spans with evidence in any recording. */
export function homeInstances({ count, instance }: TraceTree, evidence: readonly Evidence[]): Set<number> {
  const home = new Set<number>();
  for (let place = 0; place < count; place++) {
    const own = instance[place] ?? 0;
    if (own !== 0 && !home.has(own) && evidence.some(({ has }) => has[place] === 1)) home.add(own);
  }
  return home;
}

export const OTHERS_IDS = "the trace states another instance of the service than the recordings, although ids agree";

/** Whether the spans with samples are of other instances than those that the recordings state. */
export function areOthersIds({ home, own }: ReasonFacts): boolean {
  return home.size > 0 && own.size > 0 && [...home].every((instance) => !own.has(instance));
}

/** The reason of a span without samples. */
export function reasonOf(tree: TraceTree, place: number, facts: ReasonFacts): Reason {
  const { recordings } = facts;
  const home = facts.home.size > 0 ? facts.home : facts.own;
  if (tree.silent[place] === 1) return "other-process";
  const instance = tree.instance[place] ?? 0;
  if (instance !== 0 && home.size > 0 && !home.has(instance)) return "other-process";
  const [start, end] = [tree.start[place] ?? 0n, tree.end[place] ?? 0n];
  const isCovered = recordings.some(({ clock, covered }) => {
    const offset = clock?.offset ?? 0n;
    return covered.some(({ from, to }) => from <= end + offset && start + offset <= to);
  });
  // Without any time it is in no trace file, and the samples of its trace have none.
  if (!isCovered && (start | end) !== 0n) return "outside";
  if (!facts.hasContext) return "no-context";
  return tree.untimed[place] === 0 && (tree.self[place] ?? 0n) < facts.period ? "short" : "unsampled";
}
