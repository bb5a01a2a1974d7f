/**
 * The context of the running code: which span it works for. An AsyncLocalStorage carries a scope; what a sample gets is
 * the state of its scope at the time of the sample, and a state never changes.
 *
 *   with → Scope ── state ──→ State {span, localRoot, trace, attributes}
 *                     set, clear: the scope has a new state from then on
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { SpanflameError } from "../core/instance/error.ts";
import { checked, isRootId, isSpanId, wrong } from "../library/check.ts";
import { By, METHOD, ROUTE, Root } from "./requests.ts";

/** A value of an attribute. Texts are cut at 256 characters, whole numbers have 64 bits. */
export type ContextValue = string | number | bigint | boolean;

/** A change of the context. An absent field is that of the surrounding context; `null` takes it away. */
export interface ContextChange {
  span?: bigint | null;
  /** The local root: the first span of the request in this process. */
  localRoot?: bigint | null;
  /** Of 64 or 128 bits. */
  trace?: bigint | null;
  /** Added by name to those of the surrounding context; `null` takes one away. */
  attributes?: Readonly<Record<string, ContextValue | null>> | null;
}

/** The context of the running code, frozen. Ids are null where there is none. */
export interface CurrentContext {
  readonly span: bigint | null;
  readonly localRoot: bigint | null;
  readonly trace: bigint | null;
  readonly attributes: Readonly<Record<string, ContextValue>>;
}

/** What a sample gets. It does not change, but for its row in the log. */
export interface State extends CurrentContext {
  readonly scope: Scope;
  /** Its row among the states of a part of the recording (switches.ts). */
  row: number;
  part: number;
}

/** What a span of a tracer is called, and its attributes with slots: read when it is over. */
export interface Named {
  name: string;
  attributes: CurrentContext["attributes"];
}

/** From a `with` until its function has returned, and the promise that it returned has settled. */
export class Scope {
  state: State;
  /** The request that the code works for. */
  readonly root: Root | null;
  /** The span of a tracer. */
  readonly named: Named | null;
  /** Whether it is the active span of OpenTelemetry. */
  readonly isOtel: boolean;
  /** Of such a span: the scope around all of them. Others refer to none, so that no chain can grow. */
  readonly outside: Scope | null;
  /** When it ended, as performance.now() has it. */
  ended = Number.POSITIVE_INFINITY;

  constructor(context: CurrentContext, root: Root | null, named: Named | null, otelIn?: Scope | null) {
    this.root = root;
    this.named = named;
    this.isOtel = otelIn !== undefined;
    this.outside = otelIn?.isOtel ? otelIn.outside : (otelIn ?? null);
    this.state = this.stateOf(context);
  }

  /** Exchanges the attributes. */
  change(attributes: CurrentContext["attributes"]): void {
    this.state = this.stateOf({ ...this.state, attributes });
  }

  private stateOf({ span, localRoot, trace, attributes }: CurrentContext): State {
    return { span, localRoot, trace, attributes: Object.freeze(attributes), scope: this, row: 0, part: 0 };
  }
}

/** What a recording does at each change of context; nothing while there is none. */
export interface Watch {
  /** The state of the code that runs from now on. */
  note(state: State | null): void;
  /** The state that was noted last. */
  readonly current: State | null;
  /** Ends the scope when the promise settles. */
  settles(promise: Promise<unknown>, scope: Scope): void;
}

/** @internal */
export const storage = new AsyncLocalStorage<Scope>();
carryByOwnCode();

/**
 * Up to Node 22, all storages share one method, which copies the scope to each promise and resource. The key that it
 * reads differs from storage to storage, so V8 does not optimise it. A method for this storage alone costs a third.
 */
function carryByOwnCode(): void {
  const own = storage as { _propagate?: unknown; kResourceStore?: unknown };
  const { _propagate, kResourceStore: key } = own;
  if (typeof _propagate !== "function" || typeof key !== "symbol") return;
  own._propagate = (resource: Record<symbol, unknown>, from: Record<symbol, unknown>) => {
    resource[key] = from[key];
  };
}
const LONGEST_TEXT = 256;

let watch: Watch | null = null;

export function setWatch(to: Watch | null): void {
  watch = to;
}

/** The scope of the running code. */
export function currentScope(): Scope | null {
  return storage.getStore() ?? null;
}

/** Calls a function in a scope, and returns what it returns. The scope ends as said above. */
export function runIn<A extends unknown[], T>(scope: Scope, fn: (...args: A) => T, ...args: A): T {
  const to = watch;
  if (to === null) return storage.run(scope, fn, ...args);
  const before = to.current;
  let result: T | undefined;
  try {
    result = storage.run(scope, () => {
      to.note(scope.state);
      return fn(...args);
    });
    return result;
  } finally {
    to.note(before);
    // A tracer ends its spans itself.
    if (!scope.isOtel) {
      if (result instanceof Promise) to.settles(result, scope);
      else scope.ended = performance.now();
    }
  }
}

/** A function in which the noted state is that of the storage, whatever exchanged it, and then again the one before. */
export function noted<A extends unknown[], T>(fn: (...args: A) => T): (this: unknown, ...args: A) => T {
  return function (this: unknown, ...args) {
    const before = watch?.current ?? null;
    watch?.note(currentScope()?.state ?? null);
    try {
      return fn.apply(this, args);
    } finally {
      watch?.note(before);
    }
  };
}

/** Gives the rest of the running callback, and all that it starts, a scope. */
export function enter(scope: Scope): void {
  storage.enterWith(scope);
  watch?.note(scope.state);
}

/** The context of the program, as docs/record.md describes it. */
export const context = Object.freeze({
  /**
   * Calls `fn` and returns what it returns. All that `fn` starts has this context, too. The values are copied.
   *
   * @throws `option.unknown`, `option.value`, `option.id`; `fn` is not called then
   */
  with<A extends unknown[], T>(value: ContextChange, fn: (...args: A) => T, ...args: A): T {
    if (typeof fn !== "function") wrong("with: fn", fn, "a function");
    return runIn(scopeIn(currentScope(), value), fn, ...args);
  },

  /**
   * Changes an attribute of the innermost `with` from now on; `http.route` is that of the whole request. Returns false
   * outside of a `with` and of requests.
   */
  set(name: string, value: ContextValue): boolean {
    const scope = currentScope();
    const own = attributeOf(name, value);
    if (scope === null) return false;
    if (name === ROUTE) scope.root?.setRoute(own, By.Program);
    scope.change({ ...scope.state.attributes, [name]: own });
    watch?.note(scope.state);
    return true;
  },

  /** Removes an attribute of the innermost `with` from now on. Returns false outside of a `with`. */
  clear(name: string): boolean {
    const scope = currentScope();
    if (scope === null) return false;
    scope.change(without(scope.state.attributes, name));
    watch?.note(scope.state);
    return true;
  },

  /** The current context, or null outside of a `with`. */
  current(): CurrentContext | null {
    const state = currentScope()?.state;
    if (state === undefined) return null;
    const { span, localRoot, trace, attributes } = state;
    return Object.freeze({ span, localRoot, trace, attributes });
  },

  /** Returns a function that always runs in the current context. */
  bind<A extends unknown[], T>(fn: (...args: A) => T): (...args: A) => T {
    if (typeof fn !== "function") wrong("bind: fn", fn, "a function");
    return AsyncLocalStorage.bind(fn);
  },
});

function idOr(check: typeof isSpanId) {
  return (value: unknown, option: string) => {
    if (value !== null) check(value, option);
  };
}

const CHANGE = {
  span: idOr(isSpanId),
  localRoot: idOr(isSpanId),
  trace: idOr(isRootId),
  attributes: (value: unknown, option: string) => {
    if (typeof value !== "object" || Array.isArray(value)) wrong(option, value, "an object");
  },
};

function scopeIn(outer: Scope | null, value: ContextChange): Scope {
  const context = changedBy(outer, value);
  const route = value.attributes?.[ROUTE];
  const method = value.attributes?.[METHOD];
  // Servers that Node does not tell of have their requests by it.
  const root = outer?.root ?? (typeof route === "string" ? new Root() : null);
  root?.setRoute(route, By.Program);
  if (root !== null && typeof method === "string") root.method = method;
  return new Scope(context, root, value.span === undefined ? (outer?.named ?? null) : null);
}

/** A span alone is its own local root. */
function changedBy(outer: Scope | null, value: ContextChange): CurrentContext {
  const given = checked("with", value, CHANGE);
  const around = outer?.state;
  const { span = around?.span ?? null, localRoot = around?.localRoot ?? null, trace = around?.trace ?? null } = given;
  let attributes = (given.attributes === null ? null : around?.attributes) ?? {};
  for (const [name, each] of Object.entries(given.attributes ?? {}))
    attributes =
      each === null || each === undefined
        ? without(attributes, name)
        : { ...attributes, [name]: attributeOf(name, each) };
  const root = localRoot ?? (trace === null ? span : null);
  return { span, localRoot: root, trace, attributes };
}

function without(attributes: CurrentContext["attributes"], name: string): CurrentContext["attributes"] {
  const { [name]: _, ...rest } = attributes;
  return rest;
}

function attributeOf(name: string, value: unknown): ContextValue {
  if (typeof name !== "string" || name === "") wrong("the name of an attribute", name, "a string that is not empty");
  if (typeof value === "string") return value.length > LONGEST_TEXT ? value.slice(0, LONGEST_TEXT) : value;
  if (typeof value === "bigint" && BigInt.asIntN(64, value) !== value)
    throw new SpanflameError("option.value", `${name} is above 64 bits`);
  if (typeof value !== "number" && typeof value !== "bigint" && typeof value !== "boolean")
    return wrong(name, value, "a string, number, bigint or boolean");
  return value;
}
