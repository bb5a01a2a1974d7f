/** What a selection is compared with, as the query says it: `rest`, `key:NAME`, `file:NAME`, the hash of a pinned query, or "". */
import type { Filter } from "../../core/types.ts";
import { ENDPOINT_KEYS, OPERATION_KEYS, ROOT_OPERATION } from "../lists/explorer.ts";
import { withConditions } from "./chips.ts";
import { FILTER_KINDS, filterRow } from "./filters.ts";
import { EMPTY_QUERY, filterOf, type QueryState } from "./query.ts";
import { hashToQuery, queryToHash } from "./query-hash.ts";

export type BaselineChoice =
  /** Another file, under the filters that can be meant for it too. */
  | { kind: "file"; name: string }
  /** Everything else in the profile. */
  | { kind: "rest" }
  /** What has the same value of an attribute: the other samples of the operation. */
  | { kind: "key"; key: string }
  /** The same by the first of these keys of which the whole selection has one value; else everything else. */
  | { kind: "operation"; keys: string[] }
  | { kind: "pinned"; filter: Filter };

export function baselineOf(text: string, keys: readonly string[]): BaselineChoice {
  if (text.startsWith("key:")) return { kind: "key", key: text.slice(4) };
  if (text.startsWith("file:")) return { kind: "file", name: text.slice(5) };
  if (text.startsWith("#")) return { kind: "pinned", filter: filterOf(hashToQuery(text)) };
  // A span has an operation; a request has many, and an endpoint; what its root is called is said of many endpoints.
  const nearest = OPERATION_KEYS.filter((key) => key !== ROOT_OPERATION);
  const named = [...nearest, ...ENDPOINT_KEYS, ROOT_OPERATION].filter((key) => keys.includes(key));
  return text === "" && named.length > 0 ? { kind: "operation", keys: named } : { kind: "rest" };
}

export function baselineText(choice: Exclude<BaselineChoice, { kind: "pinned" }>): string {
  if (choice.kind === "file") return `file:${choice.name}`;
  if (choice.kind === "operation") return "";
  return choice.kind === "rest" ? "rest" : `key:${choice.key}`;
}

/** The samples now looked at as a baseline for those looked at later. */
export function pin({ filter }: QueryState): string {
  return queryToHash({ ...EMPTY_QUERY, filter }) || "#";
}

/** The part of a filter that is meaningful for another file. */
export function inOtherFile(filter: Filter, file: string): Filter {
  const portable = FILTER_KINDS.filter((kind) => filterRow(kind).portable);
  return portable.reduce<Filter>((kept, kind) => withConditions(kept, kind, filterRow(kind).of(filter)), { file });
}

/** How a frame's share changed from the baseline to the selection: −1 only there, 0 alike, 1 only here. */
export function change(share: number, base: number): number {
  return share + base <= 0 ? 0 : (share - base) / (share + base);
}
