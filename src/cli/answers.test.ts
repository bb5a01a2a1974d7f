/** `info`, `top` and `spans` as processes: the shapes of their JSON, ids and filters, exit codes. */
import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildChunk } from "../../test/kit/jfr/jfr-builder.ts";
import { type CpuSample, cpuChunk } from "../../test/kit/jfr/jfr-types.ts";
import { jsonOf, protobufOf } from "../../test/kit/otlp/otlp-message.ts";
import { pprofOf } from "../../test/kit/otlp/pprof-message.ts";
import { askCli, buildCli, callCli, ROOT, startCli } from "../../test/kit/run-cli.ts";

const SHOP = join(ROOT, "fixtures", "shop.jfr");
const expected = JSON.parse(readFileSync(join(ROOT, "fixtures", "shop.expected.json"), "utf8"));
const cpu = expected.profiles.cpu;

let folder: string;
let text: string;
let cut: string;
beforeAll(async () => {
  await buildCli();
  folder = await mkdtemp(join(tmpdir(), "spanflame-cli-"));
  text = join(folder, "notes.jfr");
  cut = join(folder, "cut.jfr");
  await writeFile(text, "These are no samples.\n");
  await writeFile(cut, readFileSync(join(ROOT, "fixtures", "shop-chunks.jfr")).subarray(0, -1000));
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

function sampleIn(method: string): CpuSample {
  return {
    stack: { frames: [{ className: null, method }] },
    thread: { javaName: "main", javaId: 1n, osName: "main", osId: 1n },
    weight: 1n,
    span: 1n,
    root: 1n,
  };
}

interface Info {
  files: { name: string; bytes: number; chunks: Record<string, unknown>[] }[];
  profiles: Record<string, unknown>[];
  gcPauses?: { count: number; nanos: number; longest: number; beyond: number };
  diagnostics: Record<string, unknown>[];
}
interface Rows {
  rows: Record<string, string | number>[];
}
interface Top {
  total: string;
  unit: string;
  frames: { name: string; self: string; total: string }[];
}

const DECIMAL = /^-?\d+$/;

describe("info", () => {
  it("has files, profiles and diagnostics, 64-bit numbers as strings", async () => {
    const info = await askCli<Info>("info", SHOP);
    expect(Object.keys(info)).toEqual(["schema", "files", "profiles", "remote", "doubts", "diagnostics"]);
    expect(info.diagnostics).toEqual([]);
    expect(info.files).toHaveLength(1);
    const file = info.files[0]!;
    expect([file.name, file.bytes]).toEqual(["shop.jfr", readFileSync(SHOP).length]);
    expect(file.chunks).toEqual([
      {
        version: "2.1",
        bytes: file.bytes,
        startUnixNano: expect.stringMatching(DECIMAL),
        durationNano: expect.stringMatching(DECIMAL),
        events: expect.objectContaining(expected.chunks[0]),
      },
    ]);
    expect(Object.keys(file.chunks[0]?.events as object)).not.toContain("jdk.Metadata");
    expect(info.profiles[0]).toMatchObject({
      type: "cpu",
      unit: "samples",
      events: { "datadog.ExecutionSample": cpu.samples },
      samples: cpu.samples,
      value: String(cpu.value),
      stacks: expect.any(Number),
      threads: expect.any(Number),
      samplesWithSpan: cpu.withSpan.samples,
    });
    expect(info.profiles.map(({ type }) => type)).toEqual(["cpu", "wall", "alloc-samples", "lock-contention"]);
  });

  it("sums up the pauses of the collector, where there are any", async () => {
    const paused = join(ROOT, "fixtures/recorded/jdk17-profile.jfr");
    const { gcPauses } = await askCli<Info>("info", paused);
    // As `jfr print --events jdk.GCPhasePause` has them: 4.88, 6.45 and 87.0 ms.
    expect(gcPauses).toEqual({ count: 3, nanos: expect.any(Number), longest: expect.any(Number), beyond: 0 });
    expect([gcPauses!.nanos, gcPauses!.longest].map((nanos) => (nanos / 1e6).toFixed(1))).toEqual(["98.4", "87.0"]);
    const { out } = await callCli(["info", paused]);
    expect(out.toString()).toContain("\nGC: 3 pauses, 98.4 ms in all, the longest 87 ms\n");
  });

  it("reads standard input for -", async () => {
    const { code, out } = await callCli(["info", "-", "--json"], { input: readFileSync(SHOP) });
    expect(code).toBe(0);
    const info: Info = JSON.parse(out.toString());
    expect([info.files[0]?.name, info.profiles[0]?.samples]).toEqual(["-", cpu.samples]);
  });

  it("reads a pipe by its name", async () => {
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const writer = spawn("cp", [SHOP, pipe]);
    const { code, out } = await callCli(["info", pipe, "--json"]);
    writer.kill();
    const info: Info = JSON.parse(out.toString());
    expect([code, info.files[0]?.name, info.profiles[0]?.samples]).toEqual([0, "pipe", cpu.samples]);
  });

  it.each([
    ["/dev/zero", "neither a file nor a pipe"],
    ["name-\ufffd.jfr", "not UTF-8"],
  ])("says why it does not read %s", async (path, why) => {
    const { code, err } = await callCli(["info", path]);
    expect([code, err]).toEqual([1, expect.stringContaining(why)]);
  });

  it("says what is wrong and where, and prints its object also when nothing could be read", async () => {
    const missing = join(folder, "missing.jfr");
    const { code, out } = await callCli(["info", text, missing, "--json"]);
    expect(code).toBe(1);
    const info: Info = JSON.parse(out.toString());
    expect(info.profiles).toEqual([]);
    expect(info.files.map(({ chunks }) => chunks)).toEqual([[], []]);
    expect(info.diagnostics).toHaveLength(2);
    for (const d of info.diagnostics) {
      expect(Object.keys(d).sort()).toEqual(["chunk", "code", "file", "message", "offset", "severity"]);
      expect(d.severity).toBe("error");
    }
    expect(info.diagnostics).toMatchObject([
      { code: "source.foreign", file: "notes.jfr", offset: 0, message: expect.stringContaining("plain text") },
      { code: "source.unreadable", file: missing, message: "there is no such file" },
    ]);
  });

  it("reads what is there of a cut file, and ends with 3 when one of two can be read", async () => {
    const { code, out } = await callCli(["info", cut, text, "--json"]);
    expect(code).toBe(3);
    const info: Info = JSON.parse(out.toString());
    expect(info.files.map(({ chunks }) => chunks.length)).toEqual([3, 0]);
    expect(info.diagnostics.map((d) => d.code)).toContain("jfr.chunk.truncated");
    expect(info.diagnostics.find((d) => d.code === "jfr.chunk.truncated")).toMatchObject({
      file: "cut.jfr",
      chunk: 2,
      offset: expect.any(Number),
    });
  });

  it("reads the recording that an OTLP profile carries, and says of one without that it has none", async () => {
    const paths = ["shop.pb", "shop.otlp", "none.json"].map((name) => join(folder, name));
    const payload = new Uint8Array(readFileSync(SHOP));
    const contents = [
      protobufOf({}, { format: "jfr", payload }),
      new Uint8Array(
        gzipSync(jsonOf([{ format: "jfr", payload: new Uint8Array(gzipSync(payload)), payloadFirst: true }])),
      ),
      jsonOf([{}]),
    ];
    for (const [i, path] of paths.entries()) await writeFile(path, contents[i]!);
    const { code, out } = await callCli(["info", ...paths, "--json"]);
    expect(code).toBe(3);
    const info: Info = JSON.parse(out.toString());
    expect(info.files.map(({ name, bytes, chunks }) => [name, bytes, chunks.length])).toEqual([
      ["shop.pb/original_payload[0]", payload.length, 1],
      ["shop.otlp/original_payload[0]", payload.length, 1],
      ["none.json", contents[2]!.length, 0],
    ]);
    // Both carry one recording.
    expect(info.profiles[0]).toMatchObject({ type: "cpu", samples: cpu.samples });
    expect(info.diagnostics).toMatchObject([
      { code: "source.copy", severity: "info", file: "shop.otlp/original_payload[0]" },
      { code: "otlp.no-recording", severity: "error", file: "none.json" },
    ]);
    expect((await callCli(["info", paths[2]!])).code).toBe(1);
  });

  it("is readable without --json too", async () => {
    const { code, out } = await callCli(["info", SHOP]);
    expect(code).toBe(0);
    expect(out.toString()).toMatch(/shop\.jfr[\s\S]*cpu: 150 samples[\s\S]*datadog\.ExecutionSample/);
  });
});

describe("the exit code", () => {
  const commands = [["info"], ["top", "--type", "cpu"], ["spans", "--type", "cpu"], ["convert", "-o", "-"]];
  const endOf = async (...args: string[]) => (await callCli(args)).code;

  it.each(commands)("of %s is 0 for all inputs, 3 for some, 1 for none, and 2 for wrong usage", async (...command) => {
    const missing = join(folder, "missing.jfr");
    expect(await endOf(...command, SHOP, SHOP)).toBe(0);
    for (const other of [missing, text]) {
      expect([other, await endOf(...command, SHOP, other)]).toEqual([other, 3]);
      expect([other, await endOf(...command, other)]).toEqual([other, 1]);
    }
    expect(await endOf(...command, SHOP, "--no-such-option")).toBe(2);
  });

  it.each(commands)("of %s is 0 for a damaged recording, and 3 with --strict", async (...command) => {
    expect(await endOf(...command, cut)).toBe(0);
    expect(await endOf(...command, cut, "--strict")).toBe(3);
    expect(await endOf(...command, SHOP, "--strict")).toBe(0);
  });
});

describe("a pipe", () => {
  it("that closes early ends the command without a word", async () => {
    const child = startCli(["info", ...Array(40).fill(SHOP), "--json", "-q"]);
    let err = "";
    child.stderr?.on("data", (text) => {
      err += text;
    });
    child.stdout?.once("data", () => child.stdout?.destroy());
    const code = await new Promise((resolve) => child.on("close", resolve));
    expect([code, err]).toEqual([0, ""]);
  });
});

describe("top", () => {
  it("has the total, the unit, and frames by self, then total", async () => {
    const top = await askCli<Top>("top", SHOP, "--type", "cpu", "--limit", "100000");
    expect([top.total, top.unit]).toEqual([String(cpu.value), "samples"]);
    const own = Object.fromEntries(top.frames.filter((f) => f.self !== "0").map((f) => [f.name, Number(f.self)]));
    const wanted = Object.entries(cpu.self as Record<string, { value: number }>).map(([name, { value }]) => [
      name,
      value,
    ]);
    expect(own).toEqual(Object.fromEntries(wanted));
    const order = top.frames.map((f) => [Number(f.self), Number(f.total)] as const);
    expect(order).toEqual(order.toSorted((a, b) => b[0] - a[0] || b[1] - a[1]));
    for (const f of top.frames) expect(Number(f.total)).toBeGreaterThanOrEqual(Number(f.self));
  });

  it("has a row for samples without a stack and no empty name: the rows add to the total", async () => {
    const path = join(folder, "unnamed.pprof");
    const samples = [
      { stack: ["", "main"], values: [3] },
      { stack: [], values: [5] },
      { stack: ["main"], values: [4] },
    ];
    await writeFile(path, pprofOf({ types: [["samples", "count"]], samples }));
    const { total, frames } = await askCli<Top>("top", path, "--type", "samples");
    expect(total).toBe("12");
    expect(frames.map(({ name, self }) => [name, self])).toEqual([
      ["(no stack)", "5"],
      ["main", "4"],
      ["(no name)", "3"],
    ]);
    expect((await askCli<Top>("top", path, "--type", "samples", "--limit", "1")).frames).toHaveLength(1);
  });

  it("has the profiler's own functions behind those of the application", async () => {
    const path = join(folder, "profiled.collapsed");
    await writeFile(path, "main;one.profiler.AsyncProfiler.execute0 9\nmain;com.acme.Cart.check 2\nmain 1\n");
    const { total, frames } = await askCli<Top>("top", path, "--type", "samples");
    expect(total).toBe("12");
    const names = ["com.acme.Cart.check", "main", "one.profiler.AsyncProfiler.execute0"];
    expect(frames.map(({ name }) => name)).toEqual(names);
    const cut = await askCli<Top>("top", path, "--type", "samples", "--limit", "2");
    expect(cut.frames.map(({ name }) => name)).toEqual(names.slice(0, 2));
  });

  it("is cut to its limit, and the total is not", async () => {
    const top = await askCli<Top>("top", SHOP, "--type", "cpu", "--limit", "2");
    expect([top.frames.length, top.total]).toEqual([2, String(cpu.value)]);
  });

  it("takes an id as decimal, as 0x-hex and as hex with a letter", async () => {
    const [id, cells] = Object.entries(expected.localRoots as Record<string, { cpu?: { value: number } }>).find(
      ([root, { cpu }]) => cpu !== undefined && /[a-f]/.test(BigInt(root).toString(16)),
    )!;
    const hex = BigInt(id).toString(16);
    for (const form of [id, `0x${hex}`, hex, hex.toUpperCase(), `0X${hex}`]) {
      const { total } = await askCli<Top>("top", SHOP, "--type", "cpu", "--local-root", form);
      expect([form, total]).toEqual([form, String(cells.cpu?.value)]);
    }
  });

  it("takes what is without a span, and nothing of that has one", async () => {
    const [span] = Object.keys(expected.spans as object);
    const totalOf = async (...filter: string[]) => {
      return (await askCli<Top>("top", SHOP, "--type", "cpu", "--no-span", ...filter)).total;
    };
    expect(await totalOf()).toBe(String(cpu.withoutIds.value));
    expect(await totalOf("--span", span!)).toBe("0");
    expect((await askCli<Rows>("spans", SHOP, "--type", "cpu", "--no-span")).rows).toEqual([]);
  });

  it("takes several ids, what is left out, threads, frames and a range of time", async () => {
    const totalOf = async (...filter: string[]) => {
      const { total } = await askCli<Top>("top", SHOP, "--type", "cpu", ...filter);
      return Number(total);
    };
    const roots = Object.entries(expected.localRoots as Record<string, { cpu?: { value: number } }>)
      .filter(([, cells]) => cells.cpu !== undefined)
      .slice(0, 2);
    const both = roots.reduce((sum, [, cells]) => sum + (cells.cpu?.value ?? 0), 0);
    expect(await totalOf(...roots.flatMap(([id]) => ["--local-root", id]))).toBe(both);
    const [thread, { value }] = Object.entries(cpu.threads as Record<string, { value: number }>)[0]!;
    expect(await totalOf("--thread", thread)).toBe(value);
    expect(await totalOf("--attr", `thread.name!=${thread}`)).toBe(cpu.value - value);
    expect(await totalOf("--frame", "no such function")).toBe(0);
    expect(await totalOf("--since", "1999-12-31")).toBe(cpu.value);
    expect(await totalOf("--since", "500000w")).toBe(cpu.value);
    expect(await totalOf("--until", "1999-12-31T23:59:59Z")).toBe(0);
    for (const wrong of [
      ["--frame", "a("],
      ["--frame", "(?=a)"],
      ["--frame", "(a)\\1"],
      ["--frame", "a".repeat(4001)],
      ["--since", "soon"],
    ]) {
      expect((await callCli(["top", SHOP, "--type", "cpu", ...wrong])).code).toBe(2);
    }
  });

  it("ends with a pattern that would backtrack without end", async () => {
    const path = join(folder, "backtracking.jfr");
    await writeFile(path, buildChunk(cpuChunk([sampleIn(`${"a".repeat(40)}!`), sampleIn("other")])).bytes);
    for (const [pattern, total] of [
      ["(a+)+$", "0"],
      ["(a|aa)+!$", "1"],
    ] as const) {
      expect(await askCli<Top>("top", path, "--type", "cpu", "--frame", pattern)).toMatchObject({ total });
    }
  });

  it("of a filter that leaves nothing is empty, and says so", async () => {
    const { code, out, err } = await callCli(["top", SHOP, "--type", "cpu", "--span", "1", "--json"]);
    expect([code, JSON.parse(out.toString())]).toEqual([0, { schema: 1, total: "0", unit: "samples", frames: [] }]);
    expect(err).toContain("no samples");
  });
});

describe("spans", () => {
  it("has a row for each span, with its root, heaviest first", async () => {
    const { rows } = await askCli<Rows>("spans", SHOP, "--type", "wall", "--by", "span");
    const wanted = Object.entries(
      expected.spans as Record<string, { root: string; wall?: { samples: number; value: number } }>,
    )
      .filter(([, { wall }]) => wall !== undefined)
      .map(([id, { root, wall }]) => [
        id,
        BigInt(id).toString(16).padStart(16, "0"),
        root,
        wall?.samples,
        String(wall?.value),
      ]);
    expect(rows.map((r) => [r.id, r.hex, r.root, r.samples, r.value]).sort()).toEqual(wanted.sort());
    const values = rows.map((r) => Number(r.value));
    expect(values).toEqual(values.toSorted((a, b) => b - a));
  });

  it("has a row for each local root, which is what it goes by without --by", async () => {
    const { rows } = await askCli<Rows>("spans", SHOP, "--type", "cpu");
    const wanted = Object.entries(expected.localRoots as Record<string, { cpu?: { value: number } }>).filter(
      ([, c]) => c.cpu,
    );
    expect(Object.fromEntries(rows.map((r) => [r.id, r.value]))).toEqual(
      Object.fromEntries(wanted.map(([id, c]) => [id, String(c.cpu?.value)])),
    );
    for (const row of rows) {
      expect(row.hex).toMatch(/^[0-9a-f]{16}$/);
      expect(row).not.toHaveProperty("root");
    }
  });

  it("has a row for each value of an attribute, under its key and without an id", async () => {
    const { rows } = await askCli<Rows>("spans", SHOP, "--type", "cpu", "--by", "attr:tenant");
    const tenants = Object.entries(cpu.attributes.tenant as Record<string, { samples: number; value: number }>);
    expect(rows.map((row) => [row.key, row.samples, row.value]).sort()).toEqual(
      tenants.map(([key, { samples, value }]) => [key, samples, String(value)]).sort(),
    );
    for (const row of rows) expect(row).not.toHaveProperty("id");
  });

  it("obeys filters and its limit", async () => {
    const operation = "operation=pricing.compute";
    const { rows } = await askCli<Rows>("spans", SHOP, "--type", "cpu", "--by", "attr:operation", "--attr", operation);
    expect(rows).toEqual([{ key: "pricing.compute", samples: 54, value: "59" }]);
    expect((await askCli<Rows>("spans", SHOP, "--type", "cpu", "--by", "span", "--limit", "3")).rows).toHaveLength(3);
    expect((await askCli<Rows>("spans", SHOP, "--type", "cpu", "--by", "attr:nothing")).rows).toEqual([]);
  });
});

describe("wrong usage", () => {
  it.each([
    ["no input", ["info"]],
    ["no input", ["top", "--type", "cpu"]],
    ["an unknown type", ["top", SHOP, "--type", "gpu"]],
    ["an unknown type", ["spans", SHOP, "--type", "gpu"]],
    ["an unknown order", ["spans", SHOP, "--type", "cpu", "--by", "weight"]],
    ["no attribute key", ["spans", SHOP, "--type", "cpu", "--by", "attr:"]],
    ["an id that is none", ["top", SHOP, "--type", "cpu", "--span", "12z"]],
    ["an id of more than 64 bits", ["top", SHOP, "--type", "cpu", "--span", "18446744073709551616"]],
    ["the id 0", ["top", SHOP, "--type", "cpu", "--local-root", "0"]],
    ["an attribute without a value", ["top", SHOP, "--type", "cpu", "--attr", "tenant"]],
    ["a limit that is no number", ["top", SHOP, "--type", "cpu", "--limit", "many"]],
    ["an option that there is not", ["info", SHOP, "--verbose"]],
    ["- twice", ["info", "-", "-"]],
  ])("%s ends with 2, a reason and nothing on standard output", async (_, args) => {
    const { code, out, err } = await callCli(args);
    expect([code, out.toString()]).toEqual([2, ""]);
    expect(err).toMatch(/^spanflame: ./);
    expect(err).not.toContain("    at ");
  });
});
