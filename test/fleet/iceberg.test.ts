/** examples/iceberg registers the parts of a data set with pyiceberg; other writers then leave them alone. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { need } from "../kit/needs.ts";
import { askCli, buildCli, callCli, ROOT } from "../kit/run-cli.ts";

const PYTHON = process.env.SPANFLAME_PYTHON ?? "python3";
const python = (...args: string[]) => spawnSync(PYTHON, args, { encoding: "utf8" });
const hasIceberg = python("-c", "import pyiceberg.catalog.sql, pyarrow").status === 0;

/** Rows of a table, and those of a version. */
const COUNTS = `
import sys
from pyiceberg.catalog.sql import SqlCatalog
table = SqlCatalog("spanflame", uri=f"sqlite:///{sys.argv[1]}/catalog.db").load_table("profiles.samples")
print(table.scan().to_arrow().num_rows, table.scan(row_filter="version = '2'").to_arrow().num_rows)
`;

need(
  hasIceberg,
  "no pyiceberg in Python; pip install 'pyiceberg[pyarrow,sql-sqlite]', SPANFLAME_PYTHON names another",
).describe("Iceberg", () => {
  const folder = mkdtempSync(join(tmpdir(), "spanflame-iceberg-"));
  const [set, warehouse] = [join(folder, "set"), join(folder, "warehouse")];
  afterAll(() => rmSync(folder, { recursive: true }));
  beforeAll(buildCli, 120_000);

  const add = (name: string, version: string) =>
    askCli<{ samples: number }>(
      ...(["export", join(ROOT, "fixtures", name), "--parquet", set] as [string, ...string[]]),
      ...["--resource", `service.version=${version}`],
    );
  const register = () => python(join(ROOT, "examples", "iceberg", "register.py"), set, warehouse);
  const counts = () => python("-c", COUNTS, warehouse).stdout.trim();

  it("has all rows, also of parts that came later; compact and remove are refused", async () => {
    const first = (await add("shop.jfr", "1")).samples;
    expect(register().stdout).toContain("samples: 1 parts added, 0 known");
    expect(counts()).toBe(`${first} 0`);
    const second = (await add("data-sets/checkout.pb", "2")).samples;
    expect(register().stdout).toContain("samples: 1 parts added, 1 known");
    expect(counts()).toBe(`${first + second} ${second}`);
    for (const args of [
      ["compact", set],
      ["remove", set, "--older-than", "1d"],
    ]) {
      const { code, err } = await callCli(args);
      expect([code, err.includes("is registered in Iceberg as profiles")]).toEqual([2, true]);
    }
  }, 120_000);
});
