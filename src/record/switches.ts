/**
 * The log of a thread: when the running code changed its context. A sample belongs to the last switch before it.
 *
 *   time   … ───┬────────┬──┬─────────────┬──→   performance.now(), ms
 *   state       3        1  0             3      row of the part's states, 0 for none
 *
 * Node says when a callback begins (async_hooks). A switch is written when a callback begins with another state than
 * the one before it: most have the same, and a time costs more than all the rest. So the time between callbacks counts
 * for the one before. The end of a callback would cost a third of the log. Only native code runs callbacks within
 * others, such as the http parser; the rest of the outer callback counts for the inner one.
 *
 * Three functions exchange the context within a callback: AsyncResource.runInAsyncScope does it after the hook from
 * Node 24 on, bind and snapshot of AsyncLocalStorage have no hook. They are wrapped while a recording runs.
 */
import { AsyncLocalStorage, AsyncResource, createHook, type HookCallbacks } from "node:async_hooks";
import { inspect } from "node:util";
import { promiseHooks } from "node:v8";
import { currentScope, noted, type Scope, type State, setWatch, storage, type Watch } from "./context.ts";

/** Switches that a part keeps at most: 48 MiB. */
const MOST_SWITCHES = 1 << 22;
const FEWEST_SWITCHES = 1 << 12;
/** Promises whose end is watched at a time, and the pause between two when there were as many. */
const MOST_WATCHED = 100;
const WATCH_PAUSE_MS = 100;

const OUTSIDE = ["uncaughtExceptionMonitor", "beforeExit", "exit"] as const;
/** Whether this version of Node knows `trackPromises`: it checks the type then. */
const CAN_LEAVE_OUT = refuses(() => createHook({ trackPromises: "" } as HookCallbacks));

function refuses(call: () => unknown): boolean {
  try {
    call();
    return false;
  } catch {
    return true;
  }
}

/** What a part of the recording knows of contexts. */
export interface Switches {
  /** Ascending, in ms of performance.now(). */
  times: Float64Array;
  /** Places in `states`, one for each of the times. */
  rows: Uint32Array;
  states: readonly (State | null)[];
}

export class SwitchLog implements Watch {
  current: State | null = null;
  private times = new Float64Array(FEWEST_SWITCHES);
  private rows = new Uint32Array(FEWEST_SWITCHES);
  private count = 0;
  private states: (State | null)[] = [null];
  private part = 1;
  /** Whether the current scope has ended: its next callback is a switch, although the state is the same. */
  private isOver = false;
  /** Scopes that end when their promises settle. While there are any, each promise of the program pays for the hook. */
  private readonly pending = new Map<Promise<unknown>, Scope>();
  private endWatch: (() => void) | null = null;
  private watched = 0;
  private nextWatch = 0;
  private readonly undo: (() => void)[] = [];

  /** Begins. The context of the code that calls is the first one. */
  start(): void {
    setWatch(this);
    this.note(currentScope()?.state ?? null);
    const enter = () => this.note(storage.getStore()?.state ?? null);
    // Promises have a faster hook, where they can be left out of the other one.
    const hook = createHook({
      before: enter,
      ...(CAN_LEAVE_OUT && { trackPromises: false }),
    } as HookCallbacks).enable();
    if (CAN_LEAVE_OUT) this.undo.push(promiseHooks.createHook({ before: enter }) as () => void);
    // Node runs the handlers of these outside of all callbacks.
    const forget = () => this.note(null);
    for (const event of OUTSIDE) process.prependListener(event as "exit", forget);
    this.undo.push(
      () => hook.disable(),
      () => this.unwatch(),
      ...OUTSIDE.map((event) => () => void process.off(event, forget)),
      ...wrapped(),
    );
  }

  stop(): void {
    setWatch(null);
    for (const undo of this.undo.splice(0)) undo();
  }

  note(state: State | null): void {
    if (state === this.current && !this.isOver) return;
    this.isOver = false;
    this.current = state;
    this.write(performance.now(), state);
  }

  settles(promise: Promise<unknown>, scope: Scope): void {
    if (this.watched >= MOST_WATCHED) {
      const now = performance.now();
      if (now < this.nextWatch || this.pending.size >= MOST_WATCHED) return;
      this.nextWatch = now + WATCH_PAUSE_MS;
    }
    this.watched++;
    // An async function without an await has ended already.
    if (!/^[^{]*\{\s*<pending>/.test(inspect(promise, { customInspect: false, depth: 0 }))) {
      scope.ended = performance.now();
      return;
    }
    this.pending.set(promise, scope);
    this.endWatch ??= promiseHooks.createHook({ settled: (each: Promise<unknown>) => this.end(each) }) as () => void;
  }

  private unwatch(): void {
    this.pending.clear();
    this.endWatch?.();
    this.endWatch = null;
  }

  /** What there is up to now; the next part begins with the present state. */
  take(): Switches {
    const { times, rows, states, count } = this;
    this.times = new Float64Array(FEWEST_SWITCHES);
    this.rows = new Uint32Array(FEWEST_SWITCHES);
    this.count = 0;
    this.states = [null];
    this.part++;
    this.unwatch();
    this.watched = 0;
    this.write(performance.now(), this.current);
    return { times: times.subarray(0, count), rows: rows.subarray(0, count), states };
  }

  private write(time: number, state: State | null): void {
    if (this.count === this.times.length) this.grow();
    this.times[this.count] = time;
    this.rows[this.count++] = state === null ? 0 : this.rowOf(state);
  }

  private rowOf(state: State): number {
    if (state.part === this.part) return state.row;
    state.part = this.part;
    state.row = this.states.push(state) - 1;
    return state.row;
  }

  /** Doubles the room; at the bound, the shorter half of the states is left out. */
  private grow(): void {
    if (this.count < MOST_SWITCHES) {
      const times = new Float64Array(2 * this.count);
      const rows = new Uint32Array(2 * this.count);
      times.set(this.times);
      rows.set(this.rows);
      [this.times, this.rows] = [times, rows];
      return;
    }
    const { times, rows } = this;
    const length = (i: number) => (times[i + 1] ?? Number.POSITIVE_INFINITY) - (times[i] ?? 0);
    const middle = Float64Array.from({ length: 1024 }, (_, i) => length(i * (MOST_SWITCHES >> 10))).sort()[512] ?? 0;
    let kept = 0;
    for (let i = 0; i < this.count && kept < MOST_SWITCHES >> 1; i++) {
      if (length(i) < middle) continue;
      times[kept] = times[i] ?? 0;
      rows[kept++] = rows[i] ?? 0;
    }
    this.count = kept;
  }

  private end(promise: Promise<unknown>): void {
    const scope = this.pending.get(promise);
    if (scope === undefined) return;
    scope.ended = performance.now();
    this.isOver ||= this.current?.scope === scope;
    this.pending.delete(promise);
    if (this.pending.size === 0) this.unwatch();
  }
}

/** Wraps the three functions; returns how to undo it. */
function wrapped(): (() => void)[] {
  const { runInAsyncScope } = AsyncResource.prototype;
  AsyncResource.prototype.runInAsyncScope = function (fn, thisArg, ...args) {
    return runInAsyncScope.call(this, noted(fn as (...args: unknown[]) => unknown), thisArg, ...args) as never;
  };
  const { bind, snapshot } = AsyncLocalStorage;
  const notedBind = (fn: (...args: unknown[]) => unknown) => bind.call(AsyncLocalStorage, noted(fn));
  Object.assign(AsyncLocalStorage, {
    bind: notedBind,
    snapshot: () => notedBind((fn, ...args) => (fn as (...args: unknown[]) => unknown)(...args)),
  });
  return [
    () => {
      AsyncResource.prototype.runInAsyncScope = runInAsyncScope;
    },
    () => Object.assign(AsyncLocalStorage, { bind, snapshot }),
  ];
}
