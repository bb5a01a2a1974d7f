/**
 * One message, or as many as it takes to stay below a size: a message for each Profile, then for each stretch of its
 * time. Each part includes all rows that its samples refer to, so together the parts are larger.
 */
import type { Core } from "./core.ts";
import { SpanflameError } from "./instance/error.ts";
import { hasOtelNames } from "./tables/presets.ts";
import type { Filter, TimeRange, WriteOptions, WriteResult, WriteTotals } from "./types.ts";

/** Size above which messages are split: a Collector accepts 20 MiB by default, compressed and decompressed. */
export const SPLIT_BYTES = 20 * 2 ** 20 - 2 ** 16;

/** One of several messages that together contain all samples. */
export interface Part extends WriteResult {
  /** Type of its only profile; null if the message can contain several. */
  type: string | null;
  /** The message is above the limit and cannot be split further: one measure of one profile, at nearly one time. */
  oversized: boolean;
}

/** An output that a preset makes of one profile of the store. */
const MEASURES = [0, 1];
/** A smaller message is mostly a dictionary, which each of its parts would have. */
const LEAST_BYTES = 2 ** 14;
const ALL_TIME: TimeRange = { from: 0n, to: 2n ** 64n - 1n };
const NO_TIME: TimeRange = { from: 0n, to: 0n };

/** Functions of a core that splitting needs. */
export type SplitCore = Pick<Core, "profiles" | "write"> & { views: Pick<Core["views"], "timeBounds"> };

/**
 * Each is written on request. Nothing is written of profiles without samples, for which receivers refuse a message;
 * `profile` null means all.
 */
export function* splitByProfile(
  core: SplitCore,
  profile: number | null,
  filter: Filter,
  options: WriteOptions,
  limit: number,
): Generator<Part> {
  let whole = wholeOf(core, profile, filter, options);
  const own = core.profiles().find(({ id }) => id === profile);
  // One measure of a profile is not split, though it has a Profile for each of its periods and processes.
  const hasMeasures = hasOtelNames(options.preset ?? "default") && own !== undefined && own.measures.length > 1;
  const isLeast = profile !== null && (options.measure !== undefined || !hasMeasures);
  if (whole !== null && whole.size <= limit) {
    if (whole.observations > 0) yield { ...whole, type: own?.type ?? null, oversized: false };
    return;
  }
  if (whole !== null && (isLeast || whole.profiles <= 1)) {
    const write = (time: TimeRange) => core.write(profile, { ...filter, time }, { ...options, sampledOnly: true });
    const { from, to } = core.views.timeBounds() ?? NO_TIME;
    const { time = ALL_TIME } = filter;
    const within = { from: from > time.from ? from : time.from, to: to < time.to ? to : time.to };
    yield* splitByTime(write, whole, time, within, { type: own?.type ?? null, limit });
    return;
  }
  // Not to be held while its parts are written.
  whole = null;
  if (profile === null) {
    const all = { ...options, inStoreOrder: true };
    for (const { id } of core.profiles()) yield* splitByProfile(core, id, filter, all, limit);
  } else for (const measure of MEASURES) yield* splitByProfile(core, profile, filter, { ...options, measure }, limit);
}

/**
 * The message, or those of the halves of its time. The first half of all time has what has no time, and the last half
 * has no end. `within`: where the observations are.
 */
function* splitByTime(
  write: (time: TimeRange) => WriteResult,
  whole: WriteResult,
  time: TimeRange,
  within: TimeRange,
  job: { type: string | null; limit: number },
  around: WriteTotals | null = null,
): Generator<Part> {
  const { bytes: _, ...own } = whole;
  const isOversized = own.size > job.limit;
  // Fewer samples in nearly as many bytes: what is left is the dictionary.
  const isHollow = around !== null && own.size > 0.9 * around.size && own.observations < 0.6 * around.observations;
  if (!isOversized || isHollow || own.size <= LEAST_BYTES || own.observations < 2 || within.to - within.from < 2n) {
    if (own.observations > 0) yield { ...whole, type: job.type, oversized: isOversized };
    return;
  }
  const middle = (within.from + within.to) / 2n;
  const [first, last] = [
    { ...time, to: middle },
    { ...time, from: middle },
  ];
  yield* splitByTime(write, write(first), first, { ...within, to: middle }, job, own);
  yield* splitByTime(write, write(last), last, { ...within, from: middle }, job, own);
}

/** The message; null where it does not fit into memory and its profiles may do so one by one. */
function wholeOf(
  core: Pick<Core, "write">,
  profile: number | null,
  filter: Filter,
  options: WriteOptions,
): WriteResult | null {
  try {
    return core.write(profile, filter, { ...options, sampledOnly: true });
  } catch (error) {
    if (profile === null && error instanceof SpanflameError && error.code === "core.memory") return null;
    throw error;
  }
}
