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
  const list = () => Array.from({ length: u32() }, text);
  const pass = () => {
    for (let left = u32(); left > 0; left--) {
      const size = u32();
      p += size;
    }
  };
  const known = lastLists.get(wasm) ?? new Map<string, Lists>();
  lastLists.set(wasm, known);
  const listsOf = (event: string): Lists => {
    const from = p;
    pass();
    pass();
    const bytes = memory.bytes(from, p - from);
    const before = known.get(event);
    if (before !== undefined && isSame(before.bytes, bytes)) return before;
    p = from;
    const lists = { bytes: bytes.slice(), fields: list(), contextFields: list() };
    known.set(event, lists);
    return lists;
  };
  while (p < end) {
    const count = u32();
    const event = text();
    const stack = u32() !== 0;
    const { fields, contextFields } = listsOf(event);
    types.push({ event, count, stack, contextual: contextFields.includes("spanId"), contextFields, fields });
  }
  return types;
}

/** The field names of a type, and their bytes in the report. Chunks share the arrays: do not change them. */
interface Lists extends Pick<EventType, "fields" | "contextFields"> {
  bytes: Uint8Array;
}

/** Those of the chunks before, by core: the chunks of one recorder have the same. */
const lastLists = new WeakMap<object, Map<string, Lists>>();

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Counts by name, in an object without a prototype: an event may be called `constructor` or `__proto__`. */
export function noCounts(): Record<string, number> {
  return Object.create(null) as Record<string, number>;
}

/** Adds the events of a chunk to those of the same type in the chunks before. */
export function addEventType(types: Map<string, EventType>, type: EventType): void {
  const known = types.get(type.event);
  if (known === undefined) {
    types.set(type.event, { ...type, fields: [...type.fields], contextFields: [...type.contextFields] });
    return;
  }
  known.count += type.count;
  known.stack ||= type.stack;
  known.contextual ||= type.contextual;
  addNames(known.fields, type.fields);
  addNames(known.contextFields, type.contextFields);
}

function addNames(list: string[], names: readonly string[]): void {
  if (lastNames.get(list) === names) return;
  lastNames.set(list, names);
  const known = nameSets.get(list) ?? new Set(list);
  nameSets.set(list, known);
  for (const name of names) {
    if (known.has(name)) continue;
    known.add(name);
    list.push(name);
  }
}

/** The fields of a type: it may have a hundred thousand, and each chunk brings as many. */
const nameSets = new WeakMap<string[], Set<string>>();
/** What was added to a list last. */
const lastNames = new WeakMap<string[], readonly string[]>();
