/** Rules of references: indices, keys, duplicates and unreferenced entries. */
import { FIELDS, TABLES, type TableName } from "../../otlp/schema.ts";
import { Ints, type Lists } from "../columns.ts";
import type { Message } from "../message.ts";
import { Reachable } from "../reachable.ts";
import { Values } from "../values.ts";
import { COMMON, eachRow, type Found, PROFCHECK, PROTO, type Rule, rule } from "./rule.ts";

const TABLE_NAMES = Object.keys(TABLES) as TableName[];
/** Types that have attributes by index. */
const OWNERS = ["Profile", "Sample", "Mapping", "Location"] as const;

export const REFERENCE_RULES: Rule[] = [
  rule("E06", "Every index is in the range of its table", `${PROTO}, ${PROFCHECK}`, inRange),
  rule(
    "E07",
    "No owner, and no list of keys and values, has the same key twice",
    `${COMMON}, ${PROFCHECK}`,
    (message, found) => {
      keysOfAttributes(message, found);
      keysOfLists(message, found);
    },
  ),
  rule(
    "E14",
    "An attribute has key or key_strindex, not both",
    COMMON,
    eachRow("KeyValue", (table) => {
      const keys = table.ints("key");
      const indices = table.ints("key_strindex");
      return (row) => (keys.get(row) === 0 || indices.get(row) === 0 ? null : ["key_strindex", "beside key"]);
    }),
  ),
  rule("W04", "No table of the dictionary has the same entry twice", `${PROTO}, ${PROFCHECK} -check-dupes`, onceEach),
  rule(
    "W05",
    "Every entry of the dictionary, except the first ones, is referenced from a profile",
    `${PROTO}, ${PROFCHECK} -check-orphans`,
    allReached,
  ),
];

function inRange(message: Message, found: Found): void {
  for (const field of FIELDS) {
    if (field.refers === null) continue;
    const { name, refers } = field;
    const table = message.of(field.owner.name);
    const size = message.sizeOf(refers);
    const lists = field.repeated ? table.lists(name) : null;
    const one = lists === null ? table.ints(name) : null;
    for (let row = 0; row < table.rows; row++) {
      const count = lists?.count(row) ?? 1;
      for (let i = 0; i < count; i++) {
        const index = lists?.at(row, i) ?? one?.get(row) ?? 0;
        // 0 also means an absent field; another rule checks for empty tables.
        if (index === 0 || (index > 0 && index < size)) continue;
        found(
          () => message.where(field.owner.name, row, lists === null ? name : `${name}[${i}]`),
          () => `${index} is no index of ${refers}, which has ${size} entries`,
        );
      }
    }
  }
}

function keysOfAttributes(message: Message, found: Found): void {
  const attributes = message.of("KeyValueAndUnit");
  const indices = attributes.ints("key_strindex");
  const keys = Int32Array.from({ length: attributes.rows }, (_, row) => message.stringAt(indices.get(row)));
  for (const owner of OWNERS) {
    const table = message.of(owner);
    const lists = table.lists("attribute_indices");
    for (let row = 0; row < table.rows; row++) {
      if (!mayHaveTwice(lists, row, keys)) continue;
      eachTwice(
        [...lists.of(row)].map((index) => keys[index] ?? ~index),
        (i, key) =>
          found(
            () => message.where(owner, row, `attribute_indices[${i}]`),
            () => `key ${message.quoted(key)} again`,
          ),
      );
    }
  }
}

/** Whether two attributes of a row may share a key; always true for lists of more than 16. */
function mayHaveTwice(lists: Lists, row: number, keys: Int32Array): boolean {
  const count = lists.count(row);
  if (count > 16) return true;
  for (let i = 1; i < count; i++) {
    const key = keys[lists.at(row, i)];
    for (let j = 0; j < i; j++) if (key !== undefined && keys[lists.at(row, j)] === key) return true;
  }
  return false;
}

function keysOfLists(message: Message, found: Found): void {
  const table = message.of("KeyValue");
  const byOwner = new Map<string, number[]>();
  for (let row = 0; row < table.rows; row++) {
    const owner = `${table.way(row)?.id} ${table.parent.get(row)}`;
    const owned = byOwner.get(owner) ?? [];
    if (owned.push(row) === 1) byOwner.set(owner, owned);
  }
  for (const owned of byOwner.values()) {
    eachTwice(
      owned.map((row) => keyOf(message, row)),
      (i, key) =>
        found(
          () => message.where("KeyValue", owned[i] ?? 0),
          () => `key ${message.quoted(key)} again`,
        ),
    );
  }
}

/** The text of a KeyValue's key, which is either way. */
export function keyOf(message: Message, row: number): number {
  const table = message.of("KeyValue");
  return table.ints("key").get(row) || message.stringAt(table.ints("key_strindex").get(row));
}

/** Calls with place and value of everything that is in a list before. */
function eachTwice(list: number[], call: (i: number, value: number) => void): void {
  if (new Set(list).size === list.length) return;
  const seen = new Set<number>();
  for (const [i, value] of list.entries()) {
    if (seen.has(value)) call(i, value);
    seen.add(value);
  }
}

/** Calls for every entry of a table; where it is, is made on demand. */
function eachEntryOf(message: Message, table: TableName, call: (i: number, where: () => string) => void): void {
  const size = message.sizeOf(table);
  for (let i = 0; i < size; i++) call(i, () => `${message.prefix}${table}[${i}]`);
}

function onceEach(message: Message, found: Found): void {
  const values = new Values(message);
  for (const table of TABLE_NAMES) {
    // By value the entry + 1 that had it first.
    const first = new Ints();
    eachEntryOf(message, table, (i, where) => {
      const value = values.entry(table, i);
      const same = first.get(value) - 1;
      if (same < 0) first.set(value, i + 1);
      else found(where, () => `the same as ${table}[${same}]`);
    });
  }
}

function allReached(message: Message, found: Found): void {
  const reachable = new Reachable(message);
  for (const table of TABLE_NAMES) {
    eachEntryOf(message, table, (i, where) => {
      if (i > 0 && !reachable.has(table, i)) found(where, () => "nothing that a profile holds leads here");
    });
  }
}
