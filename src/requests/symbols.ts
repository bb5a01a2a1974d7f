/** Requests about native libraries, for the session. Loaded for recordings that have frames without a name. */
import type { Core } from "../core/core.ts";
import { librarySums } from "../symbols/library-rows.ts";
import { namedLocations } from "../symbols/name-core.ts";
import type { LibraryNames, NativeLibraries } from "./api/symbols-api.ts";

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
