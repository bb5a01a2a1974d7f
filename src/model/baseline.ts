/** What a selection is compared with, as the query says it: `rest`, `key:NAME`, or the hash of a pinned query. */
import type { Filter } from "../core/types.ts";
import { EMPTY_QUERY, filterOf, type QueryState } from "./query.ts";
import { hashToQuery, queryToHash } from "./query-hash.ts";

export type BaselineChoice =
  /** Another file, under the filters that can be meant for it too. */
  | { kind: "file"; name: string }
  /** Everything else in the profile. */
  | { kind: "rest" }
  /** What has the same value of an attribute: the other samples of the operation. */
  | { kind: "key"; key: string; ifShared?: true }
  | { kind: "pinned"; filter: Filter };

/** Keys under which tracers name what a request was; the first one that a profile has is the one to compare by. */
const OPERATIONS = ["_dd.trace.operation", "operation", "http.route", "_dd.trace.resource", "endpoint", "route"];

export function baselineOf(text: string, keys: readonly string[]): BaselineChoice {
  if (text.startsWith("key:")) return { kind: "key", key: text.slice(4) };
  if (text.startsWith("file:")) return { kind: "file", name: text.slice(5) };
  if (text.startsWith("#")) return { kind: "pinned", filter: filterOf(hashToQuery(text)) };
  const operation = text === "" ? OPERATIONS.find((key) => keys.includes(key)) : undefined;
  // Nobody asked for the operation, so a selection of several is compared with everything.
  return operation === undefined ? { kind: "rest" } : { kind: "key", key: operation, ifShared: true };
}

export function baselineText(choice: Exclude<BaselineChoice, { kind: "pinned" }>): string {
  if (choice.kind === "file") return `file:${choice.name}`;
  return choice.kind === "rest" ? "rest" : `key:${choice.key}`;
}

/** The samples now looked at as a baseline for those looked at later. */
export function pin({ localRoots, spans, attributes, frames, time, file }: QueryState): string {
  return queryToHash({ ...EMPTY_QUERY, localRoots, spans, attributes, frames, time, file }) || "#";
}

/**
 * What a filter means for another file: values and frames may be in it as well, ids and moments are of the file they were
 * taken from.
 */
export function inOtherFile({ attributes, frames }: Filter, file: string): Filter {
  return { ...(attributes && { attributes }), ...(frames && { frames }), file };
}

/** How a frame's share changed from the baseline to the selection: −1 only there, 0 alike, 1 only here. */
export function change(share: number, base: number): number {
  return share + base <= 0 ? 0 : (share - base) / (share + base);
}
