/** Data sets with a damaged part: `open` and `compact` name it, leave it out and go on with the others. */
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { DUCKDB, POSIX } from "../../test/kit/needs.ts";
import { pprofOf } from "../../test/kit/otlp/pprof-message.ts";
import { buildCli, callCli, ROOT } from "../../test/kit/run-cli.ts";
import { MARK } from "./parquet/checks.ts";

let folder: string;
let sound: string;
let set: string;
let runs = 0;
beforeAll(async () => {
  await buildCli();
  folder = mkdtempSync(join(tmpdir(), "spanflame-damaged-"));
  sound = join(folder, "sound");
  // Three parts of one date.
  const chunks = readFileSync(join(ROOT, "fixtures", "shop-chunks.jfr"));
  const first = Number(chunks.readBigInt64BE(8));
  const shop = readFileSync(join(ROOT, "fixtures", "shop.jfr"));
  for (const bytes of [shop, chunks.subarray(0, first), chunks.subarray(first)]) {
    const path = join(folder, `${runs++}.jfr`);
    writeFileSync(path, bytes);
    expect((await callCli(["export", path, "--parquet", sound])).code).toBe(0);
  }
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  set = join(folder, `set${runs++}`);
  cpSync(sound, set, { recursive: true });
});

/** Paths of the files of a table. */
function filesOf(table: string): string[] {
  const files = readdirSync(join(set, table), { recursive: true, encoding: "utf8" });
  return files.filter((path) => path.endsWith(".parquet")).map((path) => join(table, path));
}

/** Flips bits in the pages of most columns. */
function damage(path: string): void {
  const bytes = readFileSync(join(set, path));
  for (let at = 50; at < bytes.length / 2; at += 50) bytes[at]! ^= 4;
  writeFileSync(join(set, path), bytes);
}

const opened = () => callCli(["open", set, "--since", "1970-01-01", "-o", join(set, "out.pb")]);
const samplesIn = (text: string) => Number(/^([\d,]+) samples of/m.exec(text)![1]!.replaceAll(",", ""));

it.each(["samples", "stacks", "functions"])("open: bits of a file of %s", async (table) => {
  const whole = samplesIn((await opened()).err);
  const [path = ""] = filesOf(table);
  damage(path);
  const { code, err } = await opened();
  expect(code).toBe(3);
  expect(err).toContain(`spanflame: ${join(set, path)}: `);
  const [, left = ""] = /byte \d+: .* \(([\d,]+|its) samples are left out\)/.exec(err) ?? [];
  const rest = samplesIn(err);
  expect(rest).toBeLessThan(whole);
  if (left !== "its") expect(rest + Number(left)).toBe(whole);
});

it("verify: names each damaged file", async () => {
  const verified = async () => {
    const { code, out } = await callCli(["verify", set, "--json"]);
    return { code, ...(JSON.parse(out.toString()) as { parts: number; samples: number; damaged: string[] }) };
  };
  const whole = await verified();
  expect(whole).toMatchObject({ code: 0, parts: 3, damaged: [], unchecked: 0 });
  for (const [i, table] of ["samples", "stacks", "functions", "recordings"].entries()) {
    const [path = ""] = filesOf(table).slice(i % 3);
    const bytes = readFileSync(join(set, path));
    writeFileSync(
      join(set, path),
      Uint8Array.from(bytes, (byte, at) => (at === 40 ? byte ^ 1 : byte)),
    );
    const found = await verified();
    expect(found.code).toBe(1);
    expect(found.damaged).toEqual([expect.stringContaining(`${path}: `)]);
    expect(found.samples).toBeLessThan(whole.samples);
    writeFileSync(join(set, path), bytes);
  }
  const list = readFileSync(join(set, "parts.json"), "utf8");
  writeFileSync(join(set, "parts.json"), list.replace('"date":"2', '"date":"9'));
  const [done = ""] = readdirSync(join(set, "_spanflame", "done"));
  writeFileSync(join(set, "_spanflame", "done", done), "{");
  expect(await verified()).toMatchObject({
    ...{ code: 1, samples: whole.samples },
    damaged: [expect.stringContaining(`_spanflame/done/${done}: `), "parts.json is damaged: its checksum is wrong"],
  });
});

POSIX.it("verify: names links in place of folders, which writers refuse", async () => {
  renameSync(join(set, "samples"), join(set, "others"));
  symlinkSync("others", join(set, "samples"));
  const { code, out } = await callCli(["verify", set, "--json"]);
  const damaged = [`${join(set, "samples")} is no folder but a link or a file`];
  expect([code, JSON.parse(out.toString())]).toEqual([1, expect.objectContaining({ parts: 3, damaged })]);
});

it("open: all parts", async () => {
  for (const path of filesOf("samples")) damage(path);
  const { code, err } = await opened();
  expect(code).toBe(1);
  for (const path of filesOf("samples")) expect(err).toContain(path);
});

it("open: parts without checksums are read, with a word", async () => {
  for (const path of filesOf("samples")) {
    const bytes = readFileSync(join(set, path));
    bytes.fill(0, bytes.length - 13 - MARK.length, bytes.length - 13);
    writeFileSync(join(set, path), bytes);
  }
  const { code, err } = await opened();
  expect(code).toBe(0);
  expect(err.match(/3 parts without checksums/g)).toHaveLength(1);
});

it("compact: the others are merged, and the damaged part stays as it is", async () => {
  const [path = ""] = filesOf("stacks");
  damage(path);
  const before = await opened();
  const bytes = readFileSync(join(set, path));
  const { code, err, out } = await callCli(["compact", set, "--json"]);
  expect(code).toBe(3);
  expect(err).toContain(`spanflame: ${path}: `);
  const part = /([^/\\]+)\.parquet$/.exec(path)![1];
  expect(JSON.parse(out.toString())).toMatchObject({ dates: [{ parts: 2, merged: 1, damaged: [part] }] });
  expect(readFileSync(join(set, path))).toEqual(bytes);
  expect(filesOf("samples")).toHaveLength(2);
  expect(samplesIn((await opened()).err)).toBe(samplesIn(before.err));
});

it("compact: a part without one of its files is named, and the others are merged", async () => {
  const [stacks = "", samples = ""] = [filesOf("stacks")[0], filesOf("samples")[1]];
  rmSync(join(set, stacks));
  const { code, err } = await callCli(["compact", set]);
  expect([code, err]).toEqual([3, expect.stringContaining(`spanflame: ${stacks}: there is no such file; the part is`)]);
  expect(err).toContain("2 parts merged into 1");
  expect(filesOf("samples")).not.toContain(samples);
});

function damageFooter(path: string): void {
  const bytes = readFileSync(join(set, path));
  bytes.fill(0xff, bytes.length - 400, bytes.length - 8);
  writeFileSync(join(set, path), bytes);
}

DUCKDB.it("query: a question with a time opens no file of another date", async () => {
  const others = ["samples", "stacks", "functions"].flatMap(filesOf);
  const other = join(set, "later.pprof");
  const timeNanos = String(BigInt(Date.parse("2026-11-25T12:00:00Z")) * 1_000_000n);
  const samples = [{ stack: ["later", "main"], values: [5] }];
  writeFileSync(other, pprofOf({ types: [["cpu", "nanoseconds"]], samples, timeNanos, durationNanos: "1000000000" }));
  expect((await callCli(["export", other, "--parquet", set])).code).toBe(0);
  for (const path of others) damageFooter(path);
  const { code, out } = await callCli(["query", set, "--top", "--since", "2026-11-25", "--json"]);
  const { rows } = JSON.parse(out.toString());
  expect([code, rows]).toMatchObject([0, [{ function_name: "later", self: "5" }, { function_name: "main" }]]);
});

DUCKDB.it("query: a damaged footer is named", async () => {
  const [path = ""] = filesOf("samples");
  damageFooter(path);
  const { code, err } = await callCli(["query", set, "select sum(value) from samples"]);
  expect(code).toBe(1);
  expect(err).toContain(`spanflame: ${join(set, path)}: byte `);
});
