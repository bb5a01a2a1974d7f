/**
 * Entry of the worker that asks debuginfod servers for debug files. The policy of the page does not allow requests
 * elsewhere; this worker's does (src/cli/serve/security-headers.ts). It gets addresses and build
 * ids, never a recording.
 */
import * as Comlink from "comlink";
import { DEBUG_FILES } from "../model/words/outward.ts";
import { crossOriginFetch } from "../push/cross-origin.ts";
import type { DebugFileProgress, SymbolInput } from "../requests/api/symbols-api.ts";
import { throttled } from "../requests/asking.ts";
import { type DebugFileKind, DebuginfodError, debuginfodServers, fetchDebugFile } from "../symbols/debuginfod.ts";
import { answered, errorWords } from "./answered.ts";
import type { Result } from "./api.ts";

export interface DebuginfodWorker {
  /**
   * The debug file of a build id, else its library. `servers`: addresses separated by white space, as the user entered
   * them. The codes of errors are those of src/symbols/debuginfod.ts.
   */
  fetch(
    servers: string,
    buildId: string,
    onProgress: (progress: DebugFileProgress) => void,
  ): Promise<Result<SymbolInput>>;
}

/** A library without a debug file may have symbols itself. */
const KINDS: readonly DebugFileKind[] = ["debuginfo", "executable"];

const debuginfod: DebuginfodWorker = {
  fetch(servers, buildId, onProgress) {
    const report = throttled(onProgress);
    const failure = (error: unknown) => {
      return { code: error instanceof DebuginfodError ? error.code : "hidden", message: errorWords(error) };
    };
    return answered(failure, async () => firstOf(debuginfodServers(servers), buildId, report), onProgress);
  },
};

async function firstOf(
  servers: readonly URL[],
  buildId: string,
  report: (progress: DebugFileProgress) => void,
): Promise<SymbolInput> {
  let missing: unknown;
  for (const kind of KINDS) {
    try {
      const onProgress = (received: number, total: number | null) => report({ received, total });
      const request = { buildId, kind, fetch: crossOriginFetch, mostBytes: DEBUG_FILES.most, onProgress };
      const blob = await fetchDebugFile(servers, request);
      return { path: `${buildId}/${kind}`, blob };
    } catch (error) {
      if (!(error instanceof DebuginfodError) || error.code !== "not-found") throw error;
      missing ??= error;
    }
  }
  throw missing;
}

Comlink.expose(debuginfod);
