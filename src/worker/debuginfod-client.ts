/** The page's end of the worker that asks debuginfod servers: it lives for one batch of build ids. */
import * as Comlink from "comlink";
import type { DebugFileProgress, SymbolInput } from "../requests/api/symbols-api.ts";
import type { Result } from "./api.ts";
import { Connection } from "./connection.ts";
import type { DebuginfodWorker } from "./debuginfod.ts";

export interface Debuginfod {
  /**
   * The debug file of a build id, else its library. `servers`: addresses separated by white space, as the user entered
   * them. The codes of errors are those of src/symbols/debuginfod.ts.
   */
  fetch(
    servers: string,
    buildId: string,
    onProgress: (progress: DebugFileProgress) => void,
  ): Promise<Result<SymbolInput>>;
  /** Ends the worker; questions without an answer fail with `stopped`. */
  end(): void;
}

export function startDebuginfod(): Debuginfod {
  const connection = new Connection<DebuginfodWorker>(
    () => new Worker(new URL("./debuginfod.ts", import.meta.url), { type: "module", name: "spanflame debuginfod" }),
    "The worker that asks debuginfod",
  );
  return {
    fetch: (servers, buildId, onProgress) =>
      connection.ask((remote) => remote.fetch(servers, buildId, Comlink.proxy(onProgress))),
    end: () => connection.end({ code: "stopped", message: "Stopped." }),
  };
}
