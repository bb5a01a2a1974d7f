/**
 * The log of a thread: when the running code changed its context. A sample belongs to the last switch before it.
 *
 *   time   … ───┬────────┬──┬─────────────┬──→   performance.now(), ms
 *   state       3        1  0             3      row of the part's states, 0 for none
 *
 * Node says when a callback begins and ends (async_hooks). A switch is written when a callback begins with another
 * state than the one before it: most have the same, and a time costs more than all the rest. So the time between
 * callbacks counts for the one before, and an end matters only for callbacks within each other.
 *
 * Three functions exchange the context without a callback: AsyncResource.runInAsyncScope does it after the hook from
 * Node 24 on, bind and snapshot of AsyncLocalStorage have no hook. They are wrapped while a recording runs.
 */
import { AsyncLocalStorage, AsyncResource, createHook, type HookCallbacks } from "node:async_hooks";
import { promiseHooks } from "node:v8";
import { currentScope, noted, type Scope, type State, setWatch, storage, type Watch } from "./context.ts";

/** Switches that a part keeps at most: 48 MiB. */
const MOST_SWITCHES = 1 << 22;
const FEWEST_SWITCHES = 1 << 12;
/** Callbacks within each other; more were left by errors. */
const DEEPEST = 1 << 12;

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
  /** What was current before each of the running callbacks. */
  private readonly around: (State | null)[] = [];
  private depth = 0;
  /** Whether the current scope has ended: its next callback is a switch, although the state is the same. */
  private isOver = false;
  /** Scopes that end when their promises settle. */
  private readonly pending = new WeakMap<Promise<unknown>, Scope>();
  private readonly undo: (() => void)[] = [];

  /** Begins. The context of the code that calls is the first one. */
  start(): void {
    setWatch(this);
    this.note(currentScope()?.state ?? null);
    const enter = () => this.note(storage.getStore()?.state ?? null);
    const before = () => {
      if (this.depth === DEEPEST) this.depth = 0;
      this.around[this.depth++] = this.current;
      enter();
    };
    const after = () => {
      if (this.depth > 1) this.note(this.around[--this.depth] ?? null);
      else this.depth = 0;
    };
    const settled = (promise: Promise<unknown>) => {
      const scope = this.pending.get(promise);
      if (scope !== undefined) this.end(scope);
    };
    // Callbacks of promises are never within others. Newer versions of Node can leave them out of the other hooks.
    const hook = createHook({
      before,
      after,
      ...(CAN_LEAVE_OUT && { trackPromises: false }),
    } as HookCallbacks).enable();
    const ofPromises = promiseHooks.createHook(CAN_LEAVE_OUT ? { before: enter, settled } : { settled });
    // Node runs the handlers of these outside of all callbacks.
    const forget = () => {
      this.depth = 0;
      this.note(null);
    };
    for (const event of OUTSIDE) process.prependListener(event as "exit", forget);
    this.undo.push(
      () => hook.disable(),
      ofPromises as () => void,
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

  private end(scope: Scope): void {
    scope.ended = performance.now();
    this.isOver ||= this.current?.scope === scope;
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
