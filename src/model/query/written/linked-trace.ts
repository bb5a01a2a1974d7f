/**
 * Links that ask for an id: `#root=ID` alone, and those of other tools, `#trace=ID&span=ID&around=1m`, which ask for
 * the span, else for its trace, else for the time around it.
 */
import { type PastedIds, pastedIds } from "../../words/pasted-ids.ts";
import { filterChipsOf } from "../chips.ts";
import { CONTEXT_KINDS } from "../filters.ts";
import { EMPTY_QUERY, type QueryState } from "../query.ts";
import { oneId } from "../scope.ts";
import { queryToHash } from "./query-hash.ts";

export interface AskedTrace {
  /** Null where the link has none, or one that is no id. */
  span: PastedIds | null;
  trace: PastedIds | null;
  /** Ns before and after. */
  around: bigint;
}

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ["ms", 1_000_000n],
  ["s", 1_000_000_000n],
  ["m", 60_000_000_000n],
  ["min", 60_000_000_000n],
  ["h", 3_600_000_000_000n],
]);
const MINUTE = 60_000_000_000n;

/** Null where the link asks for no trace. Ids have the forms of the search box. */
export function askedTrace(hash: string): AskedTrace | null {
  const params = new URLSearchParams(hash.replace(/^#/, ""));
  const around = params.get("around");
  if (around === null) return null;
  // A plus of base64 is a space in an address.
  const idIn = (name: string) => pastedIds((params.get(name) ?? "").replaceAll(" ", "+"), true);
  const trace = idIn("trace") ?? idIn("root");
  const span = idIn("span");
  return trace === null && span === null ? null : { span, trace, around: nanosIn(around) };
}

/** `30s`, `1m`; a minute where the text is nothing of the kind. */
function nanosIn(text: string): bigint {
  const [, number, unit = ""] = /^(\d{1,6})(ms|s|m|min|h)$/.exec(text.trim()) ?? [];
  return number === undefined ? MINUTE : BigInt(number) * (UNITS.get(unit) ?? MINUTE);
}

/** The id of a link with an id and at most the list beside it: it opens as if the id were pasted. */
export function bareId(query: QueryState): bigint | null {
  const context = filterChipsOf(query.filter).filter(({ kind }) => CONTEXT_KINDS.includes(kind));
  const isBare = queryToHash(query) === queryToHash({ ...EMPTY_QUERY, filter: query.filter, by: query.by });
  return isBare && context.length === 1 ? (oneId(query)?.id ?? null) : null;
}
