/** What V8's profilers and the log of contexts give, as profiles of OTLP. */
import type { HeapProfiler, Profiler } from "node:inspector";
import { fileURLToPath } from "node:url";
import type { ProfileBuilder } from "../library/index.ts";
import type { State } from "./context.ts";
import type { Switches } from "./switches.ts";

/** What all profiles of a part have. */
export interface PartHead {
  resource: number;
  scope: number;
  /** Rows of attributes that each sample has: the thread. */
  thread: readonly number[];
  /** From ms of performance.now() to ns since 1970. */
  unix: (ms: number) => bigint;
}

/** Functions of the runtime that are not JavaScript. */
const NATIVE = new Set(["(garbage collector)", "(program)"]);
const LATE_MS = 20;
const IDLE = "(idle)";
const ROOT = "(root)";

interface Frame {
  callFrame: { functionName: string; url: string; lineNumber: number };
}

/** The row of a frame; 0 for the root of all. */
function locationOf(builder: ProfileBuilder, { callFrame: { functionName, url, lineNumber } }: Frame): number {
  if (functionName === ROOT) return 0;
  const isNative = NATIVE.has(functionName);
  const fn = builder.function({
    name: functionName || "(anonymous)",
    file: url.startsWith("file:") ? fileURLToPath(url) : url,
    startLine: isNative ? 0 : lineNumber + 1,
  });
  return builder.location({ lines: [{ function: fn }], type: isNative ? "native" : "v8js" });
}

export interface CpuQuestion {
  profile: Profiler.Profile;
  /** Where the part before ended, in µs of V8's clock: profiles overlap. */
  since: number;
  switches: Switches;
  hz: number;
  /** Names of the attributes of contexts that samples have. */
  slots: readonly string[];
  /** From µs of V8's clock, which is that of process.hrtime, to ms of performance.now(). */
  hrtime: number;
  /** A sample of a scope that had ended; an attribute that is no slot. */
  onLate: (state: State) => void;
  onLeftOut: (name: string) => void;
}

/** The samples of a part with their contexts. Idle ones are left out. */
export function addCpu(builder: ProfileBuilder, head: PartHead, question: CpuQuestion): void {
  const { profile, since, switches, hz, hrtime } = question;
  const rows = builder.profile({
    ...{ type: "cpu", unit: "nanoseconds", periodType: "cpu", periodUnit: "nanoseconds" },
    ...{ period: Math.round(1e9 / hz), resource: head.resource, scope: head.scope },
  });
  const stacks = stacksOf(builder, profile);
  const contexts = switches.states.map((state) => (state === null ? { link: 0, attributes: head.thread } : null));
  let at = 0;
  let last = Math.max(profile.startTime, since);
  for (const { time, node } of inOrder(profile)) {
    if (time <= since) continue;
    const value = BigInt(Math.max(0, Math.round((time - last) * 1000)));
    last = time;
    const stack = stacks.get(node);
    const ms = time / 1000 + hrtime;
    while (at < switches.times.length && (switches.times[at] ?? 0) <= ms) at++;
    if (stack === undefined) continue;
    const row = at === 0 ? 0 : (switches.rows[at - 1] ?? 0);
    const state = switches.states[row] ?? null;
    // Entered after its end, and not for what follows an end: the last callbacks of a response run in its context.
    const { ended } = state?.scope ?? { ended: Number.POSITIVE_INFINITY };
    if (state !== null && ended < (switches.times[at - 1] ?? 0) && ended + LATE_MS < ms) question.onLate(state);
    contexts[row] ??= contextOf(builder, head, state, question);
    const { link, attributes } = contexts[row] ?? { link: 0, attributes: head.thread };
    rows.add({ stack, link, attributes, value, time: head.unix(ms) });
  }
}

/** By time: V8 writes some samples later than others that are younger. */
function inOrder({ startTime, samples = [], timeDeltas = [] }: Profiler.Profile) {
  let time = startTime;
  return samples
    .map((node, i) => {
      time += timeDeltas[i] ?? 0;
      return { time, node };
    })
    .sort((a, b) => a.time - b.time);
}

/** Rows of stacks by the ids of V8's nodes, which are a tree of calls. */
function stacksOf(builder: ProfileBuilder, { nodes }: Profiler.Profile): Map<number, number> {
  const parent = new Map<number, number>();
  for (const { id, children = [] } of nodes) for (const child of children) parent.set(child, id);
  const location = new Map(nodes.map((node) => [node.id, locationOf(builder, node)]));
  const stacks = new Map<number, number>();
  for (const { id, callFrame } of nodes) {
    if (callFrame.functionName === IDLE) continue;
    const stack: number[] = [];
    for (let each: number | undefined = id; each !== undefined; each = parent.get(each))
      stack.push(location.get(each) ?? 0);
    stacks.set(id, builder.stack(stack));
  }
  return stacks;
}

function contextOf(builder: ProfileBuilder, head: PartHead, state: State | null, { slots, onLeftOut }: CpuQuestion) {
  if (state === null) return { link: 0, attributes: head.thread };
  const { span, localRoot, trace, attributes } = state;
  const rows = [...head.thread];
  for (const [name, value] of Object.entries(attributes)) {
    if (slots.includes(name)) rows.push(builder.attribute(name, value));
    else onLeftOut(name);
  }
  const ids = { ...(localRoot !== null && { localRoot }), ...(trace !== null && { trace }) };
  const link = span === null ? 0 : builder.link({ span, ...ids });
  return { link, attributes: rows };
}

/** Objects that live, by where they were allocated. V8 states neither when nor for whom. */
export function addHeap(builder: ProfileBuilder, head: PartHead, profile: HeapProfiler.SamplingHeapProfile): void {
  const rows = builder.profile({
    ...{ type: "live-heap", unit: "bytes", times: false, resource: head.resource, scope: head.scope },
  });
  const walk = (node: HeapProfiler.SamplingHeapProfileNode, callers: readonly number[]) => {
    const own = locationOf(builder, node);
    const stack = own === 0 ? callers : [own, ...callers];
    if (node.selfSize > 0)
      rows.add({ stack: builder.stack([...stack]), value: BigInt(Math.round(node.selfSize)), attributes: head.thread });
    for (const child of node.children) walk(child, stack);
  };
  walk(profile.head, []);
}
