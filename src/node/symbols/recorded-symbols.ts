/** --symbols: names the native frames of the recordings that a command has read. */
import type { Core } from "../../core/core.ts";
import { HeldCore } from "../../requests/held-core.ts";
import { rememberNames } from "../../requests/symbols.ts";
import { hasBuildId, plainBuildId } from "../../symbols/build-id.ts";
import { type CoreNames, nameCore } from "../../symbols/name-core.ts";
import { compileSimply } from "../compiled-core.ts";
import { fetchSymbols } from "./fetched-files.ts";
import { type FoundFiles, findSymbolFiles } from "./symbol-files.ts";
import { symbolTools } from "./symbol-tools.ts";

/** The files that were found, and what they know of the recordings. */
export interface RecordedSymbols extends CoreNames {
  files: FoundFiles["files"];
  /** Files of servers, and those of them that were in the cache. */
  fetched?: number;
  cached?: number;
}

/** Names all frames of the core that are known by build id and address. */
export async function loadSymbols(
  core: Core,
  paths: readonly string[],
  servers: readonly URL[] = [],
): Promise<RecordedSymbols> {
  // Debug files are large where recordings are small.
  compileSimply(false);
  const tools = await symbolTools();
  const found = await findSymbolFiles(paths, tools.module);
  const served = servers.length === 0 ? null : await fetchSymbols(servers, wantedIds(core, found.files), tools.module);
  const files = [...found.files, ...(served?.files ?? [])];
  const elf = files.filter(({ kind }) => kind === "readable");
  const names = await nameCore(new HeldCore(core).about(null, {}), elf, tools);
  rememberNames(core, names);
  const diagnostics = [...found.diagnostics, ...(served?.diagnostics ?? []), ...names.diagnostics];
  return { ...names, files, diagnostics, ...(served !== null && { fetched: served.fetched, cached: served.cached }) };
}

/** Build ids of libraries without a file. */
function wantedIds(core: Core, files: FoundFiles["files"]): string[] {
  const ids = new HeldCore(core)
    .about(null, {})
    .addressedLibraries()
    .map(({ buildId }) => plainBuildId(buildId));
  return ids.filter((id) => !files.some((file) => file.kind === "readable" && hasBuildId(file, id)));
}
