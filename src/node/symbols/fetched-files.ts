/**
 * --fetch: debug files of a recording's libraries, from the debuginfod server that the user names. They are kept in the
 * cache of the user:
 *
 *   $XDG_CACHE_HOME/spanflame/debuginfod/BUILDID/debuginfo     or ~/.cache
 *
 * Names of folders are build ids in hex, and nothing that a server or a recording says. A file is in its place only
 * once it was read to have this build id, and a file in the cache is read again before it is used.
 */
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { bytesSource } from "../../bytes/byte-source.ts";
import { CACHED_DEBUG_FILES } from "../../model/words/outward.ts";
import { hasBuildId } from "../../symbols/build-id.ts";
import { type DebugFileKind, DebuginfodError, debuginfodServers, fetchDebugFile } from "../../symbols/debuginfod.ts";
import { type SymbolDiagnostic, symbolDiagnostic } from "../../symbols/diagnostics.ts";
import { identify } from "../../symbols/identify.ts";
import { Folder } from "../disk.ts";
import { UsageError } from "../exit.ts";
import { systemWords } from "../system-error.ts";
import { type FoundFiles, findSymbolFiles } from "./symbol-files.ts";

/** Milliseconds for a file, also of a server that sends a byte now and then. */
const MOST_TIME = 600_000;
const KINDS: readonly DebugFileKind[] = ["debuginfo", "executable"];

/** Build ids that a server can be asked for, and that may be names of folders. */
export const isHexId = (buildId: string) => /^(?:[0-9a-f]{2}){2,64}$/.test(buildId);

/** The servers of --fetch. */
export function serversOf(text: string): URL[] {
  try {
    return debuginfodServers(text);
  } catch (error) {
    throw new UsageError(`--fetch: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function cacheFolder(): string {
  const stated = process.env.XDG_CACHE_HOME ?? "";
  return join(isAbsolute(stated) ? stated : join(homedir(), ".cache"), "spanflame", "debuginfod");
}

/** What was fetched: `cached` are those that were there already. */
export interface Fetched extends FoundFiles {
  fetched: number;
  cached: number;
}

/** Files with these build ids, from the cache or the first server that has them. */
export async function fetchSymbols(
  servers: readonly URL[],
  buildIds: readonly string[],
  module: WebAssembly.Module,
  cache = cacheFolder(),
): Promise<Fetched> {
  const result: Fetched = { files: [], diagnostics: [], fetched: 0, cached: 0 };
  for (const buildId of new Set(buildIds)) {
    if (!isHexId(buildId)) {
      const words = `no server has files of a build id of ${buildId.length} digits`;
      if (/^[0-9a-f]+$/.test(buildId))
        result.diagnostics.push(symbolDiagnostic(["symbols.fetch", words], `${servers[0]?.host}`));
      continue;
    }
    const known = await inCache(cache, buildId, module);
    if (known !== null) {
      result.files.push(...known.files);
      result.cached++;
      continue;
    }
    try {
      const path = await fetchInto(cache, servers, buildId, module);
      result.files.push(...(await findSymbolFiles([path], module)).files);
      result.fetched++;
    } catch (error) {
      result.diagnostics.push(diagnosticOf(servers, buildId, error));
    }
  }
  return result;
}

function diagnosticOf(servers: readonly URL[], buildId: string, error: unknown): SymbolDiagnostic {
  const reason = error instanceof DebuginfodError ? error.message : systemWords(error);
  return symbolDiagnostic(["symbols.fetch", reason], `${servers[0]?.host}/buildid/${buildId}`);
}

/** The file of the cache, if it is there and has the build id. */
async function inCache(cache: string, buildId: string, module: WebAssembly.Module): Promise<FoundFiles | null> {
  for (const kind of KINDS) {
    const path = join(cache, buildId, kind);
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) continue;
    const found = await findSymbolFiles([path], module);
    if (found.files.some((file) => file.kind === "readable" && hasBuildId(file, buildId))) return found;
  }
  return null;
}

/** Fetches and checks a file; the path of its place. */
async function fetchInto(
  cache: string,
  servers: readonly URL[],
  buildId: string,
  module: WebAssembly.Module,
): Promise<string> {
  const signal = AbortSignal.timeout(MOST_TIME);
  const ask = (kind: DebugFileKind) =>
    fetchDebugFile(servers, {
      buildId,
      kind,
      fetch: (url, init) => fetch(url, init),
      mostBytes: CACHED_DEBUG_FILES.most,
      signal,
    });
  let kind: DebugFileKind = "debuginfo";
  const blob = await ask(kind).catch((error: unknown) => {
    if (!(error instanceof DebuginfodError && error.code === "not-found")) throw error;
    kind = "executable";
    return ask(kind);
  });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const image = await identify(module, bytesSource(bytes));
  if (image.kind !== "readable" || !hasBuildId(image, buildId))
    throw new DebuginfodError("refused", "the file that the server gave does not have this build id");
  const place = `${buildId}/${kind}`;
  new Folder(cache).replace(place, bytes);
  return join(cache, place);
}
