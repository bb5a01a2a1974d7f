/** --symbols: names the native frames of the recordings that a command has read. */
import type { Core } from "../../core/core.ts";
import { type CoreNames, nameCore } from "../../symbols/name-core.ts";
import { compileSimply } from "../compiled-core.ts";
import { rememberNames } from "./native-counts.ts";
import { type FoundFiles, findSymbolFiles } from "./symbol-files.ts";
import { symbolTools } from "./symbol-tools.ts";

/** The files that were found, and what they know of the recordings. */
export interface RecordedSymbols extends CoreNames {
  files: FoundFiles["files"];
}

/** Names all frames of the core that are known by build id and address. */
export async function loadSymbols(core: Core, paths: readonly string[]): Promise<RecordedSymbols> {
  // Debug files are large where recordings are small.
  compileSimply(false);
  const tools = await symbolTools();
  const found = await findSymbolFiles(paths, tools.module);
  const elf = found.files.filter(({ kind }) => kind === "readable");
  const names = await nameCore(core.views, elf, tools);
  rememberNames(core, names);
  return { ...names, files: found.files, diagnostics: [...found.diagnostics, ...names.diagnostics] };
}
