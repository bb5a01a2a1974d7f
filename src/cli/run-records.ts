/** Runs of dumps in the answer of `spanflame info --json`. */
import type { Core } from "../core/core.ts";
import type { OpenRun } from "../input/dump/read-dumps.ts";
import { allCalls } from "./dump-calls.ts";

const NANOS = 1_000_000n;

export async function runRecords(core: Core, runs: readonly OpenRun[]): Promise<object[]> {
  const dumps = await core.dumps();
  const calls = await allCalls(core);
  return runs.map(({ number }) => {
    const { label, input: _, ...who } = dumps.runs[number]!;
    const { formats, paused, words, params, pauses, linked, ...counts } = dumps.counts(number);
    const { roots, unrecorded, blocks, events, threads, sql, xml } = counts;
    const own = calls.filter(({ runNumber }) => runNumber === number);
    return {
      run: label,
      ...who,
      callsFormats: formats,
      fromUnixNano: least(own.map(({ start }) => start * NANOS)),
      toUnixNano: most(own.map(({ start, duration }) => (start + duration) * NANOS)),
      words,
      params,
      pauses,
      pausedNano: paused * NANOS,
      calls: own.filter(({ recorded }) => recorded).length,
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

function least(values: readonly bigint[]): bigint | null {
  return values.reduce<bigint | null>((found, value) => (found === null || value < found ? value : found), null);
}

function most(values: readonly bigint[]): bigint | null {
  return values.reduce<bigint | null>((found, value) => (found === null || value > found ? value : found), null);
}
