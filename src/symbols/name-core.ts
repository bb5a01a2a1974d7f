/** Names the frames of a recording that are known by build id and address, from the files with these build ids. */
import type { AddressedLibrary } from "../core/libraries.ts";
import type { NamedLocation } from "../core/symbols.ts";
import type { Views } from "../core/views.ts";
import type { SymbolFrame } from "./chain.ts";
import { withoutCrates } from "./crates.ts";
import type { SymbolDiagnostic } from "./diagnostics.ts";
import { withoutEscapes } from "./escapes.ts";
import { type FileSummary, Library, type LibraryFile, type Resolved, type SymbolTools } from "./library.ts";

/** An ELF file that can be opened. */
export interface ClosedFile {
  path: string;
  /** Lower-case hex; "" if it has none. */
  buildId: string;
  open(): Promise<{ source: LibraryFile["source"]; close(): Promise<void> }>;
}

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

/** Looks up all addresses of the recording in these files and shows their names; the earlier names are dropped. */
export async function nameCore(views: Views, files: readonly ClosedFile[], tools: SymbolTools): Promise<CoreNames> {
  const libraries = new Map<string, LibraryNames>();
  const diagnostics: SymbolDiagnostic[] = [];
  const named: NamedLocation[] = [];
  views.choose(null, {}, 0);
  for (const library of views.addressedLibraries()) {
    const { buildId, places } = library;
    const own = buildId === "" ? [] : files.filter((file) => file.buildId === buildId);
    if (own.length === 0) continue;
    const names = await namesOf(library, own, tools, diagnostics);
    libraries.set(buildId, names);
    for (const { location, address } of places) {
      const frames = names.resolved.get(address)?.frames ?? [];
      named.push({ location, base: names.base, frames: frames.map(shown) });
    }
  }
  views.nameLocations(named);
  return { libraries, diagnostics };
}

/** A frame as views show it. */
function shown(frame: SymbolFrame): SymbolFrame {
  const { linkageName } = frame;
  return { ...frame, function: withoutEscapes(linkageName, withoutCrates(linkageName, frame.function)) };
}

async function namesOf(
  { places }: AddressedLibrary,
  files: readonly ClosedFile[],
  tools: SymbolTools,
  diagnostics: SymbolDiagnostic[],
): Promise<LibraryNames> {
  const closing: (() => Promise<void>)[] = [];
  try {
    const opened: LibraryFile[] = [];
    for (const { path, open } of files) {
      const { source, close } = await open();
      closing.push(close);
      opened.push({ path, source });
    }
    const library = await Library.open(opened, tools);
    const { base } = library;
    const found = await library.resolve(places.map(({ address }) => BigInt.asUintN(64, address + base)));
    diagnostics.push(...library.diagnostics);
    const resolved = new Map<bigint, Resolved>();
    for (const { address } of places) {
      const at = found.get(BigInt.asUintN(64, address + base));
      if (at !== undefined) resolved.set(address, at);
    }
    return { base, files: library.files, resolved };
  } finally {
    for (const close of closing) await close();
  }
}
