/** Which entries of the dictionary are of use: those that resources, scopes and profiles lead to, over others or not. */
import { type Field, TABLES, type TableName, type TypeName } from "../otlp/schema.ts";
import { Children, Ints, Lists } from "./columns.ts";
import type { Message } from "./message.ts";

export class Reachable {
  private readonly message: Message;
  private readonly marks = new Map<TableName, Uint8Array>();

  constructor(message: Message) {
    this.message = message;
    this.row("ProfilesData", 0);
  }

  has(table: TableName, i: number): boolean {
    return this.marksOf(table)[i] === 1;
  }

  private marksOf(table: TableName): Uint8Array {
    const marks = this.marks.get(table) ?? new Uint8Array(this.message.sizeOf(table));
    this.marks.set(table, marks);
    return marks;
  }

  private entry(table: TableName, i: number): void {
    const marks = this.marksOf(table);
    // Of an index out of range too there is nothing to follow.
    if (marks[i] !== 0) return;
    marks[i] = 1;
    const type = TABLES[table];
    if (type !== null) this.row(type, i);
  }

  private row(type: TypeName, row: number): void {
    const table = this.message.of(type);
    for (const field of table.fields) {
      const column = table.columns[field.slot];
      if (column instanceof Children) this.children(field, column.first.get(row));
      else if (field.refers === null) continue;
      else if (column instanceof Ints) this.entry(field.refers, column.get(row));
      else if (column instanceof Lists) for (const index of column.of(row)) this.entry(field.refers, index);
    }
  }

  private children(field: Field, first: number): void {
    // The dictionary has to be led to.
    if (field.message === null || field.name === "dictionary") return;
    const { name } = field.message;
    const { next } = this.message.of(name);
    for (let at = first; at > 0; at = next.get(at - 1)) this.row(name, at - 1);
  }
}
