/**
 * Loading of the core. `core.wasm` is beside the library's modules: bundlers follow `new URL(…, import.meta.url)` and
 * copy the file, Node reads it from the disk. Callers may give it themselves.
 */
declare global {
  // The types of Node have none of these, and programs for Node are compiled without those of browsers. Elsewhere these
  // add nothing to the declarations that are there.
  namespace WebAssembly {
    interface Module {}
    interface Memory {}
  }
}

/** The core's module, its bytes, or the address of `core.wasm`. */
export type CoreSource = WebAssembly.Module | ArrayBuffer | ArrayBufferView | URL | string;

/** The module that `loadModule` has compiled without a source: cores share it. */
let standard: Promise<WebAssembly.Module> | null = null;

/** The compiled core. Without `wasm` it is the file of the package, compiled once. */
export function loadModule(wasm?: CoreSource): Promise<WebAssembly.Module> {
  if (wasm !== undefined) return compile(wasm);
  standard ??= compile(ownFile()).catch((error) => {
    standard = null;
    throw error;
  });
  return standard;
}

/** Throws where a bundler has left no `import.meta.url`, as bundles in CommonJS do. */
function ownFile(): URL {
  try {
    return new URL("./core.wasm", import.meta.url);
  } catch {
    throw new Error("this bundle does not know its own address; give core.wasm as the option `wasm`");
  }
}

async function compile(wasm: CoreSource): Promise<WebAssembly.Module> {
  if (wasm instanceof WebAssembly.Module) return wasm;
  if (typeof wasm !== "string" && !(wasm instanceof URL)) return WebAssembly.compile(wasm as BufferSource);
  const { href } = new URL(wasm, globalThis.location?.href);
  if (href.startsWith("file:")) return WebAssembly.compile(await readLocal(href));
  return compileFetched(href);
}

/** The bytes of a file that is beside the library's modules. */
export async function bytesAt({ href }: URL): Promise<Uint8Array<ArrayBuffer>> {
  if (href.startsWith("file:")) return readLocal(href);
  return new Uint8Array(await (await fetched(href)).arrayBuffer());
}

async function fetched(href: string): Promise<Response> {
  const response = await fetch(href);
  if (response.ok) return response;
  const status = `${response.status} ${response.statusText}`.trim();
  throw new Error(`${href}: ${status}; docs/bundlers.md has what each bundler needs to find it`);
}

async function compileFetched(href: string): Promise<WebAssembly.Module> {
  const response = await fetched(href);
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("application/wasm")) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

interface FileSystem {
  readFile(path: URL): Promise<Uint8Array<ArrayBuffer>>;
}

/** `fetch` of Node reads no files. An import of `node:fs` would stop bundlers for browsers, so Node is asked for it. */
function readLocal(href: string): Promise<Uint8Array<ArrayBuffer>> {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  const files = process?.getBuiltinModule?.("node:fs/promises") as FileSystem | undefined;
  if (files === undefined) throw new Error("this browser reads no files; serve it over HTTP");
  return files.readFile(new URL(href));
}
