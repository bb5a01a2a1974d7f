/**
 * Files of speedscope. Frames are shared; each profile is a thread:
 *
 *   { $schema, exporter, shared: { frames: [{ name, file?, line?, col? }] }, profiles: [ … ] }
 *   sampled   { name, unit, startValue, endValue, samples: [[root … leaf]], weights }
 *   evented   { name, unit, startValue, endValue, events: [{ type: "O" | "C", frame, at }] }
 *
 * The axis of a profile begins at `startValue`. Samples follow each other by their weights, as speedscope draws them.
 */
import type { MadeFrame } from "../../otlp/dictionary.ts";
import type { MadeSample, Series } from "./batch.ts";
import { type Faults, frameTypeOf, StackTree } from "./faults.ts";
import { indexOf, type List, lineOf, listOf, type Node, nodeOf, numberOf, ownUnit, textOf, wholeOf } from "./parsed.ts";

/** Nanoseconds of a unit of time. */
const NANOS: ReadonlyMap<string, number> = new Map(
  Object.entries({ nanoseconds: 1, microseconds: 1e3, milliseconds: 1e6, seconds: 1e9 }),
);

/** Profilers that sample by the wall clock, by the beginning of `exporter`. */
const WALL = /^(py-spy|rbspy|phpspy|speedscope@|dotnet-trace)/;

interface Thread {
  profile: Node;
  place: string;
  series: Series;
  attributes: Record<string, string | bigint>;
  /** Of a value in its unit: nanoseconds, bytes or a number. */
  factor: number;
  isTime: boolean;
}

export function* speedscopeSamples(file: Node, faults: Faults): Generator<MadeSample> {
  const frames = listOf(nodeOf(file.shared).frames);
  const exporter = textOf(file.exporter);
  const tree = new StackTree(frames.length);
  const isOwn = exporter.startsWith("spanflame ");
  const of = { framesOf: tree.framesOf, frameOf: (frame: number) => frameAt(nodeOf(frames[frame]), exporter) };
  const noStack = isOwn ? Array.from(frames).findIndex((frame) => nodeOf(frame).name === "(no stack)") : -1;
  const series = new Map<string, Series>();
  const profiles = listOf(file.profiles);
  for (let i = 0; i < profiles.length; i++) {
    const profile = nodeOf(profiles[i]);
    const thread = threadOf(profile, `profiles[${i}]`, exporter, series);
    if (profile.type === "evented") {
      for (const sample of evented(thread, tree, frames.length, faults)) yield { ...sample, of };
    } else if (profile.type === "sampled") {
      for (const sample of sampled(thread, tree, frames.length, faults))
        yield { ...sample, of, stack: tree.frameAt(sample.stack) === noStack ? -1 : sample.stack };
    } else faults.add("of a type that is not sampled or evented; left out", thread.place);
  }
}

function frameAt(frame: Node, exporter: string): MadeFrame {
  const file = textOf(frame.file);
  const line = lineOf(frame.line);
  const isOwn = exporter.startsWith("spanflame ");
  const name = textOf(frame.name) || "(no name)";
  const type = frameTypeOf(file) || (BINARY.test(file) ? "native" : (LANGUAGES.get(exporter.slice(0, 5)) ?? ""));
  // Spanflame writes the line of a function, others that of the call.
  return { name, file, type, column: lineOf(frame.col), [isOwn ? "startLine" : "line"]: line };
}

const BINARY = /\.(?:so|dll|dylib|exe)\b/;
/** By the beginning of `exporter`. */
const LANGUAGES: ReadonlyMap<string, string> = new Map(
  Object.entries({ "py-sp": "cpython", rbspy: "ruby", phpsp: "php" }),
);

function threadOf(profile: Node, place: string, exporter: string, known: Map<string, Series>): Thread {
  const unit = textOf(profile.unit);
  const name = textOf(profile.name);
  const nanos = NANOS.get(unit);
  const [, ownType = "", ownThread = ""] = /^(.*?)(?:: (.*))?$/s.exec(name) ?? [];
  const isOwn = exporter.startsWith("spanflame ") && profile.type === "sampled";
  const type = isOwn ? ownType : typeOf(unit, exporter);
  const number = isOwn ? ownUnit(type) : "count";
  const written = nanos === undefined ? unitOf(unit, number) : "nanoseconds";
  const isSampling = nanos !== undefined && profile.type === "sampled" && !isOwn;
  const period = isSampling ? stepOf(listOf(profile.weights), nanos) : null;
  const key = JSON.stringify([type, written, `${period}`]);
  const series = known.get(key) ?? {
    ...{ type, unit: written },
    ...(period !== null && { period: { unit: written, value: period } }),
  };
  known.set(key, series);
  const attributes = isOwn ? { "thread.name": ownThread } : threadNamed(name);
  return { profile, place, series, attributes, factor: nanos ?? 1, isTime: nanos !== undefined };
}

function unitOf(unit: string, number: string): string {
  return unit === "bytes" ? unit : number;
}

function typeOf(unit: string, exporter: string): string {
  if (unit === "bytes") return "allocated";
  if (NANOS.get(unit) === undefined) return "samples";
  return WALL.test(exporter) ? "wall" : "time";
}

/** py-spy: `Thread 4576 "worker-1"` or `Process 12 Thread 0x7F "worker"`; others state the thread's name. */
function threadNamed(name: string): Record<string, string | bigint> {
  const [, pid, id = "", quoted = ""] = /^(?:Process (\d+) )?Thread \(?(\w+)\)?(?: "(.*)")?$/.exec(name) ?? [];
  if (id === "" || !/^(?:\d{1,18}|0x[0-9a-f]{1,15})$/i.test(id)) return { "thread.name": name };
  return {
    "thread.name": quoted === "" ? name : quoted,
    "thread.id": BigInt(id),
    ...(pid !== undefined && { "process.pid": BigInt(pid) }),
  };
}

/** The weight of one sample, where all weights are multiples of the smallest one. */
function stepOf(weights: List, factor: number): bigint | null {
  let step = Number.POSITIVE_INFINITY;
  for (let i = 0; i < weights.length; i++) {
    const weight = numberOf(weights[i]);
    if (weight !== null && weight > 0) step = Math.min(step, weight);
  }
  for (let i = 0; i < weights.length; i++) {
    const times = (numberOf(weights[i]) ?? 0) / step;
    if (Math.abs(times - Math.round(times)) > 1e-6 * Math.max(1, times)) return null;
  }
  return step === Number.POSITIVE_INFINITY ? null : wholeOf(step, factor);
}

type Partial = Omit<MadeSample, "of">;

function* sampled(thread: Thread, tree: StackTree, frames: number, faults: Faults): Generator<Partial> {
  const { profile, place, series, attributes, factor, isTime } = thread;
  const samples = listOf(profile.samples);
  const weights = listOf(profile.weights);
  let at = numberOf(profile.startValue) ?? 0;
  for (let i = 0; i < samples.length; i++) {
    const where = `${place}.samples[${i}]`;
    const weight = weights.length === 0 ? 1 : numberOf(weights[i]);
    const value = wholeOf(weight, factor);
    if (weight === null || value === null || weight < 0) {
      faults.add("without a weight of 0 or more; left out", where);
      continue;
    }
    if (!isTime && weight !== Math.round(weight)) faults.add("with a fraction as the weight, which was rounded", where);
    const time = isTime ? wholeOf(Math.max(0, at), factor) : null;
    at += weight;
    const list = listOf(samples[i]);
    let stack = -1;
    let isSound = true;
    for (let k = 0; k < list.length; k++) {
      const frame = indexOf(list[k], frames);
      if (frame < 0) isSound = false;
      else stack = tree.child(stack, frame);
    }
    if (!isSound) faults.add("with frames that do not exist, which were left out", where);
    yield { series, stack, attributes, value, time };
  }
}

/** A sample for each time between two events. */
function* evented(thread: Thread, tree: StackTree, frames: number, faults: Faults): Generator<Partial> {
  const { profile, place, series, attributes, factor, isTime } = thread;
  const events = listOf(profile.events);
  let last = numberOf(profile.startValue) ?? 0;
  let stack = -1;
  const since = function* (at: number): Generator<Partial> {
    const value = wholeOf(at - last, factor);
    if (stack >= 0 && value !== null && value > 0n)
      yield { series, stack, attributes, value, time: isTime ? wholeOf(Math.max(0, last), factor) : null };
    last = at;
  };
  for (let i = 0; i < events.length; i++) {
    const event = nodeOf(events[i]);
    const where = `${place}.events[${i}]`;
    const at = numberOf(event.at);
    const frame = indexOf(event.frame, frames);
    if (at === null || frame < 0 || at < last) {
      faults.add(
        at !== null && at < last ? "before the event in front; left out" : "without a time or a frame; left out",
        where,
      );
      continue;
    }
    yield* since(at);
    if (event.type === "O") stack = tree.child(stack, frame);
    else {
      let closed = stack;
      while (closed >= 0 && tree.frameAt(closed) !== frame) closed = tree.callerOf(closed);
      if (closed < 0) faults.add("that ends a frame which was not begun; left out", where);
      else stack = tree.callerOf(closed);
    }
  }
  const end = numberOf(profile.endValue);
  if (end !== null && end > last) yield* since(end);
}
