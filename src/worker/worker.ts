/** Entry of the Web Worker: compiles the core once, at start, and answers the page. */
import * as Comlink from "comlink";
import firstUrl from "../../build/core-first.wasm?url&no-inline";
import restUrl from "../../build/core-rest.wasm?url&no-inline";
import { Session } from "./session.ts";

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

const first = fetchedOnce(firstUrl);
// Before a file is picked; the request for it reports a failure.
first().catch(() => {});

Comlink.expose(new Session({ first, rest: fetchedOnce(restUrl) }));
