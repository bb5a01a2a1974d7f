/**
 * The baseline that a selection is compared with: as text in the query (`rest`, `key:NAME`, `file:NAME`, the hash of a
 * pinned query, or ""), and as a filter.
 */
import type { CallPart, Filter } from "../../core/types.ts";
import { ENDPOINT_KEYS, OPERATION_KEYS, ROOT_OPERATION } from "../lists/request-keys.ts";
import { visible } from "../words/text.ts";
import { listedParts } from "./call-chips.ts";
import { withConditions } from "./chips.ts";
import { FILTER_KINDS, filterRow } from "./filters.ts";
import { EMPTY_QUERY, filterOf, OTHER_SPANS, type QueryState } from "./query.ts";
import { wholeOf } from "./span-choice.ts";
import { hashToQuery, queryToHash } from "./written/query-hash.ts";

export type BaselineChoice =
  /** Another file, under the filters that can be meant for it too. */
  | { kind: "file"; name: string }
  /** Everything else in the profile. */
  | { kind: "rest" }
  /** What has the same value of an attribute: the other samples of the operation. */
  | { kind: "key"; key: string }
  /** What has one value of the first of these keys that the whole selection agrees in; else everything else. */
  | { kind: "operation"; keys: string[] }
  /** The other calls of dumps that match, where some of them are picked; or those of a method. */
  | { kind: "calls"; method: string | null }
  /** The other spans of the operation that some of are selected. */
  | { kind: "spans" }
  | { kind: "pinned"; filter: Filter };

/** Samples to compare with. */
export interface Baseline {
  filter: Filter;
  /** Without the selection, which is a part of them. */
  rest: boolean;
}

export interface ResolvedBaseline {
  baseline: Baseline;
  words: string;
}

/** An answer, or the error that a question ended with. */
type Answer<T, E> = { ok: true; value: T } | { ok: false; error: E };

/** Questions about the selection, asked only where the choice needs them. */
export interface SelectionQuestions<E> {
  totals: () => Promise<Answer<{ samples: number }, E>>;
  /** Samples of the profile under another filter. */
  totalsOf: (filter: Filter) => Promise<Answer<{ samples: number }, E>>;
  /** Values of an attribute in the selection, the most frequent first. */
  values: (key: string) => Promise<Answer<{ rows: readonly { label: string; samples: number }[] }, E>>;
}

/** The baseline of the other calls that match. */
export const OTHER_CALLS = "calls";

/** That of the other calls of a method. */
export function othersOfMethod(name: string): string {
  return `method:${name}`;
}

/** `isRequest`: the selection is a local root, which is compared with requests of its endpoint first. */
export function baselineOf(text: string, keys: readonly string[], isRequest = false): BaselineChoice {
  if (text.startsWith("key:")) return { kind: "key", key: text.slice(4) };
  if (text.startsWith("file:")) return { kind: "file", name: text.slice(5) };
  if (text === OTHER_CALLS) return { kind: "calls", method: null };
  if (text.startsWith("method:")) return { kind: "calls", method: text.slice("method:".length) };
  if (text === OTHER_SPANS) return { kind: "spans" };
  if (text.startsWith("#")) return { kind: "pinned", filter: filterOf(hashToQuery(text)) };
  // A span has one operation. A request has many operations and one endpoint; many endpoints share a root operation.
  const nearest = OPERATION_KEYS.filter((key) => key !== ROOT_OPERATION);
  const ordered = isRequest ? [...ENDPOINT_KEYS, ...nearest] : [...nearest, ...ENDPOINT_KEYS];
  const named = [...ordered, ROOT_OPERATION].filter((key) => keys.includes(key));
  return text === "" && named.length > 0 ? { kind: "operation", keys: named } : { kind: "rest" };
}

export function baselineText(choice: Exclude<BaselineChoice, { kind: "pinned" }>): string {
  if (choice.kind === "file") return `file:${choice.name}`;
  if (choice.kind === "operation") return "";
  if (choice.kind === "calls") return choice.method === null ? OTHER_CALLS : othersOfMethod(choice.method);
  if (choice.kind === "spans") return OTHER_SPANS;
  return choice.kind === "rest" ? "rest" : `key:${choice.key}`;
}

/** The selection as a baseline for later selections. */
export function pin({ filter }: Pick<QueryState, "filter">): string {
  return queryToHash({ ...EMPTY_QUERY, filter }) || "#";
}

/** The part of a filter that is meaningful for another file. */
function inOtherFile(filter: Filter, file: string): Filter {
  const portable = FILTER_KINDS.filter((kind) => filterRow(kind).portable);
  return portable.reduce<Filter>((kept, kind) => withConditions(kept, kind, filterRow(kind).of(filter)), { file });
}

/** How a frame's share changed from the baseline to the selection: −1 only there, 0 alike, 1 only here. */
export function change(share: number, base: number): number {
  return share + base <= 0 ? 0 : (share - base) / (share + base);
}

/** Words of the baseline that has every sample outside of the selection. */
export const OTHERS = "all other samples";
/** Words of the baseline that has every call outside of the selection. */
export const OTHER_VALUES = "all other calls";
/** Words of the baseline that has every span outside of the selection. */
export const OTHER_SPANS_WORDS = "the other spans";

const EVERYTHING: ResolvedBaseline = { baseline: { filter: {}, rest: true }, words: OTHERS };

/**
 * The baseline of a choice as a filter. The value that a selection shares has to be asked for: the most frequent one.
 */
export async function resolveBaseline<E>(
  choice: BaselineChoice,
  selection: Filter,
  questions: SelectionQuestions<E>,
): Promise<Answer<ResolvedBaseline, E>> {
  switch (choice.kind) {
    case "pinned":
      return { ok: true, value: { baseline: { filter: choice.filter, rest: false }, words: "pinned" } };
    case "file": {
      const filter = inOtherFile(selection, choice.name);
      return { ok: true, value: { baseline: { filter, rest: false }, words: visible(choice.name, 60) } };
    }
    case "calls":
      return { ok: true, value: otherCalls(choice.method, selection) };
    case "spans":
      return { ok: true, value: otherSpans(selection) };
    case "rest":
      return { ok: true, value: EVERYTHING };
    case "key":
      return sharedValue([choice.key], true, questions);
    case "operation":
      // Without conditions, no other sample can share a value: the answer is known before any question.
      if (isUnfiltered(selection)) return { ok: true, value: EVERYTHING };
      return sharedValue(choice.keys, false, questions);
  }
}

/** Whether the selection is everything, so that nothing is left to compare it with. */
export function isEverything(selection: Filter, { filter, rest }: Baseline): boolean {
  return rest && isUnfiltered(selection) && isUnfiltered(filter);
}

/** The filter may say how names are read, but leaves out no sample. */
function isUnfiltered({ rawNames: _, ...conditions }: Filter): boolean {
  return Object.values(conditions).every((condition) => condition === undefined);
}

/** All spans of the operation, without those that are selected. */
function otherSpans({ spans, ...conditions }: Filter): ResolvedBaseline {
  if (spans === undefined) return EVERYTHING;
  const { requests, operation } = spans;
  const others = requests ? "the other requests" : OTHER_SPANS_WORDS;
  const words = operation === undefined ? others : `${others} of ${visible(operation, 60)}`;
  return { baseline: { filter: { ...conditions, spans: wholeOf(spans) }, rest: true }, words };
}

function otherCalls(method: string | null, { calls = [], ...others }: Filter): ResolvedBaseline {
  const matching = listedParts(calls);
  if (method === null) {
    // The selection is a part of the calls that match.
    const filter: Filter = { ...others, ...(matching.length > 0 && { calls: matching }) };
    return { baseline: { filter, rest: true }, words: "the other calls" };
  }
  const ids = calls.flatMap((part) => (part.part === "ids" ? part.ids : []));
  const wanted: CallPart[] = [
    { part: "method", text: method },
    ...ids.map((text): CallPart => ({ part: "not-id", text })),
  ];
  const words = `the other calls of ${visible(method, 60)}`;
  return { baseline: { filter: { ...others, calls: wanted }, rest: false }, words };
}

/**
 * The samples with the same value of one of these attributes. `isChosen`: the user chose the key. Then the value may
 * be that of a part of the selection, and there may be no other samples of it. Otherwise the baseline is the first one
 * that has samples: a selection that is a whole endpoint is compared with other endpoints.
 */
async function sharedValue<E>(
  keys: readonly string[],
  isChosen: boolean,
  { totals, totalsOf, values }: SelectionQuestions<E>,
): Promise<Answer<ResolvedBaseline, E>> {
  // All at once: one round trip to the worker instead of one for each key.
  const [whole, ...answers] = await Promise.all([totals(), ...keys.map(values)]);
  if (!whole.ok) return whole;
  for (const [at, answer] of answers.entries()) {
    if (!answer.ok) return answer;
    const key = keys[at] ?? "";
    const [first] = answer.value.rows;
    if (first === undefined) continue;
    // The selection can only be left out of samples that it is a part of.
    const rest = first.samples === whole.value.samples;
    if (!rest && !isChosen) continue;
    const filter = { attributes: [{ key, value: first.label }] };
    if (!isChosen) {
      const all = await totalsOf(filter);
      if (!all.ok) return all;
      if (all.value.samples === whole.value.samples) continue;
    }
    const words = `${rest ? "others with" : "all with"} ${visible(key, 40)} = ${visible(first.label, 60)}`;
    return { ok: true, value: { baseline: { filter, rest }, words } };
  }
  return { ok: true, value: EVERYTHING };
}
