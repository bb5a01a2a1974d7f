/**
 * Spans of a program that states none: the active one of OpenTelemetry, or else a local root for each request
 * of Node's own http servers.
 *
 * OpenTelemetry's API keeps the context manager of a program in a global object that all copies of the API share. Its
 * `with` is wrapped when it comes, so that nothing has to be installed.
 */
import type { IncomingMessage } from "node:http";
import {
  type ContextValue,
  type CurrentContext,
  currentScope,
  enter,
  type Named,
  runIn,
  Scope,
  storage,
} from "./context.ts";
import { By, followRequests, follow as followSource, METHOD, pathOf, ROUTE, Root, type Source } from "./requests.ts";

/** Symbols of @opentelemetry/api 1.x, the same in all of its copies. */
const API = Symbol.for("opentelemetry.js.api.1");
const SPAN = Symbol.for("OpenTelemetry Context Key SPAN");
/** Spans whose roots are remembered. */
const MOST_SPANS = 10_000;

interface OtelContext {
  getValue(key: symbol): unknown;
}
interface Manager {
  with(context: OtelContext, fn: (...args: unknown[]) => unknown, thisArg?: unknown, ...args: unknown[]): unknown;
}
/** What spans of the SDK have; those of version 1 have the id of the parent alone, and dropped ones only ids. */
interface OtelSpan {
  spanContext(): { spanId: string; traceId: string; traceFlags?: number };
  parentSpanId?: string;
  parentSpanContext?: { spanId: string; isRemote?: boolean };
  name?: string;
  attributes?: Readonly<Record<string, unknown>>;
  resource?: Resource;
  ended?: boolean;
}
interface Resource {
  attributes?: Readonly<Record<string, unknown>>;
  asyncAttributesPending?: boolean;
}

/** A span that was active. */
interface Known extends Named {
  context: Pick<CurrentContext, "span" | "localRoot" | "trace">;
  root: Root;
}

/** By objects, and for their children by ids, the oldest first. */
const known = new WeakMap<OtelSpan, Known>();
const byId = new Map<bigint, Known>();
const wrappedManagers = new WeakSet<Manager>();
/** Names of attributes that samples have. */
let wanted: readonly string[] = [];
let resource: Resource | undefined;

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
  if (wrappedManagers.has(manager)) return;
  wrappedManagers.add(manager);
  const original = manager.with;
  manager.with = function (context, fn, thisArg, ...args) {
    const run = () => original.call(this, context, fn, thisArg, ...args);
    const outer = currentScope();
    const span = context.getValue(SPAN) as OtelSpan | undefined;
    // A context without a span, such as the root context, ends what the spans around it say, and nothing else.
    if (span === undefined) return outer?.isOtel ? leave(outer.outside, run) : run();
    const found = known.get(span) ?? knownOf(span, outer);
    if (found === null || (outer?.isOtel && outer.named === found)) return run();
    const attributes = outer?.state.attributes ?? {};
    return runIn(new Scope({ ...found.context, attributes }, found.root, found, outer), run);
  };
}

function leave(to: Scope | null, run: () => unknown): unknown {
  return to === null ? runIn(new Scope(NOTHING, null, null), run) : storage.run(to, run);
}

const NOTHING: CurrentContext = { span: null, localRoot: null, trace: null, attributes: {} };

/** Null for a span without ids. The samples of one that the sampler dropped have the request's own. */
function knownOf(span: OtelSpan, outer: Scope | null): Known | null {
  const { spanId, traceId, traceFlags = 1 } = span.spanContext();
  const id = idOf(spanId);
  const trace = idOf(traceId);
  if (id === null || trace === null) return null;
  const isSampled = (traceFlags & 1) === 1;
  const root = rootOf(span, trace, outer);
  root.span ??= { id, trace, isSampled };
  const localRoot = root.span.isSampled ? root.span.id : id;
  const context = isSampled ? { span: id, localRoot, trace } : { span: root.id, localRoot: root.id, trace: null };
  const found: Known = { context, root, name: span.name ?? "", attributes: {} };
  known.set(span, found);
  byId.set(id, found);
  if (byId.size > MOST_SPANS) byId.delete(byId.keys().next().value ?? 0n);
  resource = span.resource ?? resource;
  const source = new OtelSource(span, found, root.span.id === id);
  if (typeof span.ended === "boolean") followSource(source);
  else source.read();
  return found;
}

/** That of the nearest span in this process, or of the request; a span without a parent begins one. */
function rootOf(span: OtelSpan, trace: bigint, outer: Scope | null): Root {
  const parent = idOf(span.parentSpanContext?.spanId ?? span.parentSpanId ?? "");
  const isRemote = span.parentSpanContext?.isRemote === true;
  const above = parent === null || isRemote ? undefined : byId.get(parent)?.root;
  const around = outer?.root ?? null;
  return above ?? (around !== null && (around.span?.trace ?? trace) === trace ? around : new Root());
}

class OtelSource implements Source {
  private readonly span: OtelSpan;
  private readonly found: Known;
  private readonly isRoot: boolean;

  constructor(span: OtelSpan, found: Known, isRoot: boolean) {
    this.span = span;
    this.found = found;
    this.isRoot = isRoot;
  }

  get isOver(): boolean {
    return this.span.ended === true;
  }

  read(): void {
    const { found, isRoot } = this;
    const { name = "", attributes = {} } = this.span;
    found.name = name;
    const slots = wanted.flatMap((each) => {
      const value = attributes[each];
      return isValue(value) ? [[each, value] as const] : [];
    });
    if (slots.length > 0) found.attributes = Object.fromEntries(slots);
    found.root.setRoute(attributes[ROUTE], isRoot ? By.RootSpan : By.Span);
    if (!isRoot) return;
    found.root.name = name;
    found.root.method ||= String(attributes[METHOD] ?? attributes["http.method"] ?? "");
  }
}

function isValue(value: unknown): value is ContextValue {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** The Resource of the SDK, without what the recorder knows better: that of its spans, or else of its provider. */
export function otelResource(): Record<string, string> {
  const api = Reflect.get(globalThis, API) as { trace?: Provider } | undefined;
  const provider = api?.trace?.getDelegate?.() ?? api?.trace;
  const { attributes = {}, asyncAttributesPending } = resource ?? provider?.resource ?? provider?._resource ?? {};
  // It would complain of attributes that it is still looking for.
  if (asyncAttributesPending) return {};
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([key, value]) =>
      isValue(value) && !/^(process|telemetry)\./.test(key) ? [[key, String(value)]] : [],
    ),
  );
}

interface Provider {
  getDelegate?(): Provider;
  resource?: Resource;
  _resource?: Resource;
}

function idOf(hex: string): bigint | null {
  const id = /^(?:[0-9a-f]{16}){1,2}$/i.test(hex) ? BigInt(`0x${hex}`) : 0n;
  return id === 0n ? null : id;
}

/** https://www.w3.org/TR/trace-context/ */
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f][13579bdf]/;

/** Attributes of a request, if they are slots. */
const PATH = "url.path";

/** Not by `headers`, which Node makes when the program first asks for them. */
function traceparentOf({ rawHeaders }: IncomingMessage): string {
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.length === 11 && /^traceparent$/i.test(rawHeaders[i] ?? "")) return rawHeaders[i + 1] ?? "";
  return "";
}

/** Gives each request a root from now on; returns how to end that. */
export function rootRequests(slots: readonly string[]): () => void {
  wanted = slots;
  const hasPath = slots.includes(PATH);
  const begin = (request: IncomingMessage) => {
    const root = new Root();
    // Its last byte tells whether the caller samples the trace.
    const given = TRACEPARENT.exec(traceparentOf(request))?.[1];
    const trace = given === undefined ? null : idOf(given);
    const attributes = hasPath ? { [PATH]: pathOf(request) } : {};
    enter(new Scope({ span: root.id, localRoot: root.id, trace, attributes }, root, null));
    return root;
  };
  return followRequests(begin, () => currentScope()?.root ?? null);
}
