/**
 * The tables that columns refer to. Row 0 of each table is the empty one: no stack, no link, no thread, no attributes.
 */

import * as ProfileRow from "../../assembly/abi/rows/profile-row.ts";
import * as StoreTable from "../../assembly/abi/store-table.ts";
import { grown } from "../bytes/byte-writer.ts";
import { Varint } from "../bytes/protobuf.ts";
import type { Instance } from "../core/instance/instance.ts";
import { allColumns, firstFrames, frameColumns, longs } from "../core/samples/store-columns.ts";
import type { AttributeValue } from "../core/types.ts";
import type { RecordingCore } from "./held-core.ts";

/** Lists of numbers in one array: list i is `items` from `offsets[i]` on and before `offsets[i + 1]`. */
export interface Lists {
  /** One more than there are lists. */
  offsets: Uint32Array;
  /** Numbers of all lists, one list after the other. */
  items: Uint32Array;
}

/** Frames of all stacks. Inlined functions have separate frames. */
export interface FrameTable {
  /** Row of `functions`; 0 for a frame of which only an address is known. */
  function: Uint32Array;
  /** Name of the function; without one the text of its place, such as `libc.so.6+0x1234`. */
  name: string[];
  /** Line in the source, 0 if it is unknown. */
  line: Uint32Array;
  /** Column in the source, 0 if it is unknown. */
  column: Uint32Array;
  /** Index into `FRAME_TYPES`. */
  type: Uint8Array;
  /** Row of `mappings`. */
  mapping: Uint32Array;
  /** Address of the instruction, 0n if it is unknown. */
  address: BigUint64Array;
}

/** Functions by name and source. */
export interface FunctionTable {
  /** Name of the function. */
  name: string[];
  /** Name for the linker; empty where it is the same or unknown. */
  systemName: string[];
  /** Source file; empty if it is unknown. */
  file: string[];
  /** Line at which the function begins, 0 if it is unknown. */
  startLine: Uint32Array;
}

/** Binaries and libraries of native code. */
export interface MappingTable {
  file: string[];
  /** Build id of GNU in hex; empty if it is unknown. */
  buildId: string[];
}

/** Spans and local roots that samples belong to. */
export interface LinkTable {
  /** Span id; 0n for none. */
  span: BigUint64Array;
  /** Local root span id; 0n if it is unknown or if the recording has a trace id instead. */
  localRoot: BigUint64Array;
  /** Upper and lower 64 bits of the trace id; 0n where the recording has a local root instead. */
  traceHigh: BigUint64Array;
  /** Lower 64 bits of the trace id. */
  traceLow: BigUint64Array;
  /** Row of `attributeSets`: attributes of the local root, such as its endpoint. They apply to all its samples. */
  attributeSet: Uint32Array;
}

/** Threads; names and ids are empty where the recording does not have them. */
export interface ThreadTable {
  name: string[];
  /** In decimal. */
  id: string[];
}

/** Attributes of samples: keys and values, as in OTLP. */
export interface AttributeTable {
  key: string[];
  value: AttributeValue[];
  unit: string[];
}

/** Event types that samples come from. */
export interface EventTable {
  /** `jdk.ExecutionSample`; empty for samples of a message that names none. */
  name: string[];
  /** Id of the profile that the events feed. */
  profile: Uint32Array;
}

/**
 * The tables of a recording. Each call makes the table once more, as a copy that belongs to the caller: call it once.
 * Rows keep their numbers as long as the recording is open. All methods throw `recording.closed` and `core.memory`.
 */
export class Tables {
  private readonly held: RecordingCore;

  private constructor(held: RecordingCore) {
    this.held = held;
  }

  /** @internal */
  static of(held: RecordingCore): Tables {
    return new Tables(held);
  }

  /** For each stack the rows of `frames`, leaf first. */
  stacks(): Lists {
    const { instance } = this;
    const first = firstFrames(instance);
    const [pointers, sizes] = allColumns(instance, StoreTable.Stacks);
    const offsets = new Uint32Array(pointers.length + 1);
    // A location takes at least one byte, and has few frames: grown where that is not so.
    let items = new Uint32Array(sizes.reduce((sum, size) => sum + size, 0));
    let n = 0;
    const varint = new Varint();
    for (let stack = 0; stack < pointers.length; stack++) {
      const bytes = instance.memory.bytes(pointers[stack]!, sizes[stack]!);
      for (let p = 0; p >= 0 && p < bytes.length; ) {
        p = varint.read(bytes, p, bytes.length);
        const end = first[varint.low + 1]!;
        for (let frame = first[varint.low]!; frame < end; frame++) {
          items = grown(items, n + 1);
          items[n++] = frame;
        }
      }
      offsets[stack + 1] = n;
    }
    return { offsets, items: items.slice(0, n) };
  }

  /** Frames of all stacks. */
  frames(): FrameTable {
    const { instance } = this;
    const text = textsOf(instance);
    const first = firstFrames(instance);
    const locations = first.length - 1;
    const count = first[locations]!;
    const name: string[] = [];
    const table = {
      function: new Uint32Array(count),
      line: new Uint32Array(count),
      column: new Uint32Array(count),
      type: new Uint8Array(count),
      mapping: new Uint32Array(count),
      address: new BigUint64Array(count),
    };
    for (let from = 0; from < locations; from += LOCATIONS) {
      const to = Math.min(locations, from + LOCATIONS);
      const at = first[from]!;
      const part = frameColumns(instance, from, to, first[to]! - at);
      const [, fn, names, line, column, type, mapping, low, high] = part;
      for (const index of names) name.push(text(index));
      table.function.set(fn, at);
      table.line.set(line, at);
      table.column.set(column, at);
      table.type.set(type, at);
      table.mapping.set(mapping, at);
      table.address.set(longs(low, high), at);
    }
    return { ...table, name };
  }

  /** Functions by name and source. */
  functions(): FunctionTable {
    const { instance } = this;
    const text = textsOf(instance);
    const [name, systemName, file, startLine] = allColumns(instance, StoreTable.Functions);
    return {
      name: textColumn(name, text),
      systemName: textColumn(systemName, text),
      file: textColumn(file, text),
      startLine,
    };
  }

  /** Binaries and libraries of native code. */
  mappings(): MappingTable {
    const { instance } = this;
    const text = textsOf(instance);
    const columns = allColumns(instance, StoreTable.Mappings);
    const [, , , , , , file, buildId] = columns;
    return {
      file: textColumn(file, text),
      buildId: Array.from(buildId, (attribute) => (attribute === 0 ? "" : instance.label(attribute))),
    };
  }

  /** Spans, local roots and traces that samples belong to. */
  links(): LinkTable {
    const { instance } = this;
    const [spanLow, spanHigh, rootLow, rootHigh, ...trace] = allColumns(instance, StoreTable.Links);
    const [lowLow, lowHigh, highLow, highHigh, attributeSet] = trace;
    return {
      span: longs(spanLow, spanHigh),
      localRoot: longs(rootLow, rootHigh),
      traceHigh: longs(highLow, highHigh),
      traceLow: longs(lowLow, lowHigh),
      attributeSet,
    };
  }

  /** Threads by name and id. */
  threads(): ThreadTable {
    const { instance } = this;
    const [name, id] = allColumns(instance, StoreTable.Threads);
    const text = (attribute: number) => (attribute === 0 ? "" : instance.label(attribute));
    return { name: Array.from(name, text), id: Array.from(id, text) };
  }

  /** For each attribute set the rows of `attributes`, ascending. */
  attributeSets(): Lists {
    const { instance } = this;
    const [pointers, sizes] = allColumns(instance, StoreTable.Sets);
    const offsets = new Uint32Array(pointers.length + 1);
    for (let i = 0; i < sizes.length; i++) offsets[i + 1] = offsets[i]! + sizes[i]! / Uint32Array.BYTES_PER_ELEMENT;
    const items = new Uint32Array(offsets[sizes.length]!);
    // Bytes, because a set may begin at any address.
    const bytes = new Uint8Array(items.buffer);
    for (let i = 0; i < sizes.length; i++) {
      bytes.set(instance.memory.bytes(pointers[i]!, sizes[i]!), offsets[i]! * Uint32Array.BYTES_PER_ELEMENT);
    }
    return { offsets, items };
  }

  /** Keys and values of samples. */
  attributes(): AttributeTable {
    const { instance } = this;
    const text = textsOf(instance);
    const [key, , , , unit] = allColumns(instance, StoreTable.Attributes);
    return {
      key: textColumn(key, text),
      value: Array.from(key, (_, attribute) => instance.value(attribute)),
      unit: textColumn(unit, text),
    };
  }

  /** Event types that samples come from. */
  events(): EventTable {
    const { instance } = this;
    const { wasm, memory } = instance;
    const name: string[] = [];
    const profile = new Uint32Array(wasm.eventCount.value);
    for (let event = 0; event < profile.length; event++) {
      const row = wasm.eventAt(event);
      name.push(instance.string(memory.u32(row + ProfileRow.EVENT_NAME)));
      profile[event] = memory.u32(wasm.profileAt(memory.u32(row + ProfileRow.EVENT_PROFILE)) + ProfileRow.FAMILY);
    }
    return { name, profile };
  }

  private get instance(): Instance {
    return this.held.core.instance;
  }
}

/** Texts of the store by index, each decoded once. */
function textsOf(instance: Instance): (index: number) => string {
  const texts: (string | undefined)[] = [""];
  return (index) => {
    texts[index] ??= instance.string(index);
    return texts[index];
  };
}

function textColumn(column: Uint32Array, text: (index: number) => string): string[] {
  return Array.from(column, text);
}

/** Locations whose frames are read at a time. */
const LOCATIONS = 1 << 16;
