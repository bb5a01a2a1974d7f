/** Subject of the selection: the one request, span or attribute value that the filters are about. */

import { formatCounted } from "../words/format.ts";
import { idWord } from "../words/ids.ts";
import type { Zeros } from "../words/moments.ts";
import { filterWords } from "./chip-words.ts";
import { FILTERS } from "./filters.ts";
import type { Selecting } from "./query.ts";
import { oneId } from "./scope.ts";
import { WHOLE } from "./shape.ts";
import { choiceWords } from "./span-choice.ts";

export type Subject =
  | { kind: "id"; of: "span" | "local-root"; id: bigint; word: string }
  | { kind: "value"; key: string; value: string };

/** Requests that the filters select together: spans of an operation, several ids, several values; null for others. */
export function severalOf({ filter }: Pick<Selecting, "filter">): string | null {
  const spans = FILTERS.spans.of(filter).map((choice) => choiceWords(choice).value);
  const counted = (kind: "span" | "local-root" | "attribute", noun: string) => {
    const conditions = FILTERS[kind].of(filter).filter((each) => !("exclude" in each && each.exclude === true));
    return conditions.length < 2 ? [] : [formatCounted(conditions.length, noun)];
  };
  const words = [
    ...spans,
    ...counted("local-root", "request"),
    ...counted("span", "span"),
    ...counted("attribute", "value"),
  ];
  return words.length === 0 ? null : words.join(", ");
}

/**
 * The filters in words, where they are about no id and no value: by frame, time, file and the like. Null without such
 * filters, and for samples without a span, which are of no request. The list of calls shows which calls are selected.
 */
export function conditionsOf({ filter }: Pick<Selecting, "filter">, zeros: Zeros): string | null {
  const { calls: _, ...others } = filter;
  const words = others.noSpan === true ? "" : filterWords({ filter: others, shape: WHOLE }, zeros);
  return words === "" ? null : words;
}

/** An id wins over a value; null for several of a kind, and for other filters alone. */
export function subjectOf(query: Pick<Selecting, "filter">): Subject | null {
  const one = oneId(query);
  if (one !== null) return { kind: "id", of: one.kind, id: one.id, word: idWord(one.kind, one.id) };
  const { filter } = query;
  if (FILTERS.span.of(filter).length > 0 || FILTERS["local-root"].of(filter).length > 0) return null;
  const [value, ...others] = FILTERS.attribute.of(filter).filter(({ exclude }) => exclude !== true);
  return value === undefined || others.length > 0 ? null : { kind: "value", key: value.key, value: value.value };
}
