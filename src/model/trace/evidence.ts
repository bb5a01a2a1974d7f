/** Evidence of the clock by place of a tree: when recordings have samples of each of its spans. */

import type { Evidence, Spans, SpanTimes } from "../../core/samples/spans.ts";
import type { IdLookup } from "../../ids/map.ts";
import { type IdIndex, indexOfIds } from "./id-index.ts";
import type { TraceTree } from "./tree.ts";

interface Ids {
  index: IdIndex;
  /** First place of the id of each place: samples belong to an id, whichever trace has it. */
  firsts: Int32Array;
}

const indexed = new WeakMap<TraceTree, Ids>();

/** The ids of a tree; the index is made once. */
export function idsOf(tree: TraceTree): Ids {
  const known = indexed.get(tree);
  if (known !== undefined) return known;
  const index = indexOfIds(tree.id);
  const made = { index, firsts: index.firsts() };
  indexed.set(tree, made);
  return made;
}

/** The evidence of a file, of every place of an id. */
export function evidenceOf(spans: Spans, tree: TraceTree, file: number): Evidence {
  const { index, firsts } = idsOf(tree);
  const found = spans.evidence(file, tree.count, (low, high) => index.placeOf(low, high));
  for (let place = 0; place < tree.count; place++) {
    const first = firsts[place] ?? place;
    if (first === place || found.has[first] === 0) continue;
    found.has[place] = 1;
    found.first[place] = found.first[first] ?? 0n;
    found.last[place] = found.last[first] ?? 0n;
  }
  for (const [place, isSilent] of tree.silent.entries()) if (isSilent === 1) found.has[place] = 0;
  return found;
}

/** The evidence of times by span id, of every place of an id. */
export function evidenceFrom({ count, id, silent }: TraceTree, times: IdLookup<SpanTimes>): Evidence {
  const found = { has: new Uint8Array(count), first: new BigInt64Array(count), last: new BigInt64Array(count) };
  for (let place = 0; place < count; place++) {
    const known = times.get(id[place] ?? 0n);
    if (known === undefined || silent[place] === 1) continue;
    found.has[place] = 1;
    found.first[place] = known.first;
    found.last[place] = known.last;
  }
  return found;
}
