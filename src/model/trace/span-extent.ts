/** The extent of a span on the clock of the recordings: by a trace file, else by the samples that carry its id. */

import type { Evidence, SpanTimes } from "../../core/samples/spans.ts";
import type { IdLookup } from "../../ids/map.ts";
import { clockOf } from "./clock.ts";
import { evidenceFrom } from "./evidence.ts";
import type { TraceTree } from "./tree.ts";

export interface FoundSpan {
  start: bigint;
  end: bigint;
  from: "trace" | "samples";
  /** Place in the tree, −1 if the trace does not have the span. */
  place: number;
}

/** The extent of a span of a trace. */
export function extentAt(tree: TraceTree, place: number, evidence: readonly Evidence[]): FoundSpan {
  const offset = offsetAt(tree, place, evidence);
  return { start: (tree.start[place] ?? 0n) + offset, end: (tree.end[place] ?? 0n) + offset, from: "trace", place };
}

/** What to add to a time of the trace: by the recording with samples of the span, else the first with a known clock. */
export function offsetAt(tree: TraceTree, place: number, evidence: readonly Evidence[]): bigint {
  const own = evidence.filter(({ has }) => has[place] === 1);
  return [...own, ...evidence].map((each) => clockOf(tree, each)?.offset).find((each) => each !== undefined) ?? 0n;
}

/** `times`: of the samples in each recording. Null if neither the trace nor a recording knows the span. */
export function extentOf(
  tree: TraceTree | null,
  span: bigint,
  times: readonly IdLookup<SpanTimes>[],
): FoundSpan | null {
  const place = tree === null ? -1 : tree.id.indexOf(span);
  if (tree !== null && place >= 0) {
    return extentAt(
      tree,
      place,
      times.map((each) => evidenceFrom(tree, each)),
    );
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
