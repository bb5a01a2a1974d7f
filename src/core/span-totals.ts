/** Samples and value of each span or local root, for each profile. */
import type { Core } from "./core.ts";
import type { Filter, ProfileSummary } from "./types.ts";

export interface IdTotals {
  profile: ProfileSummary;
  /** By id; samples without one are left out. */
  totals: Map<bigint, { samples: number; value: bigint }>;
}

/** Rows that a ranking is asked for: all. */
const ALL = 2 ** 31 - 1;

/** Totals of all profiles that have samples with such an id that pass the filter. Changes the selection. */
export function totalsById(core: Core, kind: "span" | "local-root", filter: Filter = {}): IdTotals[] {
  const hasIds = ({ samplesWithSpan, samplesWithRoot, inferredSpan = 0, inferredRoot = 0 }: ProfileSummary) =>
    (kind === "span" ? samplesWithSpan + inferredSpan : samplesWithRoot + inferredRoot) > 0;
  return core
    .profiles()
    .filter(hasIds)
    .map((profile) => {
      core.select(profile.id, filter);
      const { rows } = core.views.rank({ kind }, 0, ALL);
      const known = rows.filter(({ id }) => id !== 0n);
      return { profile, totals: new Map(known.map(({ id, samples, value }) => [id, { samples, value }])) };
    });
}

/** The shortest period in ns of the profiles that have samples with a span id; 0n if none is stated. */
export function shortestPeriod(profiles: readonly ProfileSummary[]): bigint {
  let shortest = 0n;
  for (const { samplesWithSpan, period, periods = [], periodUnit } of profiles) {
    if (samplesWithSpan === 0 || periodUnit !== "nanoseconds") continue;
    for (const each of [period, ...periods.map((one) => one.period)]) {
      if (each > 0n && (shortest === 0n || each < shortest)) shortest = each;
    }
  }
  return shortest;
}
