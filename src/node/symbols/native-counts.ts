/** How many native frames the recordings of a core have, and how many of them `loadSymbols` has named. */
import type { Core } from "../../core/core.ts";
import { libraryRows, librarySums, type NativeCounts, nativeCounts } from "../../symbols/library-rows.ts";
import type { CoreNames } from "../../symbols/name-core.ts";

const known = new WeakMap<Core, CoreNames["libraries"]>();

export function rememberNames(core: Core, { libraries }: CoreNames): void {
  known.set(core, libraries);
}

/** Over all profiles, which are selected for it. */
export function nativeCountsOf(core: Core): NativeCounts {
  const profiles = core.profiles().map(({ id, type, unit }) => {
    core.select(id, {});
    return { type, unit, libraries: core.views.addressedLibraries() };
  });
  return nativeCounts(libraryRows(librarySums(profiles), known.get(core) ?? new Map(), []));
}
