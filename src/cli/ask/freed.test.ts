/** Native memory that was freed is apart in every answer and output (assembly/store/held/frees.ts). */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { rowsOf } from "../../../test/kit/data-set.ts";
import { memoryChunk } from "../../../test/kit/jfr/frees.ts";
import { buildChunk } from "../../../test/kit/jfr/jfr-builder.ts";
import { askCli, buildCli, callCli } from "../../../test/kit/run-cli.ts";

let folder = "";
let recording = "";

beforeAll(async () => {
  await buildCli();
  folder = mkdtempSync(join(tmpdir(), "spanflame-freed-"));
  recording = join(folder, "memory.jfr");
  const chunks = [
    [
      { at: 10n, address: 1n, size: 100n },
      { at: 20n, address: 2n, size: 200n },
    ],
    [
      { at: 30n, address: 1n },
      { at: 40n, address: 3n, size: 400n },
    ],
  ];
  writeFileSync(recording, Buffer.concat(chunks.map((events) => buildChunk(memoryChunk(events)).bytes)));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PARTS = [
  ["false", "600"],
  ["true", "100"],
];

async function partsOf(input: string) {
  const args = ["spans", input, "--type", "malloc", "--by", "attr:alloc.freed"];
  const { rows } = await askCli<{ rows: { key: string; value: string }[] }>(...args);
  return rows.map(({ key, value }) => [key, value]);
}

it("groups and filters by it, with one thread and with several", async () => {
  expect(await partsOf(recording)).toEqual(PARTS);
  for (const jobs of ["1", "3"]) {
    const filtered = ["--type", "malloc", "--attr", "alloc.freed=false", "--jobs", jobs];
    const { frames } = await askCli<{ frames: { self: string }[] }>("top", recording, ...filtered);
    expect(frames.map(({ self }) => self)).toEqual(["600"]);
  }
});

it.each(["otlp-json", "pprof"])("keeps it in %s", async (format) => {
  const output = join(folder, `memory.${format}`);
  const one = format === "pprof" ? ["--type", "malloc"] : [];
  expect((await callCli(["convert", recording, "-o", output, "--format", format, "--force", ...one])).code).toBe(0);
  expect(await partsOf(output)).toEqual(PARTS);
});

it("keeps it in a data set", async () => {
  const data = join(folder, "data");
  expect((await callCli(["export", recording, "--parquet", data])).code).toBe(0);
  const sql =
    "select attributes['alloc.freed'] as freed, sum(value)::varchar as bytes from samples group by 1 order by 1";
  expect(await rowsOf(data, sql)).toEqual([
    { freed: "false", bytes: "600" },
    { freed: "true", bytes: "100" },
  ]);
});
