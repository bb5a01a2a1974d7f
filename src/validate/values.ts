/** Which rows of a message say the same, whatever indices they say it by. */
import type { Field, TableName, TypeName } from "../otlp/schema.ts";
import { TABLES } from "../otlp/schema.ts";
import { Children, Ints, Lists, Pairs } from "./columns.ts";
import type { Message } from "./message.ts";
import { Texts } from "./texts.ts";

export class Values {
  private readonly message: Message;
  /** By type the number + 1 of each row's value. */
  private readonly known = new Map<TypeName, Ints>();
  /** What rows say, as bytes of a few integers. */
  private readonly tuples = new Texts();

  constructor(message: Message) {
    this.message = message;
  }

  /** A number that two entries of a table share when they say the same; negative where there is no such entry. */
  entry(table: TableName, i: number): number {
    if (i < 0 || i >= this.message.sizeOf(table)) return ~Math.abs(i);
    const type = TABLES[table];
    return type === null ? this.message.stringAt(i) : this.row(type, i);
  }

  private row(type: TypeName, row: number): number {
    const known = this.known.get(type) ?? new Ints();
    this.known.set(type, known);
    if (known.get(row) === 0) {
      const tuple: number[] = [];
      this.spell(type, row, tuple);
      const bytes = new Uint8Array(Int32Array.from(tuple).buffer);
      known.set(row, this.tuples.intern(bytes, 0, bytes.length) + 1);
    }
    return known.get(row) - 1;
  }

  /** Adds what a row says, field by field, each behind its number. */
  private spell(type: TypeName, row: number, tuple: number[]): void {
    const table = this.message.of(type);
    if (table.member !== null) tuple.push(table.member.get(row));
    for (const field of table.fields) {
      const column = table.columns[field.slot];
      tuple.push(-field.number);
      if (column instanceof Ints) tuple.push(this.meaning(field, column.get(row)));
      else if (column instanceof Pairs) tuple.push(column.low(row), column.high(row));
      else if (column instanceof Lists) {
        const items = [...column.of(row)].map((item) => this.meaning(field, item));
        // Attributes are a set.
        if (field.refers === "attribute_table") items.sort((a, b) => a - b);
        tuple.push(items.length, ...items);
      } else if (column instanceof Children) this.spellChildren(field, column.first.get(row), tuple);
    }
  }

  private spellChildren(field: Field, first: number, tuple: number[]): void {
    if (field.message === null) return;
    const { name } = field.message;
    const { next } = this.message.of(name);
    for (let at = first; at > 0; at = next.get(at - 1)) tuple.push(this.row(name, at - 1));
  }

  private meaning(field: Field, value: number): number {
    return field.refers === null ? value : this.entry(field.refers, value);
  }
}
