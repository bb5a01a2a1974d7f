/** Filters whose names are those of another one: names that change make the core build its call tree again. */
import type { Filter } from "./types.ts";

/** `filter` with the names of `other`, raw or normalised. */
export function sameNames({ rawNames: _, ...filter }: Filter, other: Filter): Filter {
  return other.rawNames === true ? { ...filter, rawNames: true } : filter;
}
