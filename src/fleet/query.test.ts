/** Questions to a data set give what the library answers about the recordings themselves. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DUCKDB } from "../../test/kit/needs.ts";
import { askCli, buildCli, callCli, ROOT } from "../../test/kit/run-cli.ts";
import { listedParts } from "./data-set-files.ts";

const RECORDING = join(ROOT, "fixtures", "recorded", "dd152-jdk17-all.jfr");
const SHOP = join(ROOT, "fixtures", "shop.jfr");
const folder = mkdtempSync(join(tmpdir(), "spanflame-query-"));
const set = join(folder, "profiles");
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(async () => {
  await buildCli();
  const { code, err } = await callCli(["export", RECORDING, SHOP, "--parquet", set]);
  expect({ code, err }).toMatchObject({ code: 0 });
}, 120_000);

interface Top {
  frames: { name: string; self: string; total: string }[];
}
interface Rows {
  columns: { name: string; type: string }[];
  rows: Record<string, string | number | null>[];
}

const ask = async (...args: string[]) => (await askCli<Rows>("query", set, ...args)).rows;
const text = async (...args: string[]) => (await callCli(["query", set, ...args])).out.toString();
const failure = async (...args: string[]) => {
  const { code, err, out } = await callCli(["query", set, ...args]);
  return { code, err: err.trimEnd(), out: out.toString() };
};

/** The heaviest local root of a profile, as `spans` prints it. */
async function rootOf(type: string): Promise<string> {
  const { rows } = await askCli<{ rows: { id: string }[] }>("spans", RECORDING, "--type", type, "--limit", "1");
  return rows[0]!.id;
}

DUCKDB.describe("query", () => {
  it.each([
    ["alloc-samples", RECORDING, 1n],
    ["queue-time", RECORDING, 1n],
    ["cpu", RECORDING, 5_000_000n],
    ["wall", RECORDING, 10_000_000n],
  ])("--top of %s has the functions of spanflame top", async (type, recording, period) => {
    const { frames } = await askCli<Top>("top", recording, "--type", type, "--limit", "10000");
    const service = "demo-shop";
    const rows = await ask("--top", "--type", type, "--service", service, "--limit", "10000");
    const known = frames.map(({ name, self, total }) => [name, BigInt(self) * period, BigInt(total) * period]);
    const found = rows.map(({ function_name, self, total }) => [function_name, BigInt(self!), BigInt(total!)]);
    const byName = (a: unknown[], b: unknown[]) => (String(a[0]) < String(b[0]) ? -1 : 1);
    expect(found.sort(byName)).toEqual(known.sort(byName));
    expect(known.length).toBeGreaterThan(0);
    const flame = await ask("--flame", "--type", type, "--service", service);
    const self = known.reduce((sum, [, own]) => sum + BigInt(own!), 0n);
    expect(flame.reduce((sum, { value }) => sum + BigInt(value!), 0n)).toBe(self);
  });

  it("--top and --flame label frames without a name as top and collapsed stacks do", async () => {
    const file = join(folder, "nameless.collapsed");
    writeFileSync(file, "a;;b 3\na; 2\na;;c;; 1\n");
    const own = join(folder, "nameless");
    expect((await callCli(["export", file, "--parquet", own])).code).toBe(0);
    const { frames } = await askCli<Top>("top", file, "--type", "samples");
    const top = await askCli<Rows>("query", own, "--top", "--type", "samples");
    const found = top.rows.map(({ function_name, self, total }) => `${function_name} ${self} ${total}`);
    expect(found.sort()).toEqual(frames.map(({ name, self, total }) => `${name} ${self} ${total}`).sort());
    const { out } = await callCli(["query", own, "--flame", "--type", "samples"]);
    const collapsed = await callCli(["convert", file, "--type", "samples", "-o", "-", "--format", "collapsed"]);
    const lines = (text: Buffer | string) => text.toString().trim().split("\n").sort();
    expect(lines(out)).toEqual(lines(collapsed.out));
  });

  it("--traces has the local roots of spanflame spans", async () => {
    type Spans = { rows: { id: string; value: string }[] };
    const spans = await askCli<Spans>("spans", RECORDING, "--type", "wall", "--limit", "1000");
    const rows = await ask("--traces", "--type", "wall", "--service", "demo-shop", "--limit", "1000");
    const known = spans.rows.map(({ id, value }) => [BigInt(id), BigInt(value) * 10_000_000n]);
    const found = rows.map((row) => [BigInt(`0x${row.local_root_span_id}`), BigInt(row.weight!)]);
    const byId = (a: bigint[], b: bigint[]) => (a[0]! < b[0]! ? -1 : 1);
    expect(found.sort(byId)).toEqual(known.sort(byId));
    expect(known.length).toBeGreaterThan(3);
  });

  it("--flame of a trace is read by spanflame, whatever form its id has", async () => {
    const root = await rootOf("wall");
    const hex = BigInt(root).toString(16).padStart(16, "0");
    const lines = await text("--flame", "--type", "wall", "--trace-id", `0x${hex}`);
    expect(lines).toMatch(/^[^;]+(;[^;]+)* \d+\n/);
    expect(await text("--flame", "--type", "wall", "--trace-id", BigInt(root).toString())).toBe(lines);
    const file = join(folder, "trace.collapsed");
    writeFileSync(file, lines);
    const shown = await askCli<Top>("top", file, "--type", "samples", "--limit", "1000");
    const direct = await askCli<Top>("top", RECORDING, "--type", "wall", "--local-root", root, "--limit", "1000");
    const totals = ({ frames }: Top, period: bigint) =>
      new Map(frames.map(({ name, self, total }) => [name, [BigInt(self) * period, BigInt(total) * period]]));
    expect(totals(shown, 1n)).toEqual(totals(direct, 10_000_000n));
  });

  it("--trace alone lists the profiles of a trace", async () => {
    const root = await rootOf("wall");
    const rows = await ask("--trace-id", root);
    expect(rows.map(({ profile_type }) => profile_type)).toContain("wall");
    expect(new Set(rows.map(({ service }) => service))).toEqual(new Set(["demo-shop"]));
  });

  it("prints CSV and JSON of a user's SQL, ids as the other commands print them", async () => {
    const csv = await text(
      "SELECT local_root_span_id, 'a,\"b' AS c FROM samples WHERE local_root_span_id <> 0 LIMIT 1",
      "--csv",
    );
    expect(csv).toMatch(/^local_root_span_id,c\r\n[0-9a-f]{16},"a,""b"\r\n$/);
    expect(await ask("SELECT count(*) AS n FROM recordings")).toEqual([{ n: "2" }]);
    expect(await ask("SELECT count(*) AS n FROM calls")).toEqual([{ n: "0" }]);
  });

  it.each([
    [`COPY (SELECT 1) TO '${set}/x.csv'`, /a statement of type COPY is refused/],
    [`EXPLAIN ANALYZE COPY (SELECT 1) TO '${set}/x.csv'`, /a statement of type EXPLAIN is refused/],
    ["INSTALL httpfs", /is refused/],
    ["SET enable_external_access = true", /a statement of type SET is refused/],
    ["SELECT 1; SELECT 2", /the SQL has 2 statements/],
    [`SELECT * FROM read_text('${RECORDING}')`, /disabled by configuration/],
    ["SELECT nonsense FROM samples", /nonsense/],
  ])("refuses %s", async (sql, reason) => {
    const before = readdirSync(set);
    const { code, err, out } = await failure(sql);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(reason);
    expect(err).not.toContain("\n");
    expect(readdirSync(set)).toEqual(before);
  });
});

describe("wrong questions", () => {
  it.each([
    [["query", "nowhere", "--top"], 1, "spanflame: nowhere: not a data set: no such folder"],
    [["query", ROOT], 2, "spanflame: query needs SQL, --trace-id ID, or one of --top, --flame, --traces, --operations"],
    [["query", ROOT, "--top", "--flame"], 2, "spanflame: --top and --flame exclude each other"],
    [
      ["query", ROOT, "SELECT 1", "--type", "cpu"],
      2,
      "spanflame: --type is for answers without SQL; write it as a condition",
    ],
    [["open", ROOT], 2, "spanflame: open needs --trace-id ID, --local-root ID, --endpoint E, --since T or --until T"],
  ])("%j", async (args, code, err) => {
    const ended = await callCli(args);
    expect({ code: ended.code, err: ended.err.trimEnd() }).toEqual({ code, err });
  });
});

/** The command line as a package without others beside it: a copy in a folder without node_modules. */
describe("without DuckDB", () => {
  const root = join(folder, "package");
  const own = join(folder, "without");
  const alone = (...args: string[]) => {
    const cli = join(root, "dist-node", "cli.js");
    const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { encoding: "utf8" });
    return { status, stdout, stderr };
  };
  beforeAll(() => {
    for (const path of ["package.json", "dist-node", "dist-lib/core.wasm", "dist-lib/packages"]) {
      cpSync(join(ROOT, path), join(root, path), { recursive: true });
    }
  });

  it("export and open work", () => {
    expect(alone("export", SHOP, "--parquet", own)).toMatchObject({ status: 0 });
    const file = join(folder, "without.pb");
    expect(alone("open", own, "--since", "2000-01-01", "-o", file)).toMatchObject({ status: 0 });
    expect(alone("info", file, "--json")).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('"format": "otlp"'),
    });
  });

  it("query prints one line, which names the package to install", () => {
    const words = "query needs DuckDB, which is not installed: npm install @duckdb/node-api";
    const stderr = `spanflame: ${words} (with -g, if spanflame was installed with -g)\n`;
    expect(alone("query", set, "--top")).toEqual({ status: 1, stdout: "", stderr });
  });
});

describe("open", () => {
  it("gives back the samples of a trace: same functions, same ids", async () => {
    const root = await rootOf("wall");
    const file = join(folder, "trace.pb");
    expect((await callCli(["open", set, "--local-root", root, "-o", file])).code).toBe(0);
    for (const type of [["wall"], ["cpu"], ["alloc-samples"], ["alloc-samples", "--value", "objects"]]) {
      const of = (input: string, ...more: string[]) =>
        askCli<Top>("top", input, "--type", ...type, "--limit", "1000", ...more);
      const byName = ({ frames }: Top) => new Map(frames.map(({ name, self, total }) => [name, [self, total]]));
      expect(byName(await of(file))).toEqual(byName(await of(RECORDING, "--local-root", root)));
    }
    const spans = (input: string) =>
      askCli<{ rows: unknown[] }>("spans", input, "--type", "wall", "--by", "span", "--local-root", root);
    expect((await spans(file)).rows).toEqual((await spans(RECORDING)).rows);
  });

  it("reports a trace that the data set does not have", async () => {
    const { code, err } = await callCli(["open", set, "--trace-id", "0x123456789abcdef"]);
    expect({ code, err: err.trimEnd() }).toEqual({
      code: 1,
      err: `spanflame: ${set} has no samples of this selection`,
    });
  });

  it("export lists the parts for static hosts", () => {
    const parts = listedParts(set);
    expect(new Set(parts.map(({ table }) => table))).toEqual(new Set(["samples", "stacks", "functions", "recordings"]));
  });
});

DUCKDB.describe("a folder", () => {
  it.each(["it's [x]", "se*", "s?t", "{set,b}", "[!a]"])("named %s is that folder", async (name) => {
    const own = join(folder, name);
    await callCli(["export", SHOP, "--parquet", own]);
    for (const more of [[], ["--external"]]) {
      const { rows } = await askCli<Rows>("query", own, "SELECT count(*) AS n FROM recordings", ...more);
      expect(rows).toEqual([{ n: "1" }]);
    }
  });

  it.each(["date=2020-01-01", "date=x", "service=other"])("below %s has its own dates and columns", async (name) => {
    const own = join(folder, name, "set");
    cpSync(set, own, { recursive: true });
    const sql = "SELECT DISTINCT date, service FROM recordings ORDER BY ALL";
    const { columns, rows } = await askCli<Rows>("query", own, sql);
    expect(rows).toEqual(await ask(sql));
    expect(columns[0]).toEqual({ name: "date", type: "DATE" });
    const first = `SELECT count(*) AS n FROM samples WHERE date = DATE '${rows[0]!.date}'`;
    expect((await askCli<Rows>("query", own, first)).rows).toEqual(await ask(first));
  });

  it("has parts in regular files alone", async () => {
    const own = join(folder, "strange");
    cpSync(set, own, { recursive: true });
    const date = readdirSync(join(own, "samples"))[0]!;
    mkdirSync(join(own, "samples", date, "x.parquet"));
    writeFileSync(join(own, "samples", "date=2026-01-01"), "");
    writeFileSync(join(own, "spans"), "");
    const sql = "SELECT count(*) AS n FROM samples";
    expect((await askCli<Rows>("query", own, sql)).rows).toEqual(await ask(sql));
    for (const command of [
      ["compact", own],
      ["export", SHOP, "--parquet", own],
    ]) {
      expect(await callCli(command)).toMatchObject({ code: 0 });
    }
  });

  it("is all that SQL can read, without .tmp of the current one", async () => {
    mkdirSync(join(folder, ".tmp"));
    writeFileSync(join(folder, ".tmp", "x.csv"), "secret\n");
    const { code, err, out } = await callCli(["query", set, "SELECT * FROM read_csv('.tmp/x.csv')"], { cwd: folder });
    expect([code, out.toString()]).toEqual([1, ""]);
    expect(err).toContain("Permission Error");
  });
});

DUCKDB.describe("answers of SQL", () => {
  it("as CSV have no control characters and no formulas, and numbers stay numbers", async () => {
    const sql = "SELECT '=1+1' AS a, chr(27) || ']0;x' || chr(10) AS b, '-x' AS c, -5 AS d, '@y,z' AS \"=e\"";
    expect(await text(sql, "--csv")).toBe("a,b,c,d,'=e\r\n'=1+1,\\u001b]0;x\\u000a,'-x,-5,\"'@y,z\"\r\n");
    const others =
      "SELECT '=1'::ENUM('=1') AS a, union_value(k := '+2') AS b, -INTERVAL 1 DAY AS c, '-infinity'::DATE AS d";
    expect(await text(others, "--csv")).toBe("a,b,c,d\r\n'=1,'+2,-1 day,-infinity\r\n");
  });

  it("have times without an end, and name a field that cannot be read", async () => {
    const rows = await ask("SELECT 'infinity'::TIMESTAMPTZ AS a, '-infinity'::TIMESTAMPTZ AS b");
    expect(rows).toEqual([{ a: "infinity", b: "-infinity" }]);
    const dates = await ask(
      "SELECT '-infinity'::DATE AS a, ['infinity'::TIMESTAMP] AS b, 'infinity'::TIMESTAMP_NS AS c",
    );
    expect(dates).toEqual([{ a: "-infinity", b: ["infinity"], c: "infinity" }]);
    expect((await failure("SELECT {'__proto__': 1} AS c")).err).toContain("column c: a field named __proto__");
  });

  it("end without a word when the reader leaves", async () => {
    const command = `"${process.execPath}" "${join(ROOT, "dist-node", "cli.js")}" query "${set}" "SELECT * FROM samples" --csv`;
    const { stdout, stderr } = spawnSync("bash", ["-c", `${command} | head -c 100; exit \${PIPESTATUS[0]}`]);
    expect([stdout.length, stderr.toString()]).toEqual([100, ""]);
  });
});

describe("open", () => {
  it("writes no file of a data set, and replaces others when they are complete", async () => {
    const marker = join(set, "spanflame.json");
    const part = join(set, "samples", readdirSync(join(set, "samples"))[0]!, "x.parquet");
    const others = [join(set, "parts.json"), join(set, "Spanflame.JSON"), join(set, "_spanflame", "done", "x")];
    for (const output of [marker, part, ...others]) {
      for (const command of [
        ["open", set, "--since", "2000-01-01"],
        ["convert", SHOP, "--format", "otlp"],
      ]) {
        const { code, err } = await callCli([...command, "-o", output]);
        expect([code, err]).toEqual([2, expect.stringContaining("is a file of a data set; choose another output")]);
      }
    }
    expect(JSON.parse(readFileSync(marker, "utf8"))).toMatchObject({ format: "spanflame-parquet" });
  });
});
