/** Requests about traces: the list, the spans of one with their samples, and search. Loaded when there are spans. */
import { Numbered } from "../../bytes/numbered.ts";
import { knownRequests } from "../../core/samples/recorded-spans.ts";
import { openSamples, type SampleReader } from "../../core/samples/sample-reader.ts";
import { SpanAttributes } from "../../core/samples/span-attributes.ts";
import { openSpans, type SpanColumns, type Spans } from "../../core/samples/spans.ts";
import type { RankHow, RankPage } from "../../core/types.ts";
import type { TraceSort } from "../../model/query/query.ts";
import type { OperationStates } from "../../model/span-time/operation-states.ts";
import { Pauses } from "../../model/span-time/pauses.ts";
import type { Peers } from "../../model/span-time/peers.ts";
import { silenceOf } from "../../model/span-time/silent-spans.ts";
import { traceHex } from "../../model/trace/beside.ts";
import { idsOf } from "../../model/trace/evidence.ts";
import { differences } from "../../model/trace/point-numbers.ts";
import { areOthersIds, type Reason, reasonOf } from "../../model/trace/reasons.ts";
import { placeOfId } from "../../model/trace/resolve-id.ts";
import { areSpansAlone } from "../../model/trace/shows-trace.ts";
import { offsetAt } from "../../model/trace/span-extent.ts";
import { reasonSentence } from "../../model/trace/span-words.ts";
import { statedPage } from "../../model/trace/stated-rows.ts";
import type { TraceTree } from "../../model/trace/tree.ts";
import { hexId } from "../../model/words/ids.ts";
import type { OperationSource } from "../api/operations-api.ts";
import type {
  SpanDetail,
  SpanTime,
  TracePage,
  TraceRow,
  TraceSpans,
  TraceStrips,
  TracesOverview,
} from "../api/traces-api.ts";
import type { HeldCore } from "../held-core.ts";
import { spansOf } from "../read-spans.ts";
import { namedSpans } from "./named-spans.ts";
import type { NamedPoints } from "./root-points.ts";
import { marksOf } from "./sample-facts.ts";
import { Steps } from "./steps.ts";
import { type TraceSamples, timeFacts, traceSamples } from "./trace-samples.ts";

const REASONS: Reason[] = ["other-process", "outside", "no-context", "short", "unsampled"];
const ERROR = 2;

/** A trace: places [from, to) of the tree. */
interface Stretch {
  from: number;
  to: number;
  row: TraceRow;
}

export class Traces {
  private readonly held: HeldCore;
  private readonly table: Spans;
  private readonly columns: SpanColumns;
  readonly tree: TraceTree;
  private readonly files: TracesOverview["files"];
  private readonly stretches: Stretch[];
  private readonly attributes: SpanAttributes;
  /** Rows of spans that only samples have are from this one on. They are in traces, and no points of operations. */
  private readonly sampledFrom: number;
  /** The samples are the spans themselves: they tell nothing more of a span. */
  private readonly isAlone: boolean;
  /** What durations are, without trace files. */
  private readonly recorded: OperationSource;
  private readonly texts = new Map<number, string>();
  /** Everything that follows from the samples. */
  readonly samples = new Steps(() => this.count());
  private timing: { reader: SampleReader; steps: Steps<OperationStates> } | null = null;

  private constructor(held: HeldCore, table: Spans, files: TracesOverview["files"]) {
    this.held = held;
    this.table = table;
    this.files = files;
    this.isAlone = areSpansAlone(held.core.files());
    const sampled = files.length === 0 ? namedSpans(held, table) : [];
    const read = spansOf(table, files.length === 0 ? "recordings" : "files", sampled);
    const { columns, tree, hasStarts } = read;
    this.columns = columns;
    this.sampledFrom = read.sampledFrom;
    this.tree = tree;
    this.recorded = hasStarts ? "recordings" : "ends";
    this.attributes = new SpanAttributes(held.core.instance);
    this.stretches = this.cutTraces();
  }

  /** The spans of the trace files, which were read, or without one those that the recordings know; null without any. */
  static async of(held: HeldCore, files: TracesOverview["files"]): Promise<Traces | null> {
    const traces = new Traces(held, await openSpans(held.core), files);
    return traces.tree.count === 0 ? null : traces;
  }

  overview(): TracesOverview {
    return { files: this.files, spans: this.tree.count, traces: this.stretches.length };
  }

  /** The stated spans by start and duration. */
  points(): NamedPoints {
    const { tree, columns, files } = this;
    const isPoint = this.recorded === "ends" ? knownRequests(this.table, columns, this.sampledFrom) : this.isStated;
    const places = Uint32Array.from([...tree.row.keys()].filter((at) => isPoint(tree.row[at] ?? 0)));
    const before = new Uint32Array(tree.count + 1);
    for (const place of places) before[place + 1] = 1;
    for (let at = 0; at < tree.count; at++) before[at + 1] = (before[at + 1] ?? 0) + (before[at] ?? 0);
    const placeOf = (point: number) => places[point] ?? 0;
    const rowOf = (point: number) => tree.row[placeOf(point)] ?? 0;
    const start = BigInt64Array.from(places, (place) => tree.start[place] ?? 0n);
    return {
      source: files.length === 0 ? this.recorded : "files",
      count: places.length,
      unstated: places.length,
      least: files.length === 0 && this.recorded === "ends",
      name: places.map((place) => columns.name[tree.row[place] ?? 0] ?? 0),
      id: BigUint64Array.from(places, (place) => tree.id[place] ?? 0n),
      start,
      duration: differences(
        BigInt64Array.from(places, (place) => tree.end[place] ?? 0n),
        start,
      ),
      size: places.map((place) => (before[place + (tree.size[place] ?? 1)] ?? 0) - (before[place] ?? 0)),
      text: (name) => this.text(name),
      trace: (point) => traceHex(tree, placeOf(point)),
      service: (point) => this.text(columns.service[rowOf(point)] ?? 0),
      offset: (point) => offsetAt(tree, placeOf(point), this.samples.value.evidence),
    };
  }

  /** The samples were counted before, of other calls or under other names. */
  forget(): void {
    this.samples.forget();
  }

  /** Rows [offset, offset + limit) of the list, the largest first and names ascending; `reversed`: the last first. */
  list(sort: TraceSort, reversed: boolean, offset: number, limit: number): TracePage {
    const rows = this.sorted(sort);
    if (reversed) rows.reverse();
    return { count: rows.length, offset, rows: rows.slice(offset, offset + limit) };
  }

  private sorted(sort: TraceSort): TraceRow[] {
    void this.samples.value;
    const rows = this.stretches.map(({ row }) => row);
    if (sort === "start") return rows;
    if (sort === "name") return rows.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
    return rows.sort((a, b) => b[sort] - a[sort]);
  }

  /**
   * The spans of a trace by its id; without one, of the trace with one of these ids, of itself or of a span; without
   * any, of the only trace. Null if there is none.
   */
  spans(trace: string, ids: readonly bigint[]): TraceSpans | null {
    const stretch = this.stretchOf(trace, ids);
    return stretch === undefined ? null : this.spansOf(stretch);
  }

  /** A span of a trace, by its place in it. */
  span(trace: string, place: number): SpanDetail | null {
    const stretch = this.stretches.find(({ row }) => row.trace === trace);
    const at = (stretch?.from ?? 0) + place;
    const row = this.tree.row[at];
    if (stretch === undefined || row === undefined || at >= stretch.to) return null;
    const text = (index: number | undefined) => this.text(index ?? 0);
    const { name, service, resource, kind, threadName, set } = this.columns;
    return {
      id: this.tree.id[at] ?? 0n,
      name: text(name[row]),
      service: text(service[row]),
      resource: text(resource[row]),
      kind: text(kind[row]),
      thread: text(threadName[row]),
      instance: text(this.tree.instance[at]),
      attributes: this.attributes.of(set[row] ?? 0),
    };
  }

  /** Where the time of a span went, by its place; null if neither a trace nor a recording knows its extent. */
  async time(trace: string, place: number, by: "span" | "root"): Promise<SpanTime | null> {
    const asked = await this.timed(trace, place, by);
    if (asked === null) return null;
    const { timeOf } = await import("./span-time.ts");
    return await timeOf(this.held, asked);
  }

  /** The parts of other spans with the service, the name and the resource of this one, over all traces. */
  async peers(trace: string, place: number, by: "span" | "root"): Promise<Peers | null> {
    const asked = await this.timed(trace, place, by);
    if (asked === null) return null;
    const { name, service, resource } = this.columns;
    const { tree } = this;
    const { firsts } = idsOf(tree);
    const own = tree.row[asked.place] ?? 0;
    const places: number[] = [];
    for (let at = 0; at < tree.count; at++) {
      const row = tree.row[at] ?? 0;
      const isOne = name[row] === name[own] && service[row] === service[own] && resource[row] === resource[own];
      if (isOne && firsts[at] !== firsts[asked.place]) places.push(at);
    }
    const { peersBeside } = await import("./span-time.ts");
    return await peersBeside(this.held, asked, places);
  }

  /** The samples of all spans of a trace over time, pauses of the collector, and the critical path. */
  async strips(trace: string): Promise<TraceStrips | null> {
    const stretch = this.stretches.find(({ row }) => row.trace === trace);
    if (stretch === undefined) return null;
    const { from, to, row } = stretch;
    const { tree } = this;
    const { evidence, facts } = this.samples.value;
    const { stripsBeside } = await import("./strips.ts");
    return await stripsBeside(this.held, {
      ...{ tree, from, to, start: row.start, duration: row.duration, evidence },
      serviceOf: (place) => this.columns.service[tree.row[place] ?? 0] ?? 0,
      isElsewhere: (place) => reasonOf(tree, place, facts) === "other-process",
    });
  }

  /** A trace by its places in the tree; null if there is none. */
  placesOf(trace: string) {
    const stretch = this.stretches.find(({ row }) => row.trace === trace);
    if (stretch === undefined) return null;
    const { from, to } = stretch;
    return { tree: this.tree, from, to, evidence: this.samples.value.evidence };
  }

  /** Facts of all samples for questions about time. */
  async times(): Promise<Steps<OperationStates>> {
    const reader = await openSamples(this.held);
    if (this.timing?.reader !== reader) {
      this.timing = { reader, steps: new Steps(() => timeFacts(this.held, reader)) };
    }
    return this.timing.steps;
  }

  /** A span and the evidence of its time. */
  private async timed(trace: string, place: number, by: "span" | "root") {
    const stretch = this.stretches.find(({ row }) => row.trace === trace);
    const at = (stretch?.from ?? 0) + place;
    if (this.isAlone || stretch === undefined || at >= stretch.to) return null;
    const { tree } = this;
    const name = this.text(this.columns.name[tree.row[at] ?? 0] ?? 0);
    const operations = (await this.times()).value;
    return { place: at, tree, by, name, evidence: this.samples.value.evidence, operations };
  }

  /** Places of the spans of a trace whose name, service, resource, id or attribute contains a text. */
  find(trace: string, text: string): Uint32Array {
    const stretch = this.stretches.find(({ row }) => row.trace === trace);
    const wanted = text.trim().toLowerCase();
    if (stretch === undefined || wanted === "") return new Uint32Array(0);
    const found: number[] = [];
    const texts = new Map<number, boolean>();
    const has = (index: number | undefined) => {
      const key = index ?? 0;
      const known = texts.get(key) ?? this.text(key).toLowerCase().includes(wanted);
      texts.set(key, known);
      return known;
    };
    const sets = new Map<number, boolean>();
    const hasAttribute = (set: number) => {
      const known =
        sets.get(set) ??
        this.attributes.of(set).some(({ key, value }) => `${key}=${value}`.toLowerCase().includes(wanted));
      sets.set(set, known);
      return known;
    };
    const { name, service, resource, set } = this.columns;
    for (let at = stretch.from; at < stretch.to; at++) {
      const row = this.tree.row[at] ?? 0;
      const id = this.tree.id[at] ?? 0n;
      const isFound =
        has(name[row]) ||
        has(service[row]) ||
        has(resource[row]) ||
        hexId(id).startsWith(wanted) ||
        String(id) === wanted ||
        hasAttribute(set[row] ?? 0);
      if (isFound) found.push(at - stretch.from);
    }
    return Uint32Array.from(found);
  }

  /** Rows of ids with the durations that the trace files state; null without a trace file. */
  ranked(
    how: RankHow,
    range: readonly [number, number],
    rank: (offset: number, limit: number) => RankPage,
  ): RankPage | null {
    const { files, tree, recorded } = this;
    const isStated = (place: number) => this.isStated(tree.row[place] ?? 0);
    return statedPage({ tree, isStated, atLeast: files.length === 0 && recorded === "ends" }, how, range, rank);
  }

  /** What the span at a place asked for, or else its operation. */
  nameAt(place: number): string {
    const { name, resource } = this.columns;
    const row = this.tree.row[place] ?? 0;
    return this.text(resource[row] ?? 0) || this.text(name[row] ?? 0);
  }

  /** Why the span at a place has no samples. */
  reasonAt(place: number): string {
    const pauses = new Pauses(marksOf(this.held.core));
    return reasonSentence(silenceOf(this.tree, place, this.samples.value.facts, pauses));
  }

  private text(index: number): string {
    const text = this.texts.get(index) ?? this.table.string(index);
    this.texts.set(index, text);
    return text;
  }

  /** The traces in the order of the tree, which has each of them in one stretch. */
  /** Whether more than samples tells of a row. */
  private readonly isStated = (row: number) => row < this.sampledFrom;

  private cutTraces(): Stretch[] {
    const { tree, columns } = this;
    const found: Stretch[] = [];
    for (let from = 0, to = 0; from < tree.count; from = to) {
      let first = tree.start[from] ?? 0n;
      let last = tree.end[from] ?? 0n;
      let errors = 0;
      for (to = from; to < tree.count && tree.traceLow[to] === tree.traceLow[from]; to++) {
        const [start, end] = [tree.start[to] ?? 0n, tree.end[to] ?? 0n];
        if (start < first) first = start;
        if (end > last) last = end;
        errors += Number(columns.status[tree.row[to] ?? 0] === ERROR);
      }
      const row = tree.row[from] ?? 0;
      const text = (index: number | undefined) => this.text(index ?? 0);
      found.push({
        from,
        to,
        row: {
          trace: traceHex(tree, from),
          name: text(columns.name[row]),
          service: text(columns.service[row]),
          resource: text(columns.resource[row]),
          start: first,
          duration: Number(last - first),
          spans: to - from,
          errors,
          samples: 0,
        },
      });
    }
    return found;
  }

  private stretchOf(trace: string, ids: readonly bigint[]): Stretch | undefined {
    // Never a trace that was not asked for.
    if (trace !== "") return this.stretches.find(({ row }) => row.trace === trace);
    if (ids.length === 0) return this.stretches.length === 1 ? this.stretches[0] : undefined;
    const place = Math.min(...ids.map((id) => placeOfId(this.tree, id)).filter((each) => each >= 0));
    return this.stretches.find(({ from, to }) => from <= place && place < to);
  }

  private *count(): Generator<void, TraceSamples> {
    const samples = yield* traceSamples(this.held, this.table, this.tree);
    for (const { from, to, row } of this.stretches) {
      row.samples = 0;
      for (const { samples: of } of samples.counts) {
        for (let at = from; at < to; at++) row.samples += of[at] ?? 0;
      }
    }
    return samples;
  }

  private spansOf({ from, to, row }: Stretch): TraceSpans {
    const { facts } = this.samples.value;
    const { tree, columns } = this;
    const count = to - from;
    const texts = new Numbered<number>();
    const indexed = (column: Uint32Array) =>
      Uint32Array.from({ length: count }, (_, i) => texts.of(column[tree.row[from + i] ?? 0] ?? 0));
    const since = (times: BigInt64Array, zero: bigint) =>
      Float64Array.from({ length: count }, (_, i) => Number((times[from + i] ?? 0n) - zero));
    const start = since(tree.start, row.start);
    const end = since(tree.end, row.start);
    const { name, service, resource, kind } = columns;
    const indexes = {
      nameOf: indexed(name),
      serviceOf: indexed(service),
      resourceOf: indexed(resource),
      kindOf: indexed(kind),
    };
    const clock = facts.recordings.find((beside) => beside.clock !== null)?.clock ?? null;
    return {
      ...row,
      up: tree.up.slice(from, to).map((up) => (up < 0 ? up : up - from)),
      depth: tree.depth.slice(from, to),
      size: tree.size.slice(from, to),
      orphan: tree.orphan.slice(from, to),
      from: start,
      length: end.map((at, i) => at - (start[i] ?? 0)),
      self: since(tree.self, 0n),
      critical: since(tree.critical, 0n),
      id: tree.id.slice(from, to),
      ...indexes,
      texts: texts.list.map((index) => this.text(index)),
      status: Uint8Array.from({ length: count }, (_, i) => columns.status[tree.row[from + i] ?? 0] ?? 0),
      ...this.samplesOf(from, to),
      offset: clock === null ? null : Number(clock.offset),
      isOthers: areOthersIds(facts),
      isAlone: this.isAlone,
    };
  }

  /** Samples of the spans in each profile that has some, and the reasons of those without. */
  private samplesOf(
    from: number,
    to: number,
  ): Pick<TraceSpans, "profiles" | "reason" | "reasons" | "paused" | "periods"> {
    const { counts, inferred, facts } = this.samples.value;
    const profiles = counts
      .map(({ type, shares, samples, value }) => ({
        type,
        shares,
        samples: samples.slice(from, to),
        inferred: inferred.get(type)?.slice(from, to) ?? new Float64Array(to - from),
        value: value.slice(from, to),
      }))
      .filter(({ samples }) => samples.some((n) => n > 0));
    const pauses = new Pauses(marksOf(this.held.core));
    const silent = Array.from({ length: to - from }, (_, i) =>
      this.isAlone || profiles.some(({ samples }) => (samples[i] ?? 0) > 0)
        ? null
        : silenceOf(this.tree, from + i, facts, pauses),
    );
    return {
      profiles,
      reason: Uint8Array.from(silent, (each) => (each === null ? 0 : 1 + REASONS.indexOf(each.reason))),
      reasons: REASONS,
      paused: Float64Array.from(silent, (each) => each?.paused ?? 0),
      periods: { all: Number(facts.period), wall: Number(facts.wallPeriod) },
    };
  }
}
