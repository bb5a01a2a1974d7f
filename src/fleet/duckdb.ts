/** DuckDB over a data set. The binding is an optional package of the user: it has 68 MB. */

import { realpathSync } from "node:fs";
import { sep } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { Folder } from "../node/disk.ts";
import { type Part, pathOf } from "./parquet/parts.ts";
import { TABLES } from "./parquet/schema.ts";
import { QUERIES } from "./tables/view-queries.ts";
import { emptyTableStatement, queryStatement, tableStatement } from "./tables/views.ts";

export type DuckDb = typeof import("@duckdb/node-api");

export const MISSING =
  "query needs DuckDB, which is not installed: npm install @duckdb/node-api (with -g, if spanflame was installed with -g)";

export async function loadDuckDb(): Promise<DuckDb> {
  try {
    return await import("@duckdb/node-api");
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") throw new Error(MISSING, { cause });
    const reason = cause instanceof Error ? cause.message.split("\n", 1)[0] : String(cause);
    throw new Error(`DuckDB does not start: ${reason}`, { cause });
  }
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** The path as a pattern that only it fits. */
const asPattern = (path: string) => path.replaceAll(/[[*?]/g, "[$&]");

/** The folder as DuckDB takes it. Throws for a name that no pattern of DuckDB fits. */
function placeOf(dir: string): string {
  const path = realpathSync(dir);
  if (sep === "\\") return path.replaceAll(sep, "/");
  if (path.includes("\\")) throw new Error(`${dir}: DuckDB cannot read a folder with a backslash in its path`);
  return path;
}

/**
 * A connection with the views of these parts of a data set. Unless `external` is set, its SQL can read nothing but the
 * data set, and cannot change these settings. It could still write into the data set: `checkStatements` prevents this.
 */
export async function connect(
  { DuckDBInstance }: DuckDb,
  dir: string,
  { external, threads, parts }: { external: boolean; threads: number; parts: readonly Part[] },
): Promise<{ connection: DuckDBConnection; close(): void }> {
  const place = placeOf(dir);
  // Without it, DuckDB lets statements read `.tmp` of the current folder.
  const spill = Folder.temporary("spanflame-query-");
  const instance = await DuckDBInstance.create(":memory:", threads > 0 ? { threads: String(threads) } : {});
  const connection = await instance.connect();
  const close = () => {
    connection.closeSync();
    instance.closeSync();
    spill.removeAll();
  };
  try {
    await connection.run("SET TimeZone = 'UTC'");
    await connection.run(`SET temp_directory = ${quoted(spill.path)}`);
    if (!external) {
      await connection.run(`SET allowed_directories = [${quoted(`${place}/`)}, ${quoted(`${asPattern(place)}/`)}]`);
      await connection.run("SET enable_external_access = false");
    }
    await connection.run("SET autoinstall_known_extensions = false");
    if (!external) await connection.run("SET autoload_known_extensions = false");
    const pattern = asPattern(place).replaceAll("'", "''");
    for (const table of TABLES) {
      const paths = parts.filter((part) => part.table === table.name).map(pathOf);
      const statement = paths.length > 0 ? tableStatement("duckdb", table, pattern, paths) : emptyTableStatement(table);
      await connection.run(statement);
    }
    for (const query of QUERIES) await connection.run(queryStatement("duckdb", query));
    if (!external) await connection.run("SET lock_configuration = true");
  } catch (error) {
    close();
    throw error;
  }
  return { connection, close };
}

/** `EXPLAIN ANALYZE` runs its statement, so only queries may follow. */
const EXPLAIN = /^\s*explain\s+(analyze\s+)?(select|from|with)\b/i;

/** The only statement of `sql`, prepared. Throws if there are several, or if it is not a query. */
export async function prepareQuery(duckDb: DuckDb, connection: DuckDBConnection, sql: string, external: boolean) {
  const { StatementType } = duckDb;
  const statements = await connection.extractStatements(sql);
  if (statements.count !== 1) throw new Error(`the SQL has ${statements.count} statements; query takes one`);
  const prepared = await statements.prepare(0);
  const type = prepared.statementType;
  if (external || type === StatementType.SELECT) return prepared;
  if (type === StatementType.EXPLAIN && EXPLAIN.test(sql)) return prepared;
  throw new Error(`a statement of type ${StatementType[type]} is refused; query runs SELECT, unless --external is set`);
}
