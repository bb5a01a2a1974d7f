/** `remove` takes rows out of a data set, whole or not at all, and what is gone can be exported again. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { rowsOf } from "../../test/kit/data-set.ts";
import { recordingOf } from "../../test/kit/jfr/fleet.ts";
import { DUCKDB } from "../../test/kit/needs.ts";
import { askCli, buildCli, callCli, runCli } from "../../test/kit/run-cli.ts";
import { DataSet } from "./data-set.ts";

const COUNT = 12;
const folder = mkdtempSync(join(tmpdir(), "spanflame-remove-"));
const input = join(folder, "in");
const whole = join(folder, "whole");
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(async () => {
  await buildCli();
  mkdirSync(input);
  for (let i = 0; i < COUNT; i++) writeFileSync(join(input, `${i}.jfr`), recordingOf(i));
  // Each date has parts of one recording and of several.
  for (const files of [["0.jfr"], ["1.jfr"], []]) {
    const { code } = await callCli([
      "export",
      ...files.map((name) => join(input, name)),
      ...(files.length ? [] : [input]),
      "--parquet",
      whole,
    ]);
    expect(code).toBe(0);
  }
}, 120_000);

let copies = 0;
function copy(): string {
  const set = join(folder, `copy-${copies++}`);
  cpSync(whole, set, { recursive: true });
  return set;
}

/** All that a data set has, in any order of its parts. */
const CONTENT = `select r.file, r.sha256, s.service, s.time_unix_nano, s.profile_type, s.value::varchar as value, s.span_id::varchar as span,
    hex(k.stack_hash) as stack, s.leaf, s.thread
  from samples s join recordings r using (part, recording_id) left join stacks k using (part, stack_id)`;
type Row = Record<string, string>;
const content = async (set: string, where = "true") =>
  (await rowsOf(set, `select * from (${CONTENT}) where ${where} order by all`)) as Row[];
const exportAll = (set: string) =>
  askCli<{ written: number; known: number; samples: number }>("export", input, "--parquet", set);

/** A row of `recordings` has the number and the times of its samples; no stack or function is left without one. */
async function expectSound(set: string): Promise<void> {
  expect((await callCli(["verify", set])).code).toBe(0);
  const wrong = await rowsOf(
    set,
    `select r.file from recordings r left join samples s using (part, recording_id) group by part, recording_id, r.file, r.samples, r.start, r."end"
     having r.samples <> count(s.part) or r.start is distinct from min(s.time) or r."end" is distinct from max(s.time)
     union all select k.part from stacks k anti join samples s using (part, stack_id)
     union all select f.part from functions f anti join (select part, unnest(frames) as function_id from stacks) using (part, function_id)`,
  );
  expect(wrong).toEqual([]);
}

DUCKDB.describe("remove", () => {
  it.each([
    [["--recording", "5.jfr"], "file = '5.jfr'"],
    [["--service", "shop"], "service = 'shop'"],
    [["--before", "2026-11-20T12:00:00Z"], `time_unix_nano < ${BigInt(Date.UTC(2026, 10, 20, 12)) * 1_000_000n}`],
    [
      ["--service", "billing", "--before", "2026-11-20"],
      `service = 'billing' and time_unix_nano < ${BigInt(Date.UTC(2026, 10, 20)) * 1_000_000n}`,
    ],
  ])(
    "%j takes out these rows alone, and an export brings back what is wholly gone, unless it was too old",
    async (args, gone) => {
      const set = copy();
      const before = await content(set);
      const { samples, recordings } = await askCli<Record<string, number>>("remove", set, ...args);
      const left = await content(set, `not (${gone})`);
      const all = await content(set);
      expect(all).toEqual(left);
      expect(all).toEqual(await content(whole, `not (${gone})`));
      expect(before.length - all.length).toBe(samples);
      expect(samples).toBeGreaterThan(0);
      await expectSound(set);
      const back = await exportAll(set);
      const isOld = args.includes("--before");
      expect([back.written, back.known]).toEqual(isOld ? [0, COUNT] : [recordings, COUNT - recordings!]);
      expect(await content(set)).toEqual(isOld ? left : before);
      expect(await exportAll(set)).toMatchObject({ written: 0, samples: 0 });
      await expectSound(set);
    },
  );

  it("names a recording by its SHA-256, and says if there is nothing to remove", async () => {
    const set = copy();
    const [{ sha256 }] = (await content(set, "file = '7.jfr'")) as [Row];
    expect((await callCli(["remove", set, "--recording", sha256!.slice(0, 12).toUpperCase()])).code).toBe(0);
    expect(await content(set, "file = '7.jfr'")).toEqual([]);
    const again = await callCli(["remove", set, "--recording", sha256!]);
    expect([again.code, again.err.includes("has nothing of this selection")]).toEqual([1, true]);
    for (const args of [[], ["--before", "1d", "--older-than", "1d"], ["--before", "x"]])
      expect((await callCli(["remove", set, ...args])).code).toBe(2);
  });

  it("keeps what was too old out of an inbox, until its recordings are named", async () => {
    const set = copy();
    const before = await content(set);
    await askCli("remove", set, "--before", "2026-11-20");
    const left = await content(set);
    const old = before.find(({ file }) => left.every((row) => row.file !== file))!.file!;
    expect(await exportAll(set)).toMatchObject({ written: 0, known: COUNT });
    expect(await askCli("remove", set, "--recording", old)).toMatchObject({ samples: 0, recordings: 1, parts: 0 });
    expect(await exportAll(set)).toMatchObject({ written: 1, known: COUNT - 1 });
    const isBack = (row: Row) =>
      row.file === old || left.some((own) => own.file === row.file && own.stack === row.stack);
    expect((await content(set, `file = '${old}'`)).length).toBe(before.filter(({ file }) => file === old).length);
    expect((await content(set)).every(isBack)).toBe(true);
  });

  it.each(["cut", "flipped", "emptied", "gone"])(
    "and export take no recording twice if manifests are %s",
    async (how) => {
      const set = copy();
      const before = await content(set);
      const done = join(set, "_spanflame", "done");
      for (const name of readdirSync(done)) {
        const text = readFileSync(join(done, name), "utf8");
        const other = { cut: text.slice(0, -9), flipped: text.replace(/"sha256":"./, '"sha256":"#'), emptied: "" }[how];
        if (other === undefined) rmSync(join(done, name));
        else writeFileSync(join(done, name), other);
      }
      const again = await callCli(["export", input, "--parquet", set, "--json"]);
      expect(JSON.parse(String(again.out))).toMatchObject({ written: 0, known: COUNT });
      if (how !== "gone") expect(again.err).toContain("copies that are packed otherwise may count twice");
      await askCli("remove", set, "--recording", "5.jfr");
      expect(await exportAll(set)).toMatchObject({ written: 1, known: COUNT - 1 });
      expect(await content(set)).toEqual(before);
    },
  );

  it.each([
    [".DS_Store", "x"],
    ["aaaaaaaaaaaaaaaa-000000000", ""],
    ["aaaaaaaaaaaaaaaa-000000000", '{"recordings":[{"sha'],
    ["aaaaaaaaaaaaaaaa-000000000", JSON.stringify({ recordings: [{ sha256: "ab".repeat(32) }], files: [] })],
  ])("forgets recordings beside %s among the commits, which no writer left", async (name, text) => {
    const set = copy();
    const before = await content(set);
    writeFileSync(join(set, "_spanflame", "commits", name), text);
    const { err } = await callCli(["remove", set, "--recording", "5.jfr"]);
    expect(err).not.toContain("another process");
    expect(await exportAll(set)).toMatchObject({ written: 1, known: COUNT - 1 });
    expect(await content(set)).toEqual(before);
    const own = DataSet.open(set);
    expect(own.has("ab".repeat(32))).toBe(false);
    own.close();
  });

  it("forgets what it removes, and nothing else, while another process merges the parts", async () => {
    const set = copy();
    const [{ service }] = (await content(set)) as [Row];
    const merged = runCli(["compact", set]);
    // A date that is being merged stays.
    while ((await runCli(["remove", set, "--service", service!])).code === 3) await sleep(20);
    await merged;
    await exportAll(set);
    expect(await content(set)).toEqual(await content(whole));
  });

  it("forgets chunks and copies of what it removes", async () => {
    const set = join(folder, "overlaps");
    const bytes = recordingOf(3);
    const chunk = Number(Buffer.from(bytes).readBigInt64BE(8));
    const file = (name: string, content: Uint8Array) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    const [first, all, again] = [
      file("first.jfr", bytes.subarray(0, chunk)),
      file("all.jfr", bytes),
      file("again.jfr", bytes.subarray(0, chunk)),
    ];
    const add = async (...files: string[]) => askCli<{ samples: number }>("export", ...files, "--parquet", set);
    const { samples } = await add(all);
    // All of it is known.
    expect((await add(first)).samples).toBe(0);
    await callCli(["remove", set, "--recording", "all.jfr"]);
    expect(readdirSync(join(set, "_spanflame", "done"))).toEqual([]);
    const one = (await add(again)).samples;
    expect([one > 0, (await add(all)).samples]).toEqual([true, samples - one]);
  });

  it("is refused for a registered data set, as compact is; other answers say what it is", async () => {
    const set = copy();
    writeFileSync(join(set, "_spanflame", "registered"), "Iceberg as prod.samples\nsome-part\n");
    for (const args of [
      ["compact", set],
      ["remove", set, "--service", "shop"],
      ["export", input, "--parquet", set, "--keep", "30d"],
    ]) {
      const { code, err } = await callCli(args);
      expect(err.startsWith("spanflame: --keep: ")).toBe(args.includes("--keep"));
      expect([code, err.includes("is registered in Iceberg as prod.samples,")]).toEqual([2, true]);
    }
    const { code, err } = await callCli(["open", set, "--since", "2000-01-01", "-o", join(folder, "open.pb")]);
    expect([code, err.includes(`${set} is an inbox of Iceberg as prod.samples,`)]).toEqual([0, true]);
    expect(readdirSync(join(set, "_spanflame", "writers"))).toEqual([]);
  });

  it("of what a catalogue has takes whole parts, whose recordings stay known", async () => {
    const set = copy();
    const names = () => readdirSync(join(set, "recordings"), { recursive: true }).map(String);
    const parts = names().flatMap((name) => /[\w-]+(?=\.parquet$)/.exec(name)?.[0] ?? []);
    expect(await callCli(["remove", set, "--registered"])).toMatchObject({ code: 1 });
    writeFileSync(join(set, "_spanflame", "registered"), `Iceberg as prod\n${parts[0]}\nother\n`);
    expect(await callCli(["remove", set, "--registered", "--service", "shop"])).toMatchObject({ code: 2 });
    expect(await askCli("remove", set, "--registered")).toMatchObject({ parts: 1, left: [] });
    const left = names().filter((name) => name.endsWith(".parquet"));
    expect([left.length, left.some((name) => name.includes(parts[0]!))]).toEqual([parts.length - 1, false]);
    await expectSound(set);
    expect(await askCli("export", input, "--parquet", set)).toMatchObject({ written: 0, failed: 0 });
    expect(names().filter((name) => name.endsWith(".parquet"))).toEqual(left);
    expect(await callCli(["remove", set, "--registered"])).toMatchObject({ code: 1 });
  });

  it("that is killed at any step is whole or not at all after the next writer", async () => {
    const before = await content(whole);
    const after = await content(whole, "service <> 'shop'");
    const seen = new Set<number>();
    for (let step = 1, ended = false; !ended; step += 3) {
      const set = copy();
      const { code } = await runCli(["remove", set, "--service", "shop"], { env: { SPANFLAME_KILL_AT: String(step) } });
      ended = code === 0;
      // The next writer completes it, or removes what it wrote.
      expect((await callCli(["compact", set, "--date", "2000-01-01"])).code).toBe(0);
      const found = await content(set);
      expect([before.length, after.length]).toContain(found.length);
      expect(found).toEqual(found.length === before.length ? before : after);
      seen.add(found.length);
      await expectSound(set);
      await exportAll(set);
      expect(await content(set)).toEqual(before);
      for (const state of ["writers", "claims", "files", "commits"])
        expect(readdirSync(join(set, "_spanflame", state))).toEqual([]);
      rmSync(set, { recursive: true });
    }
    expect(seen.size).toBe(2);
  }, 300_000);

  it("touches nothing outside of the folder", async () => {
    const set = copy();
    const victim = join(folder, "victim.parquet");
    writeFileSync(victim, readFileSync(join(input, "0.jfr")));
    const state = statSync(victim).mtimeMs;
    writeFileSync(
      join(set, "_spanflame", "done", `${"0".repeat(16)}-000000000`),
      JSON.stringify({
        recordings: [],
        forgotten: [{ batch: "../../../victim", sha256: [] }],
        files: [{ from: null, to: "../victim.parquet" }],
      }),
    );
    expect((await callCli(["remove", set, "--service", "shop"])).code).toBe(0);
    expect(statSync(victim).mtimeMs).toBe(state);
  });
});
