/** The core with its store laid open (assembly/testing/store.ts): all tables as bytes, to compare before and after. */

import * as Slice from "../../../assembly/abi/slice.ts";
import { Core } from "../../../src/core/core.ts";
import { compileTesting } from "./compile.ts";

interface Inside {
  memory: WebAssembly.Memory;
  storeRuns(): number;
  runRows(): number;
  storeStrings(): number;
}

export async function openStoreCore(): Promise<Core> {
  return Core.instantiate(await compileTesting("store"), [], 1n);
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
    const slice = at + Slice.BYTES * i;
    const start = view.getUint32(slice + Slice.AT, true);
    return new Uint8Array(memory.buffer).slice(start, start + view.getUint32(slice + Slice.SIZE, true));
  });
}

/** Rows of the store's table of strings. */
export function storeStrings(core: Core): number {
  return inside(core).storeStrings();
}
