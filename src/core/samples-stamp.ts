/** A text that changes as soon as the samples of a core are others. */
import type { Instance } from "./instance.ts";

export function samplesStamp({ generation, wasm }: Instance): string {
  return `${generation} ${wasm.observationCount.value}`;
}
