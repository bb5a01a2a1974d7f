/** Data sets of every layout that was released are read, and writers refuse those of an earlier version in words. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DUCKDB } from "../../test/kit/needs.ts";
import { buildCli, callCli, ROOT } from "../../test/kit/run-cli.ts";
import { parseLists } from "./parquet/part-lists.ts";

const folder = mkdtempSync(join(tmpdir(), "spanflame-older-"));
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(buildCli, 120_000);

const SHOP = join(ROOT, "fixtures", "shop.jfr");
const LAYOUTS = [
  ["first", SHOP],
  ["version-1", join(ROOT, "fixtures", "recorded", "dd152-jdk17-all.jfr")],
  ["version-1-calls", join(ROOT, "fixtures", "data-sets", "checkout.pb")],
  ["version-1-checksums", join(ROOT, "fixtures", "data-sets", "checkout.pb")],
] as const;
/** Both have the same xxHash64 with seed 0, which version 1 took. */
const COLLISION = [
  "com.acme.payments.checkout.OrderService.handleCheckoutRequestFor",
  "1.UDxB3c.payments.checkout.Order4ni.SMIPhandleCheckoutRequestFor",
];
const OLDER = /^spanflame: warning: .*: the data set has version 1: .*; export the recordings into a new folder$/gm;

function copyOf(name: string): string {
  const copy = join(folder, name);
  cpSync(join(ROOT, "fixtures", "data-sets", name), copy, { recursive: true });
  return copy;
}

describe.each(LAYOUTS)("the layout %s", (name, recording) => {
  const set = join(ROOT, "fixtures", "data-sets", name);

  it("is refused by export and compact, and stays as it is", async () => {
    const copy = copyOf(name);
    for (const args of [
      ["export", SHOP, "--parquet", copy],
      ["compact", copy],
    ]) {
      const { code, err } = await callCli(args);
      expect(code).toBe(2);
      expect(err).toContain("version 1 is not 2, the one that this program writes; export the recordings into a new");
    }
  });

  it("is opened, and the list of parts is read", async () => {
    const output = join(folder, `${name}.pb`);
    const { code, err } = await callCli(["open", set, "--since", "2000-01-01", "-o", output]);
    expect([code, err.match(OLDER)?.length]).toEqual([0, 1]);
    const [old, own] = await Promise.all([output, recording].map((file) => callCli(["top", file, "--type", "cpu"])));
    const rows = ({ out }: { out: Buffer | string }) => out.toString().split("\n").slice(1);
    expect(rows(old!).length).toBe(rows(own!).length);
    const { parts, older } = parseLists(readFileSync(join(set, "parts.json"), "utf8"));
    expect([parts.length > 3, older]).toEqual([true, expect.stringContaining("version 1")]);
  });
});

DUCKDB.describe("query", () => {
  it.each(LAYOUTS)("answers from the layout %s what a new data set answers", async (name, recording) => {
    const renewed = join(folder, `${name}-new`);
    expect((await callCli(["export", recording, "--parquet", renewed])).code).toBe(0);
    for (const args of [
      ["--top", "--type", "cpu"],
      ["--flame", "--type", "cpu"],
      ["--traces", "--type", "cpu"],
    ]) {
      const old = await callCli(["query", join(ROOT, "fixtures", "data-sets", name), ...args]);
      const now = await callCli(["query", renewed, ...args]);
      expect([old.code, old.out.toString(), now.err]).toEqual([0, now.out.toString(), ""]);
      expect(old.err.match(OLDER)).toHaveLength(1);
    }
  });

  it.each(["version-1-calls", "version-1-checksums"])("has the spans and calls of the layout %s", async (name) => {
    const set = join(ROOT, "fixtures", "data-sets", name);
    const sql = "SELECT (SELECT count(*) FROM spans) AS spans, (SELECT sum(duration_nano) FROM calls) AS calls";
    expect((await callCli(["query", set, sql, "--csv"])).out.toString()).toBe("spans,calls\r\n2,100000000\r\n");
  });

  it("of two functions with one 64-bit hash has both, as --flame has, also after compact", async () => {
    const set = join(folder, "collision");
    for (const [i, name] of COLLISION.entries()) {
      const file = join(folder, `${i}.collapsed`);
      writeFileSync(file, `main;${name} ${i === 0 ? 1000 : 10}\nmain;x 1\n`);
      expect((await callCli(["export", file, "--parquet", set])).code).toBe(0);
    }
    for (let round = 0; round < 2; round++) {
      const top = (await callCli(["query", set, "--top", "--type", "samples", "--csv"])).out.toString();
      for (const [i, name] of COLLISION.entries()) expect(top).toContain(`${name},${i === 0 ? "1000,1000" : "10,10"},`);
      const flame = (await callCli(["query", set, "--flame", "--type", "samples"])).out.toString();
      for (const [i, name] of COLLISION.entries()) expect(flame).toContain(`main;${name} ${i === 0 ? 1000 : 10}\n`);
      expect((await callCli(["compact", set])).code).toBe(0);
    }
  });
});

describe.each([
  ['{"format":"spanflame-parquet","version":3}', "version 3"],
  ['{"format":"spanflame-parquet","version":"2"}', "version"],
  ['{"format":"spanflame-parquet"}', "version"],
  ['{"format":"other","version":2}', "the format is not spanflame-parquet"],
  ["null", "the format is not spanflame-parquet"],
  ["[", "Unexpected end of JSON input"],
])("a data set whose marker is %s", (marker, reason) => {
  const set = mkdtempSync(join(folder, "marker-"));
  writeFileSync(join(set, "spanflame.json"), marker);

  it.each([
    ["query", set, "SELECT 1"],
    ["open", set, "--since", "1d", "-o", join(folder, "none.pb")],
    ["compact", set],
    ["export", SHOP, "--parquet", set],
  ])("is refused by %s, which names the file", async (command, ...args) => {
    const { code, err } = await callCli([command, ...args]);
    expect([1, 2]).toContain(code);
    expect(err).toContain(`${join(set, "spanflame.json")}: `);
    expect(err).toContain(reason);
  });
});
