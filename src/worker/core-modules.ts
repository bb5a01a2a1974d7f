/** The modules of the core, as the worker has them. */
import type { LoadRest } from "../core/rest.ts";

/** Compiled; without `rest` the first one is the whole core. */
export interface CoreModules {
  first: () => Promise<WebAssembly.Module>;
  rest?: LoadRest;
}
