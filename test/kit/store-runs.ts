/** The core with its store laid open (assembly/testing/store.ts): all tables as bytes, to compare before and after. */

import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";
import { SLICE_AT, SLICE_BYTES, SLICE_SIZE } from "../../assembly/abi/slice.ts";
import { Core } from "../../src/core/core.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const OPTIONS = "--config none --runtime stub --bindings raw -O2 --noAssert --uncheckedBehavior always --enable simd";

interface Inside {
  memory: WebAssembly.Memory;
  storeRuns(): number;
  runRows(): number;
  storeStrings(): number;
}

let compiled: Promise<WebAssembly.Module> | undefined;

async function compile(): Promise<WebAssembly.Module> {
  let wasm: Uint8Array<ArrayBuffer> | undefined;
  const args = ["assembly/testing/store.ts", "--baseDir", ROOT, ...OPTIONS.split(" "), "-o", "out.wasm"];
  const { error, stderr } = await asc.main(args, {
    writeFile(name, contents) {
      if (name.endsWith(".wasm")) wasm = new Uint8Array(contents as Uint8Array);
    },
  });
  if (error !== null || wasm === undefined) throw new Error(`asc: ${stderr.toString()}`);
  return WebAssembly.compile(wasm);
}

export async function openStoreCore(): Promise<Core> {
  compiled ??= compile();
  return Core.instantiate(await compiled, [], 1n);
}

const inside = (core: Core) => (core as unknown as { reader: Inside }).reader;

/** Copies of all tables of the store. */
export function storeBytes(core: Core): Uint8Array[] {
  const wasm = inside(core);
  const n = wasm.storeRuns();
  const { memory } = wasm;
  const view = new DataView(memory.buffer);
  const at = wasm.runRows() >>> 0;
  return Array.from({ length: n }, (_, i) => {
    const slice = at + SLICE_BYTES * i;
    const start = view.getUint32(slice + SLICE_AT, true);
    return new Uint8Array(memory.buffer).slice(start, start + view.getUint32(slice + SLICE_SIZE, true));
  });
}

/** Rows of the store's table of strings. */
export function storeStrings(core: Core): number {
  return inside(core).storeStrings();
}
