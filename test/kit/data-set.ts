/** Questions to a data set, answered by DuckDB. */

import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { TABLES } from "../../src/fleet/parquet/schema.ts";

type Row = Record<string, unknown>;

interface DuckDb {
  DuckDBInstance: {
    create(path: string): Promise<{
      connect(): Promise<{
        run(sql: string): Promise<unknown>;
        runAndReadAll(sql: string): Promise<{ getRowObjectsJson(): Row[] }>;
        closeSync(): void;
      }>;
    }>;
  };
}

/** Rows of an answer; its tables are those of the data set, or made by statements. */
export async function rowsOf(folder: string, sql: string, statements: readonly string[] = []): Promise<Row[]> {
  const { DuckDBInstance } = createRequire(import.meta.url)("@duckdb/node-api") as DuckDb;
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  try {
    for (const { name } of TABLES) {
      if (!existsSync(join(folder, name))) continue;
      await connection.run(`create view ${name} as select * from '${join(folder, name)}/*/*.parquet'`);
    }
    for (const statement of statements) await connection.run(statement);
    return (await connection.runAndReadAll(sql)).getRowObjectsJson();
  } finally {
    connection.closeSync();
  }
}
