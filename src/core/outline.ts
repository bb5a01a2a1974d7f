/** Outline of a filter over all profiles: samples in each, extent in time, threads, spans, endpoint. */
import type { Views } from "./answers/views.ts";
import type { Held } from "./held.ts";
import type { Filter, ProfileSummary, RankRow } from "./types.ts";
import type { Outline, OutlineKeys } from "./view-types.ts";

/** Threads that are named, the busiest first. */
const THREADS = 3;
/** Maximum number of roots or spans whose times make the extent: a larger selection has no extent. */
const MOST_PARTS = 64;
const THREAD = { kind: "attribute", key: "thread.name" } as const;
const THREAD_ID = "thread.id";
const ROOT = { kind: "local-root" } as const;
const SPAN = { kind: "span" } as const;
/** Of all samples of a root, as the requests of a ranking have it, also where the filter selects some of these. */
const BY_EXTENT = { sort: "duration", wholeExtents: true } as const;

export function outlineOf(held: Held, profiles: readonly ProfileSummary[], filter: Filter, keys: OutlineKeys): Outline {
  const split = splitOf(held, profiles, filter);
  const named = threadNames(held, filter);
  const views = held.about(null, filter);
  const threads = views.rank(THREAD, 0, THREADS);
  const roots = views.rank(ROOT, 0, MOST_PARTS);
  const middle = roots.count < 2 ? null : views.rank(ROOT, roots.count >> 1, 1, BY_EXTENT).rows[0];
  const spans = held.core.instance.wasm.countSpans();
  // A ranking has a row of each: it is made where the extent needs it.
  const parts = roots.count > 0 || spans > MOST_PARTS ? roots : views.rank(SPAN, 0, MOST_PARTS);
  return {
    split,
    time: extentOf(parts),
    roots: roots.count,
    medianNanos: middle == null || middle.last === 0n ? null : middle.last - middle.first,
    spans,
    threads: threads.rows.map(({ label }) => label),
    threadCount: threads.count,
    threadNames: named,
    endpoint: mostFrequent(views, profiles, keys.endpoint),
    operation: mostFrequent(views, profiles, keys.operation),
  };
}

/** Names of the threads that a filter has by their number, by all samples of their file; one of several is none. */
export function threadNames(held: Held, { attributes = [], file }: Filter): Outline["threadNames"] {
  const ids = attributes.filter(({ key }) => key === THREAD_ID).map(({ value }) => value);
  const named = ids.flatMap((value): [string, string][] => {
    const of = { attributes: [{ key: THREAD_ID, value }], ...(file !== undefined && { file }) };
    const { count, rows } = held.about(null, of).rank(THREAD, 0, 1);
    return count === 1 ? [[value, rows[0]?.label ?? ""]] : [];
  });
  return new Map(named);
}

/** Profiles that have samples under a filter, each by its first measure. */
export function splitOf(held: Held, profiles: readonly ProfileSummary[], filter: Filter): Outline["split"] {
  return profiles.flatMap((profile) => {
    if (!mayHold(profile, filter)) return [];
    const totals = held.totals(profile.id, filter);
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
function mostFrequent(views: Views, profiles: readonly ProfileSummary[], keys: readonly string[]): string {
  for (const key of keys) {
    if (!profiles.some(({ samplesWithAttribute }) => Object.hasOwn(samplesWithAttribute, key))) continue;
    const [row] = views.rank({ kind: "attribute", key }, 0, 1, { sort: "samples" }).rows;
    if (row !== undefined) return row.label;
  }
  return "";
}
