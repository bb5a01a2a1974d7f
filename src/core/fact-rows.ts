/** Facts of the process that the core keeps (resource.ts), by the files that state them. */
import { FACT_BYTES, FACT_CHUNK, FACT_EVENT, FACT_NAME, FACT_VALUE } from "../../assembly/abi/fact-row.ts";
import type { Instance } from "./instance.ts";
import type { Fact } from "./resource.ts";

/** For each file from number `first` on; texts of the others are not decoded. */
export function factsOf(instance: Instance, first: number): Fact[][] {
  const { wasm, memory, opened } = instance;
  const facts: Fact[][] = instance.files.slice(first).map(() => []);
  const at = wasm.factRows();
  for (let i = 1; i < wasm.factCount(); i++) {
    const p = at + FACT_BYTES * i;
    const chunk = opened[memory.u32(p + FACT_CHUNK) - 1];
    if (chunk === undefined) continue;
    facts[chunk.file - first]?.push({
      event: instance.string(memory.u32(p + FACT_EVENT)),
      name: instance.string(memory.u32(p + FACT_NAME)),
      value: instance.label(memory.u32(p + FACT_VALUE)),
      typed: instance.value(memory.u32(p + FACT_VALUE)),
    });
  }
  return facts;
}
