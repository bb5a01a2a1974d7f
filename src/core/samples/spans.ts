/** The table of spans in the store: rows of trace files and recordings, and the times of the samples of each span. */
import * as EvidenceRow from "../../../assembly/abi/rows/evidence-row.ts";
import * as Row from "../../../assembly/abi/rows/span-row.ts";
import * as SpanTrace from "../../../assembly/abi/rows/span-trace-row.ts";
import * as Origin from "../../../assembly/abi/span-origin.ts";
import { IdMap } from "../../ids/map.ts";
import { workEvents } from "../answers/work-events.ts";
import type { Instance } from "../instance/instance.ts";

/** Fields of 64 bits: ids are unsigned, times in ns since 1970. */
const LONGS = {
  traceHigh: Row.TRACE_HIGH,
  traceLow: Row.TRACE_LOW,
  id: Row.ID,
  /** As the source states it, 0 = none. */
  parent: Row.PARENT,
  /** Local root that a recording states, 0 = not known. */
  root: Row.ROOT,
} as const;

const TIMES = {
  start: Row.START,
  /** Not before the start. */
  end: Row.END,
  /** Number of the thread in Java, 0 = not known. */
  threadId: Row.THREAD_ID,
} as const;

/** Texts are strings of the store, 0 = "" or not known. */
const WORDS = {
  service: Row.SERVICE,
  name: Row.NAME,
  resource: Row.RESOURCE,
  kind: Row.KIND,
  /** 0 unset, 1 ok, 2 error, as in OTLP. */
  status: Row.STATUS,
  threadName: Row.THREAD_NAME,
  /** Row of the store's threads, of spans of recordings. */
  thread: Row.THREAD,
  instance: Row.INSTANCE,
  origin: Row.ORIGIN,
  /** Number of the trace file, or of the chunk (`Instance.opened`), from 1 on. */
  source: Row.SOURCE,
  set: Row.SET,
  /** SIDE_… of abi/rows/span-row.ts. */
  side: Row.SIDE,
} as const;

/** The table as columns, in the order of reading. */
export type SpanColumns = { count: number } & Record<keyof typeof LONGS, BigUint64Array> &
  Record<keyof typeof TIMES, BigInt64Array> &
  Record<keyof typeof WORDS, Uint32Array>;

/** First and last time of the samples of a span, in ns since 1970. */
export interface SpanTimes {
  first: bigint;
  last: bigint;
}

/**
 * First and last time of the samples of each place of a tree, in ns since 1970; `has` is 0 where there are none. The
 * columns do not change.
 */
export interface Evidence {
  has: Uint8Array;
  first: BigInt64Array;
  last: BigInt64Array;
}

/** An owner of a core whose late part is loaded on demand. */
interface Owner {
  readonly instance: Instance;
  complete(): Promise<void>;
}

const SCOPES = new Set<number>([Origin.Timeline, Origin.OtelScope, Origin.ProfilerSpan, Origin.Contextual]);
const U32 = Uint32Array.BYTES_PER_ELEMENT;
const ALL_OBSERVATIONS = 2 ** 32 - 1;
const U64 = BigUint64Array.BYTES_PER_ELEMENT;

/** The table of spans of a core; loads the part of the core that the table needs. */
export async function openSpans(owner: Owner): Promise<Spans> {
  await owner.complete();
  return new Spans(owner);
}

export class Spans {
  private readonly instance: Instance;
  private readonly encoder = new TextEncoder();
  private known: SpanColumns | null = null;

  constructor({ instance }: Pick<Owner, "instance">) {
    this.instance = instance;
  }

  /** Rows of all sources. */
  get count(): number {
    return this.instance.wasm.spanCount.value;
  }

  // ---- filling: not while a chunk is being read ----

  /** String of a text. Lone surrogates become U+FFFD. */
  text(text: string): number {
    if (text === "") return 0;
    return this.instance.lend(this.encoder.encode(text), (p, n) => this.instance.wasm.symbolText(p, n));
  }

  /** Row of an attribute. `kind` is one of abi/value-kind.ts; the value a string of the store, or 64 bits. */
  attribute(key: number, kind: number, value: bigint): number {
    return this.instance.wasm.internAttribute(key, kind, value);
  }

  /** Row of a set of attributes that have different keys. */
  set(attributes: readonly number[]): number {
    if (attributes.length === 0) return 0;
    const rows = Uint32Array.from(attributes).sort();
    return this.instance.lend(new Uint8Array(rows.buffer), (p, n) => this.instance.wasm.spanSet(p, n));
  }

  /** Adds rows of abi/rows/span-row.ts, whose texts and sets are in the store; false if the table lacks room. */
  add(rows: Uint8Array): boolean {
    const { wasm, memory } = this.instance;
    const count = rows.length / Row.BYTES;
    const room = wasm.spanRoom(count);
    if (room === 0) return false;
    memory.bytes(room, rows.length).set(rows);
    wasm.addSpans(count);
    this.known = null;
    return true;
  }

  /**
   * Has messages that are written from now on give the Links of these spans their trace ids, and keep local roots as
   * attributes. The first trace of a span id counts.
   */
  nameTraces(spans: Pick<SpanColumns, "id" | "traceHigh" | "traceLow">): void {
    const rows = new DataView(new ArrayBuffer(spans.id.length * SpanTrace.BYTES));
    let at = 0;
    for (const [i, id] of spans.id.entries()) {
      const [high, low] = [spans.traceHigh[i] ?? 0n, spans.traceLow[i] ?? 0n];
      // A Link with the id 0 would be refused.
      if (high === 0n && low === 0n) continue;
      rows.setBigUint64(at + SpanTrace.SPAN, id, true);
      rows.setBigUint64(at + SpanTrace.ID_HIGH, high, true);
      rows.setBigUint64(at + SpanTrace.ID_LOW, low, true);
      at += SpanTrace.BYTES;
    }
    const count = at / SpanTrace.BYTES;
    this.instance.lend(new Uint8Array(rows.buffer, 0, at), (p) => this.instance.wasm.setSpanTraces(p, count));
  }

  // ---- reading ----

  /** Copies of all columns, the same objects until a row is added or dropped. */
  columns(): SpanColumns {
    const { wasm, memory } = this.instance;
    const { count } = this;
    if (this.known?.count === count) return this.known;
    const bytes = memory.bytes(wasm.spanRows(), count * Row.BYTES);
    const longs = new BigUint64Array(bytes.buffer, bytes.byteOffset, (count * Row.BYTES) / U64);
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, (count * Row.BYTES) / U32);
    const each = <Name extends string, T>(table: Readonly<Record<Name, number>>, make: (field: number) => T) =>
      Object.fromEntries(Object.entries<number>(table).map(([name, field]) => [name, make(field)])) as Record<Name, T>;
    this.known = {
      count,
      ...each(LONGS, (field) => longColumn(longs, field, count)),
      ...each(TIMES, (field) => new BigInt64Array(longColumn(longs, field, count).buffer)),
      ...each(WORDS, (field) => wordColumn(words, field, count)),
    };
    return this.known;
  }

  /** The text of a string. */
  string(index: number): string {
    return this.instance.string(index);
  }

  /** Times of the samples and scopes that carry each span id, live heap and queue times aside; of one or all files. */
  times(file?: number): IdMap<SpanTimes> {
    const found = this.sampled(EvidenceRow.SPAN, this.observationsOf(file));
    this.addScopes(found, file);
    return found;
  }

  /**
   * Times of the spans of one file by place. `placeOf` finds the first place of an id by its halves, −1 without one.
   * No 64-bit number is made for an id or a time, because a recording has hundreds of thousands of links.
   */
  evidence(file: number, count: number, placeOf: (low: number, high: number) => number): Evidence {
    const times = new EvidenceColumns(count);
    const { first, last } = this.observationsOf(file);
    const { wasm, memory } = this.instance;
    const at = this.instance.lend(workEvents(this.instance), (p) => wasm.linkTimes(first, last, p));
    const words = memory.u32s(at, (wasm.linkRows() * EvidenceRow.BYTES) / U32);
    for (let p = EvidenceRow.BYTES / U32; p < words.length; p += EvidenceRow.BYTES / U32) {
      const word = (field: number) => words[p + field / U32] ?? 0;
      const [lastLow, lastHigh] = [word(EvidenceRow.LAST), word(EvidenceRow.LAST + U32)];
      if (lastLow === 0 && lastHigh === 0) continue;
      const place = placeOf(word(EvidenceRow.SPAN), word(EvidenceRow.SPAN + U32));
      if (place < 0) continue;
      const [low, high] = [~word(EvidenceRow.NOT_FIRST) >>> 0, ~word(EvidenceRow.NOT_FIRST + U32) >>> 0];
      times.widen(place, low, high, lastLow, lastHigh);
    }
    wasm.endLinkTimes();
    const { id, start, end, origin, source } = this.columns();
    const [ids, starts, ends] = [halvesOf(id), halvesOf(start), halvesOf(end)];
    for (let row = 0; row < origin.length; row++) {
      if (!SCOPES.has(origin[row] ?? 0) || this.instance.opened[(source[row] ?? 0) - 1]?.file !== file) continue;
      const i = 2 * row;
      const place = placeOf(ids[i] ?? 0, ids[i + 1] ?? 0);
      if (place >= 0) times.widen(place, starts[i] ?? 0, starts[i + 1] ?? 0, ends[i] ?? 0, ends[i + 1] ?? 0);
    }
    return times;
  }

  /** Times of the samples that carry each of these local roots, live heap and queue times aside. */
  rootTimes(wanted: IdMap<unknown>): IdMap<SpanTimes> {
    return this.sampled(EvidenceRow.ROOT, this.observationsOf(undefined), wanted);
  }

  /** Times of the samples of each link, live heap and queue times aside; `last` is 0 without any. */
  linkTimes(): { first: BigUint64Array; last: BigUint64Array } {
    const { wasm, memory } = this.instance;
    const at = this.instance.lend(workEvents(this.instance), (p) => wasm.linkTimes(0, ALL_OBSERVATIONS, p));
    const count = wasm.linkRows();
    const rows = new BigUint64Array(memory.bytes(at, count * EvidenceRow.BYTES).slice().buffer);
    const [first, last] = [new BigUint64Array(count), new BigUint64Array(count)];
    for (let link = 0, row = 0; link < count; link++, row += EvidenceRow.BYTES / U64) {
      first[link] = ~(rows[row + EvidenceRow.NOT_FIRST / U64] ?? 0n);
      last[link] = rows[row + EvidenceRow.LAST / U64] ?? 0n;
    }
    wasm.endLinkTimes();
    return { first, last };
  }

  /** Times of samples by an id of their links; `wanted`: of these ids only. */
  private sampled(
    field: number,
    { first, last }: { first: number; last: number },
    wanted?: IdMap<unknown>,
  ): IdMap<SpanTimes> {
    const { wasm, memory } = this.instance;
    const counts = workEvents(this.instance);
    const at = this.instance.lend(counts, (p) => wasm.linkTimes(first, last, p));
    const found = new IdMap<SpanTimes>();
    const words = memory.u32s(at, (wasm.linkRows() * EvidenceRow.BYTES) / U32);
    for (let p = EvidenceRow.BYTES; p < words.byteLength; p += EvidenceRow.BYTES) {
      const [low = 0, high = 0] = [words[(p + field) / U32], words[(p + field) / U32 + 1]];
      if ((low | high) === 0 || wanted?.hasHalves(low, high) === false) continue;
      const end = memory.u64(at + p + EvidenceRow.LAST);
      if (end === 0n) continue;
      const start = BigInt.asUintN(64, ~memory.u64(at + p + EvidenceRow.NOT_FIRST));
      widen(found, memory.u64(at + p + field), start, end);
    }
    wasm.endLinkTimes();
    return found;
  }

  /** Scopes state where a span was active, so their times are evidence, too. */
  private addScopes(times: IdMap<SpanTimes>, file?: number): void {
    const { id, start, end, origin, source } = this.columns();
    for (const [row, span] of id.entries()) {
      if (span === 0n || !SCOPES.has(origin[row] ?? 0)) continue;
      if (file !== undefined && this.instance.opened[(source[row] ?? 0) - 1]?.file !== file) continue;
      widen(times, span, start[row] ?? 0n, end[row] ?? 0n);
    }
  }

  private observationsOf(file: number | undefined): { first: number; last: number } {
    if (file === undefined) return { first: 0, last: 2 ** 32 - 1 };
    const { files } = this.instance;
    const first = files.slice(0, file).reduce((sum, { samples }) => sum + samples, 0);
    return { first, last: first + (files[file]?.samples ?? 0) };
  }
}

/** Evidence while it is collected; times are halves of 64 bits. */
class EvidenceColumns implements Evidence {
  readonly has: Uint8Array;
  readonly first: BigInt64Array;
  readonly last: BigInt64Array;
  private readonly firsts: Uint32Array;
  private readonly lasts: Uint32Array;

  constructor(count: number) {
    this.has = new Uint8Array(count);
    this.first = new BigInt64Array(count);
    this.last = new BigInt64Array(count);
    this.firsts = halvesOf(this.first);
    this.lasts = halvesOf(this.last);
  }

  widen(place: number, firstLow: number, firstHigh: number, lastLow: number, lastHigh: number): void {
    const isNew = this.has[place] === 0;
    this.has[place] = 1;
    const word = 2 * place;
    if (isNew || isLess(firstLow, firstHigh, this.firsts[word] ?? 0, this.firsts[word + 1] ?? 0)) {
      this.firsts[word] = firstLow;
      this.firsts[word + 1] = firstHigh;
    }
    if (isNew || isLess(this.lasts[word] ?? 0, this.lasts[word + 1] ?? 0, lastLow, lastHigh)) {
      this.lasts[word] = lastLow;
      this.lasts[word + 1] = lastHigh;
    }
  }
}

/** Of times, whose upper half has the sign. */
function isLess(low: number, high: number, otherLow: number, otherHigh: number): boolean {
  const [one, other] = [high | 0, otherHigh | 0];
  return one < other || (one === other && low < otherLow);
}

function halvesOf({ buffer, byteOffset, length }: BigInt64Array | BigUint64Array): Uint32Array {
  return new Uint32Array(buffer, byteOffset, 2 * length);
}

/** Rows of trace files, or those that recordings know. */
export function rowsOf({ count, origin }: SpanColumns, source: "files" | "recordings"): Uint32Array {
  const rows = new Uint32Array(count);
  let n = 0;
  for (let i = 0; i < count; i++) if ((origin[i] === Origin.TraceFile) === (source === "files")) rows[n++] = i;
  return rows.subarray(0, n);
}

/** The upper half of the trace id of each row: Datadog's tracers write it in one span of a trace. */
export function wholeTraceHighs({ traceHigh, traceLow }: SpanColumns, rows: Uint32Array): BigUint64Array {
  const highs = new IdMap<bigint>();
  for (const row of rows) {
    const low = traceLow[row] ?? 0n;
    const high = traceHigh[row] ?? 0n;
    if (high > (highs.get(low) ?? 0n)) highs.set(low, high);
  }
  return traceHigh.map((high, row) => highs.get(traceLow[row] ?? 0n) ?? high);
}

/** Adds [first, last] to the times of a span. */
export function widen(times: IdMap<SpanTimes>, span: bigint, first: bigint, last: bigint): void {
  const known = times.get(span);
  if (known === undefined) times.set(span, { first, last });
  else {
    if (first < known.first) known.first = first;
    if (last > known.last) known.last = last;
  }
}

function longColumn(longs: BigUint64Array, field: number, count: number): BigUint64Array {
  const column = new BigUint64Array(count);
  // By halves: no number of 64 bits is made.
  const [from, to] = [halvesOf(longs), halvesOf(column)];
  for (let i = 0, at = field / U32; i < 2 * count; i += 2, at += Row.BYTES / U32) {
    to[i] = from[at]!;
    to[i + 1] = from[at + 1]!;
  }
  return column;
}

function wordColumn(words: Uint32Array, field: number, count: number): Uint32Array {
  const column = new Uint32Array(count);
  for (let i = 0, at = field / U32; i < count; i++, at += Row.BYTES / U32) column[i] = words[at] ?? 0;
  return column;
}
