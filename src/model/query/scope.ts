/** The current scope filter: a single span, or its local root; and the alternative offered to the user. */
import type { Filter } from "../../core/types.ts";
import { isTrace } from "../words/ids.ts";
import { type Chip, withoutKinds } from "./chips.ts";
import { CONTEXT_KINDS, FILTERS } from "./filters.ts";
import { filterOf, type Selecting } from "./query.ts";

export type ScopeChoice = "root" | "span";

/** The single id of the filter; null without one or with several. */
export function oneId({ filter }: Pick<Selecting, "filter">): (Chip & { kind: "span" | "local-root" }) | null {
  const [span, ...spans] = FILTERS.span.of(filter);
  const [root, ...roots] = FILTERS["local-root"].of(filter);
  if (spans.length > 0 || roots.length > 0) return null;
  if (span !== undefined) return { kind: "span", ...span };
  return root === undefined ? null : { kind: "local-root", ...root };
}

/** The other filters in force, with these ids instead. */
export function withIds(query: Selecting, ids: Pick<Filter, "span" | "localRoot">): Filter {
  return { ...filterOf({ ...query, filter: withoutKinds(query.filter, ...CONTEXT_KINDS) }), ...ids };
}

/** A span and its root, with the samples of each. */
export interface Scopes {
  root: bigint;
  span: bigint;
  ofRoot: number;
  ofSpan: number;
}

/** The span that bears a local root's id is the outermost one itself; a trace of 128 bits names no span. */
export function ownSpan(root: bigint): bigint | null {
  return isTrace(root) ? null : root;
}

export const SCOPE_SENTENCES: Record<ScopeChoice, string> = {
  root: "All samples of the request in this process, whichever of its spans was active",
  span: "Samples taken while this span was active: its self time, without child spans",
};

/** Why there is nothing to choose; "" where there is. */
export function scopeAbsence({ ofRoot, ofSpan, root, span }: Scopes): string {
  if (root === 0n) return "No sample of this span carries the id of its request.";
  if (ofRoot === ofSpan) return `All samples are in ${span === root ? "the entry span" : "this span"}.`;
  if (ofSpan === 0 && (span === root || span === 0n)) return "All samples are in child spans.";
  return "";
}
