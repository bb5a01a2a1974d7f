/** `spanflame calls`, and the other commands on dumps: answers, filters, exit codes, schemas. */
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asCapture, asFolder, asZip, type WrittenCall, writeStreams } from "../../../test/kit/cdt/cdt-writer.ts";
import { askCli, buildCli, callCli, ROOT, startCli } from "../../../test/kit/run-cli.ts";
import { readEvented, readFirefox, readSpeedscope } from "../../../test/kit/shown-formats.ts";

const START = Date.UTC(2024, 1, 3);
const OUT = mkdtempSync(join(tmpdir(), "spanflame-calls-"));
afterAll(() => rmSync(OUT, { recursive: true }));

/** Durations 10, 30, 60 and 100 ms, the last of them without a record; a pause in the second. */
const CALLS = [10, 30, 60, 100].map((after, i): WrittenCall => {
  const inner = { method: "void a.B.inner() (B.java:2) [b.jar]", before: 0, after: 5, children: [] };
  return {
    threadId: i,
    thread: `worker-${i}`,
    at: START + 1000 * i,
    root: { method: `void a.B.run${i}() (B.java:1)`, before: 0, after: after - 5, children: [inner] },
    isRecorded: i < 3,
    reactive: 0,
    params: { tenant: [i === 1 ? "acme" : "other"], "brave.trace_id": [`a${i}`], "brave.span_id": [`b${i}`] },
  };
});
const STATED = { order: 7, signature: "sql" };
const { streams } = writeStreams({
  start: START,
  pauses: [[1020, 8]],
  isPhrased: true,
  calls: CALLS,
  stated: { tenant: STATED },
});
const DUMP = join(OUT, "dump");
const RUN = `web/${START}`;

beforeAll(async () => {
  await buildCli();
  for (const [path, bytes] of Object.entries(asFolder(streams, `web/2024/02/03/${START}`))) {
    mkdirSync(dirname(join(DUMP, path)), { recursive: true });
    writeFileSync(join(DUMP, path), bytes);
  }
  writeFileSync(join(OUT, "export.zip"), asZip(streams, `web/2024/02/03/${START}`, "\\"));
  writeFileSync(join(OUT, "capture"), asCapture(streams, "pod_1"));
}, 120_000);

interface Answer {
  total: Record<string, number | string>;
  rows: { id: string; name: string; durationNano: string; frames?: { method: string; selfNano: string }[] }[];
}

const names = ({ rows }: Answer) => rows.map(({ name }) => name.replace("a.B.", ""));
const calls = (...args: string[]) => askCli<Answer>("calls", DUMP, ...args);

describe("spanflame calls", () => {
  it("lists recorded calls by duration, with their sums", async () => {
    const answer = await calls();
    expect(names(answer)).toEqual(["run2", "run1", "run0"]);
    expect(answer.total).toEqual({
      calls: 3,
      durationNano: "100000000",
      suspensionNano: "8000000",
      netNano: "92000000",
    });
  });

  it.each<[args: string[], expected: string[]]>([
    [
      ["--roots", "all"],
      ["run3", "run2", "run1", "run0"],
    ],
    [["--roots", "unrecorded"], ["run3"]],
    [
      ["--sort", "start"],
      ["run0", "run1", "run2"],
    ],
    [["--sort", "suspension", "--limit", "1"], ["run1"]],
    [["--min-ms", "30", "--max-ms", "60"], ["run1"]],
    [["--thread", "worker-2"], ["run2"]],
    [["--attr", "tenant=acme"], ["run1"]],
    [
      ["--attr", "tenant!=acme"],
      ["run2", "run0"],
    ],
    [
      ["--query", "RUN -acme"],
      ["run2", "run0"],
    ],
    [["--frame", "run0"], ["run0"]],
    [["--since", new Date(START + 1500).toISOString()], ["run2"]],
    [["--until", new Date(START + 1000).toISOString()], ["run0"]],
    [["--call", "no:1:8:0"], []],
  ])("%j", async (args, expected) => {
    expect(names(await calls(...args))).toEqual(expected);
  });

  it("has the frames of a call with --tree, which needs --call", async () => {
    const [first] = (await calls()).rows;
    const { rows } = await calls("--call", first!.id, "--tree");
    expect(rows[0]?.id.startsWith(`${RUN}:1:`)).toBe(true);
    expect(rows[0]?.frames?.map(({ method, selfNano }) => [method, selfNano])).toEqual([
      ["void a.B.run2() (B.java:1)", "55000000"],
      ["void a.B.inner() (B.java:2) [b.jar]", "5000000"],
    ]);
    expect((await callCli(["calls", DUMP, "--tree"])).code).toBe(2);
    expect((await callCli(["calls", DUMP, "--sort", "size"])).code).toBe(2);
  });

  it("prints the tree of a call with times, depth and values", async () => {
    const [first] = (await calls()).rows;
    const { out } = await callCli(["calls", DUMP, "--call", first!.id, "--tree"]);
    const lines = out.toString().trimEnd().split("\n").slice(4);
    expect(lines[0]).toMatch(/^\+0 ns {2}60 ms {2}55 ms {2}a\.B\.run2$/);
    expect(lines).toContain(`${" ".repeat(21)}  · java.thread: worker-2`);
    expect(lines.at(-1)).toMatch(/^\+0 ns {3}5 ms {3}5 ms {4}a\.B\.inner$/);
  });

  it("prints CSV with the members of the JSON answer", async () => {
    const { out } = await callCli(["calls", DUMP, "--csv", "--attr", "tenant=acme"]);
    const [heads = "", row = "", end] = out.toString().split("\r\n");
    const [record] = (await calls("--attr", "tenant=acme")).rows;
    expect(heads.split(",")).toEqual(Object.keys(record!));
    expect(row).toContain(`,30000000,8000000,22000000,`);
    expect(row).toContain('"{""tenant"":[""acme""]');
    expect(end).toBe("");
    expect((await callCli(["calls", DUMP, "--csv", "--json"])).code).toBe(2);
  });

  it("adds up the frames by parameters, in the answer and in the table", async () => {
    const { frameParams } = await askCli<{ frameParams: { params: { name: string }[] } }>(
      "calls",
      DUMP,
      "--min-ms",
      "60",
      "--params",
    );
    const figures = (ms: number, invocations: number, self = ms) => ({
      invocations,
      totalNano: `${ms}000000`,
      selfNano: `${self}000000`,
      selfSuspensionNano: "0",
      selfNetNano: `${self}000000`,
    });
    const thread = { ...figures(60, 1, 55), count: 1, signature: "worker-?" };
    expect(frameParams).toMatchObject({
      ...figures(60, 2),
      params: [{ name: "java.thread", ...figures(60, 1, 55), values: 1, groups: [thread] }],
    });
    const { out } = await callCli(["calls", DUMP, "--params", "--min-ms", "60"]);
    expect(out.toString()).toMatch(/\n60 ms +1 × +java\.thread: worker-\?\n$/);
  });

  it("prints a table with start, thread and figures, and no rows for other inputs", async () => {
    const { code, out } = await callCli(["calls", DUMP]);
    const [total, slowest = ""] = out.toString().split("\n");
    expect([code, total]).toEqual([0, "3 calls, 100 ms"]);
    expect(slowest.split(/ {2,}/).toSpliced(6, 1)).toEqual([
      "2024-02-03T00:00:02.000Z",
      "60 ms",
      "0 ns",
      "7 ms",
      "2 ms",
      "worker-2",
      "a.B.run2",
    ]);
    expect((await askCli<Answer>("calls", join(ROOT, "fixtures", "shop.jfr"))).rows).toEqual([]);
  });
});

describe("spanflame pauses and dictionary", () => {
  it("lists pauses of dumps, the longest first", async () => {
    const row = { startUnixNano: `${START + 1012}000000`, durationNano: "8000000", source: RUN, cause: "" };
    const { schema: _, ...answer } = await askCli<object & { schema: number }>("pauses", DUMP);
    expect(answer).toEqual({ total: { pauses: 1, pausedNano: "8000000" }, rows: [row] });
    const { out } = await callCli(["pauses", DUMP]);
    expect(out.toString()).toBe(`1 pause, 8 ms\n2024-02-03T00:00:01.012Z  8 ms  ${RUN}\n`);
  });

  it("lists pauses of the collector with their causes", async () => {
    const { total, rows } = await askCli<{ total: { pauses: number }; rows: { cause: string }[] }>(
      "pauses",
      join(ROOT, "public", "sample.jfr"),
    );
    const nanos = rows.map((row) => Number((row as unknown as { durationNano: string }).durationNano));
    expect(total.pauses).toBe(rows.length);
    expect(rows.length).toBeGreaterThan(0);
    expect(nanos).toEqual([...nanos].sort((a, b) => b - a));
    expect(rows[0]!.cause).not.toBe("");
  });

  it("lists words by id, with what the dump states about parameters", async () => {
    const { rows } = await askCli<{ rows: { id: number; text: string; param: object | null }[] }>("dictionary", DUMP);
    expect(rows.map(({ id }) => id)).toEqual(rows.map((_, i) => i));
    expect(rows.find(({ text }) => text === "tenant")?.param).toEqual({ indexed: true, list: true, ...STATED });
    expect(rows.find(({ text }) => text === "java.thread")?.param).toBeNull();
    const { out } = await callCli(["dictionary", DUMP, "--limit", "1"]);
    expect(out.toString()).toBe(`0  ${rows[0]!.text}\n`);
  });
});

describe("other commands on a dump", () => {
  it.each(["dump", "export.zip", "capture"])(
    "info has the run of %s, and all answers fit their schemas",
    async (name) => {
      const ajv = new Ajv2020({ allErrors: true, strict: true });
      const folder = join(ROOT, "docs", "schema");
      const input = join(OUT, name);
      for (const [schema, args] of [
        ["info", ["info", input]],
        ["calls", ["calls", input, "--roots", "all", "--params"]],
        ["spans", ["spans", input, "--type", "wall", "--by", "call"]],
        ["top", ["top", input, "--type", "net"]],
        ["pauses", ["pauses", input]],
        ["dictionary", ["dictionary", input]],
      ] as const) {
        expect(readdirSync(folder)).toContain(`${schema}.schema.json`);
        const valid = ajv.compile(JSON.parse(readFileSync(join(folder, `${schema}.schema.json`), "utf8")));
        expect([valid(await askCli(...args)), valid.errors]).toEqual([true, null]);
      }
      const { runs } = await askCli<{ runs: Record<string, unknown>[] }>("info", input);
      expect(runs).toMatchObject([
        {
          run: name === "capture" ? "pod_1" : RUN,
          calls: 3,
          linked: 3,
          roots: 4,
          unrecorded: 1,
          pauses: 1,
          threads: 4,
        },
      ]);
    },
  );

  it("top, spans --by call and convert agree", async () => {
    const top = await askCli<{ total: string }>("top", DUMP, "--type", "wall", "--min-ms", "30");
    const spans = await askCli<{ rows: { value: string }[] }>(
      "spans",
      DUMP,
      "--type",
      "wall",
      "--by",
      "call",
      "--min-ms",
      "30",
    );
    expect(top.total).toBe("190000000");
    expect(spans.rows.map(({ value }) => value)).toEqual(["100000000", "60000000", "30000000"]);
    const { out } = await callCli([
      "convert",
      DUMP,
      "-o",
      "-",
      "--format",
      "collapsed",
      "--type",
      "wall",
      "--min-ms",
      "30",
    ]);
    const lines = out.toString().trimEnd().split("\n");
    expect(lines).toContain("a.B.run3;a.B.inner 5000000");
    expect(lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0)).toBe(190_000_000);
  });

  it("a report has the selected calls and their parameters", async () => {
    const { code, out } = await callCli([
      "convert",
      DUMP,
      "-o",
      "-",
      "--format",
      "html",
      "--type",
      "wall",
      "--min-ms",
      "60",
    ]);
    expect(code).toBe(0);
    expect(out.toString()).toContain("2 calls, 160 ms in all, of which 0 ns suspended.");
    expect(out.toString()).toContain("java.thread: worker-");
  });

  it("convert --call writes every invocation to formats of viewers, and samples if something else is requested", async () => {
    const { rows } = await calls("--sort", "start");
    const convert = async (format: string, ...args: string[]) => {
      const id = rows[0]!.id;
      const { code, out } = await callCli(["convert", DUMP, "-o", "-", "--format", format, "--call", id, ...args]);
      expect(code).toBe(0);
      return out.toString();
    };
    const names = (text: string) => readEvented(text).map(({ invocations }) => invocations);
    const first = [
      { name: "a.B.run0", depth: 0, at: 0, total: 10 },
      { name: "a.B.inner", depth: 1, at: 0, total: 5 },
    ];
    expect(names(await convert("speedscope"))).toEqual([first]);
    const both = names(await convert("speedscope", "--call", rows[1]!.id, "--type", "wall"));
    expect(both.map((invocations) => invocations.map(({ total }) => total))).toEqual([
      [10, 5],
      [30, 5],
    ]);
    expect(readSpeedscope(await convert("speedscope", "--type", "invocations"))).toHaveLength(1);
    expect(readSpeedscope(await convert("speedscope", "--frame", "inner", "--type", "wall"))).toHaveLength(1);
    const [thread] = readFirefox(await convert("firefox"));
    expect([thread?.stacks, thread?.weights]).toEqual([
      [["a.B.run0", "a.B.inner"], ["a.B.run0"]],
      [5, 5],
    ]);
  });

  it("has the archives of functions as their libraries", async () => {
    const { rows } = await askCli<{ rows: { key: string }[] }>("spans", DUMP, "--type", "wall", "--by", "library");
    expect(rows.map(({ key }) => key)).toEqual(["b"]);
  });

  it("--watch lists the calls that an agent adds, each once, until it is ended", async () => {
    const live = join(OUT, "live");
    const write = (calls: WrittenCall[]) => {
      const written = writeStreams({ start: START, pauses: [], isPhrased: true, calls }).streams;
      for (const [path, bytes] of Object.entries(asFolder(written, `web/2024/02/03/${START}`))) {
        mkdirSync(dirname(join(live, path)), { recursive: true });
        writeFileSync(join(live, path), bytes);
      }
    };
    write(CALLS.slice(0, 1));
    const watcher = startCli(["calls", live, "--watch"]);
    let out = "";
    watcher.stdout?.on("data", (part) => (out += part));
    const ended = once(watcher, "close");
    const shown = () => [...out.matchAll(/a\.B\.(run\d)/g)].map(([, name]) => name);
    try {
      await expect.poll(shown, { timeout: 60_000 }).toEqual(["run0"]);
      write(CALLS.slice(0, 3));
      await expect.poll(shown, { timeout: 60_000 }).toEqual(["run0", "run2", "run1"]);
    } finally {
      watcher.kill("SIGTERM");
    }
    expect(await ended).toEqual([0, null]);
    expect((await callCli(["calls", live, "--watch", "--json"])).code).toBe(2);
  }, 150_000);

  it("a folder of a dump without calls and trace has an error", async () => {
    const lone = join(OUT, "lone");
    mkdirSync(join(lone, "dictionary"), { recursive: true });
    writeFileSync(join(lone, "dictionary", "000001"), streams.dictionary![0]!);
    const { code, err } = await callCli(["calls", lone, "--json"]);
    expect(code).toBe(1);
    expect(err).toContain("the folder has files of a dump, but neither calls nor a trace");
  });
});
