/** Answers of DuckDB as lines, CSV and JSON. Ids are printed as in the other commands: 16 or 32 hex digits. */
import type { DuckDBResult, DuckDBValue } from "@duckdb/node-api";
import { formatCount, formatCounted, formatNanos, formatValue } from "../model/words/format.ts";
import { hexId } from "../model/words/ids.ts";
import { visible } from "../model/words/text.ts";
import { csvCell, printCsvLine } from "../node/csv.ts";
import { isForPeople, noteOnce, print, printLongJson, printText, say } from "../node/terminal.ts";
import type { DuckDb } from "./duckdb.ts";

export interface Answer {
  duckDb: DuckDb;
  result: DuckDBResult;
}

type Cell = string | number | bigint | boolean | null | readonly Cell[] | { readonly [name: string]: Cell };

const SPAN_IDS = new Set(["span_id", "parent_span_id", "local_root_span_id"]);
/** Of the answers' sums of 64 bits. */
const MOST = 2n ** 63n - 1n;
/** Rows that determine the widths of columns; later ones may be wider. */
const MEASURED = 2000;

interface Column {
  name: string;
  type: string;
  isNumber: boolean;
  isText: boolean;
  cell(value: DuckDBValue): Cell;
}

function columnsOf({ duckDb, result }: Answer): Column[] {
  const { DuckDBTypeId: Id } = duckDb;
  const numbers = new Set([Id.TINYINT, Id.SMALLINT, Id.INTEGER, Id.BIGINT, Id.UTINYINT, Id.USMALLINT, Id.UINTEGER]);
  for (const id of [Id.UBIGINT, Id.HUGEINT, Id.UHUGEINT, Id.FLOAT, Id.DOUBLE, Id.DECIMAL]) numbers.add(id);
  const texts = new Set([Id.VARCHAR, Id.ENUM, Id.UNION]);
  return result.deduplicatedColumnNames().map((name, i) => {
    const id = result.columnTypeId(i);
    // The binding loses its value.
    if (/__proto__ |"__proto__" /.test(result.columnType(i).toString()))
      throw new Error(`column ${name}: a field named __proto__ cannot be read; give it another name`);
    const isId = id === Id.BIGINT && SPAN_IDS.has(name);
    const cell = isId
      ? (value: DuckDBValue) => spanId(value as bigint | null)
      : (value: DuckDBValue) => cellOf(duckDb, value);
    return {
      name,
      type: result.columnType(i).toString(),
      isNumber: numbers.has(id) && !isId,
      isText: texts.has(id),
      cell,
    };
  });
}

function spanId(value: bigint | null): string | null {
  return value === null || value === 0n ? null : hexId(BigInt.asUintN(64, value));
}

function cellOf(duckDb: DuckDb, value: DuckDBValue): Cell {
  if (value === null || typeof value !== "object") return value;
  if (value instanceof duckDb.DuckDBBlobValue) return Buffer.from(value.bytes).toString("hex");
  // The binding prints these as dates. They have one field, the number of their days or parts of seconds.
  if ("isFinite" in value && !value.isFinite) return Object.values(value)[0] < 0 ? "-infinity" : "infinity";
  if (value instanceof duckDb.DuckDBTimestampTZValue) return isoTime(value.micros);
  if (value instanceof duckDb.DuckDBListValue) return value.items.map((item) => cellOf(duckDb, item));
  if (value instanceof duckDb.DuckDBMapValue) {
    return Object.fromEntries(value.entries.map(({ key, value: item }) => [String(key), cellOf(duckDb, item)]));
  }
  if (value instanceof duckDb.DuckDBStructValue) {
    return Object.fromEntries(Object.entries(value.entries).map(([name, item]) => [name, cellOf(duckDb, item)]));
  }
  return String(value);
}

const MOST_MILLIS = 8_640_000_000_000_000n;

/** `2026-11-20T08:00:00.123456Z`. */
function isoTime(micros: bigint): string {
  const millis = micros / 1000n - (micros % 1000n < 0n ? 1n : 0n);
  // JavaScript's dates end 275,760 years after 0.
  if (millis > MOST_MILLIS || millis < -MOST_MILLIS) return `${micros} µs`;
  const rest = String(micros - millis * 1000n).padStart(3, "0");
  return new Date(Number(millis)).toISOString().replace("Z", `${rest}Z`);
}

async function* rowsOf(answer: Answer, columns: readonly Column[]): AsyncGenerator<Cell[]> {
  for await (const rows of answer.result.yieldRows()) {
    for (const row of rows) {
      const cells = row.map((value, i) => columns[i]!.cell(value));
      if (cells.includes(MOST)) noteOnce("spanflame: note: a sum above 2^63 - 1 is shown as that");
      yield cells;
    }
  }
}

function plain(cell: Cell): string {
  if (cell === null) return "";
  return typeof cell === "object"
    ? JSON.stringify(cell, (_, v) => (typeof v === "bigint" ? v.toString() : v))
    : String(cell);
}

/** Columns whose unit another column states. */
const OF_UNIT = new Set(["self", "total", "weight", "value", "per_request", "p50", "p95", "p99"]);
const COUNTS = /^(observations|requests|samples|calls|rows|count.*)$/;

/** A number as people read it: with its unit, which is in the row, or in the name of the column. */
function shown(cell: Cell, name: string, unit: Cell | undefined): string {
  if (typeof cell !== "bigint" && typeof cell !== "number") return plain(cell);
  if (OF_UNIT.has(name) && typeof unit === "string") return formatValue(cell, unit);
  if (/^(?!.*unix).*_nano$/.test(name)) return formatNanos(cell);
  return COUNTS.test(name) ? formatCount(cell) : plain(cell);
}

/** Columns under their names; numbers are aligned to the right. A terminal gets them with units. Returns the rows. */
export async function printRows(answer: Answer): Promise<number> {
  const columns = columnsOf(answer);
  const unit = isForPeople() ? columns.findIndex(({ name }) => name === "unit") : -1;
  let count = 0;
  const widths = columns.map(({ name }) => name.length);
  const line = (cells: readonly string[]) => {
    const padded = cells.map((cell, i) => (columns[i]!.isNumber ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)));
    print(padded.join("  ").trimEnd());
  };
  let first: string[][] | null = [];
  const flush = () => {
    if (first === null) return;
    for (const row of first) for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i]!, cell.length);
    line(columns.map(({ name }) => name));
    for (const row of first) line(row);
    first = null;
  };
  for await (const row of rowsOf(answer, columns)) {
    count++;
    const cells = isForPeople() ? row.map((cell, i) => shown(cell, columns[i]!.name, row[unit])) : row.map(plain);
    if (first === null) line(cells);
    else if (first.push(cells) === MEASURED) flush();
  }
  flush();
  return count;
}

/** A text of any length without control characters. */
const safe = (text: string) => visible(text, Number.POSITIVE_INFINITY);

/** RFC 4180, with a line of names. */
export async function printCsv(answer: Answer): Promise<number> {
  const columns = columnsOf(answer);
  let count = 0;
  printCsvLine(columns.map(({ name }) => csvCell(name, true)));
  for await (const row of rowsOf(answer, columns)) {
    count++;
    printCsvLine(row.map((cell, i) => csvCell(plain(cell), columns[i]!.isText)));
  }
  return count;
}

/** The column `line`: collapsed stacks for a file. */
export async function printLines(answer: Answer): Promise<number> {
  const columns = columnsOf(answer);
  const [line, unit] = ["line", "unit"].map((wanted) => columns.findIndex(({ name }) => name === wanted)) as [
    number,
    number,
  ];
  const counts = new Map<string, number>();
  for await (const row of rowsOf(answer, columns)) {
    const own = plain(row[unit] ?? null);
    counts.set(own, (counts.get(own) ?? 0) + 1);
    // A file of collapsed stacks has weights of one unit.
    if (counts.size === 1) printText(`${safe(plain(row[line] ?? null))}\n`);
  }
  const [printed, ...others] = counts;
  for (const [left, count] of others)
    say(`spanflame: these are ${printed![0]}; ${formatCounted(count, "stack")} in ${left} left out: --json has all`);
  return printed?.[1] ?? 0;
}

export async function printJsonRows(answer: Answer): Promise<number> {
  const columns = columnsOf(answer);
  const rows: object[] = [];
  for await (const row of rowsOf(answer, columns)) {
    rows.push(Object.fromEntries(row.map((cell, i) => [columns[i]!.name, cell])));
  }
  const json = { columns: columns.map(({ name, type }) => ({ name, type })), rows };
  printLongJson(json, "rows");
  return rows.length;
}

/** The texts of the first column. */
export async function textsOf(answer: Answer): Promise<string[]> {
  const texts: string[] = [];
  for await (const [cell] of rowsOf(answer, columnsOf(answer))) texts.push(plain(cell ?? null));
  return texts;
}
