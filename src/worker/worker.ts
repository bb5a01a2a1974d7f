/** Entry of the Web Worker: compiles the core once, at start, and answers the page. Its name decides what it does. */
import * as Comlink from "comlink";
import firstUrl from "../../build/core-first.wasm?url&no-inline";
import restUrl from "../../build/core-rest.wasm?url&no-inline";
import { FACTS_WORKER, type FactsWorker } from "./facts-api.ts";
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

const modules = { first, rest: fetchedOnce(restUrl) };
const facts: FactsWorker = {
  facts: async (...given) => (await import("./facts.ts")).answerFacts(modules, ...given),
};

// The script of both is one, so that the readers of formats are in the page once.
Comlink.expose(self.name === FACTS_WORKER ? facts : new Session(modules));
