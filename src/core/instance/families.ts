/**
 * Families: rows of the store that differ in their sampling period and scope only (assembly/store/periods.ts) are one
 * profile.
 * Its first row identifies it.
 */
import * as ProfileRow from "../../../assembly/abi/rows/profile-row.ts";
import * as SummaryRow from "../../../assembly/abi/rows/summary-row.ts";
import type { StoredProfile } from "../tables/presets.ts";
import type { PeriodSummary } from "../types.ts";
import type { Wasm } from "./capacity.ts";
import type { Instance } from "./instance.ts";

/** As in assembly/view/periods.ts. */
const TIMED = 1;

/** Whether the values of a profile are times, each sample counting its own period. */
export function isTimed(wasm: Pick<Wasm, "weighingOf">, profile: number): boolean {
  return wasm.weighingOf(profile) === TIMED;
}

/** First row of the family of a profile's row. */
export function familyOf({ wasm, memory }: Pick<Instance, "wasm" | "memory">, profile: number): number {
  return memory.u32(wasm.profileAt(profile) + ProfileRow.FAMILY);
}

/** The periods of a family's rows that have samples; `rows` are those of the summary. */
export function periodsOf(instance: Pick<Instance, "wasm" | "memory">, family: number, rows: number): PeriodSummary[] {
  const { wasm, memory } = instance;
  const periods: PeriodSummary[] = [];
  for (let id = family; id < wasm.profileCount.value; id++) {
    const row = rows + id * SummaryRow.BYTES;
    const samples = memory.u32(row + SummaryRow.OWN_SAMPLES);
    if (samples === 0 || familyOf(instance, id) !== family) continue;
    const stated = memory.i64(wasm.profileAt(id) + ProfileRow.PERIOD);
    const period = wasm.countedPeriod(id);
    const value = memory.i64(row + SummaryRow.OWN_VALUE);
    // Rows of several scopes may have one period.
    const same = periods.find((other) => other.period === period);
    if (same === undefined) {
      periods.push({ period, ...(period === stated ? {} : { statedPeriod: stated }), samples, value });
    } else {
      same.samples += samples;
      same.value += value;
    }
  }
  return byPeriod(periods);
}

/** The period of a profile: 0 where its samples have several. */
export function onlyPeriod(periods: readonly PeriodSummary[]): bigint {
  return periods.length === 1 ? periods[0]!.period : 0n;
}

/** Total worth of the samples of all periods, in nanoseconds. */
export function timeOf(periods: readonly PeriodSummary[]): bigint {
  return within64(periods.reduce((sum, { value, period }) => sum + value * period, 0n));
}

/** As the core adds up: beyond 64 bits a sum stays at the limit. */
export function within64(sum: bigint): bigint {
  const limited = BigInt.asIntN(64, sum);
  if (limited === sum) return sum;
  return sum < 0n ? -(2n ** 63n) : 2n ** 63n - 1n;
}

/** The shortest period first, regardless of the order of reading. Samples of an unknown period precede all others. */
function byPeriod(periods: PeriodSummary[]): PeriodSummary[] {
  return periods.sort((a, b) => Number(a.period - b.period));
}

/** Rows for a format that has one list for all samples of a profile, regardless of their periods. */
export function joinFamilies(
  wasm: Pick<Wasm, "weighingOf" | "hasSamples">,
  stored: readonly StoredProfile[],
): StoredProfile[] {
  return stored
    .filter(({ id, family }) => id === family)
    .map((first) => {
      const rows = stored.filter(({ family }) => family === first.id);
      if (rows.length === 1) return first;
      const read = rows.filter(({ id }) => wasm.hasSamples(id));
      const periods = new Set(read.map(({ period }) => period));
      const period = periods.size === 1 ? read[0]!.period : 0n;
      const kept = Math.max(...rows.map((row) => row.kept ?? 0));
      return { ...first, period, joined: true, timed: isTimed(wasm, first.id), kept };
    });
}
