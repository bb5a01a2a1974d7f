/**
 * Inference of context at the end of each file: facts of the file's events for the rules (src/model/context), and their
 * claims, which become links of samples (assembly/store/inferred.ts). Facts are kept by the core on request only.
 */

import * as ContextRule from "../../../assembly/abi/context-rule.ts";
import * as ContextRow from "../../../assembly/abi/rows/context-row.ts";
import * as ProfileRowAbi from "../../../assembly/abi/rows/profile-row.ts";
import * as Row from "../../../assembly/abi/rows/span-row.ts";
import * as Origin from "../../../assembly/abi/span-origin.ts";
import * as StoreTable from "../../../assembly/abi/store-table.ts";
import { IdMap } from "../../ids/map.ts";
import { fullOf } from "../instance/capacity.ts";
import { SpanflameError } from "../instance/error.ts";
import type { Instance } from "../instance/instance.ts";
import type { ProfileRow } from "../tables/catalogue-types.ts";
import { kindOf } from "../tables/meanings.ts";
import type { Diagnostic, TimeRange } from "../types.ts";
import { addCounts, type InferredCounts, noCounts, RULE_NAMES } from "./inferred-counts.ts";
import { recordColumns, wordsOf } from "./record-columns.ts";
import { type StatedSpans, statedSpans } from "./recorded-spans.ts";
import { spanRoots } from "./span-roots.ts";
import { idsInTag } from "./span-tag.ts";
import { StackMethods } from "./stack-methods.ts";
import { allColumns } from "./store-columns.ts";
import {
  type FileWaits,
  type HeldColumns,
  type LockWaits,
  locksOf,
  NO_THREAD,
  notedWaits,
  type Parks,
  parksOf,
} from "./waits.ts";

/** Times are ns after `base`. A thread is a number below the count of `threads`. */
export interface ContextFacts {
  /** Ns since 1970. */
  base: bigint;
  threads: ThreadFacts;
  /** Events whose types have no field for a span id. */
  events: EventFacts;
  /** Events with such a field, whose id may be 0. */
  samples: SampleFacts;
  /** Ends of requests and of waits in queues. */
  borders: Rows & { time: Float64Array };
  scopes: ScopeFacts;
  /** Spans that are events from their start to their end; absent without any. */
  spans?: StatedSpans;
  /** Null without any event that has contextual fields. */
  fields: FieldFacts | null;
  /** Waits for monitors. */
  locks: LockWaits;
  parks: Parks;
  stacks: StackMethods;
}

/** Rows of threads. */
interface Rows {
  count: number;
  thread: Uint32Array;
}

/** Rows with a beginning and an end. */
export interface Stretches extends Rows {
  start: Float64Array;
  end: Float64Array;
}

/** Stretches with trace ids, 0 where none is stated. */
interface TracedStretches extends Stretches {
  traceHigh: BigUint64Array;
  traceLow: BigUint64Array;
}

/** Events with contextual fields, and all events that may lie inside. */
export interface FieldFacts extends TracedStretches {
  /** Attribute set of the fields, 0 for the empty one. */
  set: Uint32Array;
  /** An observation of no thread of the file has a number that no thread has. */
  rows: Stretches;
  /** The set with the attributes of both; of one key that of `inner`. */
  merge(inner: number, outer: number): number;
}

/** By rows of the facts: the set of the contextual fields around, and the event with the trace id, −1 without one. */
export interface Enclosing {
  set: Uint32Array;
  traced: Int32Array;
}

export interface ThreadFacts {
  count: number;
  /** Number of the thread in Java, 0 if it has none. */
  javaId: Float64Array;
  /** One of its rows in the store. */
  row: Uint32Array;
  /** Its name at an event, by `name` of the event. */
  name(row: number): string;
}

export interface EventFacts extends Stretches {
  stack: Uint32Array;
  /** Handle of the thread's name. */
  name: Uint32Array;
}

export interface SampleFacts extends Rows {
  time: Float64Array;
  stack: Uint32Array;
  span: BigUint64Array;
  root: BigUint64Array;
}

export interface ScopeFacts extends TracedStretches {
  span: BigUint64Array;
  /** 0 where it is not known. */
  root: BigUint64Array;
}

/** The context of an event: one of abi/context-rule.ts says why. A span of 0 is unknown; so is a root of 0. */
export interface Claims {
  count: number;
  /** Index in `events` of the facts. */
  event: Uint32Array;
  rule: Uint8Array;
  span: BigUint64Array;
  root: BigUint64Array;
  /** Row of the scope, −1 for other rules. */
  scope: Int32Array;
  /** Null without facts of fields. */
  enclosing: Enclosing | null;
  held: HeldColumns;
}

export type Infer = (facts: ContextFacts) => Claims;

/** Rows of a page, and claims that are passed at a time. */
const ROWS_AT_ONCE = 1 << 16;
/** A queue time is of the span that waited, while its thread ran others. */
const ASIDE = "queue";

/** A core. */
interface Owner {
  readonly instance: Instance;
  contexts: Pick<Contexts, "endFile" | "inferredIn" | "files" | "takeBack"> | null;
  complete(): Promise<void>;
  catalogueRow(profile: number): ProfileRow | undefined;
  note(diagnostic: Diagnostic): void;
}

/**
 * From now on, until the core is reset, the table of spans is filled from recordings, and context is inferred at the
 * end of each; with null it is not. Loads the late part of the core. `firstSpan`: of the file that is read, if its
 * facts are kept already. `around`: the only time whose context is asked for.
 */
export async function keepContexts(
  core: Owner,
  infer: Infer | null,
  { firstSpan, around }: { firstSpan?: number; around?: TimeRange } = {},
): Promise<void> {
  await core.complete();
  core.contexts = new Contexts(core, infer, firstSpan, around);
}

export class Contexts {
  private readonly core: Owner;
  private readonly instance: Instance;
  private readonly infer: Infer | null;
  /** Spans of the table before those of the current file. */
  private firstSpan = 0;
  /** Waits of each file with inferred context. */
  readonly files: FileWaits[] = [];
  /** By file, and event row in it. */
  private readonly counts: Map<number, InferredCounts>[] = [];
  private readonly around: TimeRange | undefined;
  /** The first time whose scopes count, where not all do. */
  private begin = 0n;
  /** Upper halves of that time and of the last one. */
  private firstHigh = 0;
  private readonly lastHigh: number;

  constructor(core: Owner, infer: Infer | null, firstSpan?: number, around?: TimeRange) {
    this.around = around;
    this.lastHigh = Number((around?.to ?? 0n) >> 32n);
    this.core = core;
    this.instance = core.instance;
    this.infer = infer;
    this.instance.wasm.keepContexts(infer !== null);
    this.firstSpan = firstSpan ?? this.instance.wasm.spanCount.value;
  }

  /** Infers the context of the observations that were read since the end of the file before. */
  endFile(): void {
    const { wasm } = this.instance;
    try {
      this.readTags();
      if (this.infer !== null && wasm.notedCount() > 0) this.inferFile(this.infer);
    } catch (error) {
      if (!(error instanceof SpanflameError) || error.code !== "core.memory") throw error;
      const file = this.instance.files.at(-1)?.name ?? "";
      this.core.note(fullOf(file, ": context is inferred for a part of the file's events, or for none"));
    }
    wasm.forgetContexts();
    this.firstSpan = wasm.spanCount.value;
  }

  /** The observations of an event row of a file are taken back, `taken` of those before number `end`. */
  takeBack(file: number, event: number, end: number, taken: number): void {
    this.counts[file]?.delete(event);
    for (const { waits } of this.files)
      for (const [i, at] of waits.observation.entries()) if (at >= end) waits.observation[i] = at - taken;
  }

  /** Counts of the event rows whose profile row `isWanted` accepts; null if nothing is inferred. */
  inferredIn(isWanted: (profile: number) => boolean): InferredCounts | null {
    if (this.infer === null) return null;
    const { wasm, memory } = this.instance;
    const sum = noCounts();
    for (const [event, counts] of this.counts.flatMap((own) => [...own])) {
      if (isWanted(memory.u32(wasm.eventAt(event) + ProfileRowAbi.EVENT_PROFILE))) addCounts(sum, counts);
    }
    return sum;
  }

  private inferFile(infer: Infer): void {
    const base = this.instance.files.at(-1)?.chunks[0]?.startUnixNano ?? 0n;
    const threads = this.threads();
    const noted = this.noted(base);
    const events = eventsOf(noted, threads);
    const waits = this.waits(base, noted);
    const facts: ContextFacts = {
      base,
      threads,
      events,
      samples: this.samplesOf(noted, threads),
      borders: this.borders(base, threads),
      scopes: this.scopes(base, threads),
      spans: statedSpans(this.instance, this.firstSpan, base),
      fields: this.fields(base, threads, noted),
      locks: locksOf(noted, threads.of, waits),
      parks: parksOf(noted, threads.of, waits),
      stacks: new StackMethods(this.instance),
    };
    const claims = infer(facts);
    this.apply({ noted, events, facts, claims });
    this.files.push({ base, file: this.instance.files.length - 1, waits, held: claims.held });
    for (const wait of new Set(claims.held.wait)) {
      const row = waits.enters[wait] ?? waits.parks[wait - waits.enters.length]!;
      const own = this.countsOf(noted.event[waits.noted[row]!]!);
      own.samplesWithHolder = (own.samplesWithHolder ?? 0) + 1;
    }
  }

  /** The waits; what their holders did when they began counts, too. */
  private waits(base: bigint, noted: Noted): FileWaits["waits"] {
    if (this.around === undefined) return notedWaits(this.instance, noted);
    const { from, to } = this.around;
    const found = notedWaits(this.instance, noted, { from: Number(from - base), to: Number(to - base) });
    const first = found.enters.reduce((least, i) => Math.min(least, noted.end[found.noted[i]!]!), Number(from - base));
    this.begin = base + BigInt(Math.floor(first));
    this.firstHigh = Number(this.begin >> 32n);
    return found;
  }

  /** Numbers for the threads of the file: one for all rows of the store that are the same thread. */
  private threads(): ThreadFacts & { of: Uint32Array } {
    const { wasm, memory } = this.instance;
    const at = wasm.threadRows();
    const count = wasm.threadCount();
    const numbers = new IdMap<number>();
    const javaIds: number[] = [];
    const first: number[] = [];
    const rows: [row: number, thread: number][] = [];
    let most = 0;
    for (let p = at; p < at + count * ContextRow.NOTED_THREAD_BYTES; p += ContextRow.NOTED_THREAD_BYTES) {
      const key = memory.i64(p + ContextRow.NOTED_THREAD_KEY);
      const row = memory.u32(p + ContextRow.NOTED_THREAD_ROW);
      if (key === 0n || row === 0) continue;
      const thread = numbers.get(key) ?? numbers.size;
      numbers.set(key, thread);
      javaIds[thread] ||= Number(memory.i64(p + ContextRow.NOTED_THREAD_JAVA));
      first[thread] ??= row;
      rows.push([row, thread]);
      most = Math.max(most, row);
    }
    const of = new Uint32Array(most + 1).fill(NO_THREAD);
    for (const [row, thread] of rows) of[row] = thread;
    const [names] = allColumns(this.instance, StoreTable.Threads);
    const nameOf = (attribute: number) => (attribute === 0 ? "" : this.instance.label(attribute));
    const name = (row: number) => nameOf(names?.[row] ?? 0);
    return { count: numbers.size, javaId: Float64Array.from(javaIds), row: Uint32Array.from(first), name, of };
  }

  /** Columns of all noted observations. */
  private noted(base: bigint): Noted {
    const { wasm, memory } = this.instance;
    const count = wasm.notedCount();
    const all: Noted = {
      count,
      start: new Float64Array(count),
      end: new Float64Array(count),
      span: new BigUint64Array(count),
      root: new BigUint64Array(count),
      observation: new Uint32Array(count),
      thread: new Uint32Array(count),
      stack: new Uint32Array(count),
      event: new Uint32Array(count),
      own: new Uint8Array(count),
    };
    for (let from = 0; from < count; from += ROWS_AT_ONCE) {
      const n = Math.min(ROWS_AT_ONCE, count - from);
      this.instance.reserve(n * ContextRow.PAGE_BYTES);
      const { at } = this.instance.buffer;
      wasm.notedPage(from, from + n, base, at);
      const longs = (column: number) => new BigUint64Array(memory.i64s(at + column * n, n).buffer);
      const words = (column: number) => memory.u32s(at + column * n, n);
      all.start.set(memory.f64s(at + ContextRow.PAGE_START * n, n), from);
      all.end.set(memory.f64s(at + ContextRow.PAGE_END * n, n), from);
      all.span.set(longs(ContextRow.PAGE_SPAN), from);
      all.root.set(longs(ContextRow.PAGE_ROOT), from);
      all.observation.set(words(ContextRow.PAGE_OBSERVATION), from);
      all.thread.set(words(ContextRow.PAGE_THREAD), from);
      all.stack.set(words(ContextRow.PAGE_STACK), from);
      all.event.set(words(ContextRow.PAGE_EVENT), from);
      all.own.set(words(ContextRow.PAGE_OWN), from);
    }
    return all;
  }

  private samplesOf(noted: Noted, { of }: { of: Uint32Array }): SampleFacts {
    const aside = new Map<number, boolean>();
    const isAside = (event: number) => {
      const known = aside.get(event) ?? this.isAside(event);
      aside.set(event, known);
      return known;
    };
    const rows = pick(noted, (i) => noted.own[i] === 1 && isThread(of, noted.thread[i]!) && !isAside(noted.event[i]!));
    return {
      count: rows.length,
      thread: rows.map((i) => of[noted.thread[i]!]!),
      time: gathered(noted.start, rows),
      stack: rows.map((i) => noted.stack[i]!),
      span: idsAt(noted.span, rows),
      root: idsAt(noted.root, rows),
    };
  }

  private isAside(event: number): boolean {
    const profile = this.instance.memory.u32(this.instance.wasm.eventAt(event) + ProfileRowAbi.EVENT_PROFILE);
    const { type = "" } = this.core.catalogueRow(profile) ?? {};
    return kindOf({ type, periodType: "", periodUnit: "" }) === ASIDE;
  }

  private borders(base: bigint, { of }: { of: Uint32Array }): ContextFacts["borders"] {
    const { wasm, memory } = this.instance;
    const at = wasm.borderRows();
    const rows: number[] = [];
    for (let p = at; p < at + wasm.borderCount() * ContextRow.BORDER_BYTES; p += ContextRow.BORDER_BYTES) {
      if (isThread(of, memory.u32(p + ContextRow.BORDER_THREAD))) rows.push(p);
    }
    const { words, times } = recordColumns(memory, rows, base);
    const thread = words(ContextRow.BORDER_THREAD).map((row) => of[row]!);
    return { count: rows.length, thread, time: times(ContextRow.BORDER_TIME) };
  }

  /** Has the spans of async-profiler that this file added the ids of their tags. */
  private readTags(): void {
    const { wasm, memory } = this.instance;
    for (let i = this.firstSpan; i < wasm.spanCount.value; i++) {
      const p = wasm.spanRows() + i * Row.BYTES;
      if (memory.u32(p + Row.ORIGIN) === Origin.ProfilerSpan) this.readTag(p);
    }
  }

  /** Rows of the table of spans that this file added, as far as they are scopes. */
  private scopes(base: bigint, { of }: { of: Uint32Array }): ScopeFacts {
    const { wasm, memory } = this.instance;
    const at = wasm.spanRows();
    const rootOf = spanRoots(this.instance, this.firstSpan);
    const rows: number[] = [];
    // A thread with any scope has no context outside of them.
    const scoped = new Set<number>();
    const words = wordsOf(memory);
    for (let i = this.firstSpan; i < wasm.spanCount.value; i++) {
      const p = at + i * Row.BYTES;
      const origin = words[(p + Row.ORIGIN) >>> 2]!;
      const isScope = SCOPES.has(origin) || (origin === Origin.ProfilerSpan && memory.u64(p + Row.ID) !== 0n);
      const thread = words[(p + Row.THREAD) >>> 2]!;
      if (!isScope || !isThread(of, thread)) continue;
      if (scoped.has(of[thread]!) && !this.isAround(words, p + Row.START, p + Row.END)) continue;
      scoped.add(of[thread]!);
      rows.push(p);
    }
    const { words: column, longs, times } = recordColumns(memory, rows, base);
    const [span, root] = [longs(Row.ID), longs(Row.ROOT)];
    if (rootOf !== null) for (const [i, stated] of root.entries()) if (stated === 0n) root[i] = rootOf(span[i]!);
    return {
      count: rows.length,
      thread: column(Row.THREAD).map((row) => of[row]!),
      start: times(Row.START),
      end: times(Row.END),
      span,
      root,
      traceHigh: longs(Row.TRACE_HIGH),
      traceLow: longs(Row.TRACE_LOW),
    };
  }

  private fields(base: bigint, { of }: { of: Uint32Array }, noted: Noted): FieldFacts | null {
    const { wasm, memory } = this.instance;
    const at = wasm.contextRows();
    const rows: number[] = [];
    const all = wordsOf(memory);
    for (let p = at; p < at + wasm.contextCount() * ContextRow.CONTEXT_BYTES; p += ContextRow.CONTEXT_BYTES) {
      const isNear = this.isAround(all, p + ContextRow.CONTEXT_START, p + ContextRow.CONTEXT_END);
      if (isNear && isThread(of, all[(p + ContextRow.CONTEXT_THREAD) >>> 2]!)) rows.push(p);
    }
    if (rows.length === 0) return null;
    const { words, longs, times } = recordColumns(memory, rows, base);
    return {
      count: rows.length,
      thread: words(ContextRow.CONTEXT_THREAD).map((row) => of[row]!),
      start: times(ContextRow.CONTEXT_START),
      end: times(ContextRow.CONTEXT_END),
      set: words(ContextRow.CONTEXT_SET),
      traceHigh: longs(ContextRow.CONTEXT_TRACE_HIGH),
      traceLow: longs(ContextRow.CONTEXT_TRACE_LOW),
      rows: { ...noted, thread: noted.thread.map((row) => of[row] ?? NO_THREAD) },
      merge: (inner, outer) => wasm.mergeSets(inner, outer),
    };
  }

  /** Whether the times at two places touch the time that is asked for. */
  private isAround(words: Uint32Array, start: number, end: number): boolean {
    if (this.around === undefined) return true;
    // Numbers of 64 bits are made of the few whose upper halves do not decide.
    if ((words[(start + 4) >>> 2]! | 0) > this.lastHigh || (words[(end + 4) >>> 2]! | 0) < this.firstHigh) return false;
    const { memory } = this.instance;
    return memory.i64(start) <= this.around.to && memory.i64(end) >= this.begin;
  }

  private readTag(p: number): void {
    const { memory } = this.instance;
    const { span, root, traceHigh, traceLow } = idsInTag(this.instance.string(memory.u32(p + Row.NAME)));
    const view = new DataView(memory.bytes(p, Row.BYTES).buffer, p, Row.BYTES);
    view.setBigUint64(Row.ID, span, true);
    view.setBigUint64(Row.ROOT, root, true);
    view.setBigUint64(Row.TRACE_HIGH, traceHigh, true);
    view.setBigUint64(Row.TRACE_LOW, traceLow, true);
  }

  /** Passes the claims, and the contextual fields around events without a claim. */
  private apply({ noted, events, facts, claims }: Inferred): void {
    const { enclosing } = claims;
    const claimOf = new Int32Array(noted.count).fill(NONE);
    for (let i = 0; i < claims.count; i++) claimOf[events.noted[claims.event[i]!]!] = i;
    const isBare = new Uint8Array(noted.count);
    for (const row of events.noted) isBare[row] = 1;
    const isTraced = (i: number) =>
      isBare[i] === 1 && enclosing?.traced[i] !== undefined && enclosing.traced[i] !== NONE;
    const rows = pick(noted, (i) => claimOf[i] !== NONE || (enclosing?.set[i] ?? 0) !== 0 || isTraced(i));
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      const part = rows.subarray(from, from + ROWS_AT_ONCE);
      const bytes = new DataView(new ArrayBuffer(part.length * ContextRow.CLAIM_BYTES));
      for (const [k, i] of part.entries()) {
        const unclaimed = isBare[i] === 1 ? ContextRule.Scope : ContextRule.Contextual;
        const traced = isTraced(i) ? enclosing!.traced[i]! : NONE;
        const claim = claimIn(facts, claims, claimOf[i]!, traced, unclaimed);
        const p = k * ContextRow.CLAIM_BYTES;
        bytes.setUint32(p + ContextRow.CLAIM_OBSERVATION, noted.observation[i]!, true);
        bytes.setUint32(p + ContextRow.CLAIM_RULE, claim.rule, true);
        bytes.setBigUint64(p + ContextRow.CLAIM_ROOT, claim.root, true);
        bytes.setBigUint64(p + ContextRow.CLAIM_SPAN, claim.span, true);
        bytes.setBigUint64(p + ContextRow.CLAIM_TRACE_HIGH, claim.traceHigh, true);
        bytes.setBigUint64(p + ContextRow.CLAIM_TRACE_LOW, claim.traceLow, true);
        bytes.setUint32(p + ContextRow.CLAIM_SET, enclosing?.set[i] ?? 0, true);
        this.count(noted.event[i]!, claim);
      }
      this.instance.reserve(bytes.byteLength);
      this.instance.buffer.view(0, bytes.byteLength).set(new Uint8Array(bytes.buffer));
      this.instance.wasm.inferContexts(this.instance.buffer.at, part.length);
    }
    if (rows.length > 0) this.instance.changeSamples();
  }

  /** Of an event row of the file. */
  private countsOf(event: number): InferredCounts {
    this.counts[this.instance.files.length - 1] ??= new Map();
    const own = this.counts[this.instance.files.length - 1]!;
    const counts = own.get(event) ?? noCounts();
    own.set(event, counts);
    return counts;
  }

  private count(event: number, { rule, span, root, traceHigh, traceLow }: Claim): void {
    const counts = this.countsOf(event);
    if (span !== 0n) counts.inferredSpan++;
    if ((root | traceHigh | traceLow) !== 0n) counts.inferredRoot++;
    const name = RULE_NAMES[rule];
    if (name !== undefined) counts.inferredBy[name]++;
  }
}

interface Inferred {
  noted: Noted;
  events: NotedEvents;
  facts: ContextFacts;
  claims: Claims;
}

interface Claim {
  rule: number;
  span: bigint;
  root: bigint;
  traceHigh: bigint;
  traceLow: bigint;
}

/** Neither a claim, a scope nor a thread. */
const NONE = -1;

/** Claim `i`, which may be NONE (rule `unclaimed`), with the trace of its scope, or of the event `traced` around. */
function claimIn(
  { scopes, fields }: ContextFacts,
  claims: Claims,
  i: number,
  traced: number,
  unclaimed: number,
): Claim {
  const [span, root] = i === NONE ? [0n, 0n] : [claims.span[i]!, claims.root[i]!];
  const scope = i === NONE ? NONE : claims.scope[i]!;
  const [traces, row] = scope !== NONE && scopes.traceLow[scope] !== 0n ? [scopes, scope] : [fields, traced];
  const isTraced = traces !== null && row !== NONE;
  const traceHigh = isTraced ? traces.traceHigh[row]! : 0n;
  const traceLow = isTraced ? traces.traceLow[row]! : 0n;
  const rule = i === NONE ? unclaimed : claims.rule[i]!;
  return { rule, span, root, traceHigh, traceLow };
}

/** Origins of spans that are scopes; those of async-profiler are if they have an id. */
const SCOPES = new Set<number>([Origin.Timeline, Origin.OtelScope, Origin.Contextual]);

/** Their threads are rows of the store's. */
interface Noted extends Stretches {
  span: BigUint64Array;
  root: BigUint64Array;
  observation: Uint32Array;
  stack: Uint32Array;
  event: Uint32Array;
  /** The event has a field for the span id. */
  own: Uint8Array;
}

interface NotedEvents extends EventFacts {
  /** Their rows among the noted observations. */
  noted: Uint32Array;
}

function isThread(of: Uint32Array, row: number): boolean {
  return row < of.length && of[row] !== NO_THREAD;
}

function pick({ count }: Noted, isWanted: (i: number) => boolean): Uint32Array {
  const rows = new Uint32Array(count);
  let n = 0;
  for (let i = 0; i < count; i++) if (isWanted(i)) rows[n++] = i;
  return rows.subarray(0, n);
}

/** In a loop: a recording may have millions of rows, for which calls of `from` with a function take seconds. */
function gathered(column: Float64Array, rows: Uint32Array): Float64Array {
  const found = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) found[i] = column[rows[i]!]!;
  return found;
}

/** By halves: no number of 64 bits is made. */
function idsAt(column: BigUint64Array, rows: Uint32Array): BigUint64Array {
  const found = new BigUint64Array(rows.length);
  const [halves, own] = [new Uint32Array(column.buffer), new Uint32Array(found.buffer)];
  for (let i = 0; i < own.length; i++) own[i] = halves[2 * rows[i >> 1]! + (i & 1)]!;
  return found;
}

function eventsOf(noted: Noted, { of }: { of: Uint32Array }): NotedEvents {
  // A type may have a field for the root alone: such an event keeps what it states.
  const isBare = (i: number) => noted.own[i] === 0 && noted.span[i] === 0n && noted.root[i] === 0n;
  const rows = pick(noted, (i) => isBare(i) && isThread(of, noted.thread[i]!));
  return {
    count: rows.length,
    thread: rows.map((i) => of[noted.thread[i]!]!),
    start: gathered(noted.start, rows),
    end: gathered(noted.end, rows),
    stack: rows.map((i) => noted.stack[i]!),
    name: rows.map((i) => noted.thread[i]!),
    noted: rows,
  };
}
