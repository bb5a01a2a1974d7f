/** The page's end of the worker that reads symbols: it lives for one batch of files. */
import * as Comlink from "comlink";
import type {
  FoundSymbols,
  NamedLibrary,
  SymbolInput,
  SymbolProgress,
  SymbolSearch,
} from "../requests/api/symbols-api.ts";
import type { Result } from "./api.ts";
import { Connection } from "./connection.ts";
import type { SymbolizerWorker } from "./symbolizer.ts";

export interface Symbolizer {
  /** ELF files among files and archives. */
  find(files: SymbolInput[], onProgress: (progress: SymbolProgress) => void): Promise<Result<SymbolSearch>>;
  /** Names of the addresses of a library, from all of its files. */
  names(addresses: readonly bigint[], files: FoundSymbols[]): Promise<Result<NamedLibrary>>;
  /** Ends the worker; questions without an answer fail with `stopped`. */
  end(): void;
}

export function startSymbolizer(): Symbolizer {
  const connection = new Connection<SymbolizerWorker>(
    () => new Worker(new URL("./symbolizer.ts", import.meta.url), { type: "module", name: "spanflame symbols" }),
    "The worker that reads symbols",
  );
  return {
    find: (files, onProgress) => connection.ask((remote) => remote.find(files, Comlink.proxy(onProgress))),
    names: (addresses, files) => connection.ask((remote) => remote.names(addresses, files)),
    end: () => connection.end({ code: "stopped", message: "Stopped." }),
  };
}
