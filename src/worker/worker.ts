/** Entry of the Web Worker: compiles the core once, at start, and answers the page. */
import * as Comlink from "comlink";
import wasmUrl from "../../build/core.wasm?url&no-inline";
import { Session } from "./session.ts";

async function compileCore(): Promise<WebAssembly.Module> {
  const response = await fetch(wasmUrl);
  if (!response.ok) throw new Error(`The decoder could not be loaded: ${response.status} ${response.statusText}`);
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("application/wasm")) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Started before a file is picked; a failed download is tried again with the next file. */
let compiled: Promise<WebAssembly.Module> | null = startCompiling();

function startCompiling(): Promise<WebAssembly.Module> {
  const module = compileCore();
  module.catch(() => {
    compiled = null;
  });
  return module;
}

Comlink.expose(
  new Session(() => {
    compiled ??= startCompiling();
    return compiled;
  }),
);
