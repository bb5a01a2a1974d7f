/** Loader of the built core with a recording in it, for all benches. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { bytesSource } from "../dist-lib/bytes/byte-source.js";
import { Core } from "../dist-lib/core/core.js";
import { readInputs } from "../dist-lib/input/open.js";

export async function newCore() {
  const bytes = await readFile(new URL("../dist-lib/core.wasm", import.meta.url));
  return Core.instantiate(await WebAssembly.compile(bytes));
}

let readFilter = null;

/** Has an empty core read only what an answer needs; the library has no module for that. */
export async function readOnlyNeeded(core, needed) {
  readFilter ??= await bundled("../src/core/read-filter.ts");
  return readFilter.readOnlyNeeded(core, needed);
}

async function bundled(source) {
  const { build } = await import("esbuild");
  const entry = fileURLToPath(new URL(source, import.meta.url));
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: "esm", write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

/** Fills `core` from bytes in memory, and nothing else. */
export async function read(core, bytes) {
  core.reset();
  await readInto(core, bytes);
}

/** The same into a core that is empty and may read only a part. */
export async function readInto(core, bytes) {
  await readInputs(core, [{ name: "recording.jfr", source: bytesSource(bytes) }]);
}

export function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}
