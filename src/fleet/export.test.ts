/** `spanflame export --parquet`: what is in the data set, several runs and writers, and runs that are killed. */
import { createHash } from "node:crypto";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { rowsOf } from "../../test/kit/data-set.ts";
import { DUCKDB } from "../../test/kit/needs.ts";
import { buildCli, callCli, ROOT } from "../../test/kit/run-cli.ts";
import { formatCount } from "../model/words/format.ts";

let folder: string;
let input: string;
let set: string;
let runs = 0;
beforeAll(async () => {
  await buildCli();
  folder = mkdtempSync(join(tmpdir(), "spanflame-export-"));
  input = join(folder, "in");
  mkdirSync(input);
  for (const name of ["shop.jfr", "shop-chunks.jfr"]) copyFileSync(join(ROOT, "fixtures", name), join(input, name));
  copyFileSync(join(ROOT, "public", "sample.jfr"), join(input, "sample.jfr"));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  set = join(folder, `set${runs++}`);
});

const exported = (...args: string[]) => callCli(["export", ...args, "--parquet", set]);
const withDuckDb = DUCKDB.it;

/** Names of all files of the data set but those of its state. */
function files(): string[] {
  const all = readdirSync(set, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return all.map(({ parentPath, name }) => join(parentPath, name).slice(set.length + 1)).sort();
}

/** Samples by recording, which no kill may change. */
const BY_RECORDING = `select file, r.sha256, r.samples, count(s.part) as found, sum(s.value)::varchar as value,
    count(distinct k.stack_hash) as stacks, any_value(len(k.frames)) is not null as has_frames
  from recordings r left join samples s using (part, recording_id) left join stacks k using (part, stack_id)
  group by all order by file`;

/** All that a recording has in `samples`, `stacks` and `functions`, by its file. */
const ROWS = `with named as (
    select part, stack_id, any_value(lines) as lines, any_value(stack_hash) as stack_hash,
      list([function_name, class_name, file, frame_type] order by place) as frames
    from (select *, unnest(frames) as function_id, generate_subscripts(frames, 1) as place from stacks)
    join functions using (part, function_id) group by all),
  own as (select r.file as in_file, s.* exclude (part, recording_id, stack_id, attributes),
      list_sort(map_entries(attributes)) as attributes, k.* exclude (part, stack_id)
    from samples s left join named k using (part, stack_id) join recordings r using (part, recording_id))
  select in_file as file, list(hash(own) order by hash(own))::varchar as rows from own group by in_file`;

describe("export", () => {
  it("takes each chunk once, in whatever file it comes", async () => {
    const own = join(folder, "contents");
    mkdirSync(own);
    const whole = readFileSync(join(input, "shop-chunks.jfr"));
    const chunk = Number(whole.readBigInt64BE(8));
    expect(chunk).toBeLessThan(whole.length);
    const samplesOf = async (name: string, bytes: Uint8Array) => {
      writeFileSync(join(own, name), bytes);
      const { code, out } = await callCli(["export", join(own, name), "--parquet", set, "--json"]);
      const { written, known, samples } = JSON.parse(out.toString());
      return { code, written, known, samples };
    };
    const first = await samplesOf("a.jfr", whole.subarray(0, chunk));
    expect(first).toMatchObject({ code: 0, written: 1 });
    const tables = () => files().filter((path) => !path.startsWith("_spanflame"));
    const before = tables();
    // A copy under another name, twice in one run, and compressed.
    expect(await samplesOf("copy.jfr.gz", gzipSync(whole.subarray(0, chunk)))).toMatchObject({ known: 1, samples: 0 });
    const twice = await callCli([
      "export",
      join(own, "a.jfr"),
      join(own, "copy.jfr.gz"),
      own,
      "--parquet",
      set,
      "--json",
    ]);
    expect([twice.code, JSON.parse(twice.out.toString())]).toMatchObject([0, { written: 0, busy: 0, samples: 0 }]);
    expect(tables()).toEqual(before);
    // A dump that overlaps with the first one, and a recording that has grown.
    const rest = await samplesOf("a.jfr", whole);
    expect(rest).toMatchObject({ code: 0, written: 1 });
    expect(rest.samples).toBeGreaterThan(0);
    const turned = Buffer.concat([whole.subarray(chunk), whole.subarray(0, chunk)]);
    expect(await samplesOf("turned.jfr", turned)).toMatchObject({ code: 0, known: 1, samples: 0 });
    const { out } = await callCli(["export", join(own, "turned.jfr"), "--parquet", `${set}-whole`, "--json"]);
    expect(JSON.parse(out.toString()).samples).toBe(first.samples + rest.samples);
  });

  it("takes a chunk once that a file has twice, with its live objects", async () => {
    const recording = join(ROOT, "fixtures", "recorded", "dd152-jdk17-all.jfr");
    const twice = join(folder, "twice.jfr");
    writeFileSync(twice, Buffer.concat([readFileSync(recording), readFileSync(recording)]));
    const once = await callCli(["export", recording, "--parquet", `${set}-once`, "--json"]);
    const { out } = await exported(twice, "--json");
    expect(JSON.parse(out.toString()).samples).toBe(JSON.parse(once.out.toString()).samples);
  });

  it("takes what waits for the end of a file by its chunk: live objects and memory that may be freed", async () => {
    const [malloc, early, late] = ["ap46-jdk17-all", "dd152-jdk17-all", "dd122-jdk17-all"].map((name) =>
      readFileSync(join(ROOT, "fixtures", "recorded", `${name}.jfr`)),
    ) as [Buffer, Buffer, Buffer];
    const add = async (to: string, ...chunks: Buffer[]) => {
      const path = join(folder, "waiting.jfr");
      writeFileSync(path, Buffer.concat(chunks));
      const { out } = await callCli(["export", path, "--parquet", `${set}-${to}`, "--json"]);
      return JSON.parse(out.toString()).samples;
    };
    const [first, second] = [await add("malloc", malloc), await add("late", late)];
    expect(first).toBeGreaterThan(0);
    for (const order of [
      [malloc, late],
      [late, malloc],
    ])
      expect(
        await add(`of ${order.indexOf(late)}`, malloc).then(() => add(`of ${order.indexOf(late)}`, ...order)),
      ).toBe(second);
    // The list of the chunk that began last counts, wherever it is in the file.
    await add("before", early);
    expect(await add("before", late, early)).toBe(second);
    expect(await add("turned", late, early)).toBe(await add("straight", early, late));
  });

  it("does not take the samples of a chunk twice that one file has whole, and another one cut", async () => {
    const own = join(folder, "grown");
    mkdirSync(own);
    const whole = readFileSync(join(input, "shop-chunks.jfr"));
    const third = readFileSync(join(ROOT, "fixtures", "recorded", "dd152-jdk17-all.jfr"));
    const add = async (name: string, bytes: Uint8Array) => {
      writeFileSync(join(own, name), bytes);
      const { code, out, err } = await callCli(["export", join(own, name), "--parquet", set, "--json"]);
      const { samples, known } = JSON.parse(out.toString());
      return { code, samples, known, err: err.toString() };
    };
    const all = (await add("all.jfr", Buffer.concat([whole, third]))).samples;
    // Whole before.
    const cut = whole.subarray(0, whole.length - 30_000);
    expect(await add("cut.jfr.gz", gzipSync(cut))).toMatchObject({ code: 0, samples: 0, known: 1 });
    await callCli(["remove", set, "--recording", "all.jfr"]);
    // Cut before: what has more of it takes its place, and what has less is known.
    expect(await add("cutter.jfr.gz", gzipSync(whole.subarray(0, whole.length - 50_000)))).toMatchObject({ code: 3 });
    expect(await add("cut.jfr", cut)).toMatchObject({ code: 3, known: 0 });
    const total = async () => /([\d,]+) samples; no damage/.exec((await callCli(["verify", set])).err)?.[1];
    const beginning = await total();
    // Rows of a catalogue stay.
    const registered = join(set, "_spanflame", "registered");
    writeFileSync(registered, "a catalogue\n");
    const before = files();
    expect(await add("b.jfr", whole)).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        "b.jfr: the data set is registered in a catalogue with only the beginning of 1 chunk",
      ),
    });
    expect(files()).toEqual(before);
    rmSync(registered);
    expect(await add("b.jfr", whole)).toMatchObject({ code: 0 });
    expect(await total()).not.toBe(beginning);
    expect(await add("cut.jfr", cut)).toMatchObject({ code: 0, known: 1 });
    expect(await add("cutter.jfr", whole.subarray(0, whole.length - 50_000))).toMatchObject({ known: 1 });
    expect(await add("all.jfr", Buffer.concat([whole, third]))).toMatchObject({ code: 0 });
    expect(await total()).toBe(formatCount(all));
  });

  withDuckDb(
    "gives all files of a process the service that a chunk of one states, in whatever order they come",
    async () => {
      const parts = readFileSync(join(input, "shop-chunks.jfr"));
      const first = parts.subarray(0, Number(parts.readBigInt64BE(8)));
      const stating = readFileSync(join(ROOT, "fixtures", "recorded", "dd152-jdk17-all.jfr"));
      const own = join(folder, "process");
      mkdirSync(own);
      const paths = ["bare.jfr", "both.jfr", "other.jfr"].map((name) => join(own, name)) as [string, string, string];
      for (const [i, bytes] of [
        parts,
        Buffer.concat([first, stating]),
        readFileSync(join(input, "shop.jfr")),
      ].entries())
        writeFileSync(paths[i]!, bytes);
      const [bare, both, other] = paths;
      const services = () =>
        rowsOf(
          set,
          "select distinct file = 'other.jfr' as other, service, resource['service.name'] as stated from samples join recordings r using (part, recording_id, service) order by 1",
        );
      for (const runs of [[[bare, both, other]], [[both], [other, bare]], [[bare, other], [both]]]) {
        set = `${set}-${runs.length}`;
        for (const run of runs) expect((await exported(...run, "--service", "fallback", "--jobs", "1")).code).toBe(0);
        expect(await services()).toEqual([
          { other: false, service: "demo-shop", stated: "demo-shop" },
          { other: true, service: "fallback", stated: null },
        ]);
      }
    },
  );

  it("removes with a recording the beginning of its cut chunk", async () => {
    const whole = readFileSync(join(input, "shop-chunks.jfr"));
    const cut = join(folder, "removed.jfr");
    writeFileSync(cut, whole.subarray(0, whole.length - 50_000));
    await exported(cut);
    const sha256 = createHash("sha256").update(readFileSync(cut)).digest("hex");
    expect((await callCli(["remove", set, "--recording", sha256])).code).toBe(0);
    expect(files().filter((path) => path.startsWith("samples/"))).toEqual([]);
  });

  it("takes a message of OTLP once, as protobuf and as JSON of any order", async () => {
    const own = join(folder, "twins");
    mkdirSync(own);
    const paths = ["a.pb", "b.json", "c.json", "d.json"].map((name) => join(own, name)) as [string, ...string[]];
    const [pb = "", json = "", turned = "", other = ""] = paths;
    for (const path of [pb, json]) await callCli(["convert", join(input, "shop.jfr"), "-o", path]);
    const text = readFileSync(json, "utf8");
    const sorted = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(sorted);
      if (value === null || typeof value !== "object") return value;
      return Object.fromEntries(
        Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, each]) => [key, sorted(each)]),
      );
    };
    writeFileSync(turned, JSON.stringify(sorted(JSON.parse(text)), null, 1));
    // Equal but for a name.
    writeFileSync(other, text.replace('"java.lang.Thread.run"', '"java.lang.Thread.ran"'));
    expect(readFileSync(other, "utf8")).not.toBe(text);
    for (const order of [
      [pb, json, turned],
      [turned, pb, json],
    ]) {
      set = `${set}-${order.indexOf(pb)}`;
      const { out } = await exported(...order, "--jobs", "1", "--json");
      expect(JSON.parse(out.toString())).toMatchObject({ written: 1, known: 2 });
      for (const path of order)
        expect(JSON.parse((await exported(path, "--json")).out.toString())).toMatchObject({ known: 1, samples: 0 });
      expect(JSON.parse((await exported(other, "--json")).out.toString())).toMatchObject({ written: 1 });
    }
  });

  it("has the whole of a chunk, whichever copy comes first, cut twice or packed, and with several threads", async () => {
    const whole = readFileSync(join(ROOT, "fixtures", "recorded", "dd152-jdk17-all.jfr"));
    const copies: [string, Uint8Array][] = [
      ["whole.jfr", whole],
      ["short.jfr", whole.subarray(0, whole.length * 0.7)],
      ["shorter.jfr.gz", gzipSync(whole.subarray(0, whole.length * 0.5))],
    ];
    const totals = new Map<string, number>();
    const add = async (name: string, order: number[], jobs: string) => {
      const own = join(folder, `orders-${name}`);
      mkdirSync(own);
      // Inputs of one day are read in the order in which they are named.
      const paths = order.map((i) => join(own, copies[i]![0]));
      for (const [at, i] of order.entries()) writeFileSync(paths[at]!, copies[i]![1]);
      const { out } = await callCli(["export", ...paths, "--parquet", `${set}-${name}`, "--jobs", jobs, "--json"]);
      totals.set(name, JSON.parse(out.toString()).samples);
    };
    await add("alone", [0], "1");
    await add("cut-alone", [1], "1");
    const [all, cut] = [totals.get("alone")!, totals.get("cut-alone")!];
    expect(cut).toBeGreaterThan(0);
    expect(cut).toBeLessThan(all);
    for (const order of [
      [0, 1, 2],
      [1, 0, 2],
      [2, 1, 0],
    ])
      for (const jobs of ["1", "2"]) await add(`${order.join("")}-${jobs}`, order, jobs);
    await add("cuts", [2, 1], "2");
    expect([...totals.values()].slice(2)).toEqual([all, all, all, all, all, all, cut]);
  });

  it("writes a file of each table and date, and takes a recording once", async () => {
    const first = await exported(input);
    expect(first.err).toMatch(/^spanflame: 3 recordings written, 0 known, 0 failed; [\d,]+ samples in \d+ parts?, /);
    expect(first.code).toBe(0);
    const tables = new Set(files().map((path) => path.split("/")[0]));
    expect([...tables].sort()).toEqual([
      "_spanflame",
      "functions",
      "parts",
      "parts.json",
      "recordings",
      "samples",
      "spanflame.json",
      "stacks",
    ]);
    const before = files();
    const second = await exported(input, "--json");
    expect(JSON.parse(second.out.toString())).toMatchObject({ written: 0, known: 3, failed: 0, samples: 0, parts: 0 });
    expect(files()).toEqual(before);
  });

  it("says which options change nothing of what an earlier export wrote", async () => {
    const shop = join(input, "shop.jfr");
    const late = ["--service", "s", "--resource", "a=b", "--spans"];
    expect((await exported(shop, ...late)).err).not.toContain("--service");
    const { code, err } = await exported(shop, join(input, "shop-chunks.jfr"), ...late);
    expect([code, err]).toEqual([
      0,
      expect.stringContaining("--service, --resource, --spans changed nothing of 1 known"),
    ]);
    expect((await exported(shop)).err).not.toContain("changed nothing");
  });

  it("leaves nothing of a writer behind", async () => {
    await exported(input, "--jobs", "2");
    for (const state of ["writers", "claims", "files", "commits"])
      expect(readdirSync(join(set, "_spanflame", state))).toEqual([]);
  });

  it("refuses a folder that is no data set", async () => {
    const { code, err } = await callCli(["export", input, "--parquet", input]);
    expect([code, err]).toEqual([2, `spanflame: ${input} is no data set: it has files, but no spanflame.json\n`]);
  });

  it("lists a damaged recording, and exports the others", async () => {
    const damaged = join(folder, "damaged");
    mkdirSync(damaged);
    const bytes = readFileSync(join(input, "shop.jfr"));
    writeFileSync(join(damaged, "cut.jfr"), bytes.subarray(0, bytes.length >> 1));
    writeFileSync(join(damaged, "notes.jfr"), "These are no samples.\n");
    copyFileSync(join(input, "sample.jfr"), join(damaged, "whole.jfr"));
    const { code, err } = await exported(damaged);
    expect(code).toBe(3);
    expect(err).toContain("notes.jfr");
    // Of a recording that was cut off, what is before the cut is written.
    expect(err).toContain("2 recordings written, 0 known, 1 failed");
  });

  it("reports an unreadable recording in every run, and reads it again when it changes", async () => {
    const folder = mkdtempSync(join(input, "..", "unreadable-"));
    writeFileSync(join(folder, "notes.jfr"), "These are no samples.\n");
    copyFileSync(join(input, "shop.jfr"), join(folder, "whole.jfr"));
    expect((await exported(folder)).err).toContain("1 recording written, 0 known, 1 failed");
    const before = files();
    const again = await exported(folder, "--json");
    expect(again.code).toBe(3);
    expect(again.err).toMatch(/notes\.jfr: an earlier run could not read it \(.+\); it is read again when its content/);
    const { recordings, known, failed } = JSON.parse(again.out.toString());
    expect([known, failed]).toEqual([1, 1]);
    expect(recordings.map(({ result }: { result: string }) => result).sort()).toEqual(["known", "unreadable"]);
    expect(files()).toEqual(before);
    expect((await exported(join(folder, "notes.jfr"))).code).toBe(1);
    copyFileSync(join(input, "shop-chunks.jfr"), join(folder, "notes.jfr"));
    expect((await exported(folder)).err).toContain("1 recording written, 1 known, 0 failed");
  });

  it("leaves no data set behind where no input is there", async () => {
    const none = join(set, "none");
    const { code, err } = await callCli(["export", "nosuch.jfr", "--parquet", none]);
    expect([code, existsSync(none)]).toEqual([1, false]);
    expect(err).toContain("error: nosuch.jfr: there is no such file");
    expect(err).toContain("0 recordings written, 0 known, 1 failed");
  });

  it("takes files changed since a date or an age only", async () => {
    const { out } = await exported(input, "--since", "2100-01-01", "--json");
    expect(JSON.parse(out.toString()).recordings).toEqual([]);
    const wrong = await exported(input, "--since", "yesterday");
    expect(wrong.code).toBe(2);
  });
});

describe("rows", () => {
  withDuckDb("are those of the recordings, with one thread and with several", async () => {
    expect(await exported(input)).toMatchObject({ code: 0 });
    const one = await rowsOf(set, BY_RECORDING);
    expect(one.map(({ file }) => file)).toEqual(["sample.jfr", "shop-chunks.jfr", "shop.jfr"]);
    for (const { samples, found } of one) expect(found).toBe(samples);
    set = join(folder, "several");
    expect(await exported(input, "--jobs", "3")).toMatchObject({ code: 0 });
    expect(await rowsOf(set, BY_RECORDING)).toEqual(one);
  });

  withDuckDb("of a recording are the same alone and beside others, some of which state modules", async () => {
    const recorded = join(ROOT, "fixtures", "recorded");
    const names = readdirSync(recorded).filter((name) => name.endsWith(".jfr"));
    const alone = [];
    for (const name of names) {
      set = join(folder, `alone ${name}`);
      await exported(join(recorded, name));
      alone.push(...(await rowsOf(set, ROWS)));
    }
    for (const order of [names, [...names].reverse()]) {
      set = join(folder, `beside ${order[0]}`);
      await exported(...order.map((name) => join(recorded, name)), "--jobs", "1");
      const rows = await rowsOf(set, ROWS);
      expect(rows.sort((a, b) => names.indexOf(a.file as string) - names.indexOf(b.file as string))).toEqual(alone);
    }
  });

  withDuckDb("give the totals that info prints", async () => {
    await exported(join(input, "shop.jfr"));
    const { out } = await callCli(["info", join(input, "shop.jfr"), "--json"]);
    const { profiles } = JSON.parse(out.toString());
    const expected = profiles.map((p: { type: string; unit: string; samples: number; value: string }) => ({
      type: p.type,
      unit: p.unit,
      samples: String(p.samples),
      value: String(p.value),
    }));
    const found = await rowsOf(
      set,
      `select profile_type as type, unit, count(*)::varchar as samples, sum(value)::varchar as value
       from samples group by all order by type`,
    );
    expect(found).toEqual(expected.sort((a: { type: string }, b: { type: string }) => (a.type < b.type ? -1 : 1)));
  });

  it("have a span without a start on the day of the others of its file", async () => {
    const trace = join(folder, "untimed.json");
    const spans = [
      { traceId: "a", id: "a", name: "root", timestamp: 1_700_000_000_000_000, duration: 5 },
      { traceId: "a", id: "b", parentId: "a", name: "child" },
    ];
    writeFileSync(trace, JSON.stringify(spans));
    expect((await exported(join(input, "shop.jfr"), "--trace", trace)).code).toBe(0);
    const dates = files().flatMap((path) => /^spans\/(date=[\d-]+)/.exec(path)?.[1] ?? []);
    expect(dates).toEqual(["date=2023-11-14"]);
  });

  it("have a trace once, in whatever format its file is", async () => {
    const of = (format: string) => join(ROOT, "fixtures", "traces", `apctx-jdk17.whole.${format}.json.gz`);
    const traces = ["otlp", "jaeger", "zipkin"].flatMap((format) => ["--trace", of(format)]);
    const { out } = await exported(join(input, "shop.jfr"), ...traces, "--json");
    expect(JSON.parse(out.toString())).toMatchObject({ written: 2, known: 2 });
    // A trace that comes later needs no recording.
    const again = await callCli(["export", ...traces, "--parquet", set, "--json"]);
    expect(JSON.parse(again.out.toString())).toMatchObject({ written: 0, known: 3 });
    expect((await callCli(["export", "--parquet", set])).err).toContain("export needs a file");
  });

  withDuckDb("have the spans of trace files and of recordings, also after compact", async () => {
    const [recording, trace] = ["apctx-jdk17.jfr", "apctx-jdk17.whole.otlp.json.gz"].map((name) =>
      join(ROOT, "fixtures", "traces", name),
    ) as [string, string];
    await exported(recording, "--spans");
    await exported(join(input, "shop.jfr"), "--trace", trace);
    const again = await exported(join(input, "shop.jfr"), "--trace", trace, "--json");
    expect(JSON.parse(again.out.toString())).toMatchObject({ written: 0, known: 2 });
    const { out } = await callCli(["trace", recording, "--trace", trace, "--json"]);
    const known = (JSON.parse(out.toString()) as { spans: { id: string; startUnixNano: string }[] }).spans;
    const expected = known.map(({ id, startUnixNano }) => ({
      id: BigInt.asIntN(64, BigInt(id)).toString(),
      start: startUnixNano,
    }));
    const rows = `select span_id::varchar as id, start_unix_nano::varchar as start from spans join recordings
      using (part, recording_id) where origin = 'trace' and file like '%.json.gz' order by start_unix_nano, id`;
    const order = (a: { start: string; id: string }, b: { start: string; id: string }) =>
      a.start === b.start ? Number(a.id > b.id) - 0.5 : Number(a.start > b.start) - 0.5;
    expect((await rowsOf(set, rows)).sort(order as never)).toEqual(expected.sort(order));
    // The recording knows the spans of its scopes by the same ids and names.
    const both = `select count(*)::int as n from spans a join spans b using (span_id)
      where a.origin = 'trace' and b.origin = 'recording' and a.name = b.name`;
    const all = "select * exclude (part, recording_id) from spans order by all";
    const [joined, before] = [await rowsOf(set, both), await rowsOf(set, all)];
    expect(joined[0]?.n).toBeGreaterThan(100);
    expect((await callCli(["compact", set])).code).toBe(0);
    expect(await rowsOf(set, all)).toEqual(before);
    expect(await rowsOf(set, rows)).toHaveLength(expected.length);
  });

  withDuckDb(
    "of a killed export are none or all of its batch, and the next one has each once",
    async () => {
      const few = [join(input, "shop.jfr"), join(input, "sample.jfr")];
      await exported(...few);
      const expected = await rowsOf(set, BY_RECORDING);
      let kills = 0;
      for (let step = 1; ; step += 3) {
        set = join(folder, `killed${step}`);
        const { code } = await callCli(["export", ...few, "--parquet", set], {
          env: { SPANFLAME_KILL_AT: String(step) },
        });
        if (code === 0) break;
        kills++;
        // Whatever a reader finds has all its stacks.
        const lost =
          "select count(*)::int as lost from samples s anti join stacks k using (part, stack_id) where s.stack_id is not null";
        if (files().some((path) => path.startsWith("samples/"))) expect(await rowsOf(set, lost)).toEqual([{ lost: 0 }]);
        expect((await exported(...few)).code).toBe(0);
        expect(await rowsOf(set, BY_RECORDING)).toEqual(expected);
        for (const state of ["writers", "claims", "files", "commits"])
          expect(readdirSync(join(set, "_spanflame", state))).toEqual([]);
      }
      expect(kills).toBeGreaterThan(3);
    },
    240_000,
  );

  withDuckDb("of two exports at a time are there once", async () => {
    await exported(input);
    const expected = await rowsOf(set, BY_RECORDING);
    set = join(folder, "both");
    const both = await Promise.all([exported(input), exported(input)]);
    for (const { code } of both) expect([0, 3]).toContain(code);
    expect(await rowsOf(set, BY_RECORDING)).toEqual(expected);
  });

  withDuckDb(
    "are the same after compact, also where it is killed at any step",
    async () => {
      for (const name of ["shop.jfr", "sample.jfr", "shop-chunks.jfr"]) await exported(join(input, name));
      const separate = set;
      const expected = await rowsOf(set, BY_RECORDING);
      const rows =
        "select * exclude (part, recording_id, stack_id, attributes), attributes::varchar as attributes from samples order by all";
      const allRows = await rowsOf(set, rows);
      let kills = 0;
      for (let killAt = 0; ; killAt += 7) {
        set = join(folder, `compact${killAt}`);
        cpSync(separate, set, { recursive: true });
        const env = { SPANFLAME_KILL_AT: String(killAt) };
        const { code } = await callCli(["compact", set, "--index"], { env });
        if (code !== 0) kills++;
        expect((await callCli(["compact", set])).code).toBe(0);
        expect(await rowsOf(set, BY_RECORDING)).toEqual(expected);
        expect(await rowsOf(set, rows)).toEqual(allRows);
        if (killAt > 0 && code === 0) break;
      }
      expect(kills).toBeGreaterThan(1);
    },
    240_000,
  );
});
