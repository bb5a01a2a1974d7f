/**
 * Spans of a program that says nothing itself: the active one of OpenTelemetry, or else a local root for each request
 * of Node's own http servers.
 *
 * OpenTelemetry's API keeps the context manager of a program in a global object that all copies of the API share. Its
 * `with` is wrapped when it comes, so that nothing has to be installed.
 */
import { randomFillSync } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { type CurrentContext, currentScope, enter, runIn, Scope, storage } from "./context.ts";

/** Symbols of @opentelemetry/api 1.x, the same in all of its copies. */
const API = Symbol.for("opentelemetry.js.api.1");
const SPAN = Symbol.for("OpenTelemetry Context Key SPAN");
/** Spans whose roots are remembered. */
const MOST_ROOTS = 10_000;

interface OtelContext {
  getValue(key: symbol): unknown;
}
interface Manager {
  with(context: OtelContext, fn: (...args: unknown[]) => unknown, thisArg?: unknown, ...args: unknown[]): unknown;
}
/** What spans of the SDK have; those of version 1 have the id of the parent alone. */
interface OtelSpan {
  spanContext(): { spanId: string; traceId: string };
  parentSpanId?: string;
  parentSpanContext?: { spanId: string; isRemote?: boolean };
  name?: string;
}

/** Whether a program has a context manager: the roots of its requests are then its own. */
let hasManager = false;

/** Local roots by the ids of spans, the oldest first. */
const roots = new Map<bigint, bigint>();
const wrappedManagers = new WeakSet<Manager>();

/** Follows the present context manager, and those that come. */
export function followOtel(): void {
  onSet(globalThis, API, (api) => onSet(api as object, "context", (manager) => follow(manager as Manager)));
}

/** Calls with the property of an object, now or once it is set. */
function onSet(owner: object, name: string | symbol, then: (value: unknown) => void): void {
  let value: unknown = Reflect.get(owner, name);
  if (value !== undefined) {
    then(value);
    return;
  }
  Object.defineProperty(owner, name, {
    configurable: true,
    enumerable: true,
    get: () => value,
    set: (to: unknown) => {
      value = to;
      if (to !== undefined) then(to);
    },
  });
}

function follow(manager: Manager): void {
  hasManager = true;
  if (wrappedManagers.has(manager)) return;
  wrappedManagers.add(manager);
  const original = manager.with;
  manager.with = function (context, fn, thisArg, ...args) {
    const run = () => original.call(this, context, fn, thisArg, ...args);
    const outer = currentScope();
    const span = context.getValue(SPAN) as OtelSpan | undefined;
    // A context without a span, such as the root context, ends what the spans around it say, and nothing else.
    if (span === undefined) return outer?.isOtel ? leave(outer.outside, run) : run();
    const found = contextOf(span, outer);
    if (found === null || (outer?.isOtel && outer.state.span === found.span)) return run();
    return runIn(new Scope(found, outer), run);
  };
}

function leave(to: Scope | null, run: () => unknown): unknown {
  return to === null ? runIn(new Scope(NOTHING), run) : storage.run(to, run);
}

const NOTHING: CurrentContext = { span: null, localRoot: null, trace: null, attributes: {} };

/** Null for a span that is not recorded. */
function contextOf(span: OtelSpan, outer: Scope | null): CurrentContext | null {
  const { spanId, traceId } = span.spanContext();
  const id = idOf(spanId);
  const trace = idOf(traceId);
  if (id === null || trace === null) return null;
  return { span: id, trace, localRoot: rootOf(span, id), attributes: outer?.state.attributes ?? {} };
}

/** The nearest span without a parent in this process. */
function rootOf(span: OtelSpan, id: bigint): bigint {
  const known = roots.get(id);
  if (known !== undefined) return known;
  const parent = idOf(span.parentSpanContext?.spanId ?? span.parentSpanId ?? "");
  const isRemote = span.parentSpanContext?.isRemote === true;
  const root = (parent === null || isRemote ? null : roots.get(parent)) ?? id;
  roots.set(id, root);
  if (roots.size > MOST_ROOTS) roots.delete(roots.keys().next().value ?? 0n);
  return root;
}

function idOf(hex: string): bigint | null {
  const id = /^(?:[0-9a-f]{16}){1,2}$/i.test(hex) ? BigInt(`0x${hex}`) : 0n;
  return id === 0n ? null : id;
}

const STARTS = "http.server.request.start";
/** https://www.w3.org/TR/trace-context/ */
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-/;

/** Attributes of a request, if they are slots. */
const ATTRIBUTES: readonly [name: string, of: (request: IncomingMessage) => string][] = [
  ["http.request.method", ({ method = "" }) => method],
  ["url.path", ({ url = "" }) => url.split("?", 1)[0] ?? ""],
];

/** Not by `headers`, which Node makes when the program first asks for them. */
function traceparentOf({ rawHeaders }: IncomingMessage): string {
  const at = rawHeaders.findIndex((name, i) => i % 2 === 0 && name.length === 11 && /^traceparent$/i.test(name));
  return at < 0 ? "" : (rawHeaders[at + 1] ?? "");
}

/** Gives each request a root from now on; returns how to end that. */
export function rootRequests(slots: readonly string[]): () => void {
  const wanted = ATTRIBUTES.filter(([name]) => slots.includes(name));
  const start = (message: unknown) => {
    if (hasManager) return;
    const { request } = message as { request: IncomingMessage };
    const given = TRACEPARENT.exec(traceparentOf(request))?.[1] ?? "0";
    const span = randomId();
    const attributes = Object.fromEntries(wanted.map(([name, of]) => [name, of(request)]));
    enter(new Scope({ span, localRoot: span, trace: BigInt(`0x${given}`) || null, attributes }));
  };
  subscribe(STARTS, start);
  return () => void unsubscribe(STARTS, start);
}

const pool = new BigUint64Array(128);
let left = 0;

function randomId(): bigint {
  if (left === 0) left = randomFillSync(pool).length;
  return pool[--left] || randomId();
}
