/**
 * Local roots, and what their samples say beside ids: method, route and names. A program states most of it after the
 * start, some at the end, and samples get it at the end of their part. So the objects that have it are kept until the
 * request or the span is over, and read then.
 */
import { randomFillSync } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { templateOf } from "./paths.ts";
import { type Routed, routeOf } from "./routes.ts";

/** Attributes that samples have without a slot. */
export const METHOD = "http.request.method";
export const ROUTE = "http.route";
/** As Datadog's profilers write it. */
const ENDPOINT = "trace endpoint";

/** Who states a route: the later ones know better. */
export enum By {
  Framework,
  Span,
  RootSpan,
  Program,
}

/** A local root: a request, or other work that a tracer begins. */
export class Root {
  /** Its id where no tracer gives it one. */
  readonly id = randomId();
  /** The tracer's span that it is. One that the sampler dropped is in no backend. */
  span: { id: bigint; trace: bigint; isSampled: boolean } | null = null;
  method = "";
  /** Of the span. */
  name = "";
  path = "";
  private route = "";
  private by = By.Framework;

  setRoute(route: unknown, by: By): void {
    if (typeof route !== "string" || route === "" || by < this.by) return;
    this.route = route;
    this.by = by;
  }

  get hasRoute(): boolean {
    return this.route !== "";
  }

  get endpoint(): string {
    const path = this.route || templateOf(this.path);
    return this.method === "" || path === "" ? this.name || this.route || this.method : `${this.method} ${path}`;
  }

  /** Names and values, which may be empty. */
  attributes(): [string, string][] {
    return [
      [METHOD, this.method],
      [ROUTE, this.route],
      [ENDPOINT, this.endpoint],
    ];
  }
}

/** Objects of the program that have names until they are over. */
export interface Source {
  readonly isOver: boolean;
  read(): void;
}

/** A program may never end a span. */
const MOST_SOURCES = 10_000;
const sources: Source[] = [];
let next = 0;

/** Reads a source when it is over. Each call looks at two: so there are about twice as many as are not over. */
export function follow(source: Source): void {
  sources.push(source);
  for (let i = 0; i < 2; i++) {
    if (next >= sources.length) next = 0;
    const each = sources[next];
    if (each === undefined) return;
    if (!each.isOver && sources.length <= MOST_SOURCES) next++;
    else {
      each.read();
      const last = sources.pop();
      if (last !== undefined && last !== each) sources[next] = last;
    }
  }
}

/** Reads all sources, and keeps those that are not over. */
export function readSources(): void {
  for (const each of sources) each.read();
  const left = sources.filter(({ isOver }) => !isOver);
  sources.splice(0, sources.length, ...left);
}

class HttpRequest implements Source {
  private readonly request: Routed;
  private readonly response: ServerResponse;
  private readonly root: Root;

  constructor(request: IncomingMessage, response: ServerResponse, root: Root) {
    this.request = request;
    this.response = response;
    this.root = root;
    root.method = request.method ?? "";
  }

  get isOver(): boolean {
    return this.response.destroyed;
  }

  read(): void {
    const { request, response, root } = this;
    root.setRoute(routeOf(request), By.Framework);
    // Scanners ask for any path.
    if (root.hasRoute || response.statusCode === 404) return;
    root.path = pathOf(request);
    templateOf(root.path);
  }
}

/** Frameworks change the URL while they route. */
export function pathOf({ originalUrl, url = "" }: Routed): string {
  return (originalUrl ?? url).split("?", 1)[0] ?? "";
}

interface FastifyRequest {
  routeOptions?: { url?: string };
}
type Hook = (request: FastifyRequest, reply: unknown, done: () => void) => void;

/** Calls with each request of Node's http servers from now on, and follows it; returns how to end that. */
export function followRequests(begin: (request: IncomingMessage) => Root, current: () => Root | null): () => void {
  const route = ({ routeOptions }: FastifyRequest) => current()?.setRoute(routeOptions?.url, By.Framework);
  const channels: [name: string, then: (message: never) => void][] = [
    [
      "http.server.request.start",
      ({ request, response }: { request: IncomingMessage; response: ServerResponse }) =>
        follow(new HttpRequest(request, response, begin(request))),
    ],
    // Its requests do not lead from those of Node to the route.
    ["tracing:fastify.request.handler:start", ({ request }: { request: FastifyRequest }) => route(request)],
    // Also of requests that a hook answers. Version 4 has no other channel.
    [
      "fastify.initialization",
      ({ fastify }: { fastify: { addHook(name: string, hook: Hook): void } }) =>
        fastify.addHook("onRequest", (request, _, done) => {
          route(request);
          done();
        }),
    ],
  ];
  for (const [name, then] of channels) subscribe(name, then as (message: unknown) => void);
  return () => {
    for (const [name, then] of channels) unsubscribe(name, then as (message: unknown) => void);
    sources.length = 0;
  };
}

const pool = new BigUint64Array(128);
let left = 0;

function randomId(): bigint {
  if (left === 0) left = randomFillSync(pool).length;
  return pool[--left] || randomId();
}
