/** Filter of calls of dumps: it takes whole calls, with their trees, or leaves them out. */
import type { AttributeFilter, Filter } from "../../core/types.ts";
import { type Call, titleOf } from "./call.ts";

/** With a record in the stream `calls`, or without. */
export const ROOTS = ["recorded", "unrecorded", "all"] as const;
/** Calls with a record in the stream `calls`, those without one, or all. */
export type Roots = (typeof ROOTS)[number];

/** All must hold; of several ids, threads, and values of one parameter, one is enough. */
export interface CallFilter {
  ids: readonly string[];
  threads: readonly string[];
  /** Parameters with, or without, a value. */
  params: readonly AttributeFilter[];
  /** Start in [from, to), ns since 1970. */
  from: bigint;
  to: bigint;
  /** Duration in [min, max), ms. */
  min: bigint;
  max: bigint;
  /** Words apart by blanks: each has to occur, with `-` in front it must not. */
  query: string;
  roots: Roots;
}

export const ALL_CALLS: CallFilter = {
  ids: [],
  threads: [],
  params: [],
  from: 0n,
  to: 1n << 63n,
  min: 0n,
  max: 1n << 62n,
  query: "",
  roots: "all",
};

/** Attribute of the filter for threads. */
const THREAD = "thread.name";
const NANOS = 1_000_000n;

/** The parts of a filter of samples that select calls of dumps: by thread, parameter and start. */
export function callParts({ attributes = [], time }: Filter): Partial<CallFilter> {
  const isThread = ({ key, exclude }: AttributeFilter) => key === THREAD && exclude !== true;
  return {
    threads: attributes.filter(isThread).map(({ value }) => value),
    params: attributes.filter((each) => !isThread(each)),
    ...(time !== undefined && { from: time.from, to: time.to }),
  };
}

/** The rest of a filter of samples. */
export function sampleParts({ attributes: _, time: __, ...rest }: Filter): Filter {
  return rest;
}

/** Whether a call passes. */
export function passes(filter: CallFilter): (call: Call) => boolean {
  const ids = new Set(filter.ids);
  const threads = new Set(filter.threads);
  const params = paramTests(filter.params);
  const words = wordsOf(filter.query);
  return (call) =>
    (filter.roots === "all" || call.recorded === (filter.roots === "recorded")) &&
    (ids.size === 0 || ids.has(call.id)) &&
    (threads.size === 0 || threads.has(call.thread)) &&
    params.every((test) => test(call)) &&
    call.start * NANOS >= filter.from &&
    call.start * NANOS < filter.to &&
    call.duration >= filter.min &&
    call.duration < filter.max &&
    (words.length === 0 || hasWords(call, words));
}

function paramTests(params: readonly AttributeFilter[]): ((call: Call) => boolean)[] {
  const wanted = new Map<string, Set<string>>();
  const tests: ((call: Call) => boolean)[] = [];
  for (const { key, value, exclude } of params) {
    if (exclude === true) tests.push((call) => !valuesOf(call, key).includes(value));
    else wanted.set(key, (wanted.get(key) ?? new Set()).add(value));
  }
  for (const [key, values] of wanted) tests.push((call) => valuesOf(call, key).some((value) => values.has(value)));
  return tests;
}

/** Names of parameters are out of a file, and may be those of methods of objects. */
function valuesOf({ params }: Call, key: string): readonly string[] {
  return Object.hasOwn(params, key) ? (params[key] ?? []) : [];
}

function hasWords(call: Call, words: readonly SearchWord[]): boolean {
  const params = Object.entries(call.params).flatMap(([name, values]) => values.map((value) => `${name}=${value}`));
  const text = [call.method, titleOf(call) ?? "", call.thread, call.run, ...params].join("\n").toLowerCase();
  return words.every(({ word, isAbsent }) => text.includes(word) !== isAbsent);
}

/** Words of a search among calls: each has to occur, with `-` in front it must not. */

interface SearchWord {
  /** In small letters. */
  word: string;
  isAbsent: boolean;
}

export function wordsOf(query: string): SearchWord[] {
  return query
    .toLowerCase()
    .split(/\s+/)
    .map((text) => ({ word: text.replace(/^[+-]/, ""), isAbsent: text.startsWith("-") }))
    .filter(({ word }) => word !== "");
}
