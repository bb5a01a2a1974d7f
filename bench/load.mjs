/** Loader of the built core with a recording in it, for all benches. */
import { readFile } from "node:fs/promises";
import { bytesSource } from "../dist-lib/bytes/byte-source.js";
import { Core } from "../dist-lib/core/core.js";
import { readInputs } from "../dist-lib/input/open.js";

export async function newCore() {
  const bytes = await readFile(new URL("../dist-lib/core.wasm", import.meta.url));
  return Core.instantiate(await WebAssembly.compile(bytes));
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
