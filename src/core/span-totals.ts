/** Samples and value of each span or local root, for each profile. */

import { IdMap } from "../ids/map.ts";
import type { Held } from "./held.ts";
import type { Filter, ProfileSummary } from "./types.ts";

export interface IdTotals {
  profile: ProfileSummary;
  /** By id; samples without one are left out. */
  totals: IdMap<{ samples: number; value: bigint }>;
}

/** Rows that a ranking is asked for: all. */
const ALL = 2 ** 31 - 1;

/** Totals of all profiles that have samples with such an id that pass the filter. */
export function totalsById(held: Held, kind: "span" | "local-root", filter: Filter = {}): IdTotals[] {
  const hasIds = ({ samplesWithSpan, samplesWithRoot, inferredSpan = 0, inferredRoot = 0 }: ProfileSummary) =>
    (kind === "span" ? samplesWithSpan + inferredSpan : samplesWithRoot + inferredRoot) > 0;
  return held.core
    .profiles()
    .filter(hasIds)
    .map((profile) => {
      const { rows } = held.about(profile.id, filter).rank({ kind }, 0, ALL);
      const totals: IdTotals["totals"] = new IdMap();
      for (const { id, samples, value } of rows) if (id !== 0n) totals.set(id, { samples, value });
      return { profile, totals };
    });
}
