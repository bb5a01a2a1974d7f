/** Comparison of a message's rows by content, whatever indices they use. */
import { type Field, TABLES, type TableName, type TypeName } from "../otlp/schema.ts";
import { Children, Ints, Lists, Pairs } from "./columns.ts";
import { Tuples } from "./interner.ts";
import type { Message } from "./message.ts";

export class Values {
  private readonly message: Message;
  /** By type the number + 1 of each row's value. */
  private readonly known = new Map<TypeName, Ints>();
  /** Content of rows, as a few integers. */
  private readonly tuples = new Tuples();

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
    if (known.get(row) > 0) return known.get(row) - 1;
    this.known.set(type, known);
    const begin = this.tuples.begin();
    this.spell(type, row);
    const value = this.tuples.end(begin);
    known.set(row, value + 1);
    return value;
  }

  /** Pushes the content of a row, field by field, each after its number. */
  private spell(type: TypeName, row: number): void {
    const { tuples } = this;
    const table = this.message.of(type);
    if (table.member !== null) tuples.push(table.member.get(row));
    for (const field of table.fields) {
      const column = table.columns[field.slot];
      tuples.push(-field.number);
      if (column instanceof Ints) tuples.push(this.meaning(field, column.get(row)));
      else if (column instanceof Pairs) {
        tuples.push(column.low(row));
        tuples.push(column.high(row));
      } else if (column instanceof Lists) this.spellList(field, column, row);
      else if (column instanceof Children) this.spellChildren(field, column.first.get(row));
    }
  }

  private spellList(field: Field, column: Lists, row: number): void {
    const { tuples } = this;
    const count = column.count(row);
    tuples.push(count);
    const begin = tuples.begin();
    for (let i = 0; i < count; i++) tuples.push(this.meaning(field, column.at(row, i)));
    // Attributes are a set.
    if (field.refers === "attribute_table") tuples.sort(begin);
  }

  private spellChildren(field: Field, first: number): void {
    if (field.message === null) return;
    const { name } = field.message;
    const { next } = this.message.of(name);
    for (let at = first; at > 0; at = next.get(at - 1)) this.tuples.push(this.row(name, at - 1));
  }

  private meaning(field: Field, value: number): number {
    return field.refers === null ? value : this.entry(field.refers, value);
  }
}
