/** Subject of the selection: the one request, span or attribute value that the filters are about. */
import { idWord } from "../words/ids.ts";
import { FILTERS } from "./filters.ts";
import type { Selecting } from "./query.ts";
import { oneId } from "./scope.ts";

export type Subject =
  | { kind: "id"; of: "span" | "local-root"; id: bigint; word: string }
  | { kind: "value"; key: string; value: string };

/** An id wins over a value; null for several of a kind, and for other filters alone. */
export function subjectOf(query: Pick<Selecting, "filter">): Subject | null {
  const one = oneId(query);
  if (one !== null) return { kind: "id", of: one.kind, id: one.id, word: idWord(one.kind, one.id) };
  const { filter } = query;
  if (FILTERS.span.of(filter).length > 0 || FILTERS["local-root"].of(filter).length > 0) return null;
  const [value, ...others] = FILTERS.attribute.of(filter).filter(({ exclude }) => exclude !== true);
  return value === undefined || others.length > 0 ? null : { kind: "value", key: value.key, value: value.value };
}
