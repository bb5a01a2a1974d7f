/**
 * Inference of the context of events that carry none: the rules in their order. The first rule that answers decides,
 * and "no context" is an answer (docs/context.md).
 *
 *   0  a wait for the next task has no context
 *   1  scope        on a thread with scopes, only these count
 *   2  trace        spans of a trace file that name the thread
 *   3  neighbours   samples of the thread before and after the event
 */
import * as ContextRule from "../../../assembly/abi/context-rule.ts";
import type { Claims, ContextFacts, Infer, Stretches } from "../../core/samples/contexts.ts";
import type { TraceTree } from "../trace/tree.ts";
import { type ByThread, byThread, grouped } from "./by-thread.ts";
import { enclosingFields } from "./fields.ts";
import { heldStretches, middlesOf, NO_WORK, type WorkAt } from "./holders.ts";
import { sharesCode, ThreadSamples } from "./neighbours.ts";
import { addParkHolders } from "./park-holders.ts";
import { ThreadScopes } from "./scopes.ts";
import { Stacks } from "./stacks.ts";
import { NO_SPAN, type TraceSource, TraceThreads, UNKNOWN } from "./trace.ts";

/** The rules for each file; with the spans of a trace beside it, all of them. */
export function inference(trace: TraceSource | null = null): Infer {
  return (facts) => {
    const claims = new ClaimList(facts.events.count);
    // Each event is judged by itself, so their order in a thread does not count.
    const events = grouped(facts.threads.count, facts.events.thread);
    const tables = { ...threadTables(facts), trace: trace && new TraceThreads(trace, facts), tree: trace?.tree };
    const threads: (ThreadContext | undefined)[] = [];
    const contextOf = (thread: number) => {
      threads[thread] ??= new ThreadContext(facts, tables, thread);
      return threads[thread];
    };
    for (let thread = 0; thread < facts.threads.count; thread++) {
      const rows = rowsIn(events, thread);
      if (rows.length > 0) inferThread(facts, tables, contextOf(thread), rows, claims);
    }
    const workAt = (thread: number, time: number) => contextOf(thread).at(time);
    const held = heldStretches(facts.locks, workAt);
    addParkHolders(held, facts, tables.stacks, workAt);
    const { fields } = facts;
    const around = (rows: Stretches) => fields && enclosingFields({ ...fields, rows }, facts.threads.count);
    const set = around(middlesOf(held))?.set;
    return { ...claims.done(), enclosing: fields && around(fields.rows), held: { ...held, ...(set && { set }) } };
  };
}

interface Tables {
  stacks: Stacks;
  samples: ByThread;
  borders: ByThread;
  scopes: ByThread;
  trace: TraceThreads | null;
  tree: TraceTree | undefined;
}

function threadTables({ threads, samples, borders, scopes, stacks }: ContextFacts): Omit<Tables, "trace" | "tree"> {
  return {
    stacks: new Stacks(stacks),
    samples: byThread(threads.count, samples.thread, samples.time),
    borders: byThread(threads.count, borders.thread, borders.time),
    scopes: byThread(threads.count, scopes.thread, scopes.start, scopes.end),
  };
}

function rowsIn({ first, rows }: ByThread, thread: number): Uint32Array {
  return rows.subarray(first[thread], first[thread + 1]);
}

/** Scopes and samples of one thread. */
class ThreadContext {
  readonly scoped: ThreadScopes;
  readonly near: ThreadSamples;
  private readonly facts: ContextFacts;
  private readonly tables: Tables;
  readonly thread: number;

  constructor(facts: ContextFacts, tables: Tables, thread: number) {
    [this.facts, this.tables, this.thread] = [facts, tables, thread];
    this.scoped = new ThreadScopes(facts.scopes, tables.scopes, thread);
    this.near = new ThreadSamples(facts, rowsIn(tables.samples, thread), rowsIn(tables.borders, thread));
  }

  /** What the thread worked for at a moment, by the rules of events. */
  at(time: number): WorkAt {
    const { scoped, near, thread } = this;
    const { scopes, samples, threads } = this.facts;
    const { trace, tree } = this.tables;
    if (scoped.count > 0) {
      const scope = scoped.around(time, time);
      if (scope < 0) return NO_WORK;
      const [from, to] = [scopes.start[scope]!, scopes.end[scope]!];
      return { span: scopes.span[scope]!, root: scopes.root[scope]!, from, to };
    }
    const place = trace?.at(thread, threads.row[thread]!, time, time, near) ?? NO_SPAN;
    if (place === UNKNOWN) return NO_WORK;
    if (trace && tree && place !== NO_SPAN)
      return { ...NO_WORK, span: tree.id[place]!, root: tree.id[trace.root[place]!]! };
    const around = near.around(time, time);
    if (around === null) return NO_WORK;
    const { span, root } = samples;
    return { ...NO_WORK, span: around.isOneSpan ? span[around.before]! : 0n, root: root[around.before]! };
  }
}

function inferThread(
  facts: ContextFacts,
  tables: Tables,
  { scoped, near, thread }: ThreadContext,
  rows: Uint32Array,
  claims: ClaimList,
): void {
  const { events, samples, scopes } = facts;
  const { stacks, trace, tree } = tables;
  for (const row of rows) {
    const stack = events.stack[row]!;
    const from = events.start[row]!;
    const to = events.end[row]!;
    if (stacks.isIdle(stack)) continue;
    if (scoped.count > 0) {
      const scope = scoped.around(from, to);
      if (scope >= 0 && scopes.span[scope] !== 0n) {
        claims.add(row, ContextRule.Scope, scopes.span[scope]!, scopes.root[scope]!, scope);
      }
      continue;
    }
    const place = trace?.at(thread, events.name[row]!, from, to, near) ?? NO_SPAN;
    if (place === UNKNOWN) continue;
    if (trace && tree && place !== NO_SPAN) {
      claims.add(row, ContextRule.Trace, tree.id[place]!, tree.id[trace.root[place]!]!);
      continue;
    }
    const around = near.around(from, to);
    if (around === null) continue;
    const isOne =
      around.isOneSpan && sharesCode(stacks, stack, samples.stack[around.before]!, samples.stack[around.after]!);
    const root = samples.root[around.before]!;
    claims.add(row, ContextRule.Neighbours, isOne ? samples.span[around.before]! : 0n, root);
  }
}

class ClaimList {
  private count = 0;
  private readonly event: Uint32Array;
  private readonly rule: Uint8Array;
  private readonly span: BigUint64Array;
  private readonly root: BigUint64Array;
  private readonly scope: Int32Array;

  /** Room for `most` claims. */
  constructor(most: number) {
    this.event = new Uint32Array(most);
    this.rule = new Uint8Array(most);
    this.span = new BigUint64Array(most);
    this.root = new BigUint64Array(most);
    this.scope = new Int32Array(most);
  }

  /** A claim without a span and a root is none. */
  add(event: number, rule: number, span: bigint, root: bigint, scope = -1): void {
    if (span === 0n && root === 0n) return;
    const i = this.count++;
    this.event[i] = event;
    this.rule[i] = rule;
    this.span[i] = span;
    this.root[i] = root;
    this.scope[i] = scope;
  }

  done(): Omit<Claims, "enclosing" | "held"> {
    const { count, event, rule, span, root, scope } = this;
    return { count, event, rule, span, root, scope };
  }
}
