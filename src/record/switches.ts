/**
 * The log of a thread: when the running code changed its context. A sample belongs to the last switch before it.
 *
 *   time   … ───┬────────┬──┬─────────────┬──→   performance.now(), ms
 *   state       3        1  0             3      row of the part's states, 0 for none
 *
 * Node says when a callback begins and ends (async_hooks). Three functions exchange the context without a callback:
 * AsyncResource.runInAsyncScope does it after the hook from Node 24 on, bind and snapshot of AsyncLocalStorage have no
 * hook. They are wrapped while a recording runs.
 */
import { AsyncLocalStorage, AsyncResource, createHook } from "node:async_hooks";
import { promiseHooks } from "node:v8";
import { currentScope, noted, type Scope, type State, setWatch, type Watch } from "./context.ts";

/** Switches that a part keeps at most: 48 MiB. */
const MOST_SWITCHES = 1 << 22;
const FEWEST_SWITCHES = 1 << 12;
/** Callbacks within each other; more were left by errors. */
const DEEPEST = 1 << 12;

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
  /** What was current before each of the running callbacks. */
  private around: (State | null)[] = [];
  /** Scopes that end when their promises settle. */
  private readonly pending = new WeakMap<Promise<unknown>, Scope>();
  private readonly undo: (() => void)[] = [];

  /** Begins. The context of the code that calls is the first one. */
  start(): void {
    setWatch(this);
    this.note(currentScope()?.state ?? null);
    const hook = createHook({
      before: () => {
        if (this.around.length === DEEPEST) this.around = [];
        this.around.push(this.current);
        this.note(currentScope()?.state ?? null);
      },
      after: () => this.note(this.around.pop() ?? null),
    }).enable();
    const settled = promiseHooks.onSettled((promise) => this.end(promise));
    const forget = () => {
      this.around = [];
      this.note(null);
    };
    process.on("uncaughtExceptionMonitor", forget);
    this.undo.push(
      () => hook.disable(),
      settled as () => void,
      () => process.off("uncaughtExceptionMonitor", forget),
      ...wrapped(),
    );
  }

  stop(): void {
    setWatch(null);
    for (const undo of this.undo.splice(0)) undo();
  }

  note(state: State | null): void {
    if (state === this.current) return;
    this.current = state;
    this.write(performance.now(), state);
  }

  settles(promise: Promise<unknown>, scope: Scope): void {
    this.pending.set(promise, scope);
  }

  /** What there is up to now; the next part begins with the present state. */
  take(): Switches {
    const { times, rows, states, count } = this;
    this.times = new Float64Array(FEWEST_SWITCHES);
    this.rows = new Uint32Array(FEWEST_SWITCHES);
    this.count = 0;
    this.states = [null];
    this.part++;
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
    if (scope !== undefined) scope.ended = performance.now();
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
