/** The modules of the core as a worker fetches them. */
import firstUrl from "../../build/core-first.wasm?url&no-inline";
import restUrl from "../../build/core-rest.wasm?url&no-inline";
import type { LoadRest } from "../core/dumps/late-core.ts";

/** Compiled; without `rest` the first one is the whole core. */
export interface CoreModules {
  first: () => Promise<WebAssembly.Module>;
  rest?: LoadRest;
}

async function compile(url: string): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The decoder could not be loaded: ${response.status} ${response.statusText}`);
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("application/wasm")) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** A module that is fetched once; a failed download is tried again with the next request. */
function fetchedOnce(url: string): () => Promise<WebAssembly.Module> {
  let compiled: Promise<WebAssembly.Module> | null = null;
  return () => {
    compiled ??= compile(url).catch((error) => {
      compiled = null;
      throw error;
    });
    return compiled;
  };
}

export function fetchedCore(): CoreModules {
  return { first: fetchedOnce(firstUrl), rest: fetchedOnce(restUrl) };
}
