/**
 * Words that differ between SQL engines. The queries of the views (view-queries.ts) are written once, with these words
 * in their places.
 */

export const ENGINES = ["duckdb", "spark", "clickhouse"] as const;
export type Engine = (typeof ENGINES)[number];

/** Types of the parameters of views. */
export type ParameterType = "text" | "int64" | "timestamp" | "bytes" | "date";

export interface Words {
  /** Names of types. */
  types: Readonly<Record<ParameterType, string>>;
  /** 16 hex digits of a 64-bit id, or null for 0. */
  hexId(id: string): string;
  /** A row for each element of a list, as `element`, beside the rows of `from`. */
  each(from: string, list: string, element: string): string;
  /** A row for each element of a list, with its position from 1 as `at`. */
  eachAt(from: string, list: string, element: string): string;
  distinct(list: string): string;
  first(list: string): string;
  /** Texts of a group in descending order of `at`, joined by semicolons. */
  joined(text: string, at: string): string;
  /** The value below which a share of the values of a group is: the nearest rank. */
  quantile(value: string, share: number): string;
  /** Sum of a group as a 64-bit number. */
  sum(value: string): string;
  /** Any value of a group. */
  any(value: string): string;
  /** A pair of a part and a number of a stack in it, and its members. */
  place(part: string, stack: string): string;
  partOf(place: string): string;
  stackOf(place: string): string;
  /** Whether a row `s` of samples is of a trace. */
  ofTrace(trace: string): string;
  /** A name in a line of collapsed stacks. */
  oneLine(text: string): string;
  double: string;
}

const SUM = (value: string) => `CAST(sum(${value}) AS BIGINT)`;

/** By the sample itself, or else by the spans that a trace file has given to the data set, also later. */
const OF_TRACE_OR_SPANS = (trace: string) => {
  // Spans of Datadog may state the lower half only.
  const half = `unhex('0000000000000000' || right(hex(${trace}), 16))`;
  const spans = `(SELECT p.span_id FROM spans p WHERE p.trace_id IN (${trace}, ${half}))`;
  return `(s.trace_id = ${trace} OR (s.trace_id IS NULL AND (s.span_id IN ${spans} OR s.local_root_span_id IN ${spans})))`;
};
/** Without a table of spans: a data set may have none, and functions of this engine cannot ask another table. */
const OF_TRACE = (trace: string) => `s.trace_id = ${trace}`;

export const WORDS: Readonly<Record<Engine, Words>> = {
  duckdb: {
    types: { text: "VARCHAR", int64: "BIGINT", timestamp: "TIMESTAMPTZ", bytes: "BLOB", date: "DATE" },
    hexId: (id) => `nullif(printf('%016x', ${id}), '0000000000000000')`,
    each: (from, list, element) => `(SELECT *, unnest(${list}) AS ${element} FROM ${from})`,
    eachAt: (from, list, element) =>
      `(SELECT *, unnest(${list}) AS ${element}, generate_subscripts(${list}, 1) AS at FROM ${from})`,
    // list_distinct makes a hash table for each list: for short ones, looking up each item takes a third of that.
    distinct: (list) =>
      `CASE WHEN len(${list}) > 200 THEN list_distinct(${list})
        ELSE list_filter(${list}, lambda item, i: list_position(${list}, item) = i) END`,
    first: (list) => `${list}[1]`,
    joined: (text, at) => `string_agg(${text}, ';' ORDER BY ${at} DESC)`,
    quantile: (value, share) => `quantile_disc(${value}, ${share})`,
    double: "DOUBLE",
    // The sum has 128 bits.
    sum: (value) => `CAST(least(sum(${value}), ${2n ** 63n - 1n}) AS BIGINT)`,
    any: (value) => `any_value(${value})`,
    place: (part, stack) => `{'part': ${part}, 'stack_id': ${stack}}`,
    partOf: (place) => `${place}.part`,
    stackOf: (place) => `${place}.stack_id`,
    ofTrace: OF_TRACE_OR_SPANS,
    oneLine: (text) => `translate(${text}, concat(';', chr(10)), ': ')`,
  },
  spark: {
    types: { text: "STRING", int64: "BIGINT", timestamp: "TIMESTAMP", bytes: "BINARY", date: "DATE" },
    hexId: (id) => `nullif(lower(lpad(hex(${id}), 16, '0')), '0000000000000000')`,
    each: (from, list, element) => `(SELECT *, explode(${list}) AS ${element} FROM ${from})`,
    eachAt: (from, list, element) =>
      `(SELECT t.*, p.pos + 1 AS at, p.${element} FROM ${from} t LATERAL VIEW posexplode(${list}) p AS pos, ${element})`,
    distinct: (list) => `array_distinct(${list})`,
    first: (list) => `${list}[0]`,
    joined: (text, at) =>
      `concat_ws(';', transform(sort_array(collect_list(struct(-${at} AS place, ${text} AS name))), x -> x.name))`,
    quantile: (value, share) => `percentile_disc(${share}) WITHIN GROUP (ORDER BY ${value})`,
    double: "DOUBLE",
    sum: SUM,
    any: (value) => `any_value(${value})`,
    place: (part, stack) => `named_struct('part', ${part}, 'stack_id', ${stack})`,
    partOf: (place) => `${place}.part`,
    stackOf: (place) => `${place}.stack_id`,
    ofTrace: OF_TRACE,
    oneLine: (text) => `translate(${text}, concat(';', char(10)), ': ')`,
  },
  clickhouse: {
    types: { text: "String", int64: "Int64", timestamp: "DateTime64(6, 'UTC')", bytes: "String", date: "Date" },
    hexId: (id) => `nullIf(lower(leftPad(hex(${id}), 16, '0')), '0000000000000000')`,
    each: (from, list, element) => `(SELECT *, arrayJoin(${list}) AS ${element} FROM ${from})`,
    eachAt: (from, list, element) =>
      `(SELECT *, ${element}, at FROM ${from} ARRAY JOIN ${list} AS ${element}, arrayEnumerate(${list}) AS at)`,
    distinct: (list) => `arrayDistinct(${list})`,
    first: (list) => `${list}[1]`,
    joined: (text, at) =>
      `arrayStringConcat(arrayMap(x -> x.2, arraySort(x -> -x.1, groupArray((toInt64(${at}), ${text})))), ';')`,
    quantile: (value, share) => `arraySort(groupArray(${value}))[toUInt64(ceil(${share} * count()))]`,
    double: "Float64",
    sum: (value) => `toInt64(sum(${value}))`,
    any: (value) => `any(${value})`,
    place: (part, stack) => `tuple(${part}, ${stack})`,
    partOf: (place) => `tupleElement(${place}, 1)`,
    stackOf: (place) => `tupleElement(${place}, 2)`,
    ofTrace: OF_TRACE,
    oneLine: (text) => `translate(${text}, concat(';', char(10)), ': ')`,
  },
};
