/** Requests about native libraries. Loaded for recordings that have frames without a name. */
import type { Core } from "../core/core.ts";
import { libraryRows, librarySums, type NativeCounts, nativeCounts } from "../symbols/library-rows.ts";
import { type CoreNames, namedLocations } from "../symbols/name-core.ts";
import type { LibraryNames, NativeLibraries } from "./api/symbols-api.ts";
import type { HeldCore } from "./held-core.ts";

const known = new WeakMap<Core, CoreNames["libraries"]>();

/** Files of symbols have named frames of the core. */
export function rememberNames(core: Core, { libraries }: CoreNames): void {
  known.set(core, libraries);
}

/** How many native frames the recordings of a core have, and how many of them have names. */
export function nativeCountsOf(held: HeldCore): NativeCounts {
  return nativeCounts(libraryRows(nativeLibraries(held).libraries, known.get(held.core) ?? new Map(), []));
}

/** The libraries of all profiles. */
export function nativeLibraries(held: HeldCore): NativeLibraries {
  let samples = 0n;
  const profiles = held.core.profiles().map(({ id, type, unit }) => {
    const views = held.about(id, {});
    const libraries = views.addressedLibraries();
    samples += views.addressedSamples();
    return { type, unit, libraries };
  });
  return { libraries: librarySums(profiles), samples };
}

/** Shows these names, by build id, and no others. */
export function showNames(held: HeldCore, names: ReadonlyMap<string, LibraryNames>): void {
  const views = held.about(null, {});
  views.nameLocations(namedLocations(views.addressedLibraries(), names));
}
