/** What V8's profilers and the log of contexts give, as profiles of OTLP. */
import type { HeapProfiler, Profiler } from "node:inspector";
import { fileURLToPath } from "node:url";
import type { CurrentContext, State } from "./context.ts";
import type { Part } from "./part.ts";
import { METHOD, ROUTE } from "./requests.ts";
import type { Switches } from "./switches.ts";

/** Functions of the runtime that are not JavaScript. V8 states them without the code around them. */
const COLLECTOR = "(garbage collector)";
const PROGRAM = "(program)";
const IDLE = "(idle)";
const ROOT = "(root)";
const LATE_MS = 20;
const SPAN_NAME = "span_name";
/** Where the recorder's own code is. In a bundle it cannot be distinguished from that of the program. */
const OWN = /^(.*\/record\/)profile\.[jt]s$/.exec(import.meta.url)?.[1] ?? null;
/** Samples on either side in which the code is sought that a collection interrupted. */
const NEAR = 100;

interface Frame {
  callFrame: { functionName: string; url: string; lineNumber: number };
}

/** The row of a frame; 0 for the root of all. */
function locationOf(part: Part, { callFrame: { functionName, url, lineNumber } }: Frame): number {
  if (functionName === ROOT) return 0;
  const isNative = functionName === COLLECTOR || functionName === PROGRAM;
  return part.location(
    functionName || "(anonymous)",
    url.startsWith("file:") ? fileURLToPath(url) : url,
    isNative ? 0 : lineNumber + 1,
    isNative ? "native" : "v8js",
  );
}

export interface CpuQuestion {
  profile: Profiler.Profile;
  /** Where the part before ended, in µs of V8's clock: profiles overlap. */
  since: number;
  switches: Switches;
  hz: number;
  /** Rows of attributes that each sample has: the thread. */
  thread: readonly number[];
  /** Names of the attributes of contexts that samples have. */
  slots: readonly string[];
  /** From µs of V8's clock, which is that of process.hrtime, to ms of performance.now(). */
  hrtime: number;
  /** From ms of performance.now() to ns since 1970. */
  unix: (ms: number) => bigint;
  /** A sample of a scope that had ended; an attribute that is no slot. */
  onLate: (state: State) => void;
  onLeftOut: (name: string) => void;
}

/** A sample before it has a stack. */
interface Tick {
  node: number;
  ms: number;
  /** Nanoseconds since the sample before. */
  value: bigint;
  /** The last switch before it, and the row of the state; -1 before the first. */
  at: number;
  row: number;
}

/** The samples of a part with their contexts. Idle ones are left out. */
export function addCpu(part: Part, question: CpuQuestion): void {
  const { profile, switches, hz, thread, unix } = question;
  const rows = part.profile({
    ...{ type: "cpu", unit: "nanoseconds", periodType: "cpu", periodUnit: "nanoseconds" },
    ...{ period: BigInt(Math.round(1e9 / hz)), times: true },
  });
  const nodes = new Nodes(part, profile);
  const ticks = ticksOf(question);
  const contexts = new Map<number, Context>();
  for (const [i, { node, ms, value, at, row }] of ticks.entries()) {
    const name = nodes.name(node);
    if (name === IDLE) continue;
    const state = switches.states[row] ?? null;
    // Entered long after its end: the last callbacks of a response run in its context, too.
    if (state !== null && state.scope.ended + LATE_MS < (switches.times[at] ?? 0) && nodes.isOfProgram(node))
      question.onLate(state);
    const context = contexts.get(row) ?? contextOf(part, state, question);
    contexts.set(row, context);
    const { link, attributes } = context;
    const time = unix(ms);
    if (name === COLLECTOR) {
      const code = ticks[interrupted(ticks, i, (each) => nodes.isCode(each.node), switches.states)];
      rows.add({ stack: nodes.stack(node, code?.node), link, attributes, value, time });
    } else if (name === PROGRAM) rows.add({ stack: nodes.stack(node), attributes: thread, value, time });
    else rows.add({ stack: nodes.stack(node), link, attributes, value, time });
  }
}

/** By time: V8 writes some samples later than others that are younger. */
function ticksOf({ profile, since, switches, hrtime }: CpuQuestion): Tick[] {
  const { startTime, samples = [], timeDeltas = [] } = profile;
  let time = startTime;
  const sorted = samples
    .map((node, i) => {
      time += timeDeltas[i] ?? 0;
      return { node, time };
    })
    .filter((each) => each.time > since)
    .sort((a, b) => a.time - b.time);
  let last = Math.max(startTime, since);
  return sorted.map(({ node, time: now }) => {
    const value = BigInt(Math.max(0, Math.round((now - last) * 1000)));
    last = now;
    const ms = now / 1000 + hrtime;
    const at = lastUntil(switches.times, ms);
    return { node, ms, value, at, row: switches.rows[at] ?? 0 };
  });
}

/** The index of the last of ascending times that is at most `time`; -1 if there is none. */
function lastUntil(times: Float64Array, time: number): number {
  let [from, to] = [0, times.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (times[middle]! <= time) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}

/**
 * The sample whose code a collection interrupted, as far as that can be known: the nearest one since the same switch,
 * or of the same state, or of the same request. -1 if there is none.
 */
function interrupted(ticks: Tick[], i: number, isCode: (tick: Tick) => boolean, states: Switches["states"]): number {
  const { at, row } = ticks[i]!;
  const root = states[row]?.localRoot ?? null;
  const wanted: ((tick: Tick) => boolean)[] = [
    (tick) => tick.at === at,
    (tick) => row !== 0 && tick.row === row,
    (tick) => root !== null && states[tick.row]?.localRoot === root,
  ];
  for (const isWanted of wanted) {
    for (let d = 1; d <= NEAR; d++) {
      for (const k of [i - d, i + d]) if (ticks[k] !== undefined && isWanted(ticks[k]) && isCode(ticks[k])) return k;
    }
  }
  return -1;
}

/** V8's nodes, which are a tree of calls. */
class Nodes {
  private readonly part: Part;
  private readonly byId = new Map<number, Profiler.ProfileNode>();
  private readonly parents = new Map<number, number>();
  private readonly locations = new Map<number, number>();
  private readonly stacks = new Map<number, number>();

  constructor(part: Part, { nodes }: Profiler.Profile) {
    this.part = part;
    for (const node of nodes) {
      this.byId.set(node.id, node);
      for (const child of node.children ?? []) this.parents.set(child, node.id);
    }
  }

  name(node: number): string {
    return this.byId.get(node)?.callFrame.functionName ?? IDLE;
  }

  isCode(node: number): boolean {
    const name = this.name(node);
    return name !== IDLE && name !== PROGRAM && name !== COLLECTOR;
  }

  /** Whether a function of the program is on its stack: timers of the runtime, too, have the context of their begin. */
  isOfProgram(node: number): boolean {
    for (let id: number | undefined = node; id !== undefined; id = this.parents.get(id)) {
      const url = this.byId.get(id)?.callFrame.url ?? "";
      if (url !== "" && !url.startsWith("node:")) return true;
    }
    return false;
  }

  /** The row of the stack of a node, or of one that interrupted the code of another. */
  stack(node: number, code?: number): number {
    if (code !== undefined) return this.part.tables.stacks.intern([...this.callers(node), ...this.callers(code)]);
    let row = this.stacks.get(node);
    if (row === undefined) {
      row = this.part.tables.stacks.intern(this.callers(node));
      this.stacks.set(node, row);
    }
    return row;
  }

  /** Without the recorder's functions around others, and those of Node between two of them. */
  private callers(node: number): number[] {
    const stack: number[] = [];
    /** Frames of Node since the last one of the recorder. */
    let between: number[] | null = null;
    for (let id: number | undefined = node; id !== undefined; id = this.parents.get(id)) {
      const location = this.location(id);
      const url = this.byId.get(id)?.callFrame.url ?? "";
      if (OWN !== null && url.startsWith(OWN)) {
        if (id === node) stack.push(location);
        between = [];
      } else if (location !== 0 && between !== null && url.startsWith("node:")) between.push(location);
      else if (location !== 0) {
        stack.push(...(between ?? []), location);
        between = null;
      }
    }
    return [...stack, ...(between ?? [])];
  }

  private location(id: number): number {
    let row = this.locations.get(id);
    if (row === undefined) {
      const node = this.byId.get(id);
      row = node === undefined ? 0 : locationOf(this.part, node);
      this.locations.set(id, row);
    }
    return row;
  }
}

interface Context {
  link: number;
  attributes: readonly number[];
}

function contextOf(part: Part, state: State | null, { thread, slots, onLeftOut }: CpuQuestion): Context {
  if (state === null) return { link: 0, attributes: thread };
  const { root, named } = state.scope;
  const all = new Map<string, CurrentContext["attributes"][string]>(Object.entries(named?.attributes ?? {}));
  for (const [name, value] of Object.entries(state.attributes)) {
    if (slots.includes(name)) all.set(name, value);
    else if (name !== ROUTE && name !== METHOD) onLeftOut(name);
  }
  for (const [name, value] of [...(root?.attributes() ?? []), [SPAN_NAME, named?.name ?? ""] as const])
    if (value !== "") all.set(name, value);
  const { span, localRoot, trace } = idsOf(state);
  const link = span === null ? 0 : part.tables.link(span, localRoot ?? 0n, trace ?? 0n);
  return { link, attributes: [...thread, ...Array.from(all, ([name, value]) => part.tables.attribute(name, value))] };
}

/** A tracer may take a request after its first samples. */
function idsOf({ span, localRoot, trace, scope: { root } }: State): Pick<State, "span" | "localRoot" | "trace"> {
  if (!root?.span?.isSampled || localRoot !== root.id) return { span, localRoot, trace };
  return { span: span === root.id ? root.span.id : span, localRoot: root.span.id, trace: root.span.trace };
}

/** Objects that live, by where they were allocated. V8 states neither when nor for whom. */
export function addHeap(part: Part, thread: readonly number[], profile: HeapProfiler.SamplingHeapProfile): void {
  const rows = part.profile({ type: "live-heap", unit: "bytes", times: false });
  const walk = (node: HeapProfiler.SamplingHeapProfileNode, callers: readonly number[]) => {
    const own = locationOf(part, node);
    const stack = own === 0 ? callers : [own, ...callers];
    if (node.selfSize > 0)
      rows.add({
        ...{ stack: part.tables.stacks.intern(stack), attributes: thread },
        value: BigInt(Math.round(node.selfSize)),
      });
    for (const child of node.children) walk(child, stack);
  };
  walk(profile.head, []);
}
