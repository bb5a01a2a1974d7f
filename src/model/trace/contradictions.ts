/**
 * What samples and a trace file state against each other. Each id of a span counts once: it agrees if one of the
 * spans with this id does.
 */
import type { StatedLink } from "../../core/samples/link-values.ts";
import type { Evidence } from "../../core/samples/spans.ts";
import type { Contradictions } from "../recording/doubts.ts";
import { clockOf, SLACK } from "./clock.ts";
import { idsOf } from "./evidence.ts";
import type { TraceTree } from "./tree.ts";

/** The evidence of a file, and the instance of the service that it states, 0 = none. */
export interface FileEvidence {
  evidence: Evidence;
  instance: number;
}

export function contradictionsOf(
  tree: TraceTree,
  files: readonly FileEvidence[],
  /** Of samples that state their context themselves. */
  links: Iterable<StatedLink>,
): Contradictions {
  const { index, firsts } = idsOf(tree);
  const shared = new Map<number, number[]>();
  for (const [place, first] of firsts.entries())
    if (first !== place) shared.set(first, [...(shared.get(first) ?? [first]), place]);
  const placesOf = (first: number) => (first < 0 ? [] : (shared.get(first) ?? [first]));
  const sampled = new Set<number>();
  const found = {
    outside: new Set<number>(),
    elsewhere: new Set<number>(),
    roots: new Set<number>(),
    traces: new Set<number>(),
  };
  for (const { evidence, instance } of files) {
    const { has, first: begins, last: ends } = evidence;
    const offset = clockOf(tree, evidence)?.offset ?? 0n;
    const here = instance === 0 ? usualInstance(tree, has) : instance;
    for (let first = 0; first < tree.count; first++) {
      const places = firsts[first] === first ? placesOf(first).filter((place) => has[place] === 1) : [];
      if (places.length === 0) continue;
      sampled.add(first);
      const isWithin = (place: number) =>
        tree.untimed[place] === 1 ||
        ((begins[place] ?? 0n) >= (tree.start[place] ?? 0n) + offset - SLACK &&
          (ends[place] ?? 0n) <= (tree.end[place] ?? 0n) + offset + SLACK);
      const isHere = (place: number) => here === 0 || [0, here].includes(tree.instance[place] ?? 0);
      if (!places.some(isWithin)) found.outside.add(first);
      if (!places.some(isHere)) found.elsewhere.add(first);
    }
  }
  const placeOf = (id: bigint) => index.placeOf(Number(id & 0xffff_ffffn), Number(id >> 32n));
  for (const { span, root, traceLow, traceHigh } of links) {
    const first = placeOf(span);
    if (first < 0) continue;
    sampled.add(first);
    const places = placesOf(first);
    const roots = root === 0n ? [] : placesOf(placeOf(root));
    const isBelow = (place: number) => roots.some((at) => at <= place && place < at + (tree.size[at] ?? 1));
    if (roots.length > 0 && !places.some(isBelow)) found.roots.add(first);
    const isOf = (place: number) => {
      const high = tree.traceHigh[place] ?? 0n;
      return tree.traceLow[place] === traceLow && (high === 0n || traceHigh === 0n || high === traceHigh);
    };
    if (traceLow !== 0n && !places.some(isOf)) found.traces.add(first);
  }
  const { outside, elsewhere, roots, traces } = found;
  return {
    spans: firsts.filter((first, place) => first === place).length,
    sampled: sampled.size,
    wrong: new Set([...outside, ...elsewhere, ...roots, ...traces]).size,
    ...{ outside: outside.size, elsewhere: elsewhere.size, roots: roots.size, traces: traces.size },
  };
}

/** The instance that most spans with evidence have, 0 without one: a recording is of one process. */
function usualInstance({ instance }: TraceTree, has: Uint8Array): number {
  const counts = new Map<number, number>();
  for (const [place, own] of instance.entries())
    if (has[place] === 1 && own !== 0) counts.set(own, (counts.get(own) ?? 0) + 1);
  const [[usual] = [0]] = [...counts].sort((a, b) => b[1] - a[1]);
  return usual;
}
