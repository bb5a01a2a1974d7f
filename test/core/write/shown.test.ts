/** Reports and pictures of the library: the files of `spanflame convert`, byte for byte. */
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openPath } from "../../../src/library/node.ts";
import type { OpenPathOptions, SelectOptions } from "../../../src/library/options.ts";
import { forgetRoots } from "../../../src/model/flame/package-roots.ts";
import { rootLevel } from "../../../src/model/query/root-by.ts";
import { asZip, writeStreams } from "../../kit/cdt/cdt-writer.ts";
import { buildCli, callCli, ROOT } from "../../kit/run-cli.ts";

let folder: string;
beforeAll(() => buildCli(), 120_000);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "spanflame-shown-"));
  return () => rm(folder, { recursive: true });
});

const fixture = (name: string) => join(ROOT, "fixtures", name);

async function converted(format: "html" | "svg", file: string, args: readonly string[]): Promise<string> {
  const path = join(folder, `${basename(file)}.${format}`);
  const { code, err } = await callCli(["convert", file, "-o", path, ...args]);
  expect([code, err]).toEqual([0, expect.stringContaining("spanflame:")]);
  return readFileSync(path, "utf8");
}

/** The moment that a report states as that of its making. */
function madeAt(html: string): Date {
  const [, day, time] = /Written by Spanflame \S+ on (\S+) (\S+) UTC/.exec(html) ?? [];
  return new Date(`${day}T${time}Z`);
}

interface Case {
  file: string;
  args: string[];
  profile: string | null;
  select?: SelectOptions;
  open?: OpenPathOptions;
}

const AGENT = fixture("recorded/ddagent-jdk17.jfr");
const TRACED = fixture("traces/relay-dd17.jfr");
const TRACE = fixture("traces/relay-dd17.whole.otlp.json.gz");
const wasm = readFileSync(join(ROOT, "build", "core.wasm"));
const POOLS = rootLevel("thread-pool")!;

const CASES: Record<string, Case> = {
  "all profiles": { file: AGENT, args: [], profile: null },
  "a profile": { file: AGENT, args: ["--type", "wall", "--strict"], profile: "wall" },
  "a thread": { file: AGENT, args: ["--thread", "worker-1"], profile: null, select: { thread: "worker-1" } },
  "no sample": {
    ...{ file: AGENT, args: ["--type", "cpu", "--thread", "none"], profile: "cpu" },
    select: { thread: "none" },
  },
  "functions from one on, below thread pools": {
    ...{ file: AGENT, args: ["--type", "cpu", "--root-by", "thread-pool", "--frame", "demo"], profile: "cpu" },
    select: { frame: "demo", shape: { roots: [POOLS] } },
  },
  "requests of traces, inferred": {
    ...{ file: TRACED, args: ["--trace", TRACE, "--inferred", "--endpoint", "GET /checkout"], profile: null },
    ...{ select: { endpoint: "GET /checkout" }, open: { traces: TRACE, infer: true } },
  },
  "the whole of traces": { file: TRACED, args: ["--trace", TRACE], profile: null, open: { traces: TRACE } },
};

describe("html of the library is the report of convert", () => {
  it.each(Object.entries(CASES))("of %s", async (_, { file, args, profile, select, open }) => {
    const html = await converted("html", file, args);
    const recording = await openPath(file, { spans: true, infer: true, wasm, ...open });
    expect(await recording.select(profile, select).html({ now: madeAt(html) })).toBe(html);
    recording.close();
  });

  it("of the calls of a dump", async () => {
    const root = { method: "void a.B.run() (B.java:1)", before: 0, after: 20, children: [] };
    const call = { threadId: 1, thread: "worker", at: Date.UTC(2024, 1, 3), root, isRecorded: true, reactive: 0 };
    const params = { tenant: ["acme"] };
    const { streams } = writeStreams({ start: call.at, pauses: [], calls: [{ ...call, params }] });
    const file = join(folder, "dump.zip");
    writeFileSync(file, asZip(streams, `web/2024/02/03/${call.at}`, "/"));
    const html = await converted("html", file, []);
    const recording = await openPath(file, { spans: true, infer: true, wasm });
    expect(html).toContain("acme");
    expect(await recording.select(null).html({ now: madeAt(html) })).toBe(html);
  });
});

it("packages have colours of the drawing that they are in, whatever was drawn before", async () => {
  const other = join(folder, "other.collapsed");
  writeFileSync(other, "com.acme.Main.main;com.acme.Work.run 5\n");
  const drawn = async (file: string, as: "html" | "svg") => {
    const recording = await openPath(file, { spans: true, wasm });
    const type = recording.profiles[0]?.type ?? null;
    const selection = recording.select(type);
    return as === "svg" ? selection.svg() : selection.html({ now: new Date(0) });
  };
  for (const as of ["svg", "html"] as const) {
    forgetRoots();
    const first = await drawn(AGENT, as);
    forgetRoots();
    await drawn(other, as);
    expect(await drawn(AGENT, as)).toBe(first);
  }
});

describe("svg of the library is the picture of convert", () => {
  it.each(Object.entries(CASES).filter(([, { profile }]) => profile !== null))(
    "of %s",
    async (_, { file, args, profile, select, open }) => {
      const recording = await openPath(file, { spans: true, wasm, ...open });
      const selection = recording.select(profile, select);
      const svg = await converted("svg", file, args);
      expect(await selection.svg()).toBe(svg);
      expect(await selection.svg({ dark: true })).not.toBe(svg);
    },
  );
});
