/** What a selection is about, from a dozen small questions to the core: they are asked here, for one answer to cross. */
import type { Core } from "../core/core.ts";
import type { RankBy, SelectionTotals, TopRow } from "../core/types.ts";
import { type StandingOut, standingOut, type ValueCount } from "../model/standing-out.ts";
import { CROSSING_CAP, cut } from "../model/text.ts";
import type { Query } from "./api.ts";

export interface WhyAnswer {
  totals: SelectionTotals;
  /** The same filter in each profile that has samples under it, each by its first measure. */
  split: { profile: number; totals: SelectionTotals }[];
  /** Functions by own value. */
  top: TopRow[];
  threads: { name: string; samples: number }[];
  /** Threads in all. */
  threadCount: number;
  standingOut: StandingOut[];
}

const TOP = 10;
const THREADS = 5;
const STANDING_OUT = 8;
/** Values of one attribute that are looked at, the heaviest. */
const VALUES = 200;
const THREAD: RankBy = { kind: "attribute", key: "thread.name" };

/** `select` makes a query the core's selection. The one asked about is the last. */
export function why(core: Core, query: Query, select: (query: Query) => SelectionTotals): WhyAnswer {
  const profiles = core.profiles();
  const split = profiles.flatMap(({ id }) => {
    const totals = select({ profile: id, measure: 0, filter: query.filter });
    return totals.samples === 0 ? [] : [{ profile: id, totals }];
  });
  // What a filter asks for stands out by itself.
  const asked = new Set((query.filter.attributes ?? []).map(({ key }) => key));
  const carried = profiles.find(({ id }) => id === query.profile)?.samplesWithAttribute ?? {};
  const keys = [...Object.keys(carried), "thread.name"].filter((key) => !asked.has(key));
  const everything = select({ ...query, filter: {} });
  const all = valuesOf(core, keys);

  const totals = select(query);
  const threads = core.rank(THREAD, 0, THREADS);
  return {
    totals,
    split,
    top: core.views.top("self", 0, TOP).rows.map((row) => ({ ...row, name: cut(row.name, CROSSING_CAP) })),
    threads: threads.rows.map(({ label, samples }) => ({ name: cut(label, CROSSING_CAP), samples })),
    threadCount: threads.count,
    standingOut: standingOut(valuesOf(core, keys), totals.samples, all, everything.samples)
      .slice(0, STANDING_OUT)
      .map((found) => ({ ...found, value: cut(found.value, CROSSING_CAP) })),
  };
}

function valuesOf(core: Core, keys: string[]): ValueCount[] {
  return keys.flatMap((key) =>
    core.rank({ kind: "attribute", key }, 0, VALUES).rows.map(({ label, samples }) => ({ key, value: label, samples })),
  );
}
