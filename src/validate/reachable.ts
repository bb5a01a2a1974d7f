/**
 * Entries of the dictionary that are referenced: from resources, scopes and profiles, directly or through other
 * entries.
 */
import { TABLES, type TableName, type TypeName } from "../otlp/schema.ts";
import { Children, type Ints, Lists } from "./columns.ts";
import type { Message } from "./message.ts";

export class Reachable {
  private readonly message: Message;
  private readonly marks: Record<TableName, Uint8Array>;

  constructor(message: Message) {
    this.message = message;
    const tables = Object.keys(TABLES) as TableName[];
    this.marks = Object.fromEntries(
      tables.map((table) => [table, new Uint8Array(message.sizeOf(table))]),
    ) as typeof this.marks;
    this.rows("ProfilesData", 0, 1);
    // There are more of them than of all else, and all belong to profiles.
    this.rows("Sample", 0, message.of("Sample").rows);
  }

  has(table: TableName, i: number): boolean {
    return this.marks[table][i] === 1;
  }

  private entry(table: TableName, i: number): void {
    this.marks[table][i] = 1;
    const type = TABLES[table];
    if (type !== null) this.rows(type, i, i + 1);
  }

  /** Rows that rows [from, to) of a type refer to. */
  private rows(type: TypeName, from: number, to: number): void {
    const table = this.message.of(type);
    for (const { slot, refers, message } of table.fields) {
      const column = table.columns[slot];
      if (column instanceof Children) {
        // The dictionary has to be led to.
        if (message === null || message.name === "ProfilesDictionary" || message.name === "Sample") continue;
        for (let row = from; row < to; row++) this.children(message.name, column.first.get(row));
      } else if (refers !== null) {
        // An index out of range leads nowhere: its mark is undefined.
        const marks = this.marks[refers];
        for (let row = from; row < to; row++) {
          const count = column instanceof Lists ? column.count(row) : 1;
          for (let i = 0; i < count; i++) {
            const index = column instanceof Lists ? column.at(row, i) : (column as Ints).get(row);
            if (marks[index] === 0) this.entry(refers, index);
          }
        }
      }
    }
  }

  private children(type: TypeName, first: number): void {
    const { next } = this.message.of(type);
    for (let at = first; at > 0; at = next.get(at - 1)) this.rows(type, at - 1, at);
  }
}
