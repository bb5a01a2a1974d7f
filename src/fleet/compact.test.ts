/** `spanflame compact` writes what has to be merged, and nothing else. */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildCli, callCli, ROOT } from "../../test/kit/run-cli.ts";
import { withoutMany } from "./compact.ts";

const folder = mkdtempSync(join(tmpdir(), "spanflame-compact-"));
const set = join(folder, "set");
afterAll(() => rmSync(folder, { recursive: true }));

const recording = (name: string) => join(ROOT, name);
const run = async (...args: [string, ...string[]]) =>
  expect(await callCli([...args, "-q"]), args.join(" ")).toMatchObject({ code: 0 });

/** Every file with its content, its times and its place on the disk. */
function state(): Map<string, string> {
  const files = readdirSync(set, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const all = files.map(({ parentPath, name }): [string, string] => {
    const path = join(parentPath, name);
    const { mtimeMs, ino } = statSync(path);
    return [path.slice(set.length + 1), `${mtimeMs} ${ino} ${readFileSync(path, "latin1")}`];
  });
  return new Map(all.sort());
}

const partsOf = (table: string, date: string) => readdirSync(join(set, table, `date=${date}`)).sort();
const dates = () => readdirSync(join(set, "samples")).map((name) => name.slice("date=".length));

beforeAll(async () => {
  await buildCli();
  // Two runs write two parts of each date that both have.
  for (const name of ["fixtures/shop.jfr", "fixtures/shop-chunks.jfr", "public/sample.jfr"])
    await run("export", recording(name), "--parquet", set);
}, 120_000);

it.each([[["compact", set]], [["compact", set, "--index"]]])("a second run of %j changes no file", async (args) => {
  await run(...(args as ["compact"]));
  for (const date of dates()) expect(partsOf("samples", date)).toHaveLength(1);
  const before = state();
  await run(...(args as ["compact"]));
  expect(state()).toEqual(before);
});

it("a part that comes later is merged with those of its date, and other dates stay", async () => {
  const all = dates();
  expect(all.length).toBeGreaterThan(1);
  const before = state();
  const own = join(folder, "own");
  mkdirSync(own);
  copyFileSync(recording("fixtures/traces/ddctx-jdk17.jfr"), join(own, "late.jfr"));
  await run("export", own, "--parquet", set);
  const late = dates().filter((date) => !all.includes(date) || partsOf("samples", date).length > 1);
  expect(late).toHaveLength(1);
  await run("compact", set);
  for (const date of dates()) expect(partsOf("samples", date)).toHaveLength(1);
  const after = state();
  const others = [...before.keys()].filter((path) => /^\w+\/date=/.test(path) && !path.includes(`date=${late[0]}`));
  expect(others.length).toBeGreaterThan(0);
  for (const path of others) expect([path, after.get(path)]).toEqual([path, before.get(path)]);
}, 60_000);

it.each([
  ["few rows", [1, 10, 60_000], [1, 10, 60_000]],
  ["as many rows as a quarter", [800_000, 100_000, 100_000], [800_000, 100_000, 100_000]],
  ["fewer rows than a quarter", [800_000, 100_000, 90_000], [100_000, 90_000]],
  ["a row", [800_000, 1], [1]],
  ["rows of several sizes", [10, 800_000, 20, 150_000, 3000], [10, 20, 3000]],
])("beside %s a large part stays", (_, counts, merged) => {
  const parts = counts.map((count, i) => ({ part: String(i), count }));
  expect(withoutMany(parts).map(({ count }) => count)).toEqual(merged);
});
