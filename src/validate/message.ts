/**
 * One message as columns. A walk fills them; rules check the tables after its end, because references may point to
 * later rows. A sample costs some 60 bytes and 4 for each of its attributes.
 */
import { FIELDS, type Field, type MessageType, TABLES, type TableName, TYPES, type TypeName } from "../otlp/schema.ts";
import type { EncodingCode, Sink } from "../otlp/sink.ts";
import { Children, type Column, Ints, Lists, Pairs, Ranges } from "./columns.ts";
import { Texts } from "./interner.ts";

/** All messages of a type, a row each. */
export class Table {
  rows = 0;
  /** The row that each belongs to, in the table of `via`'s owner, and the next row + 1 that belongs to the same. */
  readonly parent = new Ints();
  readonly next = new Ints();
  /** FIELDS index of the field that leads here, if several may. */
  readonly via: Ints | null;
  /** Number of the set member, 0 if no member is set. */
  readonly member: Ints | null;
  readonly columns: Column[];
  readonly type: TypeName;
  readonly fields: readonly Field[];
  private readonly ways: Field[];

  constructor(type: MessageType) {
    this.type = type.name;
    this.fields = type.fields;
    this.ways = FIELDS.filter((field) => field.message === type);
    this.via = this.ways.length > 1 ? new Ints() : null;
    this.member = type.oneof ? new Ints() : null;
    this.columns = type.fields.map(columnFor);
  }

  /** The field that leads to a row; null for the root. */
  way(row: number): Field | null {
    return (this.via === null ? this.ways[0] : FIELDS[this.via.get(row)]) ?? null;
  }

  ints = (name: string): Ints => this.column(name, Ints);
  pairs = (name: string): Pairs => this.column(name, Pairs);
  lists = (name: string): Lists => this.column(name, Lists);
  ranges = (name: string): Ranges => this.column(name, Ranges);
  children = (name: string): Children => this.column(name, Children);

  private column<C extends Column>(name: string, kind: new (signed: boolean) => C): C {
    const column = this.columns[this.fields.findIndex((field) => field.name === name)];
    if (!(column instanceof kind)) throw new Error(`${this.type}.${name} is not kept as ${kind.name}`);
    return column;
  }
}

function columnFor(field: Field): Column {
  const wide = field.kind === "int64" || field.kind === "uint64" || field.kind === "fixed64" || field.kind === "double";
  if (field.kind === "message") return new Children();
  if (wide) return field.repeated ? new Ranges(field.kind === "int64") : new Pairs();
  return field.repeated ? new Lists() : new Ints();
}

/** Gets a diagnostic of the encoding and its place. */
export type OnDiagnostic = (code: EncodingCode, where: () => string, says: () => string) => void;

export class Message implements Sink {
  readonly texts = new Texts();
  /** Whether fields were mistaken for others, so that no further check makes sense. */
  isMisread = false;
  /** The encoding of the message. */
  isJson = false;
  /** Bytes of the whole message, once it has ended. */
  byteLength = 0;
  /** Where one of several messages of a file is, in front of every place. */
  readonly prefix: string;
  private readonly onDiagnostic: OnDiagnostic;
  private readonly tables: Record<string, Table>;
  /** The messages that a reader is in: table and row of each. */
  private readonly openTables: Table[] = [];
  private readonly openRows: number[] = [];
  private table: Table;
  private row = 0;

  constructor(onDiagnostic: OnDiagnostic, prefix = "") {
    this.onDiagnostic = onDiagnostic;
    this.prefix = prefix;
    this.tables = Object.fromEntries(Object.values(TYPES).map((type) => [type.name, new Table(type)]));
    this.table = this.of("ProfilesData");
    this.table.rows = 1;
  }

  of(type: TypeName): Table {
    return this.tables[type] as Table;
  }

  /** Rows of a table of the dictionary. */
  sizeOf(table: TableName): number {
    const type = TABLES[table];
    return type === null ? this.strings.count(0) : this.of(type).rows;
  }

  get strings(): Lists {
    return this.of("ProfilesDictionary").lists("string_table");
  }

  /** Number of the text of a string index; 0, the empty one, where there is no such string. */
  stringAt(index: number): number {
    return index >= 0 && index < this.strings.count(0) ? this.strings.at(0, index) : 0;
  }

  quoted(text: number): string {
    const content = this.texts.text(text);
    return JSON.stringify(content.length > 60 ? `${content.slice(0, 60)}…` : content);
  }

  /** Whether a row says nothing: no field is set, or to a message that says nothing. */
  isZero(type: TypeName, row: number): boolean {
    const table = this.of(type);
    if (table.member !== null && table.member.get(row) !== 0) return false;
    return table.fields.every(({ slot, message, repeated }) => {
      const column = table.columns[slot];
      if (column instanceof Ints) return column.get(row) === 0;
      if (column instanceof Pairs) return column.isZero(row);
      if (column instanceof Lists || column instanceof Ranges) return column.count(row) === 0;
      const first = column instanceof Children ? column.first.get(row) : 0;
      return first === 0 || (!repeated && message !== null && this.isZero(message.name, first - 1));
    });
  }

  /** Goes into the message of a field of the current one. One that may come once continues where it was. */
  open(field: Field): void {
    const parent = this.row;
    const chain = this.table.columns[field.slot] as Children;
    if (this.table.member !== null) this.table.member.set(parent, field.number);
    const table = this.tables[field.message?.name ?? ""] as Table;
    this.openTables.push(this.table);
    this.openRows.push(parent);
    this.table = table;
    const last = chain.last.get(parent);
    if (last > 0 && !field.repeated) {
      this.row = last - 1;
      return;
    }
    this.row = table.rows++;
    table.parent.set(this.row, parent);
    table.via?.set(this.row, field.id);
    if (last === 0) chain.first.set(parent, this.row + 1);
    else table.next.set(last - 1, this.row + 1);
    chain.last.set(parent, this.row + 1);
  }

  close(): void {
    this.table = this.openTables.pop() as Table;
    this.row = this.openRows.pop() ?? 0;
  }

  number(field: Field, low: number, high: number): void {
    this.table.member?.set(this.row, field.number);
    this.table.columns[field.slot]?.put(this.row, low, high);
  }

  text(field: Field, bytes: Uint8Array, start: number, end: number): void {
    this.number(field, this.texts.intern(bytes, start, end), 0);
  }

  payload(field: Field, length: number): void {
    this.number(field, length, 0);
  }

  note(code: EncodingCode, field: Field | null, says: () => string): void {
    this.isMisread ||= code === "old-layout";
    this.onDiagnostic(code, () => this.here(field), says);
  }

  /** Place of the current message, or of its next value of a field. */
  here(field: Field | null = null): string {
    if (field === null) return this.where(this.table.type, this.row);
    const column = this.table.columns[field.slot];
    const isList = column instanceof Lists || column instanceof Ranges;
    return this.where(this.table.type, this.row, isList ? `${field.name}[${column.count(this.row)}]` : field.name);
  }

  /** Path of a row, `samples[3]` and the like after the rows that contain it; `suffix` names a part of it. */
  where(type: TypeName, row: number, suffix = ""): string {
    const path: string[] = suffix === "" ? [] : [suffix];
    let at = row;
    for (let table = this.of(type), way = table.way(at); way !== null; way = table.way(at)) {
      const parent = table.parent.get(at);
      const owner = this.of(way.owner.name);
      // The dictionary is one: its tables are known by their names.
      if (way.name !== "dictionary") {
        path.unshift(way.repeated ? `${way.name}[${this.ordinal(owner, way, parent, at)}]` : way.name);
      }
      table = owner;
      at = parent;
    }
    return this.prefix + path.join(".");
  }

  private ordinal(owner: Table, way: Field, parent: number, row: number): number {
    const chain = owner.columns[way.slot] as Children;
    const { next } = this.of((way.message as MessageType).name);
    let n = 0;
    for (let at = chain.first.get(parent); at !== row + 1 && at !== 0; at = next.get(at - 1)) n++;
    return n;
  }
}
