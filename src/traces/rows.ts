/**
 * Rows of the table of spans, made of the spans of a trace file and passed to the store in batches. Spans of a group
 * (a resource of OTLP, a trace of Jaeger) may precede the description of their process: they are held until the group
 * ends, as rows.
 */

import * as Row from "../../assembly/abi/rows/span-row.ts";
import * as Origin from "../../assembly/abi/span-origin.ts";
import * as ValueKind from "../../assembly/abi/value-kind.ts";
import type { Json } from "./json-value.ts";
import { extentOf, inRange, type ParsedSpan, plainText, sideOf, type TimeFault } from "./span.ts";

/** Functions of the store that this file uses (src/core/samples/spans.ts). */
export interface SpanStore {
  text(text: string): number;
  attribute(key: number, kind: number, value: bigint): number;
  set(attributes: readonly number[]): number;
  add(rows: Uint8Array): boolean;
}

/** The process that spans of a group belong to. */
export interface Process {
  service: string;
  instance: string;
}

/** The text of the service of the first row that `SpanStore.add` gets. */
export function firstService(rows: Uint8Array): number {
  return rows.length === 0 ? 0 : new DataView(rows.buffer, rows.byteOffset).getUint32(Row.SERVICE, true);
}

/** Thrown by a row beyond the table's room, or beyond the spans that a file may have. */
export class SpansFull extends Error {}

const BATCH = 1024;
/** Scopes, resources and other parts around spans, for each row that the file may have. */
const PARTS_PER_SPAN = 4;
/** As many parts as a span that is left out counts: its error takes that long. */
export const LEFT_OUT = 16;
/** Texts and attributes that are remembered, so that repeated ones need no call into the core. */
const REMEMBERED = 1 << 16;
/** As abi/limits.ts has it for attributes of samples. */
const MOST_ATTRIBUTES = 256;
/** While a group is held, the word of the side has the number of the process, too. */
const SIDES = Row.SIDE_SHARED + 1;
const U64 = (1n << 64n) - 1n;

export class SpanRows {
  /** Spans that were added. */
  count = 0;
  /** There is no room for a span of the file. */
  isFull = false;
  /** The table of the store has no room left. */
  private isRefused = false;
  private readonly store: SpanStore;
  private readonly source: number;
  private readonly most: () => number;
  private made = 0;
  private visited = 0;
  private batch = new DataView(new ArrayBuffer(BATCH * Row.BYTES));
  private used = 0;
  private held: DataView[] | null = null;
  private texts = new Map<string, number>();
  private attributes = new Map<string, Map<Json, number>>();
  private remembered = 0;

  /** `source`: the number of the file, from 1 on. `most`: rows that it may have. */
  constructor(store: SpanStore, source: number, most: () => number) {
    this.store = store;
    this.source = source;
    this.most = most;
  }

  /** `process`: the number of the process in a group, for `release`. Returns a fault of the times. Throws SpansFull. */
  add(span: ParsedSpan, process = 0): TimeFault | null {
    const { attributes } = span;
    const resource = span.resource ?? plainText(attributes.get("resource.name"));
    const instance =
      span.instance || plainText(attributes.get("service.instance.id")) || plainText(attributes.get("runtime-id"));
    const words: readonly [number, number][] = [
      [Row.SERVICE, this.text(span.service)],
      [Row.NAME, this.text(span.name)],
      [Row.RESOURCE, this.text(resource)],
      [Row.KIND, this.text(span.kind)],
      [Row.STATUS, span.status],
      [Row.THREAD_NAME, this.text(plainText(attributes.get("thread.name")))],
      [Row.THREAD, 0],
      [Row.INSTANCE, this.text(instance)],
      [Row.ORIGIN, Origin.TraceFile],
      [Row.SOURCE, this.source],
      [Row.SET, this.set(attributes)],
      [Row.SIDE, process * SIDES + (span.side ?? sideOf(span.kind))],
    ];
    const { batch, at } = this.nextRow();
    const { start, end, fault } = extentOf(span);
    batch.setBigUint64(at + Row.TRACE_HIGH, span.trace >> 64n, true);
    batch.setBigUint64(at + Row.TRACE_LOW, span.trace & U64, true);
    batch.setBigUint64(at + Row.ID, span.id, true);
    batch.setBigUint64(at + Row.PARENT, span.parent, true);
    batch.setBigUint64(at + Row.ROOT, 0n, true);
    batch.setBigInt64(at + Row.START, start, true);
    batch.setBigInt64(at + Row.END, end, true);
    batch.setBigInt64(at + Row.THREAD_ID, threadId(attributes.get("thread.id")), true);
    for (const [field, value] of words) batch.setUint32(at + field, value, true);
    this.count++;
    return fault;
  }

  /** Adds the id of a trace that a left-out span states; 0n adds nothing. The row has span id 0, so it is no span. */
  addTraceId(trace: bigint): void {
    if (trace === 0n) return;
    const { batch, at } = this.nextRow();
    new Uint8Array(batch.buffer, at, Row.BYTES).fill(0);
    batch.setBigUint64(at + Row.TRACE_HIGH, trace >> 64n, true);
    batch.setBigUint64(at + Row.TRACE_LOW, trace & U64, true);
    batch.setUint32(at + Row.ORIGIN, Origin.TraceFile, true);
    batch.setUint32(at + Row.SOURCE, this.source, true);
  }

  /** Counts parts of the file that are spans or may have spans. Throws SpansFull if they are too many. */
  visit(parts = 1): void {
    this.visited += parts;
    if (this.visited <= PARTS_PER_SPAN * this.most()) return;
    this.isFull = true;
    throw new SpansFull();
  }

  /** Begins a group: its rows wait for `release`. */
  hold(): void {
    this.flush();
    this.held = [];
  }

  /** Ends a group. Rows of a process get its service and its instance, if they have none. */
  release(processes: readonly Process[]): void {
    const words = processes.map(({ service, instance }) => ({
      service: this.text(service),
      instance: this.text(instance),
    }));
    const finish = (batch: DataView, end: number) => {
      for (let at = 0; at < end; at += Row.BYTES) {
        const word = batch.getUint32(at + Row.SIDE, true);
        const process = words[Math.floor(word / SIDES)];
        batch.setUint32(at + Row.SIDE, word % SIDES, true);
        if (process === undefined) continue;
        if (process.service !== 0) batch.setUint32(at + Row.SERVICE, process.service, true);
        if (process.instance !== 0) batch.setUint32(at + Row.INSTANCE, process.instance, true);
      }
    };
    const held = this.held ?? [];
    this.held = null;
    for (const batch of held) {
      finish(batch, batch.byteLength);
      this.pass(batch, BATCH);
    }
    finish(this.batch, this.used * Row.BYTES);
    this.flush();
  }

  /** Passes on what waits. */
  flush(): void {
    if (this.held !== null) this.release([]);
    else if (this.used > 0) {
      this.pass(this.batch, this.used);
      this.used = 0;
    }
  }

  private nextRow(): { batch: DataView; at: number } {
    if (this.used === BATCH) this.nextBatch();
    this.isFull ||= this.isRefused || this.made >= this.most();
    if (this.isFull) throw new SpansFull();
    this.made++;
    return { batch: this.batch, at: this.used++ * Row.BYTES };
  }

  private nextBatch(): void {
    if (this.held === null) this.flush();
    else {
      this.held.push(this.batch);
      this.batch = new DataView(new ArrayBuffer(BATCH * Row.BYTES));
      this.used = 0;
    }
  }

  private pass(batch: DataView, rows: number): void {
    if (!this.isRefused && this.store.add(new Uint8Array(batch.buffer, 0, rows * Row.BYTES))) return;
    this.isRefused = true;
    this.isFull = true;
    for (let row = 0; row < rows; row++) {
      if (batch.getBigUint64(row * Row.BYTES + Row.ID, true) !== 0n) this.count--;
    }
  }

  private text(text: string): number {
    if (text === "") return 0;
    const known = this.texts.get(text);
    if (known !== undefined) return known;
    this.remember();
    const row = this.store.text(text);
    this.texts.set(text, row);
    return row;
  }

  private set(attributes: ReadonlyMap<string, Json>): number {
    const rows: number[] = [];
    for (const [key, value] of attributes) {
      if (value === null || rows.length === MOST_ATTRIBUTES) continue;
      rows.push(this.attribute(key, typeof value === "object" ? plainText(value) : value));
    }
    return this.store.set(rows);
  }

  private attribute(key: string, value: string | number | bigint | boolean): number {
    let values = this.attributes.get(key);
    const known = values?.get(value);
    if (known !== undefined) return known;
    this.remember();
    const [kind, bits] = this.bits(value);
    const row = this.store.attribute(this.text(key), kind, bits);
    // Forgotten at times, and then made again.
    values = this.attributes.get(key);
    if (values === undefined) this.attributes.set(key, new Map([[value, row]]));
    else values.set(value, row);
    return row;
  }

  private bits(value: string | number | bigint | boolean): [kind: number, bits: bigint] {
    if (typeof value === "string") return [ValueKind.Text, BigInt(this.text(value))];
    if (typeof value === "boolean") return [ValueKind.Bool, value ? 1n : 0n];
    if (typeof value === "bigint" || Number.isSafeInteger(value))
      return [ValueKind.Int, BigInt.asUintN(64, BigInt(value))];
    return [ValueKind.Double, new BigUint64Array(Float64Array.of(value).buffer)[0] ?? 0n];
  }

  private remember(): void {
    if (++this.remembered < REMEMBERED) return;
    this.remembered = 0;
    this.texts = new Map();
    this.attributes = new Map();
  }
}

/** Number of a thread, 0n where it is none. */
function threadId(value: Json | undefined): bigint {
  if (typeof value === "number" && Number.isFinite(value)) return inRange(BigInt(Math.trunc(value)));
  if (typeof value === "bigint") return inRange(value);
  return typeof value === "string" && /^\d{1,19}$/.test(value) ? inRange(BigInt(value)) : 0n;
}
