/** Types of requests about symbols: files that name native frames, and the libraries of the recording. */
import type { FileIds } from "../../symbols/build-id.ts";
import type { SymbolDiagnostic } from "../../symbols/diagnostics.ts";
import type { ElfKind } from "../../symbols/identify.ts";
import type { LibrarySum } from "../../symbols/library-rows.ts";
import type { LibraryNames } from "../../symbols/name-core.ts";

export type { SymbolDiagnostic } from "../../symbols/diagnostics.ts";
export type { LibrarySum } from "../../symbols/library-rows.ts";
export type { LibraryNames } from "../../symbols/name-core.ts";

/** A file that may have symbols: an ELF file, or an archive. */
export interface SymbolInput {
  /** With `/` between the folders that it was dropped in. */
  path: string;
  blob: Blob;
}

/** An ELF file; of an archive, its entry: `a.zip!inner/path`. */
export interface FoundSymbols extends SymbolInput, FileIds {
  kind: ElfKind | "unreadable";
}

export interface SymbolSearch {
  files: FoundSymbols[];
  /** Indices of files without symbols: archives may contain recordings. */
  others: number[];
  diagnostics: SymbolDiagnostic[];
}

export interface SymbolProgress {
  done: number;
  total: number;
}

/** Bytes of a file that a server sends; `total` is null if it does not state them. */
export interface DebugFileProgress {
  received: number;
  total: number | null;
}

/** Native libraries with frames that are known by their address. */
export interface NativeLibraries {
  libraries: LibrarySum[];
  /** Samples with a frame of any of them, over all profiles. */
  samples: bigint;
}

/** Names of a library's addresses, and what was wrong with its files. */
export interface NamedLibrary {
  names: LibraryNames;
  diagnostics: readonly SymbolDiagnostic[];
}
