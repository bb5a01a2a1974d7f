/** examples/iceberg takes the parts of a data set into Iceberg tables: each row once, whatever happens to these. */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ICEBERG, python, REGISTER } from "../kit/iceberg.ts";
import { askCli, buildCli, callCli, ROOT } from "../kit/run-cli.ts";

/** Runs a statement on the table of samples, and prints the rows of each table. */
const ASK = `
import sys
from pyiceberg.catalog.sql import SqlCatalog
catalog = SqlCatalog("spanflame", uri=f"sqlite:///{sys.argv[1]}/catalog.db")
samples = catalog.load_table("profiles.samples")
exec(sys.argv[2])
for _, name in sorted(catalog.list_tables("profiles")):
    table = catalog.load_table(f"profiles.{name}")
    print(name, table.scan().to_arrow().num_rows, [field.name for field in table.spec().fields])
`;
/** Runs the script, and a statement at one of its steps: before and after each of its commits. */
const AT_COMMIT = `
import os, runpy, subprocess, sys
from pyiceberg.catalog.sql import SqlCatalog
script, dataset, warehouse, statement, at = sys.argv[1:]
commit, steps = SqlCatalog.commit_table, iter(range(1000))
def step():
    if next(steps) == int(at):
        exec(statement)
def watched(*args):
    step()
    result = commit(*args)
    step()
    return result
SqlCatalog.commit_table = watched
sys.argv = [script, dataset, warehouse]
runpy.run_path(script, run_name="__main__")
`;
const REWRITE = "samples.overwrite(samples.scan().to_arrow())";

ICEBERG.describe("Iceberg", () => {
  const folder = mkdtempSync(join(tmpdir(), "spanflame-iceberg-"));
  let number = 0;
  afterAll(() => rmSync(folder, { recursive: true }));
  beforeAll(buildCli, 120_000);

  /** A data set with its warehouse. */
  function tables() {
    const [set, warehouse] = ["set", "warehouse"].map((name) => join(folder, `${name}${number}`)) as [string, string];
    number++;
    const add = async (name: string, ...options: string[]) => {
      const file = join(ROOT, "fixtures", name);
      return (await askCli<{ samples: number }>("export", file, "--parquet", set, ...options)).samples;
    };
    const register = (...options: string[]) => python(REGISTER, set, warehouse, ...options);
    /** Lines of the tables, after a statement. */
    const ask = (statement = "") => {
      const { stdout, stderr } = python("-c", ASK, warehouse, statement);
      expect(stderr).not.toContain("Error");
      return stdout.trim().split("\n");
    };
    const samples = (statement?: string) =>
      Number(
        ask(statement)
          .find((line) => line.startsWith("samples"))
          ?.split(" ")[1],
      );
    return { set, warehouse, add, register, ask, samples };
  }

  it("has all rows by date and service, also of parts that came later; compact and remove are refused", async () => {
    const { set, add, register, ask, samples } = tables();
    const first = await add("shop.jfr");
    expect(register().stdout).toContain("samples: 1 parts added, 0 known");
    expect(ask()).toContain(`samples ${first} ['date', 'service']`);
    const second = await add("data-sets/checkout.pb", "--resource", "service.version=2");
    expect(register().stdout).toContain("samples: 1 parts added, 1 known");
    expect(samples()).toBe(first + second);
    for (const args of [
      ["compact", set],
      ["remove", set, "--older-than", "1d"],
    ]) {
      const { code, err } = await callCli(args);
      expect([code, err.includes("is registered in Iceberg as profiles,")]).toEqual([2, true]);
    }
  }, 120_000);

  it("has rows once after the tables were rewritten, and no deleted row again", async () => {
    const { add, register, samples } = tables();
    const all = await add("shop.jfr");
    register();
    expect(samples(REWRITE)).toBe(all);
    expect(register().stdout).toContain("samples: 0 parts added, 1 known");
    expect(samples()).toBe(all);
    samples("samples.delete(\"profile_type = 'cpu'\")");
    register();
    const rest = samples();
    expect([rest > 0, rest < all]).toEqual([true, true]);
    const more = await add("data-sets/checkout.pb");
    register();
    expect(samples()).toBe(rest + more);
    // Nothing of it is remembered by a snapshot alone.
    samples("samples.maintenance.expire_snapshots().older_than(__import__('datetime').datetime.now()).commit()");
    register();
    expect(samples()).toBe(rest + more);
  }, 120_000);

  it("has what the folder has no more, after it was handed over", async () => {
    const { set, add, register, samples } = tables();
    const first = await add("shop.jfr");
    register();
    const second = await add("data-sets/checkout.pb");
    const removed = await askCli<{ samples: number }>("remove", set, "--registered");
    expect([removed.samples, await add("shop.jfr")]).toEqual([first, 0]);
    expect([register().status, samples()]).toEqual([0, first + second]);
    expect(await askCli("remove", set, "--registered")).toMatchObject({ samples: second });
    expect([register().status, samples()]).toEqual([0, first + second]);
  }, 120_000);

  it("drops old dates, and does not take them again", async () => {
    const { add, register, ask, samples } = tables();
    await add("shop.jfr");
    register("--keep", "100000");
    expect(samples()).toBeGreaterThan(0);
    for (const _ of [1, 2]) {
      register("--keep", "0");
      expect(ask().map((line) => line.split(" ")[1])).toEqual(["0", "0", "0", "0"]);
    }
  }, 120_000);

  it("leaves out a damaged part until it is whole, and a part that no list has", async () => {
    const { set, add, register, samples } = tables();
    const first = await add("shop.jfr");
    const path = (name: string) => join(set, "samples", "date=2026-11-21", name);
    const [whole = ""] = readdirSync(path(""));
    const second = await add("data-sets/checkout.pb");
    const [part = ""] = readdirSync(path("")).filter((name) => name !== whole);
    const bytes = readFileSync(path(part));
    writeFileSync(
      path(part),
      Uint8Array.from(bytes, (byte, i) => (i === bytes.length >> 2 ? byte ^ 1 : byte)),
    );
    // A copy without --delete has parts that were merged or removed.
    copyFileSync(path(whole), path("other.parquet"));
    const { status, stderr } = register();
    expect([status, stderr.includes(part), samples()]).toEqual([3, true, first]);
    writeFileSync(path(part), bytes);
    expect([register().status, samples()]).toEqual([0, first + second]);
    const lists = readFileSync(join(set, "parts.json"), "utf8");
    writeFileSync(join(set, "parts.json"), lists.replace(/"list":"2/, '"list":"3'));
    expect([register().status, samples()]).toEqual([1, first + second]);
  }, 120_000);

  it("has each row once after a run that was killed before or after any commit", async () => {
    const { set, warehouse, add, register, samples } = tables();
    const all = (await add("shop.jfr")) + (await add("data-sets/checkout.pb"));
    let step = 0;
    while (python("-c", AT_COMMIT, REGISTER, set, warehouse, "os._exit(9)", String(step)).status === 9) {
      expect([register().status, samples()]).toEqual([0, all]);
      rmSync(warehouse, { recursive: true });
      step += 3;
    }
    // Four tables are made and filled.
    expect(step).toBe(18);
  }, 240_000);

  it("has each row once after two runs at once", async () => {
    const { set, warehouse, add, samples } = tables();
    const all = (await add("shop.jfr")) + (await add("data-sets/checkout.pb"));
    const other = "subprocess.run([sys.executable, *sys.argv], check=True)";
    for (const at of [0, 1, 6]) {
      rmSync(warehouse, { recursive: true, force: true });
      expect(python("-c", AT_COMMIT, REGISTER, set, warehouse, other, String(at)).status).toBe(0);
      expect(samples()).toBe(all);
    }
  }, 240_000);
});
