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
