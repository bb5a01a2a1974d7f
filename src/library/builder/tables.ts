/**
 * The tables of a builder: what it was given, each entry once, in rows of 32-bit words. Numbers of 64 bits are two
 * words, the lower one first. A set is a list of attributes without a key twice.
 *
 *   functions    | name | system name | file | start line 64 |
 *   mappings     | start 64 | limit 64 | offset 64 | file | set |
 *   locations    | mapping | address 64 | set | (function | line 64 | column 64)* |
 *   stacks       locations, leaf first
 *   links        | trace id 128 | span 64 | local root 64 |
 *   written      | trace id 128 | span 64 |                        a link as messages have it: the root is an attribute
 *   attributes   | key | unit | bytes | AnyValue, in words |
 *   resources    | schema URL | set |
 *   scopes       | name | version | schema URL | set |
 */
import * as Limits from "../../../assembly/abi/limits.ts";
import { high, low } from "../../bytes/byte-writer.ts";
import { WireWriter } from "../../bytes/wire-writer.ts";
import { SpanflameError } from "../../core/instance/error.ts";
import { TAGS } from "../../otlp/tags.ts";
import { isText, shown, wrong } from "../check.ts";
import { ListTable } from "./list-table.ts";

/** A whole number of 64 bits: a bigint, or a number that is exact. */
export type Whole = bigint | number;

/** The value of an attribute. Numbers are doubles, bigints integers. */
export type BuilderValue =
  | string
  | boolean
  | bigint
  | number
  | Uint8Array
  | readonly BuilderValue[]
  | { readonly [key: string]: BuilderValue };

export const ROOT_KEY = "datadog.local_root_span_id";
export const LINE_WORDS = 5;
export const LINES_AT = 4;
export const VALUE_AT = 3;

const LONE = /\p{Surrogate}/gu;

export const MOST_64 = (1n << 64n) - 1n;
const MOST_SIGNED = (1n << 63n) - 1n;
/** Smallest and largest numbers of a field. */
type Range = readonly [bigint, bigint];
const UNSIGNED: Range = [0n, MOST_64];
export const SIGNED: Range = [-1n - MOST_SIGNED, MOST_SIGNED];
/** Signed in the message, and without a meaning below 0. */
export const COUNT: Range = [0n, MOST_SIGNED];

export function whole(value: unknown, option: string, [least, most]: Range = UNSIGNED): bigint {
  if (typeof value !== "bigint" && !Number.isSafeInteger(value)) wrong(option, value, "a bigint or a safe integer");
  const number = BigInt(value as Whole);
  if (number < least || number > most) wrong(option, value, `a number from ${least} to ${most}`);
  return number;
}

const words = (...values: bigint[]) => values.flatMap((value) => [low(value), high(value)]);

export function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Objects of other realms are plain, too.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

export class BuilderTables {
  isClosed = false;
  /** Changes of the content so far. */
  changes = 0;
  readonly texts: string[] = [""];
  private readonly textRows = new Map([["", 0]]);
  readonly functions = new ListTable();
  readonly mappings = new ListTable();
  readonly locations = new ListTable();
  readonly stacks = new ListTable();
  readonly links = new ListTable();
  readonly written = new ListTable();
  readonly attributes = new ListTable();
  readonly sets = new ListTable();
  readonly resources = new ListTable();
  readonly scopes = new ListTable();
  /** By link: its row in `written`, and the attribute of its root or 0. */
  readonly writtenOf = [0];
  readonly rootOf = [0];
  /** Lists of attributes as given, and the set of each. */
  private readonly given = new ListTable();
  private readonly setOf: number[] = [0];
  private readonly any = new WireWriter();

  /** Gives all rows up. */
  close(): void {
    Object.assign(this, new BuilderTables(), { isClosed: true });
  }

  refuseClosed(): void {
    if (this.isClosed) throw new SpanflameError("recording.closed", "the builder is closed");
  }

  /** A row number of `table` that was given to the caller; an absent one is 0. */
  row(table: ListTable, value: unknown, option: string): number {
    if (value === undefined) return 0;
    if (Number.isInteger(value) && (value as number) >= 0 && (value as number) < table.count) return value as number;
    return wrong(option, value, "a row number that this builder has given", "builder.row");
  }

  text(text: string): number {
    const known = this.textRows.get(text);
    if (known !== undefined) return known;
    const formed = text.replace(LONE, "\ufffd");
    let row = this.textRows.get(formed);
    if (row === undefined) {
      row = this.texts.push(formed) - 1;
      this.textRows.set(formed, row);
    }
    if (formed !== text) this.textRows.set(text, row);
    return row;
  }

  attribute(key: string, value: unknown, unit = ""): number {
    isText(key, "the key of an attribute");
    isText(unit, `the unit of ${shown(key)}`);
    if (key === "") wrong("the key of an attribute", key, "not empty");
    // A getter of an object may make another attribute.
    const any = typeof value === "object" ? new WireWriter() : this.any;
    any.size = 0;
    putValue(any, value, `the value of ${shown(key)}`, 0);
    const { size } = any;
    any.raw(new Uint8Array((4 - (size % 4)) % 4));
    const content = new Uint32Array(any.taken().buffer);
    return this.attributes.intern([this.text(key), this.text(unit), size, ...content]);
  }

  /** The set of attributes by key. */
  setOfObject(attributes: unknown, option: string): number {
    if (attributes === undefined) return 0;
    if (!isPlain(attributes)) wrong(option, attributes, "an object of values by key");
    return this.set(
      Object.entries(attributes as object).map(([key, value]) => this.attribute(key, value)),
      option,
    );
  }

  /** The set of a list of rows that a caller gave. */
  setOfRows(rows: unknown, option: string, ...more: number[]): number {
    if (rows === undefined) return this.set(more, option);
    if (!Array.isArray(rows)) wrong(option, rows, "an array of row numbers");
    const checked = (rows as unknown[]).map((row, i) => this.row(this.attributes, row ?? null, `${option}[${i}]`));
    return this.set([...checked, ...more], option);
  }

  /** The set of some attributes; 0 is none. */
  set(rows: readonly number[], option: string): number {
    const list = this.given.intern(rows);
    this.setOf[list] ??= this.sets.intern(this.sorted(rows, option));
    return this.setOf[list];
  }

  private sorted(rows: readonly number[], option: string): number[] {
    const byKey = new Map<number, number>();
    for (const row of rows) {
      if (row === 0) continue;
      const key = this.attributes.word(row, 0);
      const known = byKey.get(key) ?? row;
      if (known !== row) {
        const says = `${option} has two values of ${shown(this.texts[key])}`;
        throw new SpanflameError("option.value", says);
      }
      byKey.set(key, row);
    }
    return [...byKey.values()].sort((a, b) => a - b);
  }

  mapping(start: bigint, limit: bigint, offset: bigint, file: number, set: number): number {
    return internRow(this.mappings, [...words(start, limit, offset), file, set]);
  }

  function(name: number, systemName: number, file: number, startLine: bigint): number {
    return this.functions.intern([name, systemName, file, ...words(startLine)]);
  }

  /** Lines in the words of the table. */
  location(mapping: number, address: bigint, set: number, lines: readonly number[]): number {
    return internRow(this.locations, [mapping, ...words(address), set, ...lines]);
  }

  line(fn: number, line: bigint, column: bigint): number[] {
    return [fn, ...words(line, column)];
  }

  link(span: bigint, localRoot: bigint, trace: bigint): number {
    // Messages say a root without a trace in the place of the trace.
    const stated = trace === 0n ? localRoot : trace;
    const ids = words(stated, stated >> 64n, span);
    const row = this.links.intern([...ids, ...words(localRoot)]);
    this.writtenOf[row] = this.written.intern(ids);
    this.rootOf[row] = localRoot === 0n ? 0 : this.attribute(ROOT_KEY, localRoot.toString(16).padStart(16, "0"));
    return row;
  }

  resource(set: number, url: number): number {
    return internRow(this.resources, [url, set]);
  }

  scope(name: number, version: number, url: number, set: number): number {
    return internRow(this.scopes, [name, version, url, set]);
  }
}

/** An entry of zeros only is row 0. */
function internRow(table: ListTable, row: readonly number[]): number {
  return row.every((word) => word === 0) ? 0 : table.intern(row);
}

const { AnyValue, ArrayValue, KeyValue, KeyValueList } = TAGS;

function putValue(to: WireWriter, value: unknown, option: string, depth: number): void {
  if (typeof value === "string") to.text(AnyValue.string_value, value);
  else if (typeof value === "boolean") to.number(AnyValue.bool_value, value ? 1n : 0n);
  else if (typeof value === "bigint") to.number(AnyValue.int_value, whole(value, option, SIGNED));
  else if (typeof value === "number") {
    const [bits = 0n] = new BigUint64Array(Float64Array.of(value).buffer);
    to.fixed(AnyValue.double_value, bits);
  } else if (value instanceof Uint8Array) to.delimited(AnyValue.bytes_value, value);
  else if (Array.isArray(value) || isPlain(value)) putList(to, value, option, depth);
  else
    wrong(option, value, "a string, a boolean, a bigint, a number, a Uint8Array, or a list or plain object of these");
}

function putList(to: WireWriter, value: unknown[] | Record<string, unknown>, option: string, depth: number): void {
  if (depth === Limits.MAX_DEPTH) wrong(option, value, `at most ${Limits.MAX_DEPTH} lists inside each other`);
  const isList = Array.isArray(value);
  const keys = new Set<string>();
  const list = to.open(isList ? AnyValue.array_value : AnyValue.kvlist_value);
  for (const [key, each] of isList ? value.entries() : Object.entries(value)) {
    const item = to.open(isList ? ArrayValue.values : KeyValueList.values);
    if (!isList) {
      const formed = String(key).replace(LONE, "\ufffd");
      if (formed === "" || keys.has(formed)) wrong(`a key in ${option}`, key, "not empty, and there once");
      keys.add(formed);
      to.text(KeyValue.key, formed);
    }
    const content = isList ? 0 : to.open(KeyValue.value);
    putValue(to, each, `${option}: ${key}`, depth + 1);
    if (!isList) to.close(content);
    to.close(item);
  }
  to.close(list);
}
