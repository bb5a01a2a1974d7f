/**
 * A chunk that another core reads: its rows as bytes (assembly/merge/part.ts), which the core that holds the recording
 * merges in the order of the chunks. The result is the same, byte for byte, as if that core had read the chunk.
 */
import type { ReadStatus, Wasm } from "../instance/capacity.ts";
import type { Instance } from "../instance/instance.ts";
import type { EventType } from "../types.ts";

/** What a core reads of a chunk. */
export interface ChunkPart {
  /** Of the core that read it, from 0 on. */
  core: number;
  status: "done" | "unreadable";
  /** Of the chunk (contents.ts). */
  hash: bigint;
  types: EventType[];
  rows: Uint8Array<ArrayBuffer>;
}

/** Merges the rows, which are in the input buffer; `taken` is false if the chunk has to be read as a whole. */
export function mergePart(
  wasm: Wasm,
  { opened, buffer }: Pick<Instance, "opened" | "buffer">,
  part: ChunkPart,
  read: (call: () => ReadStatus) => ReadStatus,
): { taken: boolean; status: ReadStatus } {
  let taken = true;
  const status = read(() => {
    taken = wasm.mergePart(buffer.at, part.core, opened.length - 1);
    return part.status;
  });
  return { taken, status };
}
