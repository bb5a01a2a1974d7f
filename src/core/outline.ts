/** Outline of a filter over all profiles: samples in each, extent in time, threads, spans, endpoint. */
import type { Core } from "./core.ts";
import type { Filter, ProfileSummary, RankRow } from "./types.ts";
import type { Outline, OutlineKeys } from "./view-types.ts";

/** Threads that are named, the busiest first. */
const THREADS = 3;
/** Maximum number of roots or spans whose times make the extent: a larger selection has no extent. */
const MOST_PARTS = 64;
const THREAD = { kind: "attribute", key: "thread.name" } as const;
const ROOT = { kind: "local-root" } as const;
const SPAN = { kind: "span" } as const;
/** Of all samples of a root, as the requests of a ranking have it, also where the filter selects some of these. */
const BY_EXTENT = { sort: "duration", wholeExtents: true } as const;

/** Leaves another selection in the core. */
export function outlineOf(core: Core, profiles: readonly ProfileSummary[], filter: Filter, keys: OutlineKeys): Outline {
  const split = splitOf(core, profiles, filter);
  // One selection over all profiles answers the rest.
  core.views.choose(null, filter, 0);
  const threads = core.views.rank(THREAD, 0, THREADS);
  const roots = core.views.rank(ROOT, 0, MOST_PARTS);
  const middle = roots.count < 2 ? null : core.views.rank(ROOT, roots.count >> 1, 1, BY_EXTENT).rows[0];
  const spans = core.instance.wasm.countSpans();
  // A ranking has a row of each: it is made where the extent needs it.
  const parts = roots.count > 0 || spans > MOST_PARTS ? roots : core.views.rank(SPAN, 0, MOST_PARTS);
  return {
    split,
    time: extentOf(parts),
    roots: roots.count,
    medianNanos: middle == null || middle.last === 0n ? null : middle.last - middle.first,
    spans,
    threads: threads.rows.map(({ label }) => label),
    threadCount: threads.count,
    endpoint: mostFrequent(core, profiles, keys.endpoint),
    operation: mostFrequent(core, profiles, keys.operation),
  };
}

/** Profiles that have samples under a filter, each by its first measure. Leaves another selection in the core. */
export function splitOf(core: Core, profiles: readonly ProfileSummary[], filter: Filter): Outline["split"] {
  return profiles.flatMap((profile) => {
    if (!mayHold(profile, filter)) return [];
    const totals = core.select(profile.id, filter);
    return totals.samples === 0 ? [] : [{ profile: profile.id, totals }];
  });
}

/** Whether a profile can have samples with the ids of a filter. */
function mayHold(
  { samplesWithSpan, samplesWithRoot, inferredSpan = 0, inferredRoot = 0 }: ProfileSummary,
  { span, localRoot }: Filter,
): boolean {
  const spans = samplesWithSpan + inferredSpan;
  const roots = samplesWithRoot + inferredRoot;
  return (span === undefined || spans > 0) && (localRoot === undefined || roots > 0);
}

function extentOf({ count, rows }: { count: number; rows: RankRow[] }): Outline["time"] {
  const timed = rows.filter(({ last }) => last !== 0n);
  if (timed.length === 0 || count > rows.length) return null;
  return {
    from: timed.reduce((least, { first }) => (first < least ? first : least), timed[0]!.first),
    to: timed.reduce((most, { last }) => (last > most ? last : most), 0n),
  };
}

/** The most frequent value of the first of these keys that a selected sample has; "" if no sample has one. */
function mostFrequent(core: Core, profiles: readonly ProfileSummary[], keys: readonly string[]): string {
  for (const key of keys) {
    if (!profiles.some(({ samplesWithAttribute }) => Object.hasOwn(samplesWithAttribute, key))) continue;
    const [row] = core.views.rank({ kind: "attribute", key }, 0, 1, { sort: "samples" }).rows;
    if (row !== undefined) return row.label;
  }
  return "";
}
