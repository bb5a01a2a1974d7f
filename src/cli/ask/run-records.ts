/** Runs of dumps in the answer of `spanflame info --json`. */
import type { Core } from "../../core/core.ts";
import type { Dumps } from "../../core/dumps/dump.ts";
import type { OpenRun } from "../../input/dump/read-dumps.ts";

const NANOS = 1_000_000n;

export async function runRecords(core: Core, runs: readonly OpenRun[]): Promise<object[]> {
  const dumps = await core.dumps();
  const extents = extentsOf(dumps);
  return runs.map(({ number }) => {
    const { label, input: _, ...who } = dumps.runs[number]!;
    const { formats, paused, words, params, pauses, linked, ...counts } = dumps.counts(number);
    const { roots, unrecorded, blocks, events, threads, sql, xml } = counts;
    const { from, to, recorded } = extents[number]!;
    return {
      run: label,
      ...who,
      callsFormats: formats,
      fromUnixNano: from === null ? null : BigInt(from) * NANOS,
      toUnixNano: to === null ? null : BigInt(to) * NANOS,
      words,
      params,
      pauses,
      pausedNano: paused * NANOS,
      calls: recorded,
      linked,
      roots,
      unrecorded,
      blocks,
      events,
      threads,
      sql,
      xml,
    };
  });
}

/** Numbers of calls by the label of their run: calls with a record, and roots without one. */
export async function callsOfRuns(core: Core): Promise<Map<string, number>> {
  const { columns, callCount, runs } = await core.dumps();
  const counts = new Map(runs.map(({ label }) => [label, 0]));
  const runOf = columns.numbers("run");
  for (let call = 1; call <= callCount; call++) {
    const { label } = runs[runOf[call]!]!;
    counts.set(label, counts.get(label)! + 1);
  }
  return counts;
}

interface Extent {
  /** ms since 1970; null without calls. */
  from: number | null;
  to: number | null;
  /** Calls with a record. */
  recorded: number;
}

/** Calls of each run, by its number. */
function extentsOf({ columns, callCount, runs }: Dumps): Extent[] {
  const extents = runs.map((): Extent => ({ from: null, to: null, recorded: 0 }));
  const [runOf, recorded] = [columns.numbers("run"), columns.recorded()];
  const [starts, durations] = [columns.figures("start"), columns.figures("duration")];
  for (let i = 1; i <= callCount; i++) {
    const extent = extents[runOf[i]!]!;
    const start = starts[i]!;
    extent.from = Math.min(extent.from ?? start, start);
    extent.to = Math.max(extent.to ?? start, start + durations[i]!);
    extent.recorded += recorded[i]!;
  }
  return extents;
}
