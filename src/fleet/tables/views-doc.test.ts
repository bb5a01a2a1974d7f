import { describe, expect, it } from "vitest";
import { TABLES } from "../parquet/schema.ts";
import { QUERIES } from "./view-queries.ts";
import { ENGINES } from "./view-words.ts";
import { viewsFile } from "./views.ts";

describe("views of data sets", () => {
  it.each(ENGINES)("for %s are printed to docs/sql", async (engine) => {
    await expect(viewsFile(engine)).toMatchFileSnapshot(`../../../docs/sql/views.${engine}.sql`);
  });

  it.each(ENGINES)("for %s have every table and every question", (engine) => {
    const text = viewsFile(engine);
    const made = [...text.matchAll(/^CREATE (?:OR REPLACE )?(?:TEMPORARY )?(?:VIEW|MACRO|FUNCTION) (\w+)/gm)];
    // DuckDB has empty tables, too, for a data set without spans or calls.
    const names = new Set(made.map(([, name]) => name).filter((name) => name !== "listed_parts"));
    expect([...names]).toEqual([...TABLES, ...QUERIES].map(({ name }) => name));
  });
});
