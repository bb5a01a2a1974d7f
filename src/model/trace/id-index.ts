/**
 * Places of ids of 64 bits: a table with open addressing over their halves, because a Map of bigints takes many times
 * as long. The hash has random factors (ids/hash.ts).
 */

import type { SpanColumns } from "../../core/samples/spans.ts";
import { idHash } from "../../ids/hash.ts";
import { halves } from "./distinct.ts";
import type { TraceTree } from "./tree.ts";

export class IdIndex {
  private readonly ids: Uint32Array;
  /** Place plus 1, 0 where a slot is free. */
  private readonly slots: Uint32Array;
  private readonly mask: number;

  constructor(ids: BigUint64Array) {
    this.ids = halves(ids);
    let size = 16;
    while (size < 2 * ids.length) size *= 2;
    this.slots = new Uint32Array(size);
    this.mask = size - 1;
    for (let place = 0; place < ids.length; place++) {
      const slot = this.slotOf(this.ids[2 * place] ?? 0, this.ids[2 * place + 1] ?? 0);
      if (this.slots[slot] === 0) this.slots[slot] = place + 1;
    }
  }

  /** First place of the id at a place of other halves; −1 if there is none. */
  firstOf(others: Uint32Array, place: number): number {
    return (this.slots[this.slotOf(others[2 * place] ?? 0, others[2 * place + 1] ?? 0)] ?? 0) - 1;
  }

  /** First place of the id of these halves; −1 if there is none. */
  placeOf(low: number, high: number): number {
    return (this.slots[this.slotOf(low, high)] ?? 0) - 1;
  }

  /** First place of the id of each place. */
  firsts(): Int32Array {
    const found = new Int32Array(this.ids.length / 2);
    for (let place = 0; place < found.length; place++) found[place] = this.firstOf(this.ids, place);
    return found;
  }

  /** The slot with this id, or the free one for it. */
  private slotOf(low: number, high: number): number {
    let slot = idHash(low, high) & this.mask;
    for (;;) {
      const place = (this.slots[slot] ?? 0) - 1;
      if (place < 0 || (this.ids[2 * place] === low && this.ids[2 * place + 1] === high)) return slot;
      slot = (slot + 1) & this.mask;
    }
  }
}

const indexes = new WeakMap<BigUint64Array, IdIndex>();

/** The index of a column that does not change: it is made once. */
export function indexOfIds(ids: BigUint64Array): IdIndex {
  const known = indexes.get(ids) ?? new IdIndex(ids);
  indexes.set(ids, known);
  return known;
}

/** Trace ids of spans, for the Links of messages: those of trace files, then those that scopes of recordings state. */
interface SpanTraceIds {
  id: BigUint64Array;
  traceHigh: BigUint64Array;
  traceLow: BigUint64Array;
}

/** `rows` are those of recordings; of several trace ids of a span the first counts. */
export function spanTraceIds(tree: TraceTree | null, columns: SpanColumns, rows: Uint32Array): SpanTraceIds {
  const stated = rows.filter((row) => columns.id[row] !== 0n && columns.traceLow[row] !== 0n);
  const of = (inTree: BigUint64Array | undefined, column: BigUint64Array) =>
    BigUint64Array.from([...(inTree ?? []), ...Array.from(stated, (row) => column[row] ?? 0n)]);
  return {
    id: of(tree?.id, columns.id),
    traceHigh: of(tree?.traceHigh, columns.traceHigh),
    traceLow: of(tree?.traceLow, columns.traceLow),
  };
}
