/** Chunks of async-profiler's mode nativemem: profiler.Malloc, and profiler.Free unless `nofree` is given. */
import type { ChunkSpec, Item } from "./jfr-builder.ts";
import { Constants, event, field, JVM_TYPES, javaStack, MAIN, STACK, START, THREAD, type Thread } from "./jfr-types.ts";

export interface MemoryEvent {
  at: bigint;
  address: bigint;
  /** Of an allocation; without it the block is freed. */
  size?: bigint;
  thread?: Thread;
}

const TYPES = [
  ...JVM_TYPES,
  event("profiler.Malloc", [START, THREAD, STACK, field("address", "long"), field("size", "long")]),
  event("profiler.Free", [START, THREAD, STACK, field("address", "long")]),
];

export function memoryChunk(events: readonly MemoryEvent[], rest: Partial<ChunkSpec> = {}): ChunkSpec {
  const c = new Constants();
  const items = events.map(({ at, address, size, thread = MAIN }): Item => {
    const values = { startTime: at, eventThread: c.thread(thread), stackTrace: c.stack(javaStack("leaf")), address };
    return size === undefined
      ? { event: "profiler.Free", values }
      : { event: "profiler.Malloc", values: { ...values, size } };
  });
  return { types: TYPES, items: [...items, { checkpoint: c.all() }], ...rest };
}
