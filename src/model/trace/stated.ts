/** The spans of a filter as the trace states them: how long they took, and whether they are a whole trace. */
import type { CarriedIds } from "../../core/carried-ids.ts";
import type { Filter } from "../../core/types.ts";
import { placeOfId, placeOfSpan, resolveId } from "./resolve-id.ts";
import type { TraceTree } from "./tree.ts";

export interface StatedSpans {
  /** Of the first span; the others are in its trace. */
  place: number;
  /** The first start, ns since 1970 on the clock of the trace. */
  start: bigint;
  /** From it to the last end, ns. */
  duration: bigint;
  /** With those below them. */
  spans: number;
  /** - `trace`: all local roots of a trace; `below`: spans below the first, with it; `some`: others */
  are: "trace" | "below" | "some";
}

/** Null where the filter has no ids, or spans of several traces, or a span that no trace knows. */
export function statedSpans(
  tree: TraceTree,
  { span, localRoot }: Pick<Filter, "span" | "localRoot">,
  carried: () => CarriedIds,
): StatedSpans | null {
  const ids = [span ?? localRoot ?? []].flat();
  const places = ids.map((id) => (span === undefined ? placeOfId(tree, id) : placeOfSpan(tree, id)));
  const place = Math.min(...places);
  const low = tree.traceLow[place];
  if (ids.length === 0 || place < 0 || places.some((each) => tree.traceLow[each] !== low)) return null;
  const ends = place + (tree.size[place] ?? 1);
  if (span !== undefined) {
    return {
      place,
      ...extentOf(places),
      spans: below(places),
      are: places.every((each) => each < ends) ? "below" : "some",
    };
  }
  const trace = ((tree.traceHigh[place] ?? 0n) << 64n) | (low ?? 0n);
  const all = resolveId([trace], carried(), tree, true);
  const isWhole = all?.kind === "local-root" && all.ids.every((id) => ids.includes(id));
  const whole = isWhole ? placesOfTrace() : null;
  return {
    place,
    ...extentOf(whole ?? places),
    spans: whole?.length ?? below(places),
    are: isWhole ? "trace" : "some",
  };

  function placesOfTrace(): number[] {
    return [...tree.traceLow.keys()].filter((each) => tree.traceLow[each] === low);
  }

  function below(of: readonly number[]): number {
    let [count, end] = [0, 0];
    for (const each of of.toSorted((a, b) => a - b)) {
      const after = each + (tree.size[each] ?? 1);
      count += Math.max(0, after - Math.max(end, each));
      end = Math.max(end, after);
    }
    return count;
  }

  function extentOf(of: readonly number[]): Pick<StatedSpans, "start" | "duration"> {
    const start = of.map((each) => tree.start[each] ?? 0n).reduce((least, each) => (each < least ? each : least));
    const end = of.map((each) => tree.end[each] ?? 0n).reduce((most, each) => (each > most ? each : most));
    return { start, duration: end - start };
  }
}
