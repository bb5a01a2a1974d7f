/** The SQL of answers that `spanflame query` gives without SQL. */
import { isTrace, parseId } from "../model/words/ids.ts";
import { pastedIds } from "../model/words/pasted-ids.ts";
import { UsageError } from "../node/exit.ts";
import type { CallOf } from "../node/usage/commands.ts";
import { sinceOf } from "./since.ts";
import type { Wanted } from "./tables/conditions.ts";
import { WORDS } from "./tables/view-words.ts";

type QueryValues = CallOf<"query">["values"];

const ROWS = 25;
const ANSWERS = ["top", "flame", "traces", "operations"] as const;
/** Of the options that select rows, and that SQL would ignore. */
const SELECTING = ["type", "service", "endpoint", "trace-id", "since", "until", "limit"] as const;

export const text = (value: string) => `'${value.replaceAll("'", "''")}'`;

/** A moment as SQL, to the microsecond. */
function moment(nanos: bigint): string {
  return `make_timestamptz(${nanos / 1000n})`;
}

/** The trace or the likeliest id of a text: an id, or a header or a log line with one. */
export function idIn(option: string, text: string): bigint {
  const found = pastedIds(text, true);
  const id = found?.trace ?? found?.ids[0];
  if (id !== undefined) return id;
  const parsed = parseId(text);
  throw new UsageError(`${option}: ${parsed.ok ? "no id" : parsed.error}`);
}

/** A trace id of 128 bits is a trace; all others are local roots. */
export function idWanted(option: string, text: string): Wanted {
  const id = idIn(option, text);
  if (!isTrace(id)) return { root: BigInt.asIntN(64, id) };
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(0, id >> 64n);
  view.setBigUint64(8, BigInt.asUintN(64, id));
  return { trace: bytes };
}

/** The id as the parameter of a view and as a condition of samples. A trace id with 8 zero bytes is a local root. */
export function idOf(given: string): { parameter: "root" | "trace"; condition: string; value: string } {
  const id = idIn("--trace-id", given);
  const hex = id.toString(16);
  if (isTrace(id)) {
    const value = `'${hex.padStart(32, "0").replaceAll(/../g, "\\x$&")}'::BLOB`;
    return { parameter: "trace", condition: WORDS.duckdb.ofTrace(value), value };
  }
  const value = BigInt.asIntN(64, id).toString();
  // Datadog shows the lower half of a trace id.
  const spans = `(SELECT span_id FROM spans WHERE lower(right(hex(trace_id), 16)) = '${hex.padStart(16, "0")}')`;
  return {
    parameter: "root",
    condition: `(s.local_root_span_id = ${value} OR s.local_root_span_id IN ${spans})`,
    value,
  };
}

/** The SQL to run: that of the user, or that of an option. */
export function answerSql(
  sql: string | undefined,
  values: QueryValues,
  now: number,
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
  return answer === undefined ? traceSql(values["trace-id"] ?? "", parts) : selectedSql(answer, values, now);
}

function selectedSql(answer: (typeof ANSWERS)[number], values: QueryValues, now: number): string {
  const given: string[] = [text(values.type ?? "cpu")];
  if (values.service !== undefined) given.push(`service := ${text(values.service)}`);
  if (values.endpoint !== undefined) given.push(`endpoint := ${text(values.endpoint)}`);
  if (values["trace-id"] !== undefined) {
    const { parameter, value } = idOf(values["trace-id"]);
    given.push(`${parameter} := ${value}`);
  }
  for (const name of ["since", "until"] as const) {
    const time = values[name];
    if (time !== undefined) given.push(`${name} := ${moment(sinceOf(`--${name}`, time, now))}`);
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

/** What a trace has: its profiles by service, endpoint and operation. `parts`: that may have samples of it. */
function traceSql(id: string, parts: readonly string[] | null): string {
  const own = idOf(id).condition;
  const condition = parts === null ? own : `${inParts(parts)} AND (${own})`;
  return `SELECT service, endpoint, operation, profile_type, min(time) AS start, count(*) AS observations,
  sum(value)::BIGINT AS value, unit
FROM samples s WHERE ${condition} GROUP BY ALL ORDER BY start, service, operation, profile_type`;
}
