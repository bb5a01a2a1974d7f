/**
 * Files of symbols that the page has, and the native libraries of the open recording. They are outside of React, since
 * files may come before a recording, and stay when the page is made again.
 */
import { createContext, useContext } from "react";
import type { FoundSymbols, LibraryNames, NativeLibraries, SymbolDiagnostic } from "../../../worker/api.ts";
import { Store, useStore } from "../../primitives/store/store.ts";

export interface SymbolState {
  /** ELF and Mach-O files, also those that cannot be used. */
  files: readonly FoundSymbols[];
  diagnostics: readonly SymbolDiagnostic[];
  /** Those of the open recording; null until they are known. */
  native: NativeLibraries | null;
  /** Names that are shown, by build id. */
  names: ReadonlyMap<string, LibraryNames>;
  /** A folder or files are being read. */
  progress: SymbolsProgress | null;
}

export interface SymbolsProgress {
  text: string;
  /** From 0 to 1; null where it is not known. */
  share: number | null;
}

export const NO_NAMES: SymbolState["names"] = new Map();

const store = new Store<SymbolState>({ files: [], diagnostics: [], native: null, names: NO_NAMES, progress: null });

export const symbolState = store.now;

export function changeSymbols(change: Partial<SymbolState>): void {
  store.set({ ...store.now(), ...change });
}

export const useSymbols = () => useStore(store);

/** Changes with the names of symbols that the worker shows: questions about names are then asked again. */
export const Named = createContext(0);

export const useNamed = () => useContext(Named);
