/** Requests about native libraries. Loaded for recordings that have frames without a name. */
import type { Core } from "../core/core.ts";
import { libraryRows, librarySums, type NativeCounts, nativeCounts } from "../symbols/library-rows.ts";
import { type CoreNames, namedLocations } from "../symbols/name-core.ts";
import type { LibraryNames, NativeLibraries } from "./api/symbols-api.ts";

const known = new WeakMap<Core, CoreNames["libraries"]>();

/** Files of symbols have named frames of the core. */
export function rememberNames(core: Core, { libraries }: CoreNames): void {
  known.set(core, libraries);
}

/** How many native frames the recordings of a core have, and how many of them have names. Selects each profile. */
export function nativeCountsOf(core: Core): NativeCounts {
  return nativeCounts(libraryRows(nativeLibraries(core).libraries, known.get(core) ?? new Map(), []));
}

/** The libraries of all profiles. Selects each of them. */
export function nativeLibraries(core: Core): NativeLibraries {
  let samples = 0n;
  const profiles = core.profiles().map(({ id, type, unit }) => {
    core.select(id, {});
    const libraries = core.views.addressedLibraries();
    samples += core.views.addressedSamples();
    return { type, unit, libraries };
  });
  return { libraries: librarySums(profiles), samples };
}

/** Shows these names, by build id, and no others. */
export function showNames(core: Core, names: ReadonlyMap<string, LibraryNames>): void {
  core.views.choose(null, {}, 0);
  core.views.nameLocations(namedLocations(core.views.addressedLibraries(), names));
}
