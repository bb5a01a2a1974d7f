/**
 * Reads Thrift's compact protocol without a schema: a struct becomes its fields by number. Counts and sizes are
 * compared with the bytes that are left before anything is allocated, and values in all are limited, because a value of
 * one byte becomes many. The functions below check what a field has to be.
 */
import { CUT, TOO_LONG, Varint } from "../../bytes/protobuf.ts";
import { Damaged } from "./damage.ts";
import { Type } from "./format.ts";

export type Value = number | boolean | Uint8Array | Value[] | Fields;
export interface Fields {
  [id: number]: Value;
}

const DEEPEST = 16;
/** A footer of 10,000 column chunks has a quarter of these. */
const MOST_VALUES = 1 << 20;
const HIGHEST_FIELD = 32767;
const LONG_LIST = 15;

export class ThriftReader {
  private readonly bytes: Uint8Array;
  private readonly number = new Varint();
  private left = MOST_VALUES;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  private u8(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw new Damaged("the metadata ends inside a value");
    return byte;
  }

  private varint(): number {
    const after = this.number.read(this.bytes, this.at, this.bytes.length);
    if (after === TOO_LONG) throw new Damaged("the metadata has a number of more than 64 bits");
    if (after === CUT) throw new Damaged("the metadata ends inside a value");
    this.at = after;
    return this.number.value;
  }

  private zigzag(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  private spend(values: number): void {
    this.left -= values;
    if (this.left < 0) throw new Damaged(`the metadata has more than ${MOST_VALUES} values`);
  }

  struct(depth = 0): Fields {
    if (depth > DEEPEST) throw new Damaged("the metadata is nested too deeply");
    const fields: Fields = {};
    for (let last = 0; ; ) {
      const head = this.u8();
      if (head === 0) return fields;
      this.spend(1);
      const step = head >> 4;
      last = step === 0 ? this.zigzag() : last + step;
      if (!(last >= 0 && last <= HIGHEST_FIELD)) throw new Damaged(`the metadata has a field number ${last}`);
      fields[last] = this.value(head & 15, depth);
    }
  }

  private value(type: number, depth: number): Value {
    if (type === Type.true || type === Type.false) return type === Type.true;
    if (type === Type.byte) return this.u8();
    if (type >= Type.i16 && type <= Type.i64) return this.zigzag();
    if (type === Type.double) return this.taken(8, "number");
    if (type === Type.binary) return this.taken(this.varint(), "text");
    if (type === Type.list || type === Type.set) return this.list(depth + 1);
    if (type === Type.struct) return this.struct(depth + 1);
    throw new Damaged(`the metadata has a value of type ${type}`);
  }

  private taken(size: number, what: string): Uint8Array {
    if (size > this.bytes.length - this.at) throw new Damaged(`the metadata ends inside a ${what}`);
    this.at += size;
    return this.bytes.subarray(this.at - size, this.at);
  }

  private list(depth: number): Value[] {
    if (depth > DEEPEST) throw new Damaged("the metadata is nested too deeply");
    const head = this.u8();
    const count = head >> 4 === LONG_LIST ? this.varint() : head >> 4;
    const type = head & 15;
    if (count > this.bytes.length - this.at) throw new Damaged("the metadata ends inside a list");
    this.spend(count);
    const isBool = type === Type.true || type === Type.false;
    return Array.from({ length: count }, () => (isBool ? this.u8() === Type.true : this.value(type, depth)));
  }
}

/** A number from 0 to `most`; `otherwise` where the field is missing. */
export function numberIn(fields: Fields, id: number, what: string, most: number, otherwise?: number): number {
  const value = fields[id] ?? otherwise;
  if (value === undefined) throw new Damaged(`${what} is missing`);
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0 || value > most)
    throw new Damaged(`${what} is ${typeof value === "number" ? value : "no number"}`);
  return value;
}

export function bytesIn(fields: Fields, id: number): Uint8Array | null {
  const value = fields[id];
  return value instanceof Uint8Array ? value : null;
}

export function structIn(fields: Fields, id: number, what: string): Fields {
  const value = fields[id];
  if (!isStruct(value)) throw new Damaged(`${what} is missing`);
  return value;
}

export function structsIn(fields: Fields, id: number, what: string): Fields[] {
  const value = fields[id];
  if (!Array.isArray(value) || !value.every(isStruct)) throw new Damaged(`the list of ${what} is missing`);
  return value;
}

export function listIn<T extends Value>(fields: Fields, id: number, isOne: (value: Value) => value is T): T[] | null {
  const value = fields[id];
  return Array.isArray(value) && value.every(isOne) ? value : null;
}

function isStruct(value: Value | undefined): value is Fields {
  return typeof value === "object" && !Array.isArray(value) && !(value instanceof Uint8Array);
}
