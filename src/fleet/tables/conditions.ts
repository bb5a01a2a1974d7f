/** Conditions of rows of a data set, for readers that know statistics of pages before they have their values. */
import type { Cell } from "../parquet/cells.ts";
import { Damaged } from "../parquet/damage.ts";
import { compared } from "../parquet/statistics.ts";
import { SELECTORS, type Wanted } from "./selectors.ts";

export interface Condition {
  column: string;
  /** The values that hold, if they are ids with a bloom filter. */
  ids?: ReadonlySet<bigint>;
  holds: (value: Cell) => boolean;
  /** Whether a value that holds may be between two values, as statistics have them. */
  mayBe: (least: Uint8Array, most: Uint8Array) => boolean;
}

const encoder = new TextEncoder();
const NANOS_OF_MICRO = 1000n;

/** Samples that belong to what is wanted: one of the ids in one of the columns is theirs. */
export interface Belonging {
  roots: ReadonlySet<bigint>;
  spans: ReadonlySet<bigint>;
  trace: Uint8Array | null;
}

/** Whether one of these ids may be between two. */
function idsIn(ids: ReadonlySet<bigint>): Condition["mayBe"] {
  return (least, most) => {
    const [low, high] = [longOf(least), longOf(most)];
    return [...ids].some((id) => low <= id && id <= high);
  };
}

/** Rows with one of these ids. */
export function ofIds(column: string, ids: ReadonlySet<bigint>): Condition {
  return { column, ids, holds: (value) => ids.has(value as bigint), mayBe: idsIn(ids) };
}

/** A sample passes if all conditions of one of these lists hold. */
export function choicesOf({ roots, spans, trace }: Belonging, wanted: Wanted): Condition[][] {
  const shared = conditionsOf(wanted);
  const choices: Condition[][] = [];
  const add = (own: Condition) => choices.push(...shared.map((others) => [own, ...others]));
  for (const [column, ids] of [["local_root_span_id", roots] as const, ["span_id", spans] as const]) {
    if (ids.size > 0) add(ofIds(column, ids));
  }
  if (trace !== null) {
    const text = String(trace);
    add({ column: "trace_id", holds: (value) => String(value) === text, mayBe: () => true });
  }
  return choices.length === 0 ? shared : choices;
}

/**
 * Those of texts and times; ids are decided by what belongs to them. By a time there are two lists: of samples with a
 * time, and of those whose window has some of the wanted time.
 */
export function conditionsOf(wanted: Wanted): Condition[][] {
  const texts = SELECTORS.flatMap(({ name, column }): Condition[] => {
    const value = wanted[name as keyof Wanted];
    if (typeof value !== "string") return [];
    const bytes = encoder.encode(value);
    const mayBe: Condition["mayBe"] = (least, most) => compared(least, bytes) <= 0 && compared(bytes, most) <= 0;
    return [{ column, holds: (cell) => cell === value, mayBe }];
  });
  const { since, until } = wanted;
  if (since === undefined && until === undefined) return [texts];
  const from = since ?? 0n;
  const isBefore = (time: bigint) => until === undefined || time < until;
  const timed: Condition = {
    column: "time_unix_nano",
    holds: (time) => time !== 0n && isBefore(time as bigint) && (time as bigint) >= from,
    mayBe: (least, most) => isBefore(longOf(least)) && longOf(most) >= from,
  };
  const ends: Condition = {
    column: "time_end",
    holds: (time) => time !== null && (time as bigint) * NANOS_OF_MICRO > from,
    mayBe: (_, most) => longOf(most) * NANOS_OF_MICRO > from,
  };
  const begins: Condition = {
    column: "time",
    holds: (time) => time !== null && isBefore((time as bigint) * NANOS_OF_MICRO),
    mayBe: (least) => isBefore(longOf(least) * NANOS_OF_MICRO),
  };
  return [
    [timed, ...texts],
    [ends, begins, ...texts],
  ];
}

export function longOf(bytes: Uint8Array): bigint {
  if (bytes.length !== 8) throw new Damaged("the statistics of numbers have other bytes");
  return new DataView(bytes.buffer, bytes.byteOffset, 8).getBigInt64(0, true);
}

/** A trace in the table of spans, which is sorted by it: the whole id, the lower half of it, or one of its spans. */
export type Known = { trace: Uint8Array } | { lower: bigint } | { span: bigint };

export function conditionOf(known: Known): Condition {
  if ("span" in known) return ofIds("span_id", new Set([known.span]));
  if ("lower" in known) {
    const isLower = (value: Cell) => value instanceof Uint8Array && lowerOf(value) === known.lower;
    return { column: "trace_id", holds: isLower, mayBe: () => true };
  }
  // Spans of Datadog may state the lower half only.
  const traces = [known.trace, known.trace.map((byte, i) => (i < 8 ? 0 : byte))];
  const texts = traces.map(String);
  const mayBe: Condition["mayBe"] = (least, most) =>
    traces.some((trace) => compared(least, trace) <= 0 && compared(trace, most) <= 0);
  return { column: "trace_id", holds: (value) => texts.includes(String(value)), mayBe };
}

export const lowerOf = (trace: Uint8Array) => new DataView(trace.buffer, trace.byteOffset + 8, 8).getBigInt64(0);

/** The id by which an index has these spans. */
export function idOf(known: Known): bigint {
  if ("trace" in known) return lowerOf(known.trace);
  return "lower" in known ? known.lower : known.span;
}
