/** The event types of a chunk as the core reports them; the layout is in assembly/read/jfr/chunk.ts. */
import type { Wasm } from "../instance/capacity.ts";
import type { Memory } from "../instance/memory.ts";
import type { EventType } from "../types.ts";

export function readChunkReport(wasm: Pick<Wasm, "reportPointer" | "reportSize">, memory: Memory): EventType[] {
  const types: EventType[] = [];
  let p = wasm.reportPointer();
  const end = p + wasm.reportSize();
  const u32 = () => {
    const place = p;
    p += Uint32Array.BYTES_PER_ELEMENT;
    return memory.u32(place);
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
    const contextual = u32() !== 0;
    types.push({ event, count, stack, contextual, fields: Array.from({ length: u32() }, text) });
  }
  return types;
}

/** Counts by name, in an object without a prototype: an event may be called `constructor` or `__proto__`. */
export function noCounts(): Record<string, number> {
  return Object.create(null) as Record<string, number>;
}

/** Adds the events of a chunk to those of the same type in the chunks before. */
export function addEventType(types: Map<string, EventType>, type: EventType): void {
  const known = types.get(type.event);
  if (known === undefined) {
    types.set(type.event, type);
    return;
  }
  known.count += type.count;
  known.stack ||= type.stack;
  known.contextual ||= type.contextual;
  const fields = fieldsOf(known);
  for (const field of type.fields) {
    if (fields.has(field)) continue;
    fields.add(field);
    known.fields.push(field);
  }
}

/** The fields of a type: it may have a hundred thousand, and each chunk brings as many. */
const fieldSets = new WeakMap<EventType, Set<string>>();

function fieldsOf(type: EventType): Set<string> {
  const known = fieldSets.get(type) ?? new Set(type.fields);
  fieldSets.set(type, known);
  return known;
}
