/** `spanflame query DIR "SQL"`: asks a data set with DuckDB. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { MARKER } from "../core/tables/data-sets.ts";
import { countOf, jobsOf } from "../node/arguments.ts";
import { ExitCode, UsageError } from "../node/exit.ts";
import { ReaderLeft, say } from "../node/terminal.ts";
import type { CallOf } from "../node/usage/commands.ts";
import { didYouMean } from "../node/usage/suggest.ts";
import { OutputError } from "../node/write-all.ts";
import { versionOf } from "./data-set.ts";
import { completeParts, localFiles, registeredIn } from "./data-set-files.ts";
import { connect, type DuckDb, loadDuckDb, prepareQuery } from "./duckdb.ts";
import { inboxWords } from "./parquet/part-lists.ts";
import type { Part } from "./parquet/parts.ts";
import { olderVersion } from "./parquet/schema.ts";
import { answerSql, knownSql, wantedBy } from "./query-answers.ts";
import { type Answer, printCsv, printJsonRows, printLines, printRows, textsOf } from "./query-output.ts";
import { damagedFooters, partsWith } from "./tables/select.ts";

type Ask = (sql: string) => Promise<Answer>;

export async function query({ inputs, values }: CallOf<"query">): Promise<ExitCode> {
  const [dir = "", ...rest] = inputs;
  if (rest.length > 1) throw new UsageError("query takes one folder and one SQL statement; put the SQL in quotes");
  if (values.json && values.csv) throw new UsageError("--json and --csv exclude each other");
  const threads = jobsOf(values.jobs);
  countOf("--limit", values.limit, 0);
  const wanted = await wantedBy(values);
  const given = answerSql(rest[0], values, wanted);
  checkDataSet(dir);
  sayRegistered(dir);
  const id = rest.length === 0 ? values["trace-id"] : undefined;
  const parts = id === undefined ? null : await partsWith(localFiles(dir), await wantedBy({ "trace-id": id }));
  const sql = parts === null ? given : answerSql(rest[0], values, wanted, parts);
  const duckDb = await loadDuckDb();
  const external = values.external === true;
  // DuckDB opens all files of a table before the first row.
  const near = completeParts(dir, rest.length === 0 ? wanted : {});
  const read = near.filter(({ table, part }) => table !== "samples" || (parts?.includes(part) ?? true));
  const asking = async <T>(parts: readonly Part[], answer: (ask: Ask) => Promise<T>): Promise<T> => {
    const { connection, close } = await connect(duckDb, dir, { external, threads, parts });
    try {
      return await answer(async (text) => {
        const prepared = await prepareQuery(duckDb, connection, text, external);
        return { duckDb, result: await prepared.stream() };
      });
    } finally {
      close();
    }
  };
  try {
    const rows = await asking(read, async (ask) => printerOf(values)(await ask(sql)));
    if (rows > 0 && values["fail-if-rows"] === true) return ExitCode.Condition;
    if (rows === 0 && rest.length === 0)
      await asking(completeParts(dir), (ask) => sayNothing(values, async (text) => textsOf(await ask(text))));
  } catch (error) {
    await sayDamaged(dir, error);
    throw plain(duckDb, error);
  }
  return ExitCode.Done;
}

function printerOf({ json, csv, flame }: CallOf<"query">["values"]): (answer: Answer) => Promise<number> {
  if (json) return printJsonRows;
  if (csv) return printCsv;
  return flame ? printLines : printRows;
}

/** Says what the data set has of what an answer without rows was asked for. */
async function sayNothing(values: CallOf<"query">["values"], ask: (sql: string) => Promise<string[]>): Promise<void> {
  const words = ["the selection has no samples"];
  for (const [sql, noun, given] of knownSql(values)) {
    const known = await ask(sql);
    if (given !== undefined && known.includes(given)) continue;
    words.push(`the data set has ${known.length === 0 ? "no" : "the"} ${noun} ${known.join(", ")}`.trimEnd());
    if (given !== undefined) words.push(didYouMean(given, known).replace(/^; /, ""));
  }
  say(`spanflame: ${words.filter(Boolean).join("; ")}`);
}

/** Errors of DuckDB about the SQL alone. */
const OF_SQL = /^(Binder|Parser|Catalog|Conversion|Syntax) Error/;

/** Names the files whose footers are damaged: DuckDB's words about such a file may not. */
async function sayDamaged(dir: string, error: unknown): Promise<void> {
  if (!(error instanceof Error) || error instanceof ReaderLeft || error instanceof OutputError) return;
  if (OF_SQL.test(error.message)) return;
  for (const text of await damagedFooters(localFiles(dir))) say(`spanflame: ${join(dir, text)}`);
}

export function checkDataSet(dir: string): void {
  if (existsSync(join(dir, MARKER))) {
    const older = olderVersion(join(dir, MARKER), versionOf(dir));
    if (older !== null) say(`spanflame: warning: ${dir}: ${older}`);
    return;
  }
  const reason = existsSync(dir)
    ? `it has no ${MARKER}; spanflame export --parquet writes data sets`
    : "no such folder";
  throw new Error(`${dir}: not a data set: ${reason}`);
}

/** An answer from an inbox may not be that of the catalogue, which merges and deletes. */
export function sayRegistered(dir: string): void {
  const by = registeredIn(dir);
  if (by !== null) say(`spanflame: warning: ${dir} is ${inboxWords(by.place)}`);
}

/** The first paragraph of a message: the next ones draw the place in the SQL, over several lines. */
function plain(_: DuckDb, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ReaderLeft || error instanceof OutputError) return error;
  return new Error(error.message.split("\n\n", 1)[0]!.replaceAll("\n", " "), { cause: error });
}
