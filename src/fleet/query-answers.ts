/** The SQL of answers that `spanflame query` gives without SQL. */

import { hexOf } from "../bytes/hex.ts";
import { conditionsGiven, FILTER_KINDS, type FilterChip } from "../model/query/filters.ts";
import { UsageError } from "../node/exit.ts";
import type { CallOf } from "../node/usage/commands.ts";
import { SELECTORS, type Wanted, wantedOf } from "./tables/selectors.ts";
import { bigEndian } from "./tables/spans-message.ts";
import { type ParameterType, WORDS } from "./tables/view-words.ts";

type QueryValues = CallOf<"query">["values"];

const ROWS = 25;
const ANSWERS = ["top", "flame", "traces", "operations"] as const;
/** Of the options that select rows, and that SQL would ignore. */
const SELECTING = ["type", "service", "endpoint", "trace-id", "since", "until", "limit"] as const;

export const text = (value: string) => `'${value.replaceAll("'", "''")}'`;

/** Values as SQL. Moments have microseconds. */
const LITERALS: Readonly<Record<ParameterType, (value: string | bigint | Uint8Array) => string>> = {
  text: (value) => text(String(value)),
  date: (value) => text(String(value)),
  int64: String,
  timestamp: (value) => `make_timestamptz(${(value as bigint) / 1000n})`,
  bytes: (value) => `'\\x${hexOf(value as Uint8Array, "\\x")}'::BLOB`,
};

/** What the options of `query` and `open` select by: those of the filters, and the service. */
export async function wantedBy({ service, ...values }: Readonly<Record<string, unknown>>): Promise<Wanted> {
  const texts = Object.entries(values).filter(([, value]) => typeof value === "string");
  const given = Object.fromEntries(texts.map(([name, text]) => [name, [text as string]]));
  const chips: FilterChip[] = [];
  for (const kind of FILTER_KINDS)
    for (const condition of await conditionsGiven(kind, given)) chips.push({ kind, ...condition } as FilterChip);
  return { ...wantedOf(chips), ...(typeof service === "string" && { service }) };
}

/** The SQL to run: that of the user, or that of an option. */
export function answerSql(
  sql: string | undefined,
  values: QueryValues,
  wanted: Wanted,
  parts: readonly string[] | null = null,
): string {
  const answers = ANSWERS.filter((name) => values[name] === true);
  if (answers.length > 1) throw new UsageError(`--${answers.join(" and --")} exclude each other`);
  const [answer] = answers;
  if (sql !== undefined) {
    const extra = [...answers, ...SELECTING.filter((name) => values[name] !== undefined)];
    if (extra.length > 0) throw new UsageError(`--${extra[0]} is for answers without SQL; write it as a condition`);
    return sql;
  }
  if (answer === undefined && values["trace-id"] === undefined) {
    throw new UsageError(`query needs SQL, --trace-id ID, or one of --${ANSWERS.join(", --")}`);
  }
  return answer === undefined ? traceSql(wanted, parts) : selectedSql(answer, values, wanted);
}

function selectedSql(answer: (typeof ANSWERS)[number], values: QueryValues, wanted: Wanted): string {
  const given: string[] = [text(values.type ?? "cpu")];
  for (const { name, type } of SELECTORS) {
    const value = wanted[name as keyof Wanted];
    if (value !== undefined) given.push(`${name} := ${LITERALS[type](value)}`);
  }
  const rows = answer === "flame" ? values.limit : (values.limit ?? String(ROWS));
  const columns = answer === "traces" ? "* EXCLUDE (root_id)" : "*";
  return `SELECT ${columns} FROM ${answer}(${given.join(", ")})${rows === undefined ? "" : ` LIMIT ${rows}`}`;
}

const MOST_KNOWN = 20;

/** What the data set has instead, where nothing is found: SQL for the values, their noun, the value asked for. */
export function knownSql(values: QueryValues): [sql: string, noun: string, given: string | undefined][] {
  const distinct = (column: string) =>
    `SELECT ${column} FROM samples WHERE ${column} IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC LIMIT ${MOST_KNOWN}`;
  const columns = [
    ["profile_type", "types", values.type ?? "cpu"],
    ["endpoint", "endpoints", values.endpoint],
    ["service", "services", values.service],
  ] as const;
  return columns.flatMap(([column, noun, given]) => (given === undefined ? [] : [[distinct(column), noun, given]]));
}

/** DuckDB leaves out row groups by the least and the most part, and not by a list. */
function inParts(parts: readonly string[]): string {
  const names = [...new Set(parts.length === 0 ? [""] : parts)].sort().map(text);
  return `s.part BETWEEN ${names[0]} AND ${names.at(-1)} AND s.part IN (${names.join(", ")})`;
}

/** A condition of samples. A trace id with 8 zero bytes is a local root. */
function ofTrace({ trace, root = 0n }: Wanted): string {
  if (trace !== undefined) return WORDS.duckdb.ofTrace(LITERALS.bytes(trace));
  // Datadog shows the lower half of a trace id.
  const half = hexOf(bigEndian(root));
  const spans = `(SELECT span_id FROM spans WHERE lower(right(hex(trace_id), 16)) = '${half}')`;
  return `(s.local_root_span_id = ${root} OR s.local_root_span_id IN ${spans})`;
}

/** What a trace has: its profiles by service, endpoint and operation. `parts`: that may have samples of it. */
function traceSql(wanted: Wanted, parts: readonly string[] | null): string {
  const own = ofTrace(wanted);
  const condition = parts === null ? own : `${inParts(parts)} AND (${own})`;
  return `SELECT service, endpoint, operation, profile_type, min(time) AS start, count(*) AS observations,
  sum(value)::BIGINT AS value, unit
FROM samples s WHERE ${condition} GROUP BY ALL ORDER BY start, service, operation, profile_type`;
}
