/** Samples that carry the context of a span after its end, because their thread did not clear it. */
import type { Held } from "../../core/held.ts";
import type { Filter } from "../../core/types.ts";
import { idsOf } from "../trace/evidence.ts";
import type { TraceTree } from "../trace/tree.ts";

const ALL = 2 ** 31 - 1;
/** Spans whose samples are counted, those with the most samples. */
const MOST_SPANS = 100;
/** After its end a span may have samples for so long, and for its own duration: clocks, and work that ends with it. */
const LEAST_EXCESS = 1_000_000_000n;
const END_OF_TIME = (1n << 64n) - 1n;
const LOW = 0xffff_ffffn;
const HALF = 32n;

export interface KeptContext {
  /** Samples of spans whose duration is known. */
  samples: number;
  /** Those of them that were taken after the span's end for certain. */
  late: number;
}

/** Duration of a span by its id; null where no trace file states it. */
export type LengthOf = (span: bigint) => bigint | null;

/** `tree`: of trace files. What recordings know of spans may be a part of their time. */
export function lengthsOf(tree: TraceTree): LengthOf {
  const { index } = idsOf(tree);
  return (span) => {
    const place = index.placeOf(Number(span & LOW), Number(span >> HALF));
    if (place < 0 || tree.untimed[place] === 1) return null;
    return (tree.end[place] ?? 0n) - (tree.start[place] ?? 0n);
  };
}

/**
 * A span begins before its first sample, so it has ended when its duration has passed since: whatever the clock of the
 * trace is.
 */
export function keptContext(held: Held, filter: Filter, lengthOf: LengthOf): KeptContext {
  const known = held
    .about(null, filter)
    .rank({ kind: "span" }, 0, ALL)
    .rows.flatMap((row) => {
      const length = row.id === 0n || row.first === 0n ? null : lengthOf(row.id);
      if (length === null) return [];
      return { ...row, limit: row.first + length + (length > LEAST_EXCESS ? length : LEAST_EXCESS) };
    });
  const samples = known.reduce((sum, row) => sum + row.samples, 0);
  const kept = known.filter(({ last, limit }) => last > limit).sort((a, b) => b.samples - a.samples);
  let late = 0;
  for (const { id, limit } of kept.slice(0, MOST_SPANS)) {
    const from = filter.time !== undefined && filter.time.from > limit ? filter.time.from : limit;
    const time = { from, to: filter.time?.to ?? END_OF_TIME };
    late += held.totals(null, { ...filter, span: [id], time }).samples;
  }
  return { samples, late };
}
