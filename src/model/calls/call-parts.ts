/** Conditions of the page on calls of dumps as one filter. */
import type { AttributeFilter, CallPart, CallPartName, TimeRange } from "../../core/types.ts";
import { ALL_CALLS, type CallFilter, ROOTS } from "./call-filter.ts";

/** Which calls: those of a filter, of some runs and methods. */
export interface PartFilter extends CallFilter {
  runs: readonly string[];
  servers: readonly string[];
  /** Names, `package.Class.method`. */
  methods: readonly string[];
  /** Calls that do not pass. */
  notIds: readonly string[];
}

/** Of the calls that pass a filter, those of the longest durations: so many of them, or so many of 100. */
export interface Slowest {
  count: number | null;
  percent: number | null;
}

export function partFilter(parts: readonly CallPart[], threads: readonly string[] = [], time?: TimeRange): PartFilter {
  const texts = (name: CallPartName) => parts.flatMap((part) => (part.part === name ? [part.text] : []));
  const ids = parts.flatMap((part) => (part.part === "ids" ? part.ids : []));
  const limit = (name: "min" | "max") => wholeNumber(texts(name).at(-1));
  const roots = texts("roots").at(-1);
  return {
    ...ALL_CALLS,
    ids,
    threads,
    params: [
      ...texts("param").flatMap((text) => paramOf(text, false)),
      ...texts("not-param").flatMap((text) => paramOf(text, true)),
    ],
    ...(time !== undefined && { from: time.from, to: time.to }),
    min: limit("min") ?? ALL_CALLS.min,
    max: limit("max") ?? ALL_CALLS.max,
    query: texts("text").join(" "),
    roots: ROOTS.find((each) => each === roots) ?? "all",
    runs: texts("run"),
    servers: texts("server"),
    methods: texts("method"),
    notIds: texts("not-id"),
  };
}

/** Null if all calls that pass are selected. */
export function slowestOf(parts: readonly CallPart[]): Slowest | null {
  const last = parts.filter(({ part }) => part === "slowest" || part === "slowest-percent").at(-1);
  const number = last === undefined || last.part === "ids" ? null : wholeNumber(last.text);
  if (last === undefined || number === null) return null;
  return last.part === "slowest" ? { count: Number(number), percent: null } : { count: null, percent: Number(number) };
}

/** How many of `count` calls are the slowest. */
export function slowestCount({ count, percent }: Slowest, of: number): number {
  return Math.min(of, count ?? Math.ceil((of * (percent ?? 0)) / 100));
}

function wholeNumber(text: string | undefined): bigint | null {
  return text !== undefined && /^\d{1,18}$/.test(text) ? BigInt(text) : null;
}

function paramOf(text: string, exclude: boolean): AttributeFilter[] {
  const at = text.indexOf("=");
  if (at <= 0) return [];
  const pair = { key: text.slice(0, at), value: text.slice(at + 1) };
  return [exclude ? { ...pair, exclude } : pair];
}
