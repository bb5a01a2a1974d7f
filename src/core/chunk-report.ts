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

/** Counts by name, in an object without a prototype: an event may be called `constructor` or `__proto__`. */
export function noCounts(): Record<string, number> {
  return Object.create(null) as Record<string, number>;
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
  const fields = fieldsOf(known);
  for (const field of kind.fields) {
    if (fields.has(field)) continue;
    fields.add(field);
    known.fields.push(field);
  }
}

/** The fields of a kind: it may have a hundred thousand, and each chunk brings as many. */
const fieldSets = new WeakMap<EventKind, Set<string>>();

function fieldsOf(kind: EventKind): Set<string> {
  const known = fieldSets.get(kind) ?? new Set(kind.fields);
  fieldSets.set(kind, known);
  return known;
}
