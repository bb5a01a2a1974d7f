/** Filters that use the names of another one: a change of names makes the core rebuild its call tree. */
import type { Filter } from "./types.ts";

/** `filter` with the names of `other`, raw or normalised. */
export function sameNames({ rawNames: _, ...filter }: Filter, other: Filter): Filter {
  return other.rawNames === true ? { ...filter, rawNames: true } : filter;
}
