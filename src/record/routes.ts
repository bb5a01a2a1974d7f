/**
 * The route of a request by the objects of Express 4 and 5, and of what is like it. They keep the pattern of a route,
 * and of the routers around it only the path that matched: its parameters are found by the layers that matched it.
 */
import type { IncomingMessage } from "node:http";
import { templateOf } from "./paths.ts";

interface Layer {
  route?: object;
  handle?: { stack?: Layer[] };
  /** It matches any path, and none of its segments. */
  slash?: boolean;
  /** Of Express 5. */
  matchers?: ((path: string) => false | { path: string; params: Record<string, string> })[];
  /** Of Express 4. */
  regexp?: RegExp & { fast_slash?: boolean };
  keys?: { name: string }[];
}
/** A request as frameworks extend it. */
export interface Routed extends IncomingMessage {
  originalUrl?: string;
  baseUrl?: string;
  route?: { path?: unknown };
  app?: { _router?: { stack?: Layer[] }; router?: { stack?: Layer[] } };
}

/** Empty without a route. */
export function routeOf({ route, baseUrl, app }: Routed): string {
  if (route?.path === undefined) return "";
  const path = String(route.path);
  if (typeof baseUrl !== "string" || baseUrl === "") return path;
  const mounts = mountsOf(route, app);
  return (patternOf(mounts, baseUrl) ?? templateOf(baseUrl)) + (path === "/" ? "" : path);
}

const known = new WeakMap<object, readonly Layer[]>();

/** The layers around a route; none for one of an application within another. */
function mountsOf(route: object, app: Routed["app"]): readonly Layer[] {
  let mounts = known.get(route);
  if (mounts === undefined) {
    mounts = layersTo(route, (app?._router ?? app?.router)?.stack ?? []) ?? [];
    known.set(route, mounts);
  }
  return mounts;
}

function layersTo(route: object, stack: readonly Layer[]): Layer[] | null {
  for (const layer of stack) {
    if (layer.route === route) return [];
    const inner = Array.isArray(layer.handle?.stack) ? layersTo(route, layer.handle.stack) : null;
    if (inner !== null) return [layer, ...inner];
  }
  return null;
}

/** The path with the names of its parameters; null if the layers do not match it. */
function patternOf(mounts: readonly Layer[], path: string): string | null {
  let pattern = "";
  let rest = path;
  for (const layer of mounts) {
    const match = matchOf(layer, rest);
    if (match === null) return null;
    const named = new Map(Object.entries(match.params).map(([name, value]) => [String(value), `:${name}`]));
    pattern += match.path.replace(/[^/]+/g, (segment) => named.get(decoded(segment)) ?? segment);
    rest = rest.slice(match.path.length);
  }
  return mounts.length === 0 || rest !== "" ? null : pattern;
}

function matchOf({ slash, matchers, regexp, keys = [] }: Layer, path: string) {
  if (slash || regexp?.fast_slash) return { path: "", params: {} };
  for (const matcher of matchers ?? []) {
    const match = matcher(path);
    if (match !== false) return match;
  }
  const found = regexp?.exec(path);
  if (!found) return null;
  // It matches the slash that follows, too.
  const whole = found[0].replace(/\/$/, "");
  return { path: whole, params: Object.fromEntries(keys.map(({ name }, i) => [name, decoded(found[i + 1] ?? "")])) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
