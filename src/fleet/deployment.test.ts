/** Columns of a deployment: what a recording states, what its folders say, what the command line sets. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordingOf } from "../../test/kit/jfr/fleet.ts";
import { DUCKDB } from "../../test/kit/needs.ts";
import { askCli, buildCli, callCli, ROOT } from "../../test/kit/run-cli.ts";
import { deploymentOf, pathFacts, resourceWith } from "./deployment.ts";

const folder = mkdtempSync(join(tmpdir(), "spanflame-deployment-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("--path-pattern", () => {
  const at = (pattern: string, path: string) => pathFacts(pattern, ["in"])(path);

  it("names the first folders below an operand", () => {
    expect(at("{environment}/{service}/{host}", "in/prod/shop/h1/2026/a.jfr")).toEqual({
      "deployment.environment.name": "prod",
      "service.name": "shop",
      "host.name": "h1",
    });
  });

  it.each([
    ["*/{service}-{version}/", "in/x/shop-1.2/a.jfr", { "service.name": "shop", "service.version": "1.2" }],
    ["{k8s.namespace.name}/{pod}.jfr", "in/pay/p-7.jfr", { "k8s.namespace.name": "pay", "k8s.pod.name": "p-7" }],
    ["/{service}.x+y/", "in/a.x+y/b.jfr", { "service.name": "a" }],
    ["{service}/{host}", "in/a.jfr", null],
    ["prod/{service}", "in/test/a.jfr", null],
    ["{service}/x", "else/x/a.jfr", { "service.name": "else" }],
  ])("%s says of %s: %j", (pattern, path, expected) => {
    expect(at(pattern, path)).toEqual(expected);
  });

  it.each(["{}", "{service", "service}", "a/b", "{ä}"])("%s is refused", (pattern) => {
    expect(() => pathFacts(pattern, ["in"])).toThrow("--path-pattern: ");
  });
});

it("a process's own attributes go before its folders, --resource before both", () => {
  const own = resourceWith({ "service.version": "1", pid: "7" }, { "service.version": "0", env: "e" }, { pid: "" });
  expect(own).toEqual({ "service.version": "1", env: "e" });
  expect([deploymentOf(own, "version"), deploymentOf(own, "environment"), deploymentOf(own, "pod")]).toEqual([
    "1",
    "e",
    "",
  ]);
});

DUCKDB.describe("columns of a data set", () => {
  const set = join(folder, "set");
  const rows = async (sql: string) => (await askCli<{ rows: object[] }>("query", set, sql)).rows;

  beforeAll(async () => {
    await buildCli();
    for (const [i, path] of ["prod/1.0/h1", "prod/1.1/h2", "test/1.1/h1"].entries()) {
      mkdirSync(join(folder, "in", path), { recursive: true });
      writeFileSync(join(folder, "in", path, "a.jfr"), recordingOf(3 * i));
    }
    const args = ["--path-pattern", "{environment}/{version}/{host}", "--resource", "k8s.pod.name=p"];
    const { code, err } = await callCli(["export", join(folder, "in"), "--parquet", set, ...args]);
    expect([code, err.includes("does not fit")]).toEqual([0, false]);
  }, 120_000);

  it("has what the folders and --resource say", async () => {
    const own = "SELECT DISTINCT environment, version, host, pod FROM";
    const expected = [
      { environment: "prod", version: "1.0", host: "h1", pod: "p" },
      { environment: "prod", version: "1.1", host: "h2", pod: "p" },
      { environment: "test", version: "1.1", host: "h1", pod: "p" },
    ];
    expect(await rows(`${own} samples ORDER BY ALL`)).toEqual(expected);
    expect(await rows(`${own} recordings ORDER BY ALL`)).toEqual(expected);
  });

  it("compares versions, and follows a function through them", async () => {
    const all = (version: string) =>
      `(SELECT sum(self) FROM top('cpu', version := '${version}') WHERE function_name = 'demo.Cart.find')`;
    const [counts] = await rows(`SELECT ${all("1.0")}::BIGINT AS a, ${all("1.1")}::BIGINT AS b`);
    const history = await rows("SELECT version, self FROM function_versions('cpu', 'demo.Cart.find') ORDER BY version");
    expect(history).toEqual([
      { version: "1.0", self: (counts as { a: number }).a },
      { version: "1.1", self: (counts as { b: number }).b },
    ]);
    const [{ wrong }] = (await rows(
      "SELECT count(*) FILTER (abs(self_after - self_before - change) > 1e-9) AS wrong FROM diff_versions('cpu', '1.0', '1.1')",
    )) as [{ wrong: string }];
    expect(wrong).toBe("0");
  });

  it("rolls up to what top has", async () => {
    const [row] = await rows(
      `SELECT (SELECT sum(self) FROM rollup('cpu'))::BIGINT AS rolled, (SELECT sum(self) FROM top('cpu'))::BIGINT AS top,
        (SELECT count(DISTINCT version) FROM rollup('cpu')) AS versions`,
    );
    expect(row).toMatchObject({ rolled: (row as { top: number }).top, versions: "2" });
  });

  it("fails a build by --fail-if-rows", async () => {
    const ask = (limit: number) =>
      callCli(["query", set, `FROM diff_versions('cpu','1.0','1.1') WHERE change > ${limit}`, "--fail-if-rows"]);
    expect([(await ask(100)).code, (await ask(-1)).code]).toEqual([0, 4]);
  });

  it("has parts without the columns beside those with them, also merged", async () => {
    const mixed = join(folder, "mixed");
    cpSync(join(ROOT, "fixtures", "data-sets", "version-2"), mixed, { recursive: true });
    const of = async (sql: string) => (await askCli<{ rows: object[] }>("query", mixed, sql)).rows;
    const counts = () => of("SELECT version, count(*) AS n FROM samples GROUP BY ALL ORDER BY ALL");
    expect(await counts()).toEqual([{ version: null, n: "60" }]);
    const copy = readFileSync(join(ROOT, "fixtures", "data-sets", "checkout.pb"));
    // The same message with a field that nothing reads: another content.
    writeFileSync(join(folder, "later.pb"), Buffer.concat([copy, Buffer.from([0xfa, 0x7f, 1, 0])]));
    const args = ["--parquet", mixed, "--resource", "service.version=2"];
    expect((await callCli(["export", join(folder, "later.pb"), ...args])).code).toBe(0);
    const expected = [
      { version: "2", n: "60" },
      { version: null, n: "60" },
    ];
    expect(await counts()).toEqual(expected);
    const before = await of("FROM top('cpu') ORDER BY ALL");
    expect((await callCli(["compact", mixed])).err).toMatch(/2 parts merged into 1/);
    expect([await counts(), await of("FROM top('cpu') ORDER BY ALL")]).toEqual([expected, before]);
    expect((await callCli(["verify", mixed])).code).toBe(0);
  });
});
