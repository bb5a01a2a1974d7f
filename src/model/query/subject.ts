/** Subject of the selection: the one request, span or attribute value that the filters are about. */

import type { Filter } from "../../core/types.ts";
import { formatCounted } from "../words/format.ts";
import { idWord } from "../words/ids.ts";
import type { Zeros } from "../words/moments.ts";
import { filterWords } from "./chip-words.ts";
import { FILTERS } from "./filters.ts";
import type { Selecting } from "./query.ts";
import { nounOf } from "./root-by.ts";
import { oneId } from "./scope.ts";
import { WHOLE } from "./shape.ts";
import { choiceWords } from "./span-choice.ts";

export type Subject =
  | { kind: "id"; of: "span" | "local-root"; id: bigint; word: string }
  | { kind: "value"; key: string; value: string };

/** A value of each attribute by itself; of several of one attribute their number: `2 endpoints`. */
function valueWords(filter: Filter): string[] {
  const values = FILTERS.attribute.of(filter).filter(({ exclude }) => exclude !== true);
  if (values.length < 2) return [];
  return [...new Set(values.map(({ key }) => key))].map((key) => {
    const [first, ...others] = values.filter((each) => each.key === key);
    if (others.length === 0) return first.value === "" ? `${key} (empty)` : first.value;
    const noun = nounOf(key);
    return noun === null
      ? `${others.length + 1} values of ${key}`
      : formatCounted(others.length + 1, noun, `${noun.replace(/y$/, "ie")}s`);
  });
}

/** Requests that the filters select together: spans of an operation, several ids, several values; null for others. */
export function severalOf({ filter }: Pick<Selecting, "filter">): string | null {
  const spans = FILTERS.spans.of(filter).map((choice) => choiceWords(choice).value);
  const counted = (kind: "span" | "local-root", noun: string) => {
    const ids = FILTERS[kind].of(filter).length;
    return ids < 2 ? [] : [formatCounted(ids, noun)];
  };
  const words = [...spans, ...counted("local-root", "request"), ...counted("span", "span"), ...valueWords(filter)];
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
