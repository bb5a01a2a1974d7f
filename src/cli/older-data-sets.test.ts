/** Data sets of every layout that was released are read, and writers refuse those of an earlier version in words. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DUCKDB } from "../../test/kit/needs.ts";
import { buildCli, ROOT, runCli } from "../../test/kit/run-cli.ts";
import { parseParts } from "../parquet/parts.ts";

const folder = mkdtempSync(join(tmpdir(), "spanflame-older-"));
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(buildCli, 120_000);

const SHOP = join(ROOT, "fixtures", "shop.jfr");
const LAYOUTS = [
  ["first", SHOP],
  ["version-1", join(ROOT, "fixtures", "recorded", "dd152-jdk17-all.jfr")],
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
      const { code, err } = await runCli(args);
      expect(code).toBe(2);
      expect(err).toContain("version 1 is not 2, the one that this program writes; export the recordings into a new");
    }
  });

  it("is opened, and the list of parts is read", async () => {
    const output = join(folder, `${name}.pb`);
    const { code, err } = await runCli(["open", set, "--since", "2000-01-01", "-o", output]);
    expect([code, err.match(OLDER)?.length]).toEqual([0, 1]);
    const [old, own] = await Promise.all([output, recording].map((file) => runCli(["top", file, "--type", "cpu"])));
    const rows = ({ out }: { out: Buffer | string }) => out.toString().split("\n").slice(1);
    expect(rows(old!).length).toBe(rows(own!).length);
    const { parts, older } = parseParts(readFileSync(join(set, "parts.json"), "utf8"));
    expect([parts.length > 3, older]).toEqual([true, expect.stringContaining("version 1")]);
  });
});

DUCKDB.describe("query", () => {
  it.each(LAYOUTS)("answers from the layout %s what a new data set answers", async (name, recording) => {
    const renewed = join(folder, `${name}-new`);
    expect((await runCli(["export", recording, "--parquet", renewed])).code).toBe(0);
    for (const args of [
      ["--top", "--type", "cpu"],
      ["--flame", "--type", "cpu"],
      ["--traces", "--type", "cpu"],
    ]) {
      const old = await runCli(["query", join(ROOT, "fixtures", "data-sets", name), ...args]);
      const now = await runCli(["query", renewed, ...args]);
      expect([old.code, old.out.toString(), now.err]).toEqual([0, now.out.toString(), ""]);
      expect(old.err.match(OLDER)).toHaveLength(1);
    }
  });

  it("of two functions with one 64-bit hash has both, as --flame has", async () => {
    const files = COLLISION.map((_, i) => join(folder, `${i}.collapsed`));
    for (const [i, name] of COLLISION.entries()) writeFileSync(files[i]!, `main;${name} ${i === 0 ? 1000 : 10}\n`);
    const set = join(folder, "collision");
    expect((await runCli(["export", ...files, "--parquet", set])).code).toBe(0);
    for (const way of ["--top", "--flame"]) {
      const { out } = await runCli(["query", set, way, "--type", "samples"]);
      for (const name of COLLISION) expect(out.toString()).toContain(name);
    }
  });
});
