/** The event types of a chunk as the core reports them; the layout stands in assembly/read/jfr/chunk.ts. */
import type { Memory } from "./memory.ts";
import type { EventKind } from "./types.ts";

export function readChunkReport(memory: Memory, at: number, end: number): EventKind[] {
  const kinds: EventKind[] = [];
  let p = at;
  const u32 = () => {
    p += 4;
    return memory.u32(p - 4);
  };
  const text = () => {
    const size = u32();
    p += size;
    return memory.text(p - size, size);
  };
  while (p < end) {
    const count = u32();
    const event = text();
    const stack = u32() !== 0;
    kinds.push({ event, count, stack, fields: Array.from({ length: u32() }, text) });
  }
  return kinds;
}

/** Adds the events of a chunk to those of the same type in the chunks before. */
export function addKind(kinds: Map<string, EventKind>, kind: EventKind): void {
  const known = kinds.get(kind.event);
  if (known === undefined) {
    kinds.set(kind.event, kind);
    return;
  }
  known.count += kind.count;
  known.stack ||= kind.stack;
  for (const field of kind.fields) if (!known.fields.includes(field)) known.fields.push(field);
}
