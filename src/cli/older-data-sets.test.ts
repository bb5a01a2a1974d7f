/** Data sets that earlier versions wrote (fixtures/README.md), and those of versions that do not exist. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DUCKDB } from "../../test/kit/needs.ts";
import { askCli, buildCli, ROOT, runCli } from "../../test/kit/run-cli.ts";
import { parseParts } from "../parquet/parts.ts";
import { selectSamples } from "../parquet/select.ts";
import { localFiles } from "./data-set-files.ts";

const OUT = mkdtempSync(join(tmpdir(), "spanflame-older-"));
afterAll(() => rmSync(OUT, { recursive: true }));

const ROOT_ID = 0x83bc3059aa1a3f03n;
const LAYOUTS = ["version-1", "version-1-calls", "version-1-checksums"];
const at = (layout: string) => join(ROOT, "fixtures", "data-sets", layout);
const files = (layout: string) => Number(layout === "version-1") + 1;
const ask = async (...args: string[]) => (await askCli<{ rows: Record<string, string>[] }>("query", ...args)).rows;

/** Opens the root of a data set, as a message. */
async function opened(set: string, name: string): Promise<{ message: string; err: string }> {
  const message = join(OUT, `${name}.pb`);
  const { code, err } = await runCli(["open", set, "--local-root", `${ROOT_ID}`, "-o", message]);
  expect(code).toBe(0);
  return { message, err };
}

beforeAll(buildCli);

describe.each(LAYOUTS)("a data set of %s", (layout) => {
  const said = `spanflame: ${at(layout)} has version 1 of the format: `;

  it("is opened, which says that it is older", async () => {
    const { message, err } = await opened(at(layout), layout);
    expect(err.split(said).length).toBe(2);
    expect(err).toContain("export its recordings into a new folder");
    // Exported again by this version, the root has the same samples.
    const set = join(OUT, `${layout}-again`);
    expect((await runCli(["export", message, "--parquet", set])).code).toBe(0);
    const again = await opened(set, `${layout}-again`);
    expect(again.err).not.toContain("version");
    expect(readFileSync(again.message)).toEqual(readFileSync(message));
  });

  it("is opened from a static host", async () => {
    const parts = parseParts(readFileSync(join(at(layout), "parts.json"), "utf8"));
    const { samples } = await selectSamples({ ...localFiles(at(layout)), parts }, { root: BigInt.asIntN(64, ROOT_ID) });
    expect(samples).toBe(60);
  });

  DUCKDB.it("answers questions, and says once that it is older", async () => {
    const { code, err } = await runCli(["query", at(layout), "--top", "--type", "wall"]);
    expect(code).toBe(0);
    expect(err.split(said).length).toBe(2);
    const flame = await ask(at(layout), "--flame", "--type", "wall");
    const top = await ask(at(layout), "--top", "--type", "wall", "--limit", "1000");
    const sum = (rows: Record<string, string>[], of: string) => rows.reduce((all, row) => all + Number(row[of]), 0);
    expect(sum(top, "self")).toBe(sum(flame, "value"));
    expect(await ask(at(layout), "SELECT count(*) AS n FROM samples")).toEqual([
      { n: files(layout) === 2 ? "88" : "60" },
    ]);
    const [counts] = await ask(
      at(layout),
      "SELECT (SELECT count(*) FROM spans) AS spans, (SELECT count(*) FROM calls) AS calls",
    );
    expect(counts).toEqual(layout === "version-1" ? { spans: "0", calls: "0" } : { spans: "2", calls: "3" });
  });

  it.each(["export", "compact"])("is not written by %s, which says what to do", async (command) => {
    const set = join(OUT, `${layout}-${command}`);
    cpSync(at(layout), set, { recursive: true });
    const args =
      command === "export" ? ["export", join(ROOT, "fixtures/shop.jfr"), "--parquet", set] : ["compact", set];
    const { code, err } = await runCli(args);
    expect(code).toBe(2);
    expect(err).toContain(`${set} has version 1 of the format, which query and open read; only version 2 is written;`);
    expect(err).toContain("export its recordings into a new folder");
  });
});

describe.each([
  ['{"format":"spanflame-parquet","version":3}', "version 3 is unknown; this program knows 1 to 2"],
  ['{"format":"spanflame-parquet","version":"2"}', "version 2 is unknown; this program knows 1 to 2"],
  ['{"format":"spanflame-parquet"}', "version undefined is unknown; this program knows 1 to 2"],
  ['{"format":"other","version":2}', "the format is not spanflame-parquet"],
  ["null", "the format is not spanflame-parquet"],
  ["[", "Unexpected end of JSON input"],
])("a data set whose marker is %s", (marker, reason) => {
  const set = mkdtempSync(join(OUT, "marker-"));
  mkdirSync(join(set, "samples"));
  writeFileSync(join(set, "spanflame.json"), marker);

  it.each([
    ["query", set, "SELECT 1"],
    ["open", set, "--since", "1d"],
    ["compact", set],
    ["export", join(ROOT, "fixtures/shop.jfr"), "--parquet", set],
  ])("is refused by %s", async (command, ...args) => {
    const { code, err } = await runCli([command, ...args]);
    expect(code).toBe(command === "query" || command === "open" ? 1 : 2);
    expect(err).toContain(`${join(set, "spanflame.json")}: ${reason}`);
  });
});

DUCKDB.it("functions whose names have one 64-bit hash stay two, from one recording, from two, and merged", async () => {
  // xxHash64 of both is 2fc6a8306e547bc6.
  const names = [
    "com.acme.payments.checkout.OrderService.handleCheckoutRequestFor",
    "1.UDxB3c.payments.checkout.Order4ni.SMIPhandleCheckoutRequestFor",
  ];
  const [a, b] = names.map((name, i) => `main;${name} ${[10, 1000][i]}\n`) as [string, string];
  const recording = (name: string, text: string) => {
    writeFileSync(join(OUT, name), text);
    return join(OUT, name);
  };
  const both = recording("both.collapsed", a + b);
  const apart = [recording("a.collapsed", `${a}main;x 1\n`), recording("b.collapsed", `${b}main;x 1\n`)];
  const expected = [
    { function_name: names[1], self: "1000", total: "1000" },
    { function_name: names[0], self: "10", total: "10" },
  ];
  const check = async (set: string) => {
    expect(await ask(set, "--top", "--type", "samples")).toMatchObject(
      expect.arrayContaining(expected.map((row) => expect.objectContaining(row))),
    );
    const flame = await ask(set, "--flame", "--type", "samples");
    expect(flame.map(({ line }) => line)).toEqual(expect.arrayContaining((a + b).trim().split("\n")));
  };
  expect((await runCli(["export", both, "--parquet", join(OUT, "both")])).code).toBe(0);
  await check(join(OUT, "both"));
  for (const file of apart) expect((await runCli(["export", file, "--parquet", join(OUT, "apart")])).code).toBe(0);
  await check(join(OUT, "apart"));
  expect((await runCli(["compact", join(OUT, "apart")])).code).toBe(0);
  await check(join(OUT, "apart"));
});
