/**
 * The views of the core on a store that a test fills by hand: wraps the exports of assembly/testing/view.ts.
 * Names, ids and pictures in, plain records out, without logic of the views.
 */

import * as FramesAnswer from "../../../assembly/abi/frames-answer.ts";
import * as RankKind from "../../../assembly/abi/rank-kind.ts";
import * as DiffRow from "../../../assembly/abi/rows/diff-row.ts";
import * as RankRow from "../../../assembly/abi/rows/rank-row.ts";
import * as SearchRow from "../../../assembly/abi/rows/search-row.ts";
import * as SummaryRow from "../../../assembly/abi/rows/summary-row.ts";
import * as TopRow from "../../../assembly/abi/rows/top-row.ts";
import * as TreeRow from "../../../assembly/abi/rows/tree-row.ts";
import * as Timeline from "../../../assembly/abi/timeline.ts";
import * as ValueKind from "../../../assembly/abi/value-kind.ts";
import { compileTesting } from "./compile.ts";

/** Bytes of the elements of columns. */
const U32 = Uint32Array.BYTES_PER_ELEMENT;
const F64 = Float64Array.BYTES_PER_ELEMENT;

type Fn = (...args: (number | bigint)[]) => number;
type Wide = (...args: (number | bigint)[]) => bigint;

export interface Link {
  high?: bigint;
  root: bigint;
  span: bigint;
}

/** A string, an integer, a truth value, or a boxed double. */
export type Value = string | bigint | boolean | { double: number };

/** Each part is one predicate; a list in it are its alternatives. */
export interface Question {
  span?: bigint | bigint[] | undefined;
  root?: bigint | bigint[] | undefined;
  noSpan?: boolean;
  notSpan?: bigint | undefined;
  attributes?: readonly (readonly [key: string, ...values: string[]])[];
  notAttributes?: readonly (readonly [key: string, value: string])[];
  /** Names of functions, any of which is in the stack. */
  frames?: string[] | undefined;
  notFrames?: string[] | undefined;
  time?: [from: bigint, to: bigint] | undefined;
  /** Numbers of the first and the one after the last: what one file holds. */
  observations?: [first: number, last: number];
}

export interface Row {
  node: number;
  parent: number;
  name: string;
  type: number;
  total: number;
  self: number;
  hiddenFrames: number;
  hiddenValue: number;
}

export interface Frames {
  rows: Row[];
  path: { node: number; name: string; total: number }[];
  framesInFocus: number;
  hiddenFrames: number;
  selectionTotal: number;
  hiddenValue: number;
}

export interface RankedRow {
  id: bigint;
  root: bigint;
  value: bigint;
  samples: number;
  label: string;
  first: bigint;
  last: bigint;
  sample: number;
}

/** After the last observation. */
const ALL = 0xffff_ffff;

/** A rule for runs of frames; `whole`: with all frames below. */
interface Run {
  label: string;
  names: string[];
  whole: boolean;
}

export class ViewCore {
  readonly module: WebAssembly.Module;
  private readonly exports: Record<string, unknown>;
  private readonly memory: WebAssembly.Memory;
  private readonly encoder = new TextEncoder();
  private readonly decoder = new TextDecoder();

  private constructor(module: WebAssembly.Module, instance: WebAssembly.Instance) {
    this.module = module;
    this.exports = instance.exports;
    this.memory = instance.exports.memory as WebAssembly.Memory;
    this.reset();
  }

  static async create(): Promise<ViewCore> {
    const module = await compileTesting("view");
    return new ViewCore(module, await WebAssembly.instantiate(module, {}));
  }

  call(name: string, ...args: (number | bigint)[]): number {
    return (this.exports[name] as Fn)(...args) >>> 0;
  }

  wide(name: string, ...args: (number | bigint)[]): bigint {
    return (this.exports[name] as Wide)(...args);
  }

  float(name: string): number {
    return (this.exports[name] as Fn)();
  }

  view(): DataView {
    return new DataView(this.memory.buffer);
  }

  private put(bytes: Uint8Array, offset = 0): number {
    const at = this.call("scratch") + offset;
    new Uint8Array(this.memory.buffer).set(bytes, at);
    return at;
  }

  /** The name without what differs from run to run; null where nothing does. */
  normaliseName(bytes: Uint8Array): string | null {
    this.call("takeNotations");
    const size = this.call("normaliseName", this.put(bytes), bytes.length);
    const at = this.call("normalisedName");
    return size === 0 ? null : this.decoder.decode(new Uint8Array(this.memory.buffer, at, size));
  }

  // ---- filling the store

  reset(): void {
    this.call("reset");
  }

  string(text: string): number {
    const bytes = this.encoder.encode(text);
    this.put(bytes);
    return this.call("addString", bytes.length);
  }

  /** A profile with one event row per name; returns the rows. */
  profile(type: string, ...events: string[]): number[] {
    const profile = this.call("addProfile", this.string(type), this.string("samples"));
    return events.map((name) => this.call("addEvent", this.string(name), profile));
  }

  location(name: string, line = 0, type = 1): number {
    return this.call("addLocation", this.string(name), line, type);
  }

  /** A stack of locations, leaf first. */
  stackOf(locations: number[]): number {
    this.put(new Uint8Array(Uint32Array.from(locations).buffer));
    return this.call("addStack", locations.length);
  }

  /** A stack of names, root first. */
  stack(names: string[]): number {
    return this.stackOf(names.map((name) => this.location(name)).reverse());
  }

  rawStack(bytes: number[]): number {
    this.put(Uint8Array.from(bytes));
    return this.call("addRawStack", bytes.length);
  }

  link({ high = 0n, root, span }: Link): number {
    return this.call("addLink", high, root, span);
  }

  attribute(key: string, value: Value): number {
    const k = this.string(key);
    if (typeof value === "string") return this.call("addAttribute", k, ValueKind.Text, BigInt(this.string(value)));
    if (typeof value === "boolean") return this.call("addAttribute", k, ValueKind.Bool, value ? 1n : 0n);
    if (typeof value === "bigint") return this.call("addAttribute", k, ValueKind.Int, value);
    return this.call(
      "addAttribute",
      k,
      ValueKind.Double,
      new BigInt64Array(Float64Array.of(value.double).buffer)[0] as bigint,
    );
  }

  set(attributes: number[]): number {
    const ascending = Uint32Array.from(new Set(attributes)).sort();
    this.put(new Uint8Array(ascending.buffer));
    return this.call("addSet", ascending.length);
  }

  thread(name: string, id: bigint): number {
    return this.call("addThread", this.attribute("thread.name", name), this.attribute("thread.id", id));
  }

  observe(s: {
    event?: number;
    stack?: number;
    link?: number;
    thread?: number;
    set?: number;
    time?: bigint;
    value: bigint;
  }): void {
    const { event = 0, stack = 0, link = 0, thread = 0, set = 0, time = 0n } = s;
    this.call("observe", event, stack, link, thread, set, time, s.value);
  }

  /**
   * Observes a drawn tree: indentation is the call, a number after a name is the value of samples with that leaf.
   *
   *   main
   *     parse 3
   *     run 1
   */
  draw(picture: string, rest: { event?: number; link?: number; thread?: number; set?: number } = {}): void {
    const open: { indent: number; name: string }[] = [];
    for (const line of picture.split("\n")) {
      if (line.trim() === "") continue;
      const indent = line.length - line.trimStart().length;
      const [name = "", value] = line.trim().split(/\s+/);
      while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) open.pop();
      open.push({ indent, name });
      if (value !== undefined) {
        this.observe({ ...rest, stack: this.stack(open.map((frame) => frame.name)), value: BigInt(value) });
      }
    }
  }

  // ---- asking

  select(profile: number, filter: Question = {}): { samples: number; value: bigint } {
    this.call("selectBegin", profile, 0);
    this.predicate(false, filter.span, (id: bigint) => this.call("selectSpan", id));
    this.predicate(false, filter.root, (id: bigint) => this.call("selectRoot", BigInt.asUintN(64, id), id >> 64n));
    this.predicate(false, filter.noSpan || undefined, () => this.call("selectNoSpan"));
    this.predicate(true, filter.notSpan, (id: bigint) => this.call("selectSpan", id));
    for (const [key, ...values] of filter.attributes ?? [])
      this.predicate(false, values, (value: string) => this.selectAttribute(key, value));
    for (const [key, value] of filter.notAttributes ?? [])
      this.predicate(true, value, (text: string) => this.selectAttribute(key, text));
    this.predicate(false, filter.frames && [filter.frames], (names: string[]) => this.selectFrames(names));
    this.predicate(true, filter.notFrames && [filter.notFrames], (names: string[]) => this.selectFrames(names));
    if (filter.time !== undefined) this.call("selectTime", ...filter.time);
    if (filter.observations !== undefined) this.call("selectObservations", ...filter.observations);
    this.call("selectEnd");
    return { samples: this.call("selectedSamples"), value: this.wide("selectedValue") };
  }

  private predicate<T>(exclude: boolean, any: T | T[] | undefined, also: (alternative: T) => void): void {
    if (any === undefined) return;
    this.call("selectPredicate", exclude ? 1 : 0);
    for (const alternative of Array.isArray(any) ? any : [any]) also(alternative);
  }

  private selectAttribute(key: string, value: string): void {
    const k = this.encoder.encode(key);
    const v = this.encoder.encode(value);
    this.call("selectAttribute", this.put(k), k.length, this.put(v, 4096), v.length);
  }

  private selectFrames(names: string[]): void {
    const ids = Uint32Array.from(names, (name) => this.string(name));
    this.call("selectFrames", this.put(new Uint8Array(ids.buffer)), ids.length);
  }

  /** Shapes the tree as assembly/view/shape.ts says, by names. */
  shape(shape: { from?: string; merged?: string[]; recursion?: number; lines?: boolean; run?: Run }): void {
    const from = this.string(shape.from ?? "");
    if (shape.run !== undefined) {
      const { label, names, whole } = shape.run;
      const ruled = Uint32Array.from(names, (name) => this.string(name));
      const text = this.encoder.encode(label);
      const labelled = this.call("labelName", this.put(text), text.length);
      this.call("runRule", labelled, 0, whole ? 1 : 0, this.put(new Uint8Array(ruled.buffer)), ruled.length);
    }
    const ids = Uint32Array.from(shape.merged ?? [], (name) => this.string(name));
    const at = this.put(new Uint8Array(ids.buffer));
    this.call("shapeTree", from, at, ids.length, shape.recursion ?? 0, shape.lines ? 1 : 0);
  }

  mask(): number[] {
    const at = this.call("selectionMask");
    return Array.from(new Uint8Array(this.memory.buffer, at, this.call("selectionRows")));
  }

  text(index: number): string {
    const at = this.call("stringAt", index);
    return this.decoder.decode(new Uint8Array(this.memory.buffer, at, this.call("stringSize", index)));
  }

  /** Text of a frame's name. */
  name(name: number): string {
    const at = this.call("namePointer", name);
    return this.decoder.decode(new Uint8Array(this.memory.buffer, at, this.call("nameSize", name)));
  }

  u32s(at: number, n: number): number[] {
    const view = this.view();
    return Array.from({ length: n }, (_, i) => view.getUint32(at + i * U32, true));
  }

  i64s(at: number, n: number): bigint[] {
    const view = this.view();
    return Array.from({ length: n }, (_, i) => view.getBigInt64(at + i * F64, true));
  }

  /** The whole tree with the weights of the selection. */
  tree(): { parent: number; name: string; depth: number; again: number; self: bigint; total: bigint }[] {
    const n = this.call("tree");
    const [parent, name, depth] = [0, 1, 2].map((c) => this.u32s(this.call("treeColumn", c), n)) as [
      number[],
      number[],
      number[],
    ];
    const self = this.i64s(this.call("treeColumn", 4), n);
    const total = this.i64s(this.call("treeColumn", 5), n);
    const again = Array.from(new Uint8Array(this.memory.buffer, this.call("treeColumn", 3), n));
    return parent.map((p, i) => ({
      parent: p,
      name: this.name(name[i] as number),
      depth: depth[i] as number,
      again: again[i] as number,
      self: self[i] as bigint,
      total: total[i] as bigint,
    }));
  }

  frames(focus: number, width: number, past = 0): Frames {
    return this.readFrames(this.call("visibleFrames", focus, width, past));
  }

  /** `grouping` and `path` as in assembly/view/regroup.ts, by names. */
  regrouped(grouping: number, name: string, path: string[], width: number): Frames {
    const id = this.string(name);
    // Interning goes through scratch too: first the names, then where their numbers are.
    const steps = Uint32Array.from(path, (step) => this.string(step));
    const at = this.put(new Uint8Array(steps.buffer));
    return this.readFrames(this.call("regroupedFrames", grouping, id, at, path.length, width));
  }

  /** Frames of the selection and the baseline kept before, with the weights of both by row. */
  diff(rest: boolean, normalised: boolean): { frames: Frames; weights: number[][] } {
    const frames = this.readFrames(this.call("diffFrames", 0, 1e9, rest ? 1 : 0, normalised ? 1 : 0));
    const start = this.call("diffRows");
    const view = this.view();
    const weights = frames.rows.map((_, row) =>
      [DiffRow.TOTAL, DiffRow.SELF, DiffRow.BASE_TOTAL, DiffRow.BASE_SELF].map((offset) =>
        view.getFloat64(start + DiffRow.BYTES * row + offset, true),
      ),
    );
    return { frames, weights };
  }

  private readFrames(at: number): Frames {
    const view = this.view();
    const u32 = (offset: number, i = 0) => view.getUint32(offset + i * U32, true);
    const f64 = (offset: number, i = 0) => view.getFloat64(offset + i * F64, true);
    const rows = Array.from({ length: u32(at + FramesAnswer.ROWS) }, (_, i) => ({
      node: u32(u32(at + FramesAnswer.NODES), i),
      parent: u32(u32(at + FramesAnswer.PARENTS), i),
      name: this.name(u32(u32(at + FramesAnswer.NAMES), i)),
      type: view.getUint8(u32(at + FramesAnswer.TYPES) + i),
      total: f64(u32(at + FramesAnswer.TOTALS), i),
      self: f64(u32(at + FramesAnswer.SELFS), i),
      hiddenFrames: u32(u32(at + FramesAnswer.HIDDEN_COUNTS), i),
      hiddenValue: f64(u32(at + FramesAnswer.HIDDEN_VALUES), i),
    }));
    const start = u32(at + FramesAnswer.PATH);
    const path = Array.from({ length: u32(at + FramesAnswer.PATH_ROWS) }, (_, i) => ({
      node: u32(start + i * FramesAnswer.PATH_BYTES + FramesAnswer.PATH_NODE),
      name: this.name(u32(start + i * FramesAnswer.PATH_BYTES + FramesAnswer.PATH_NAME)),
      total: f64(start + i * FramesAnswer.PATH_BYTES + FramesAnswer.PATH_TOTAL),
    }));
    return {
      rows,
      path,
      framesInFocus: u32(at + FramesAnswer.IN_FOCUS),
      hiddenFrames: u32(at + FramesAnswer.HIDDEN),
      selectionTotal: f64(at + FramesAnswer.SELECTION_TOTAL),
      hiddenValue: f64(at + FramesAnswer.HIDDEN_VALUE),
    };
  }

  /**
   * Groups in the order of that number (assembly/view/rank.ts), and of those only the ones that `keyOf` has a key for:
   * 0 is none. Of all rows `page` are asked for.
   */
  rank(
    kind: number,
    key = "",
    order = 0,
    keyOf?: (id: bigint, group: number) => number,
    page: [offset: number, limit: number] = [0, 0xffff_ffff],
  ): RankedRow[] {
    const bytes = this.encoder.encode(key);
    const groups = this.call("rankBy", kind, this.put(bytes), bytes.length);
    if (keyOf !== undefined) {
      const keys = this.call("rankKeys");
      const ids = kind === RankKind.Attribute ? 0 : this.call("rankIds");
      for (let group = 1; group < groups; group++) {
        const p = ids + RankRow.ID_BYTES * group;
        const id =
          kind === RankKind.Attribute
            ? 0n
            : (this.view().getBigUint64(p + RankRow.ID_HIGH, true) << 64n) |
              this.view().getBigUint64(p + RankRow.ID_LOW, true);
        this.view().setUint32(keys + U32 * group, keyOf(id, group), true);
      }
    }
    const count = this.call("rankOrder", order, keyOf === undefined ? 0 : 1);
    const start = this.call("rankRows", ...page);
    const view = this.view();
    return Array.from({ length: Math.max(0, Math.min(count - page[0], page[1])) }, (_, i) => {
      const at = start + i * RankRow.BYTES;
      const label = view.getUint32(at + RankRow.LABEL, true);
      const trace =
        (view.getBigUint64(at + RankRow.TRACE_HIGH, true) << 64n) | view.getBigUint64(at + RankRow.TRACE_LOW, true);
      return {
        id: [trace, view.getBigUint64(at + RankRow.SPAN, true)][kind] ?? 0n,
        root: kind === RankKind.Span ? trace : 0n,
        value: view.getBigInt64(at + RankRow.VALUE, true),
        samples: view.getUint32(at + RankRow.SAMPLES, true),
        label: label >= RankRow.LABEL_TEXT ? `text ${this.text(label - RankRow.LABEL_TEXT)}` : `attribute ${label}`,
        first: BigInt.asUintN(64, ~view.getBigUint64(at + RankRow.FIRST, true)),
        last: view.getBigUint64(at + RankRow.LAST, true),
        sample: view.getUint32(at + RankRow.SAMPLE, true),
      };
    });
  }

  /** What a search for functions of these names finds: nodes, and what goes through them. */
  search(names: string[]): { nodes: number[]; value: bigint } {
    const ids = Uint32Array.from(names, (name) => this.string(name));
    const n = this.call("searchFrames", this.put(new Uint8Array(ids.buffer)), ids.length);
    const start = this.call("searchRows");
    return {
      nodes: Array.from({ length: n }, (_, i) =>
        this.view().getUint32(start + SearchRow.BYTES * i + SearchRow.NODE, true),
      ),
      value: this.wide("searchValue"),
    };
  }

  /** Children of a node as the core ranks them. */
  children(node: number): { node: number; children: number; total: bigint; self: bigint }[] {
    const n = this.call("treeChildren", node);
    const start = this.call("treeChildRows");
    const view = this.view();
    return Array.from({ length: n }, (_, i) => ({
      node: view.getUint32(start + TreeRow.BYTES * i + TreeRow.NODE, true),
      children: view.getUint32(start + TreeRow.BYTES * i + TreeRow.CHILDREN, true),
      total: view.getBigInt64(start + TreeRow.BYTES * i + TreeRow.TOTAL, true),
      self: view.getBigInt64(start + TreeRow.BYTES * i + TreeRow.SELF, true),
    }));
  }

  /** One strip per thread, after that of all: what falls into each bin, and what of it is selected. */
  timeline(profile: number, from: bigint, to: bigint, bins: number, threads: number[]): [number, number][][] {
    const ids = this.put(new Uint8Array(Uint32Array.from(threads).buffer));
    const start = this.call("timelineBins", profile, from, to, bins, 0, ids, threads.length, 0, ALL);
    const view = this.view();
    return Array.from({ length: threads.length + 1 }, (_, lane) =>
      Array.from({ length: bins }, (_, bin): [number, number] => {
        const at = start + Timeline.BIN_BYTES * (lane * bins + bin);
        return [view.getFloat64(at + Timeline.BIN_ALL, true), view.getFloat64(at + Timeline.BIN_SELECTED, true)];
      }),
    );
  }

  /** Values of a profile by row of the thread table. */
  threadActivity(profile: number): Map<number, { samples: number; all: bigint; selected: bigint; first: bigint }> {
    const n = this.call("threadActivity", profile, 0, ALL);
    const start = this.call("threadActivityRows");
    const view = this.view();
    return new Map(
      Array.from({ length: n }, (_, i) => {
        const at = start + i * Timeline.ACTIVITY_BYTES;
        const [all, selected, first] = [Timeline.ACTIVITY_ALL, Timeline.ACTIVITY_SELECTED, Timeline.ACTIVITY_FIRST].map(
          (offset) => view.getBigInt64(at + offset, true),
        );
        const row = {
          samples: view.getUint32(at + Timeline.ACTIVITY_SAMPLES, true),
          all: all ?? 0n,
          selected: selected ?? 0n,
        };
        return [view.getUint32(at + Timeline.ACTIVITY_THREAD, true), { ...row, first: first ?? 0n }];
      }),
    );
  }

  top(byTotal = false): { name: string; self: bigint; total: bigint }[] {
    const n = this.call("topFunctions", byTotal ? 1 : 0);
    const start = this.call("topRows");
    const view = this.view();
    return Array.from({ length: n }, (_, i) => ({
      name: this.name(view.getUint32(start + i * TopRow.BYTES + TopRow.NAME, true)),
      self: view.getBigInt64(start + i * TopRow.BYTES + TopRow.SELF, true),
      total: view.getBigInt64(start + i * TopRow.BYTES + TopRow.TOTAL, true),
    }));
  }

  summary(): { samples: number; stacks: number; threads: number; samplesWithSpan: number; value: bigint }[] {
    this.call("summarize");
    const start = this.call("summaryProfiles");
    const view = this.view();
    return Array.from({ length: this.call("counts", 2) }, (_, i) => {
      const p = start + i * SummaryRow.BYTES;
      return {
        samples: view.getUint32(p + SummaryRow.SAMPLES, true),
        stacks: view.getUint32(p + SummaryRow.STACKS, true),
        threads: view.getUint32(p + SummaryRow.THREADS, true),
        samplesWithSpan: view.getUint32(p + SummaryRow.WITH_SPAN, true),
        value: view.getBigInt64(p + SummaryRow.VALUE, true),
      };
    });
  }

  attributeKeys(): string[] {
    const n = this.call("attributeKeys");
    return this.u32s(this.call("attributeKeyRows"), n).map((i) => this.text(i));
  }
}
