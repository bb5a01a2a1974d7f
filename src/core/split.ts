/**
 * One message, or as many as it takes to stay below a size. It is split by Profile, the smallest unit that a receiver
 * accepts. Each part includes all rows that its samples refer to, so together the parts are larger.
 */
import type { Core } from "./core.ts";
import { SpanflameError } from "./instance/error.ts";
import { hasOtelNames } from "./tables/presets.ts";
import type { Filter, WriteOptions, WriteResult } from "./types.ts";

/** Size above which messages are split: a Collector accepts 20 MiB by default, compressed and decompressed. */
export const SPLIT_BYTES = 20 * 2 ** 20 - 2 ** 16;

/** One of several messages that together contain all samples. */
export interface Part extends WriteResult {
  /** Type of its only profile; null if the message can contain several. */
  type: string | null;
  /** The message is above the limit and cannot be split further: it contains one measure of one profile. */
  oversized: boolean;
}

/** An output that a preset makes of one profile of the store. */
const MEASURES = [0, 1];

/**
 * Each is written on request. Nothing is written of profiles without samples, for which receivers refuse a message;
 * `profile` null means all.
 */
export function* splitByProfile(
  core: Pick<Core, "profiles" | "write">,
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
  if (whole !== null && (whole.profiles <= 1 || whole.size <= limit || isLeast)) {
    if (whole.observations > 0) yield { ...whole, type: own?.type ?? null, oversized: whole.size > limit };
    return;
  }
  // Not to be held while its parts are written.
  whole = null;
  if (profile === null) {
    const all = { ...options, inStoreOrder: true };
    for (const { id } of core.profiles()) yield* splitByProfile(core, id, filter, all, limit);
  } else for (const measure of MEASURES) yield* splitByProfile(core, profile, filter, { ...options, measure }, limit);
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
