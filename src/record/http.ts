/** One local root for each request of Node's own http servers, in programs that have no tracer. */
import { randomFillSync } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { type ContextValue, enter, Scope } from "./context.ts";
import { hasManager } from "./otel.ts";

const STARTS = "http.server.request.start";
/** https://www.w3.org/TR/trace-context/ */
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-/;

/** Attributes of a request, if they are slots. */
const ATTRIBUTES: Record<string, (request: IncomingMessage) => string> = {
  "http.request.method": ({ method = "" }) => method,
  "url.path": ({ url = "" }) => url.split("?", 1)[0] ?? "",
};

/** Gives each request a root from now on; returns how to end that. */
export function rootRequests(slots: readonly string[]): () => void {
  const wanted = slots.filter((name) => Object.hasOwn(ATTRIBUTES, name));
  const start = (message: unknown) => {
    if (hasManager) return;
    const { request } = message as { request: IncomingMessage };
    const given = TRACEPARENT.exec(String(request.headers.traceparent ?? ""))?.[1] ?? "0";
    const span = randomId();
    const attributes: Record<string, ContextValue> = {};
    for (const name of wanted) attributes[name] = ATTRIBUTES[name]?.(request) ?? "";
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
