/** Names the frames of a recording that are known by build id and address, from the files with these build ids. */
import type { AddressedLibrary } from "../core/answers/libraries.ts";
import type { NamedLocation } from "../core/answers/symbols.ts";
import type { Views } from "../core/answers/views.ts";
import { hasBuildId } from "./build-id.ts";
import type { SymbolFrame } from "./chain.ts";
import { withoutCrates } from "./crates.ts";
import type { SymbolDiagnostic } from "./diagnostics.ts";
import { withoutEscapes } from "./escapes.ts";
import {
  type ClosedFile,
  type FileSummary,
  Library,
  type OtherFile,
  type Resolved,
  type SymbolTools,
} from "./library.ts";

/** An ELF file that can be opened. */
export type IdentifiedFile = OtherFile;

/** What the files of a library know of the recording's addresses. */
export interface LibraryNames {
  /** Address of an offset 0. */
  base: bigint;
  files: readonly FileSummary[];
  /** By the recording's address, which is an offset from the image's base. */
  resolved: ReadonlyMap<bigint, Resolved>;
}

export interface CoreNames {
  /** By build id, of libraries with a file. */
  libraries: ReadonlyMap<string, LibraryNames>;
  diagnostics: readonly SymbolDiagnostic[];
}

/** Looks up the addresses of the selected samples in these files and shows their names; earlier names are dropped. */
export async function nameCore(views: Views, files: readonly IdentifiedFile[], tools: SymbolTools): Promise<CoreNames> {
  const libraries = new Map<string, LibraryNames>();
  const diagnostics: SymbolDiagnostic[] = [];
  const found = views.addressedLibraries();
  for (const { buildId, places } of found) {
    const own = files.filter((file) => hasBuildId(file, buildId));
    if (own.length === 0) continue;
    const addresses = places.map(({ address }) => address);
    const { names, diagnostics: faults } = await namesOfLibrary(addresses, own, tools, files);
    libraries.set(buildId, names);
    diagnostics.push(...faults);
  }
  views.nameLocations(namedLocations(found, libraries));
  return { libraries, diagnostics };
}

/** A frame as views show it. */
function shown(frame: SymbolFrame): SymbolFrame {
  const { linkageName } = frame;
  return { ...frame, function: withoutEscapes(linkageName, withoutCrates(linkageName, frame.function)) };
}

/** The locations of libraries that have names. */
export function namedLocations(
  libraries: readonly AddressedLibrary[],
  names: ReadonlyMap<string, LibraryNames>,
): NamedLocation[] {
  const named: NamedLocation[] = [];
  for (const { buildId, places } of libraries) {
    const own = names.get(buildId);
    if (own === undefined) continue;
    for (const { location, address } of places) {
      const frames = own.resolved.get(address)?.frames ?? [];
      named.push({ location, base: own.base, frames: frames.map(shown) });
    }
  }
  return named;
}

/** Looks up addresses of a recording in the files of their library. */
export async function namesOfLibrary(
  addresses: Iterable<bigint>,
  files: readonly ClosedFile[],
  tools: SymbolTools,
  others: readonly OtherFile[] = [],
): Promise<{ names: LibraryNames; diagnostics: readonly SymbolDiagnostic[] }> {
  const library = await Library.openAll(files, tools, others);
  try {
    const { base } = library;
    const wanted = [...addresses];
    const inFile = (address: bigint) => BigInt.asUintN(64, address + base);
    const found = await library.resolve(wanted.map(inFile));
    const resolved = new Map<bigint, Resolved>();
    for (const address of wanted) {
      const at = found.get(inFile(address));
      if (at !== undefined) resolved.set(address, at);
    }
    return { names: { base, files: library.files, resolved }, diagnostics: library.diagnostics };
  } finally {
    await library.close();
  }
}
