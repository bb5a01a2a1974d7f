/**
 * Rule 2: an event has the innermost span of a trace file that names its thread and contains all of it, on the
 * recording's clock. There is no answer if a span cuts the event, if two that contain it are not above each other, or
 * if a sample between the same two edges has another span. Where spans take turns, such a sample must agree.
 */
import type { ContextFacts } from "../../core/samples/contexts.ts";
import type { SpanColumns, SpanTimes } from "../../core/samples/spans.ts";
import { type IdLookup, IdMap } from "../../ids/map.ts";
import { clockOf } from "../trace/clock.ts";
import { evidenceFrom } from "../trace/evidence.ts";
import type { EntryKinds, TraceTree } from "../trace/tree.ts";
import { after, before, Intervals } from "./intervals.ts";
import { MOST_AROUND, SLACK, UNSURE } from "./limits.ts";
import { MIXED, NONE, type ThreadSamples } from "./neighbours.ts";

/** The spans of trace files. */
export interface TraceSource {
  tree: TraceTree;
  columns: SpanColumns;
  entries: EntryKinds;
  /** The text of a string of the store. */
  text(index: number): string;
}

/** The place of a span in the tree; NO_SPAN if none is near; UNKNOWN if no span is certain. */
export const NO_SPAN = -1;
export const UNKNOWN = -2;

/** The spans of a trace that ran in the process of one recording, by thread. */
export class TraceThreads {
  /** Place of the topmost span above a place that is in the same process. */
  readonly root: Uint32Array;
  private readonly source: TraceSource;
  private readonly facts: ContextFacts;
  /** ns to add to a time of the trace, counted from the recording's base; null if the clock is not known. */
  private readonly offset: number | null;
  private readonly byId = new Map<number, number[]>();
  private readonly byName = new Map<string, number[]>();
  private readonly known = new Map<number[], ThreadSpans>();
  private readonly names = new Map<number, string>();

  constructor(source: TraceSource, facts: ContextFacts) {
    this.source = source;
    this.facts = facts;
    this.root = localRoots(source);
    const times = evidence(facts);
    const clock = clockOf(source.tree, evidenceFrom(source.tree, times));
    this.offset = clock === null ? null : Number(clock.offset);
    this.file(placesInProcess(source.tree, times));
  }

  private file(places: readonly number[]): void {
    const { tree, columns, text } = this.source;
    for (const place of places) {
      if (tree.untimed[place] === 1) continue;
      const row = tree.row[place]!;
      const id = Number(columns.threadId[row]!);
      const name = columns.threadName[row]!;
      if (id !== 0) listed(this.byId, id).push(place);
      else if (name !== 0) listed(this.byName, text(name)).push(place);
    }
  }

  /**
   * The span of an event [from, to] of a thread. Where some spans name the thread by its number and others only by its
   * name, those with the number decide, as long as none of the others is near.
   */
  at(thread: number, name: number, from: number, to: number, near: ThreadSamples): number {
    const byId = this.spansOf(this.byId.get(this.facts.threads.javaId[thread] ?? 0));
    const byName = this.spansOf(this.byName.get(this.nameOf(name)));
    if (byId === null || byName === null) return (byId ?? byName)?.at(from, to, near) ?? NO_SPAN;
    return byName.isNear(from, to) ? UNKNOWN : byId.at(from, to, near);
  }

  private spansOf(places: number[] | undefined): ThreadSpans | null {
    if (places === undefined) return null;
    const known = this.known.get(places) ?? new ThreadSpans(this.source.tree, places, this.facts.base, this.offset);
    this.known.set(places, known);
    return known;
  }

  private nameOf(row: number): string {
    const name = this.names.get(row) ?? this.facts.threads.name(row);
    this.names.set(row, name);
    return name;
  }
}

function listed<Key>(lists: Map<Key, number[]>, key: Key): number[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

/** Times of the samples, scopes and events of each span id. */
function evidence({ base, samples, scopes, spans }: ContextFacts): IdMap<SpanTimes> {
  const found = new IdMap<{ from: number; to: number }>();
  const note = (span: bigint, from: number, to: number) => {
    if (span === 0n) return;
    const known = found.get(span);
    if (known === undefined) found.set(span, { from, to });
    else {
      known.from = Math.min(known.from, from);
      known.to = Math.max(known.to, to);
    }
  };
  for (let i = 0; i < samples.count; i++) note(samples.span[i]!, samples.time[i]!, samples.time[i]!);
  for (let i = 0; i < scopes.count; i++) note(scopes.span[i]!, scopes.start[i]!, scopes.end[i]!);
  for (let i = 0; i < (spans?.count ?? 0); i++) note(spans!.span[i]!, spans!.start[i]!, spans!.end[i]!);
  const at = (time: number) => base + BigInt(Math.trunc(time));
  const times = new IdMap<SpanTimes>();
  for (const [span, { from, to }] of found) times.set(span, { first: at(from), last: at(to) });
  return times;
}

/** Those in the process of the spans with evidence; without such spans all, if they are of one process. */
function placesInProcess({ count, id, instance }: TraceTree, times: IdLookup<SpanTimes>): number[] {
  const all = Array.from({ length: count }, (_, place) => place);
  const found = all.filter((place) => times.has(id[place]!));
  if (found.length === 0) return new Set(instance).size < 2 ? all : [];
  const home = new Set(found.map((place) => instance[place]!));
  home.delete(0);
  return home.size === 0 ? all : all.filter((place) => instance[place] === 0 || home.has(instance[place]!));
}

function localRoots({ tree, columns, entries }: TraceSource): Uint32Array {
  const root = new Uint32Array(tree.count);
  for (let place = 0; place < tree.count; place++) {
    const up = tree.up[place]!;
    const enters = entries.has(columns.kind[tree.row[place]!]!);
    const isRoot = up < 0 || enters || tree.instance[up] !== tree.instance[place];
    root[place] = isRoot ? place : root[up]!;
  }
  return root;
}

class ThreadSpans {
  private readonly tree: TraceTree;
  private readonly places: Uint32Array;
  private readonly intervals: Intervals;
  /** Starts and ends of all spans, ascending. */
  private readonly edges: Float64Array;
  private readonly isTimed: boolean;
  private readonly takesTurns: boolean;
  /** How far from an event a span can be and still cut it. */
  private readonly reach: number;

  constructor(tree: TraceTree, places: readonly number[], base: bigint, offset: number | null) {
    this.tree = tree;
    this.isTimed = offset !== null;
    this.reach = this.isTimed ? 0 : UNSURE;
    const move = offset ?? 0;
    const at = (column: BigInt64Array, place: number) => Number(column[place]! - base) + move;
    const rows = places.map((place) => ({ place, start: at(tree.start, place), end: at(tree.end, place) }));
    rows.sort((a, b) => a.start - b.start || b.end - a.end || a.place - b.place);
    this.places = Uint32Array.from(rows, ({ place }) => place);
    this.intervals = new Intervals(
      Float64Array.from(rows, ({ start }) => start),
      Float64Array.from(rows, ({ end }) => end),
    );
    this.edges = Float64Array.from(rows.flatMap(({ start, end }) => [start, end])).sort();
    this.takesTurns = this.crosses();
  }

  /** Whether two spans of the thread overlap although neither is above the other. */
  private crosses(): boolean {
    const { start, end, count } = this.intervals;
    const open: number[] = [];
    for (let i = 0; i < count; i++) {
      while (open.length > 0 && end[open.at(-1)!]! <= start[i]!) open.pop();
      const last = open.at(-1);
      if (last !== undefined && !this.isAbove(last, i)) return true;
      open.push(i);
    }
    return false;
  }

  private isAbove(upper: number, lower: number): boolean {
    const place = this.places[upper]!;
    return place <= this.places[lower]! && this.places[lower]! < place + this.tree.size[place]!;
  }

  /** Whether a span is so near to an event that it may be the event's. */
  isNear(from: number, to: number): boolean {
    return this.intervals.last(from - this.reach, to + this.reach) >= 0;
  }

  /** The span of the event [from, to]. */
  at(from: number, to: number, near: ThreadSamples): number {
    const { start, end } = this.intervals;
    const { reach } = this;
    const slack = this.isTimed ? SLACK : -UNSURE;
    const innermost = this.intervals.last(from - reach, to + reach);
    if (innermost < 0) return NO_SPAN;
    let left = MOST_AROUND;
    let inner = innermost;
    for (let i = innermost; i >= 0; i = this.intervals.before(i, from - reach)) {
      const isInside = start[i]! - slack <= from && to <= end[i]! + slack;
      if (!isInside || !this.isAbove(i, inner) || --left === 0) return UNKNOWN;
      inner = i;
    }
    const place = this.places[innermost]!;
    return this.agrees(from, to, this.tree.id[place]!, near) ? place : UNKNOWN;
  }

  /** Whether no sample between the edges around the event has another span. */
  private agrees(from: number, to: number, id: bigint, near: ThreadSamples): boolean {
    const low = (this.edges[after(this.edges, from + SLACK) - 1] ?? Number.NEGATIVE_INFINITY) + SLACK;
    const high = (this.edges[before(this.edges, to - SLACK)] ?? Number.POSITIVE_INFINITY) - SLACK;
    const around = near.spans.around(from, to, low, high);
    if (around === NONE) return !this.takesTurns;
    return around !== MIXED && around === id;
  }
}
