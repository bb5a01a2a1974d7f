/** Copies of a data set, and what is read of its lists of parts. */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readLists } from "../../src/fleet/parquet/part-lists.ts";
import { rowsOf } from "../kit/data-set.ts";
import { DUCKDB } from "../kit/needs.ts";
import { askCli, buildCli, callCli, ROOT } from "../kit/run-cli.ts";

const folder = mkdtempSync(join(tmpdir(), "spanflame-copied-"));
const set = join(folder, "set");
const INPUTS = ["shop.jfr", "shop-chunks.jfr", "recorded/dd152-jdk17-all.jfr"];
const COUNT = "SELECT count(*)::int AS n FROM samples";

beforeAll(async () => {
  await buildCli();
  for (const name of INPUTS)
    expect((await callCli(["export", join(ROOT, "fixtures", name), "--parquet", set])).code).toBe(0);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** What the views of docs/sql answer. Of tables without a folder their instructions leave out the second statement. */
async function viewed(of: string, sql: string) {
  const text = readFileSync(join(ROOT, "docs/sql/views.duckdb.sql"), "utf8").replaceAll("DATASET", of);
  const statements = text.split(/;$/m).filter((each) => {
    const [, table = "samples"] = /read_parquet\('[^']*\/(\w+)\/\*\/\*\.parquet'/.exec(each) ?? [];
    return each.trim() !== "" && existsSync(join(of, table));
  });
  return rowsOf(join(of, "none"), sql, statements);
}

/** As `aws s3 sync` does: new and changed files, and nothing is deleted. */
const sync = (to: string) => cpSync(set, to, { recursive: true, filter: (path) => !path.includes("_spanflame") });
const asked = async (of: string) => (await askCli<{ rows: { n: number }[] }>("query", of, COUNT)).rows;

DUCKDB.describe("a copy that is made without deleting", () => {
  it("has the rows of its data set after a merge and a removal, for query and for the views", async () => {
    const to = join(folder, "copy");
    const all = await asked(set);
    sync(to);
    expect([await asked(to), await viewed(to, COUNT)]).toEqual([all, all]);
    expect(await viewed(to, "SELECT count(*)::int AS n FROM spans")).toEqual([{ n: 0 }]);
    expect((await viewed(to, "FROM top('cpu')")).length).toBeGreaterThan(0);
    await callCli(["compact", set]);
    sync(to);
    // Files that the data set no longer has.
    expect(await rowsOf(to, COUNT)).not.toEqual(all);
    expect([await asked(to), await viewed(to, COUNT)]).toEqual([all, all]);
    await callCli(["remove", set, "--recording", "shop.jfr"]);
    sync(to);
    const left = await asked(set);
    expect(left).not.toEqual(all);
    expect([await asked(to), await viewed(to, COUNT)]).toEqual([left, left]);
  });

  it("is refused where a listed part is missing", async () => {
    const to = join(folder, "incomplete");
    sync(to);
    const [date = ""] = readdirSync(join(to, "stacks"));
    const [name = ""] = readdirSync(join(to, "stacks", date));
    rmSync(join(to, "stacks", date, name));
    const path = `stacks/${date}/${name}`;
    for (const args of [
      ["query", to, COUNT],
      ["open", to, "--since", "2000-01-01", "-o", join(folder, "out.pb")],
    ])
      expect(await callCli(args)).toMatchObject({
        code: 1,
        err: expect.stringContaining(`${path} is missing: the data set is being written, or its copy is not complete`),
      });
    await expect(viewed(to, "SELECT count(*) FROM stacks")).rejects.toThrow(`not complete: ${path} is missing`);
    expect(await callCli(["export", join(ROOT, "fixtures/shop.jfr"), "--parquet", to])).toMatchObject({ code: 0 });
  });

  it("without parts.json is refused by readers and writers", async () => {
    const to = join(folder, "begun");
    sync(to);
    rmSync(join(to, "parts.json"));
    for (const [args, code] of [
      [["query", to, COUNT], 1],
      [["compact", to], 2],
      [["compact", to], 2],
    ] as const)
      expect(await callCli([...args])).toMatchObject({
        code,
        err: expect.stringContaining("parts.json is missing: the copy of the data set is not complete"),
      });
  });
});

describe("of the lists", () => {
  it("a link reads those of its dates", async () => {
    const { dates } = JSON.parse(readFileSync(join(set, "parts.json"), "utf8")) as { dates: { date: string }[] };
    const [first, last] = [dates.at(0)!.date, dates.at(-1)!.date];
    const nanos = (date: string) => BigInt(Date.parse(date)) * 1_000_000n;
    const read = async (wanted: Parameters<typeof readLists>[1]) => {
      const paths: string[] = [];
      await readLists(async (path) => {
        paths.push(path);
        return readFileSync(join(set, path), "utf8");
      }, wanted);
      return paths.slice(1).map((path) => path.slice("parts/".length, "parts/2026-11-20".length));
    };
    expect(await read({})).toEqual(dates.map(({ date }) => date));
    expect(await read({ since: nanos(last) })).toEqual([last]);
    expect(await read({ until: nanos(last) })).toEqual(dates.map(({ date }) => date).filter((date) => date !== last));
    expect(await read({ date: "2001-01-01" })).toEqual([]);
    expect(await read({ date: first })).toContain(first);
  });
});
