/**
 * Samples as the columns of a chart: a lane for each thread below its states, the spans of a trace above all, pauses of
 * the collector and safepoints below. A sample is drawn from its time over its period, or to the next sample of the
 * thread if that comes before one and a half periods: samplers are late by turns, and their delay is no gap. Frames
 * that neighbouring samples have in common are one box, unless the context of one sample is recorded and that of the
 * other inferred.
 */

import * as FrameType from "../../../assembly/abi/frame-type.ts";
import { Numbered } from "../../bytes/numbered.ts";
import { UNKNOWN_CODE } from "../../core/tables/code-owners.ts";
import type { Marks, OrderedSamples } from "../../core/view-types.ts";
import { BREAKDOWN } from "../span-time/breakdown.ts";
import { PART_WORDS } from "../span-time/words.ts";
import type { ChartColumns, ChartLane } from "./columns.ts";
import { type LanedSpans, NO_LANE, spanLanes } from "./span-lanes.ts";

/** Lanes for threads, and for spans that ran beside each other. */
const MOST_THREADS = 64;
const MOST_SPAN_LANES = 16;
/** A sample that is late by half a period follows the one before without a gap. */
const LATE = 1.5;
/** Times are shown to the microsecond. */
const STEP = 1000;

/** Spans of a trace; their texts are indexes. */
export interface ChartSpans extends LanedSpans {
  /** Zero of the times, ns since 1970 on the clock of the samples. */
  start: bigint;
  /** Of the whole trace, ns. */
  duration: number;
  self: Float64Array;
  nameOf: Uint32Array;
  /** What a span asked for, which names it where it is known. */
  resourceOf: Uint32Array;
  texts: readonly string[];
}

/** What the chart has no room for. */
export interface LeftOut {
  threads: number;
  spans: number;
}

export type ChartPauses = Pick<Marks, "start" | "pauses" | "texts">;

/**
 * `stops`: the pauses are those of the process that the samples come from, so they stop its threads. `ofRequests`: the
 * threads are in the order of their first samples, as a request goes through them; otherwise the busiest is first.
 */
export function sampleColumns(
  samples: OrderedSamples,
  spans: ChartSpans | null,
  marks: ChartPauses,
  stops: boolean,
  ofRequests = true,
  states: StateColumns | null = null,
): { columns: ChartColumns; left: LeftOut } {
  const { threads, left } = shownThreads(samples, ofRequests);
  const origin = beginningOf(samples, spans);
  const boxes = new Boxes();
  boxes.noteOwners(samples);
  const leftSpans = spans === null ? 0 : addSpans(boxes, spans, Number(spans.start - origin));
  const zero = Number(samples.origin - origin);
  let end = spans === null ? 0 : Number(spans.start - origin) + spans.duration;
  const statesOf = statesBy(states);
  for (const thread of threads) {
    const own = statesOf.get(samples.threadRows[thread.index]) ?? [];
    if (own.length > 0) addStates(boxes, own, titleOf(samples, thread), zero);
    end = Math.max(end, addThread(boxes, samples, thread, { zero, stopped: stops, isBelow: own.length > 0 }));
  }
  const pauses = pausesWithin(marks, Number(marks.start - origin), end);
  addPauses(boxes, "GC pauses", pauses);
  addPauses(boxes, "Safepoints and VM operations", stopsWithin(samples.stops, zero, end));
  return {
    columns: boxes.columns(origin, end, stops ? joined(pauses) : []),
    left: { threads: left, spans: leftSpans },
  };
}

/** The threads with most samples. */
function shownThreads({ thread, at, threads }: OrderedSamples, inTime: boolean): { threads: Thread[]; left: number } {
  const all: Thread[] = threads.map((_, index) => ({ index, from: 0, to: 0 }));
  for (let i = 0; i < thread.length; i++) {
    const own = all[thread[i]];
    if (i === 0 || thread[i - 1] !== thread[i]) own.from = i;
    own.to = i + 1;
  }
  const shown = all.sort((a, b) => b.to - b.from - (a.to - a.from)).slice(0, MOST_THREADS);
  if (inTime) shown.sort((a, b) => at[a.from] - at[b.from]);
  return { threads: shown, left: all.length - shown.length };
}

/** Rows [from, to) of the samples are the thread's. */
interface Thread {
  index: number;
  from: number;
  to: number;
}

function beginningOf(samples: OrderedSamples, spans: ChartSpans | null): bigint {
  if (spans === null) return samples.origin;
  return samples.at.length === 0 || spans.start < samples.origin ? spans.start : samples.origin;
}

/** Returns how many spans are left out. */
function addSpans(boxes: Boxes, spans: ChartSpans, zero: number): number {
  const { lanes, lane, depth, left } = spanLanes(spans, MOST_SPAN_LANES);
  for (let i = 0; i < lanes; i++) {
    const title = i === 0 ? "Spans of the trace" : `Spans beside them (${i + 1})`;
    const at = boxes.lane({ title, stopped: false, beside: "spans" });
    for (let place = 0; place < lane.length; place++) {
      if (lane[place] !== i || lane[place] === NO_LANE) continue;
      const name = spans.texts[spans.resourceOf[place]] || spans.texts[spans.nameOf[place]] || "";
      const { from, length, self } = spans;
      boxes.identify(place);
      boxes.add(at, depth[place], zero + from[place], length[place], self[place], name, FrameType.None);
    }
  }
  return left;
}

function titleOf({ threads }: OrderedSamples, { index }: Thread): string {
  return threads[index] || "Unknown thread";
}

/** States of threads: ns since the origin of the samples. */
export interface StateColumns {
  /** Row of the store. */
  thread: Uint32Array;
  from: Float64Array;
  to: Float64Array;
  /** Index in BREAKDOWN. */
  part: Uint8Array;
}

interface StateBox {
  thread: number;
  from: number;
  to: number;
  part: number;
}

function statesBy(states: StateColumns | null): Map<number, StateBox[]> {
  const found = new Map<number, StateBox[]>();
  for (const [i, thread] of (states?.thread ?? []).entries()) {
    const own = found.get(thread) ?? [];
    found.set(thread, own);
    own.push({ thread, from: states!.from[i], to: states!.to[i], part: states!.part[i] });
  }
  return found;
}

function addStates(boxes: Boxes, states: readonly StateBox[], title: string, zero: number): void {
  const lane = boxes.lane({ title, stopped: false, beside: "states" });
  for (const { thread, from, to, part } of states) {
    boxes.identify(thread);
    boxes.state(part);
    boxes.add(lane, 0, zero + from, to - from, to - from, PART_WORDS[BREAKDOWN[part]].name, FrameType.None);
  }
}

interface Below {
  zero: number;
  stopped: boolean;
  /** Its states are above. */
  isBelow: boolean;
}

/** Returns the end of the last sample. */
function addThread(boxes: Boxes, samples: OrderedSamples, thread: Thread, { zero, stopped, isBelow }: Below): number {
  const { at, nanos, rule, stack, offsets, items, names, types } = samples;
  const lane = boxes.lane({ title: titleOf(samples, thread), stopped, ...(isBelow && { isBelow }) });
  /** Frames and boxes that are open, outermost first. */
  let frames: number[] = [];
  let open: number[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (let i = thread.from; i < thread.to; i++) {
    const start = at[i];
    const next = i + 1 < thread.to ? at[i + 1] : Number.POSITIVE_INFINITY;
    const length = next <= start + LATE * nanos[i] && nanos[i] > 0 ? next - start : nanos[i];
    const [first, after] = [offsets[stack[i]], offsets[stack[i] + 1]];
    let same = 0;
    boxes.mark(rule[i]);
    if (start === end && rule[i] === rule[i - 1])
      while (same < open.length && first + same < after && frames[same] === items[first + same]) same++;
    frames = frames.slice(0, same);
    open = open.slice(0, same);
    for (let at = first + same; at < after; at++) {
      const frame = items[at];
      frames.push(frame);
      open.push(boxes.add(lane, at - first, zero + start, 0, 0, names[frame], types[frame]));
    }
    for (const box of open) boxes.lengthen(box, length);
    if (open.length > 0) boxes.addSelf(open[open.length - 1], length);
    end = start + length;
  }
  return zero + Math.max(end, 0);
}

function addPauses(boxes: Boxes, title: string, pauses: readonly Pause[]): void {
  if (pauses.length === 0) return;
  const lane = boxes.lane({ title, stopped: false, beside: "pauses" });
  for (const { from, to, text } of pauses) boxes.add(lane, 0, from, to - from, to - from, text, FrameType.None);
}

interface Pause {
  from: number;
  to: number;
  text: string;
}

/** The pauses that meet the chart, cut to it. */
function pausesWithin({ pauses: { at, nanos, text }, texts }: ChartPauses, zero: number, span: number): Pause[] {
  const found: Pause[] = [];
  for (let i = 0; i < at.length; i++) {
    const from = Math.max(0, zero + at[i]);
    const to = Math.min(span, zero + at[i] + nanos[i]);
    if (to > from) found.push({ from, to, text: texts[text[i]] ?? "" });
  }
  return found;
}

/** The safepoints that meet the chart, cut to it; one that begins within another is cut to the rest. */
function stopsWithin({ at, nanos }: OrderedSamples["stops"], zero: number, span: number): Pause[] {
  const found: Pause[] = [];
  for (let i = 0; i < at.length; i++) {
    const from = Math.max(0, zero + at[i], found.at(-1)?.to ?? 0);
    const to = Math.min(span, zero + at[i] + nanos[i]);
    if (to > from) found.push({ from, to, text: "Threads stopped" });
  }
  return found;
}

/** Pauses joined where they overlap, for the stripes. */
function joined(pauses: readonly Pause[]): { from: number; to: number }[] {
  const apart: { from: number; to: number }[] = [];
  for (const { from, to } of pauses) {
    const before = apart.at(-1);
    if (before !== undefined && from <= before.to) before.to = Math.max(before.to, to);
    else apart.push({ from, to });
  }
  return apart;
}

/** Boxes while they are added, in the order of entering. */
class Boxes {
  private readonly lanes: ChartLane[] = [];
  private readonly laneOf: number[] = [];
  private readonly depth: number[] = [];
  private readonly start: number[] = [];
  private readonly duration: number[] = [];
  private readonly self: number[] = [];
  private readonly name: number[] = [];
  private readonly type: number[] = [];
  private readonly id: number[] = [];
  private readonly rule: number[] = [];
  private readonly names = new Numbered<string>();
  /** Whose code functions are, where that is known. */
  private readonly owners = new Map<string, number>();
  private nextId = 0;
  private nextRule = 0;
  private readonly part: number[] = [];
  private nextPart = 0;

  /** The id of the next boxes. */
  identify(id: number): void {
    this.nextId = id;
  }

  /** The rule of the next boxes. */
  mark(rule: number): void {
    this.nextRule = rule;
  }

  /** The next boxes are of a part of the time. */
  state(part: number): void {
    this.nextPart = part + 1;
  }

  noteOwners({ names, library }: OrderedSamples): void {
    for (const [i, name] of names.entries()) if (library?.[i]) this.owners.set(name, library[i]);
  }

  lane(lane: ChartLane): number {
    this.nextId = 0;
    this.nextRule = 0;
    this.nextPart = 0;
    return this.lanes.push(lane) - 1;
  }

  add(lane: number, depth: number, start: number, duration: number, self: number, name: string, type: number): number {
    this.laneOf.push(lane);
    this.depth.push(depth);
    this.start.push(start);
    this.duration.push(duration);
    this.self.push(self);
    this.type.push(type);
    this.id.push(this.nextId);
    this.rule.push(this.nextRule);
    this.part.push(this.nextPart);
    return this.name.push(this.names.of(name)) - 1;
  }

  lengthen(box: number, nanos: number): void {
    this.duration[box] += nanos;
  }

  addSelf(box: number, nanos: number): void {
    this.self[box] += nanos;
  }

  columns(origin: bigint, span: number, pauses: readonly { from: number; to: number }[]): ChartColumns {
    return {
      origin,
      span,
      step: STEP,
      lanes: this.lanes,
      lane: Uint16Array.from(this.laneOf),
      depth: Uint32Array.from(this.depth),
      start: Float64Array.from(this.start),
      duration: Float64Array.from(this.duration),
      self: Float64Array.from(this.self),
      suspended: new Float64Array(this.laneOf.length),
      name: Uint32Array.from(this.name),
      names: this.names.list,
      ...(this.owners.size > 0 && {
        library: Uint8Array.from(this.names.list, (name) => this.owners.get(name) ?? UNKNOWN_CODE),
      }),
      frameType: Uint8Array.from(this.type),
      id: Uint32Array.from(this.id),
      ...(this.part.some((part) => part !== 0) && { part: Uint8Array.from(this.part) }),
      rule: this.rule.some((rule) => rule !== 0) ? Uint8Array.from(this.rule) : null,
      pauses: { from: Float64Array.from(pauses, ({ from }) => from), to: Float64Array.from(pauses, ({ to }) => to) },
    };
  }
}
