/**
 * One message, or as many as it takes to stay below a size. It is split by Profile, the least that a receiver takes on
 * its own; each part has the whole of what its samples refer to, so together the parts are larger.
 */
import type { Core } from "./core.ts";
import type { Filter, WriteOptions, WriteResult } from "./types.ts";

/** A Collector takes 20 MiB unless told otherwise, before and after unpacking. */
export const SPLIT_BYTES = 20 * 2 ** 20 - 2 ** 16;

export interface Part extends WriteResult {
  /** Of its only profile; null where it may hold several. */
  type: string | null;
  /** A single Profile that is larger than it should be. */
  oversized: boolean;
}

/** Each is written when it is asked for. Nothing is written of profiles without samples; `profile` null means all. */
export function* splitByProfile(
  core: Pick<Core, "profiles" | "write">,
  profile: number | null,
  filter: Filter,
  options: WriteOptions,
  limit: number,
): Generator<Part> {
  const profiles = core.profiles().filter(({ id }) => profile === null || id === profile);
  let whole: WriteResult | null = core.write(profile, filter, options);
  if (whole.profiles <= 1 || whole.size <= limit) {
    const type = profile === null ? null : (profiles[0]?.type ?? null);
    if (whole.observations > 0) yield { ...whole, type, oversized: whole.size > limit };
    return;
  }
  // Not to be held while its parts are written.
  whole = null;
  for (const { id, type } of profiles) {
    const part = core.write(id, filter, options);
    if (part.observations > 0) yield { ...part, type, oversized: part.size > limit };
  }
}
