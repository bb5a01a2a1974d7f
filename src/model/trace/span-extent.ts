/** The extent of a span on the clock of the recordings: by a trace file, else by the samples that carry its id. */
import type { SpanTimes } from "../../core/spans.ts";
import { clockOf } from "./clock.ts";
import type { TraceTree } from "./tree.ts";

export interface FoundSpan {
  start: bigint;
  end: bigint;
  from: "trace" | "samples";
  /** Place in the tree, −1 if the trace does not have the span. */
  place: number;
}

/** `times`: evidence of each recording. Null if neither the trace nor a recording knows the span. */
export function extentOf(
  tree: TraceTree | null,
  span: bigint,
  times: readonly ReadonlyMap<bigint, SpanTimes>[],
): FoundSpan | null {
  const place = tree === null ? -1 : tree.id.indexOf(span);
  if (tree !== null && place >= 0) {
    // The recording with samples of the span; without one the first whose clock is known.
    const own = times.filter((each) => each.has(span));
    const offset =
      [...own, ...times].map((each) => clockOf(tree, each)?.offset).find((each) => each !== undefined) ?? 0n;
    const [start = 0n, end = 0n] = [tree.start[place], tree.end[place]];
    return { start: start + offset, end: end + offset, from: "trace", place };
  }
  let found: FoundSpan | null = null;
  for (const each of times) {
    const known = each.get(span);
    if (known === undefined) continue;
    const start: bigint = found !== null && found.start < known.first ? found.start : known.first;
    const end: bigint = found !== null && found.end > known.last ? found.end : known.last;
    found = { start, end, from: "samples", place };
  }
  return found;
}

/** Times of the children of a span, in ns after its start; of none if it is in no trace. */
export function childTimes(tree: TraceTree | null, place: number): [from: number, to: number][] {
  const times: [from: number, to: number][] = [];
  if (tree === null || place < 0) return times;
  const start = tree.start[place] ?? 0n;
  const after = place + (tree.size[place] ?? 0);
  for (let child = place + 1; child < after; child += tree.size[child] ?? 1) {
    times.push([Number((tree.start[child] ?? 0n) - start), Number((tree.end[child] ?? 0n) - start)]);
  }
  return times;
}
