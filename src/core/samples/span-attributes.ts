/** Attributes of spans as texts, by the row of their set. */
import * as StoreTable from "../../../assembly/abi/store-table.ts";
import type { Instance } from "../instance/instance.ts";
import { allColumns } from "./store-columns.ts";

export interface SpanAttribute {
  key: string;
  value: string;
}

const U32 = Uint32Array.BYTES_PER_ELEMENT;

/** Reads the tables once; rows that are added later are not known. */
export class SpanAttributes {
  private readonly instance: Instance;
  private readonly pointers: Uint32Array;
  private readonly sizes: Uint32Array;
  private readonly keys: Uint32Array;
  private readonly known = new Map<number, SpanAttribute>();

  constructor(instance: Instance) {
    const [pointers, sizes] = allColumns(instance, StoreTable.Sets);
    const [keys] = allColumns(instance, StoreTable.Attributes);
    this.instance = instance;
    this.pointers = pointers;
    this.sizes = sizes;
    this.keys = keys;
  }

  /** The attributes of a set, in the order of the store. */
  of(set: number): SpanAttribute[] {
    const [at = 0, size = 0] = [this.pointers[set], this.sizes[set]];
    // A copy, because a set may begin at any address.
    const rows = new Uint32Array(this.instance.memory.bytes(at, size).slice().buffer, 0, size / U32);
    return Array.from(rows, (row) => this.attribute(row));
  }

  private attribute(row: number): SpanAttribute {
    const known = this.known.get(row);
    if (known !== undefined) return known;
    const made = { key: this.instance.string(this.keys[row] ?? 0), value: this.instance.label(row) };
    this.known.set(row, made);
    return made;
  }
}
