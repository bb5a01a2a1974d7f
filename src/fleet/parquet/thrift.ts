/** Thrift's compact protocol, as far as the metadata of Parquet files need it. Fields ascend within a struct. */
import { WireWriter } from "../../bytes/wire-writer.ts";
import { Type } from "./format.ts";

/** Lists up to this length state it in their first byte. */
const SHORT_LIST = 14;

const encoder = new TextEncoder();

export class Thrift {
  readonly out = new WireWriter();
  private last = 0;
  private readonly outer: number[] = [];

  private field(id: number, type: number): void {
    const step = id - this.last;
    if (step > 0 && step <= 15) this.out.byte((step << 4) | type);
    else {
      this.out.byte(type);
      this.out.zigzag(id);
    }
    this.last = id;
  }

  bool(id: number, value: boolean): void {
    this.field(id, value ? Type.true : Type.false);
  }

  i16(id: number, value: number): void {
    this.field(id, Type.i16);
    this.out.zigzag(value);
  }

  i32(id: number, value: number): void {
    this.field(id, Type.i32);
    this.out.zigzag(value);
  }

  i64(id: number, value: number): void {
    this.field(id, Type.i64);
    this.out.zigzag(value);
  }

  bytes(id: number, value: Uint8Array): void {
    this.field(id, Type.binary);
    this.rawBytes(value);
  }

  text(id: number, value: string): void {
    this.bytes(id, encoder.encode(value));
  }

  private rawBytes(value: Uint8Array): void {
    this.out.varint(value.length);
    this.out.raw(value);
  }

  private head(id: number, type: number, count: number): void {
    this.field(id, Type.list);
    if (count <= SHORT_LIST) this.out.byte((count << 4) | type);
    else {
      this.out.byte(0xf0 | type);
      this.out.varint(count);
    }
  }

  i32s(id: number, values: readonly number[]): void {
    this.head(id, Type.i32, values.length);
    for (const value of values) this.out.zigzag(value);
  }

  i64s(id: number, values: readonly number[]): void {
    this.head(id, Type.i64, values.length);
    for (const value of values) this.out.zigzag(value);
  }

  bools(id: number, values: readonly boolean[]): void {
    this.head(id, Type.true, values.length);
    for (const value of values) this.out.byte(value ? Type.true : Type.false);
  }

  texts(id: number, values: readonly string[]): void {
    this.binaries(
      id,
      values.map((value) => encoder.encode(value)),
    );
  }

  binaries(id: number, values: readonly Uint8Array[]): void {
    this.head(id, Type.binary, values.length);
    for (const value of values) this.rawBytes(value);
  }

  struct(id: number, write: () => void): void {
    this.field(id, Type.struct);
    this.body(write);
  }

  structs<T>(id: number, values: readonly T[], write: (value: T) => void): void {
    this.head(id, Type.struct, values.length);
    for (const value of values) this.body(() => write(value));
  }

  /** A struct without a field before it: the outermost one. */
  body(write: () => void): void {
    this.outer.push(this.last);
    this.last = 0;
    write();
    this.out.byte(0);
    this.last = this.outer.pop()!;
  }
}
