/**
 * pprof profiles, built and as Go writes them: one profile per sample type, Datadog's labels where the store has them.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import type { Core } from "../../../src/core/core.ts";
import { readInputs } from "../../../src/input/open.ts";
import { codes, emptyCore } from "../../kit/core/read-store.ts";
import { need } from "../../kit/needs.ts";
import { delimited } from "../../kit/otlp/otlp-encode.ts";
import { flatten, readOtlp } from "../../kit/otlp/otlp-schema.ts";
import { type PprofSpec, pprofOf, type SampleSpec } from "../../kit/otlp/pprof-message.ts";
import { readPprof } from "../../kit/otlp/pprof-schema.ts";
import { resolve } from "../../kit/otlp/resolve.ts";

async function read(...files: Uint8Array[]): Promise<Core> {
  const core = await emptyCore();
  await readInputs(
    core,
    files.map((bytes, i) => ({ name: `${i}.pprof`, source: bytesSource(bytes) })),
  );
  return core;
}

const CPU: PprofSpec["types"] = [
  ["samples", "count"],
  ["cpu", "nanoseconds"],
];
const totals = (core: Core) => core.profiles().map(({ type, unit, samples, value }) => [type, unit, samples, value]);
const labelled = (labels: SampleSpec["labels"]) =>
  pprofOf({
    types: [["cpu-time", "nanoseconds"]],
    samples: [{ stack: ["work", "main"], values: [5], labels: labels ?? {} }],
  });
const SPAN = 0xf123456789abcdefn;
const ROOT = 0x8000000000000001n;

describe("a location without a function", () => {
  it("is called by the end of its file's name, of which at most 255 bytes are searched", async () => {
    const types: PprofSpec["types"] = [["samples", "count"]];
    const samples = [{ stack: [[]], values: [1] }];
    const nameIn = async (mapping: string) => {
      const core = await read(pprofOf({ types, samples, mapping }));
      const { bytes } = core.write(core.profiles()[0]?.id ?? null, {}, { format: "collapsed" });
      return new TextDecoder().decode(bytes);
    };
    expect(await nameIn("/usr/lib/libc.so")).toBe("libc.so+0x64 1\n");
    expect(await nameIn(`/usr/${"x".repeat(1_000)}.so`)).toBe(`${"x".repeat(252)}.so+0x64 1\n`);
    // A character that would be cut is left out.
    expect(await nameIn(`${"é".repeat(500)}.s`)).toBe(`${"é".repeat(126)}.s+0x64 1\n`);
  });
});

describe("functions without an id", () => {
  const string = (text: string) => delimited(6, new TextEncoder().encode(text));
  const location = (id: number, fn: number) => delimited(4, [8, id, ...delimited(4, [8, fn])]);
  const fn = (id: number, name: number) => delimited(5, [8, id, 16, name]);
  const head = [
    ...delimited(1, [8, 1, 16, 2]),
    ...delimited(2, [...delimited(1, [7, 9]), ...delimited(2, [5])]),
    ...["", "cpu", "nanoseconds", "leaf", "root"].flatMap(string),
  ];
  const shown = async (tables: number[]) => {
    const core = await read(new Uint8Array([...head, ...tables]));
    const { bytes } = core.write(core.profiles()[0]?.id ?? null, {}, { format: "collapsed" });
    return [new TextDecoder().decode(bytes), ...codes(core)];
  };

  it("are those of the locations in their order, if there are as many", async () => {
    const tables = [...location(9, 9), ...location(7, 7), ...fn(0, 4), ...fn(0, 3)];
    expect(await shown(tables)).toEqual(["root;leaf 5\n", "pprof.functions.numbered"]);
  });

  it("are named as the fault otherwise", async () => {
    const fewer = [...location(9, 9), ...location(7, 7), ...fn(0, 4)];
    expect(await shown(fewer)).toContain("pprof.function.zero");
    const some = [...location(9, 9), ...location(7, 7), ...fn(9, 4), ...fn(0, 3)];
    expect((await shown(some)).slice(1)).toEqual(["pprof.function.zero", "pprof.function.unknown"]);
  });

  it("are not those of locations that have none either", async () => {
    const tables = [...location(0, 0), ...location(0, 0), ...fn(0, 4), ...fn(0, 3)];
    expect((await shown(tables)).slice(1)).toEqual(
      expect.arrayContaining(["pprof.function.zero", "pprof.location.zero"]),
    );
  });

  const mapping = (id: number, start: number) => delimited(3, [8, id, 16, start, 24, 100]);
  it.each([
    [
      "a function",
      [...location(9, 1), ...location(7, 2), ...fn(1, 4), ...fn(2, 3), ...fn(1, 3)],
      ["pprof.function.twice"],
    ],
    [
      "a location",
      [...location(9, 1), ...location(7, 2), ...location(9, 2), ...fn(1, 4), ...fn(2, 3)],
      ["pprof.location.twice"],
    ],
    [
      "a mapping",
      [...mapping(1, 1), ...mapping(1, 2), ...location(9, 1), ...location(7, 2), ...fn(1, 4), ...fn(2, 3)],
      ["pprof.mapping.twice"],
    ],
    [
      "a mapping of id 0",
      [...mapping(0, 1), ...location(9, 1), ...location(7, 2), ...fn(1, 4), ...fn(2, 3)],
      ["pprof.mapping.zero"],
    ],
    ["an equal function", [...location(9, 1), ...location(7, 2), ...fn(1, 4), ...fn(2, 3), ...fn(1, 4)], []],
  ])("of %s that is there twice are named, and the first counts", async (_, tables, found) => {
    const [stacks, ...named] = await shown(tables);
    expect(named).toEqual(found);
    expect(stacks).toMatch(/^(root;leaf|leaf;root) 5\n$/);
  });
});

describe("a pprof profile", () => {
  const spec: PprofSpec = {
    types: CPU,
    samples: [
      { stack: ["leaf", "main"], values: [3, 30_000_000n] },
      {
        stack: [["inlined", "caller"], "main"],
        values: [1, 10_000_000n],
        labels: { tenant: "acme", bytes: [512, "bytes"] },
      },
      { stack: ["idle"], values: [0, 0] },
      { stack: ["leaf", "main"], values: [0, 7n] },
    ],
    period: ["cpu", "nanoseconds", 10_000_000],
    comments: ["first", "second"],
    defaultType: "cpu",
    timeNanos: "1700000000000000000",
    durationNanos: "10000000000",
  };

  it("is one profile per sample type, without the values that are 0", async () => {
    for (const bytes of [pprofOf(spec), new Uint8Array(gzipSync(pprofOf(spec)))]) {
      const core = await read(bytes);
      expect(codes(core)).toEqual([]);
      expect(totals(core)).toEqual([
        ["samples", "count", 3, 4n],
        ["cpu", "nanoseconds", 3, 40_000_007n],
      ]);
      expect(core.profiles()[1]).toMatchObject({ periodType: "cpu", periodUnit: "nanoseconds", period: 10_000_000n });
      expect(core.files()).toMatchObject([{ format: "pprof", messages: [{ samples: 4 }] }]);
    }
  });

  it("shows inlined functions as frames, and filters by label", async () => {
    const core = await read(pprofOf(spec));
    const id = core.profiles()[1]?.id ?? 0;
    core.select(id, {});
    expect(core.views.top("self", 0, 9).rows.map(({ name, self, total }) => [name, self, total])).toEqual([
      ["leaf", 30_000_007n, 30_000_007n],
      ["inlined", 10_000_000n, 10_000_000n],
      ["main", 0n, 40_000_007n],
      ["caller", 0n, 10_000_000n],
    ]);
    expect(core.select(id, { attributes: [{ key: "tenant", value: "acme" }] }).value).toBe(10_000_000n);
    expect(core.select(id, { attributes: [{ key: "bytes", value: "512" }] }).value).toBe(10_000_000n);
  });

  it("knows the file of a function, with lines too, unless functions of its name are in several", async () => {
    const files = async (lines: boolean, ...read_: Uint8Array[]) => {
      const core = await read(...read_);
      core.select(core.profiles()[0]?.id ?? 0, {});
      core.views.shape({ from: "", merged: [], recursion: "kept", lines });
      const { names, nameIds } = core.views.frames({ focus: 0, width: 1000 }).frames;
      return Object.fromEntries(names.map((name, i) => [name, core.views.fileOf(nameIds[i] ?? 0)]));
    };
    const moved = pprofOf({ ...spec, files: { leaf: "b.go", idle: "" } });
    expect(await files(false, moved)).toEqual({
      "": "",
      leaf: "b.go",
      main: "a.go",
      inlined: "a.go",
      caller: "a.go",
    });
    expect(await files(true, moved)).toMatchObject({ "leaf:10": "b.go", "caller:11": "a.go" });
    expect(await files(false, moved, pprofOf(spec))).toMatchObject({ leaf: "", main: "a.go" });
  });

  it("is an OTLP message under the names of semantic conventions", async () => {
    const { bytes } = (await read(pprofOf(spec))).write(null, {}, { format: "otlp" });
    const lines = resolve(bytes);
    for (const said of [
      "pprof.profile.comment",
      "pprof.scope.default_sample_type",
      "pprof.mapping.has_functions",
      "abc123",
    ])
      expect(lines.join("\n")).toContain(said);
    const again = await read(bytes);
    expect(codes(again)).toEqual([]);
    expect(resolve(again.write(null, {}, { format: "otlp" }).bytes)).toEqual(lines);
  });

  it("has a build id of Go under its own name, and pprof has it again", async () => {
    const buildId = "k1a_B-2/x/y/z9";
    const core = await read(pprofOf({ ...spec, buildId }));
    const { bytes } = core.write(null, {}, { format: "otlp" });
    expect(resolve(bytes).join()).toContain(`process.executable.build_id.go\\",{\\"stringValue\\":\\"${buildId}`);
    for (const each of [core, await read(bytes)]) {
      const { mappings } = readPprof(each.write(null, {}, { format: "pprof" }).bytes);
      expect(mappings[0]?.buildId).toBe(buildId);
    }
  });

  it("adds to an equal one, and stands beside another", async () => {
    const other = pprofOf({ types: [["cpu", "nanoseconds"]], samples: [{ stack: ["a"], values: [1] }] });
    expect(totals(await read(pprofOf(spec), pprofOf({ ...spec, timeNanos: "9" }), other))).toEqual([
      ["samples", "count", 6, 8n],
      ["cpu", "nanoseconds", 6, 80_000_014n],
      ["cpu:nanoseconds", "nanoseconds", 1, 1n],
    ]);
  });
});

describe("Datadog's labels", () => {
  it.each([
    ["Go: ids as text", { "span id": SPAN.toString(), "local root span id": ROOT.toString() }],
    ["Python: ids as numbers", { "span id": SPAN, "local root span id": ROOT }],
  ])("are the link — %s", async (_, labels) => {
    const core = await read(labelled({ ...labels, "trace endpoint": "GET /x" }));
    const [profile] = core.profiles();
    expect(profile).toMatchObject({
      samplesWithSpan: 1,
      samplesWithRoot: 1,
      samplesWithAttribute: { "trace endpoint": 1 },
    });
    expect(core.select(0xfff, {}).value).toBe(0n);
    for (const filter of [{ span: SPAN }, { localRoot: ROOT }])
      expect(core.select(profile?.id ?? 0, filter).value).toBe(5n);
    core.select(profile?.id ?? 0, {});
    expect(core.views.rank({ kind: "span" }, 0, 9).rows).toMatchObject([{ id: SPAN, root: ROOT }]);
  });

  it.each([
    ["Ruby", { "thread id": "12345 (8)", "thread name": "puma 1" }, "12345 (8)"],
    ["Python", { "thread id": 77n, "thread native id": 4, "thread name": "puma 1" }, "77"],
  ])("are the thread: %s", async (_, labels, id) => {
    const core = await read(labelled(labels));
    expect(core.profiles()[0]).toMatchObject({ threads: 1 });
    for (const [key, value] of [
      ["thread.name", "puma 1"],
      ["thread.id", id],
    ] as const)
      expect(core.select(null, { attributes: [{ key, value }] }).value).toBe(5n);
  });

  it("are the time of a sample; samples without one have none in OTLP", async () => {
    const time = 1_700_000_000_123_456_789n;
    for (const label of ["end_timestamp_ns", "timestamp_ns"]) {
      const [line] = resolve((await read(labelled({ [label]: time }))).write(null, {}, { format: "otlp" }).bytes);
      expect(JSON.parse(line ?? "").slice(-2)).toEqual(["5", time.toString()]);
    }
    const [line] = resolve((await read(labelled({}))).write(null, {}, { format: "otlp" }).bytes);
    expect(JSON.parse(line ?? "").slice(-2)).toEqual(["5", null]);
  });

  it("of an id that is none stay attributes", async () => {
    for (const text of ["abc", "18446744073709551616", "99999999999999999999"]) {
      const core = await read(labelled({ "span id": text }));
      expect(core.profiles()[0]).toMatchObject({ samplesWithSpan: 0, samplesWithAttribute: { "span id": 1 } });
    }
  });
});

describe("labels of Splunk and Pyroscope", () => {
  const TRACE = "640f0b2a000000008000000000000001";
  const linkOf = async (labels: SampleSpec["labels"]) => {
    const { bytes } = (await read(labelled(labels))).write(null, {}, { format: "otlp" });
    const { link, attributes } = flatten(readOtlp(bytes))[0]?.samples[0] ?? {};
    return { link: link && `${link.traceId}/${link.spanId}`, attributes };
  };

  it("are a Link with 128 bits, and the thread", async () => {
    expect(
      await linkOf({
        span_id: "F123456789abcdef",
        trace_id: TRACE,
        "thread.name": "main",
        "thread.id": 7n,
        other: "x",
      }),
    ).toEqual({
      link: `${TRACE}/f123456789abcdef`,
      attributes: { "thread.name": "main", "thread.id": 7n, other: "x" },
    });
    const core = await read(labelled({ span_id: "f123456789abcdef", trace_id: TRACE }));
    expect(core.profiles()[0]).toMatchObject({ samplesWithSpan: 1, samplesWithRoot: 1, samplesWithAttribute: {} });
  });

  it.each([
    ["trace id", "span id"],
    ["otel.traceid", "otel.spanid"],
    ["otel.trace_id", "otel.span_id"],
    ["traceId", "spanId"],
    ["TRACE-ID", "Span_ID"],
  ])("have the names %s and %s as well", async (trace, span) => {
    const link = `${TRACE}/f123456789abcdef`;
    expect(await linkOf({ [span]: "f123456789abcdef", [trace]: TRACE })).toEqual({ link, attributes: {} });
  });

  it("have names that the user gives", async () => {
    const labels = { request: TRACE, step: "f123456789abcdef" };
    expect(await linkOf(labels)).toMatchObject({ attributes: labels });
    const core = await emptyCore();
    core.idNames({ trace: ["other", "request"], span: "step" });
    expect(await linkOf(labels)).toEqual({ link: `${TRACE}/f123456789abcdef`, attributes: {} });
    (await emptyCore()).idNames({});
    expect(await linkOf(labels)).toMatchObject({ attributes: labels });
  });

  it("leave a local root its place, and are attributes where they are no ids", async () => {
    const root = { "local root span id": ROOT, span_id: "f123456789abcdef" };
    expect(await linkOf({ ...root, trace_id: TRACE })).toEqual({
      link: "00000000000000008000000000000001/f123456789abcdef",
      attributes: { trace_id: TRACE },
    });
    for (const span_id of ["", "xyz", "0000000000000000", TRACE]) {
      const { link, attributes } = await linkOf({ span_id, trace_id: "-" });
      expect(link ?? null).toBeNull();
      expect(attributes).toMatchObject({ trace_id: "-" });
    }
  });
});

describe("profile_id, as older profilers for Pyroscope write it", () => {
  const ID = "8000000000000001";
  const rowsOf = async (labels: SampleSpec["labels"]) => {
    const core = await read(labelled(labels));
    const found = core.select(core.profiles()[0]?.id ?? -1, { localRoot: ROOT }).samples;
    return { found, ...core.profiles()[0]?.samplesWithAttribute };
  };

  it("is the local root of a sample without other ids", async () => {
    expect(await rowsOf({ profile_id: ID, span_name: "GET /" })).toEqual({ found: 1, span_name: 1 });
    expect(await rowsOf({ profile_id: ID, span_id: "f123456789abcdef" })).toEqual({ found: 1 });
  });

  it("is an attribute beside a root or a trace id, and where it is no id of a span", async () => {
    expect(await rowsOf({ profile_id: ID, "local root span id": 7n })).toEqual({ found: 0, profile_id: 1 });
    expect(await rowsOf({ "local root span id": 7n, profile_id: ID })).toEqual({ found: 0, profile_id: 1 });
    const trace_id = "640f0b2a00000000800000000000000f";
    expect(await rowsOf({ profile_id: ID, trace_id, span_id: ID })).toEqual({ found: 0, profile_id: 1 });
    for (const profile_id of ["7", `${ID}${ID}`, "7c9e6679-7425-40de-944b-e07fc1f90ae7", "0000000000000000"]) {
      expect(await rowsOf({ profile_id })).toEqual({ found: 0, profile_id: 1 });
    }
  });
});

describe("what Go's own profiler writes", () => {
  const isThere = (() => {
    try {
      return execFileSync("go", ["version"], { stdio: "pipe" }).length > 0;
    } catch {
      return false;
    }
  })();

  need(isThere, "no go on the PATH").it(
    "reads with its labels",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "spanflame-pprof-"));
      try {
        writeFileSync(join(folder, "go.mod"), "module profiled\ngo 1.20\n");
        writeFileSync(join(folder, "main.go"), readFileSync(new URL("../../kit/profiled.go.txt", import.meta.url)));
        execFileSync("go", ["run", ".", folder], { cwd: folder, stdio: "pipe" });
        const cpu = await read(new Uint8Array(readFileSync(join(folder, "cpu.pprof"))));
        expect(codes(cpu)).toEqual([]);
        expect(totals(cpu).map(([type]) => type)).toEqual(["samples", "cpu"]);
        const [, profile] = cpu.profiles();
        expect(profile?.samplesWithSpan).toBeGreaterThan(0);
        expect(cpu.select(profile?.id ?? 0, { localRoot: 81985529216486895n }).value).toBeGreaterThan(0n);
        expect(cpu.views.top("self", 0, 99).rows.map(({ name }) => name)).toContain("main.work");
        const heap = await read(new Uint8Array(readFileSync(join(folder, "heap.pprof"))));
        expect(codes(heap)).toEqual([]);
        expect(totals(heap).map(([type]) => type)).toEqual([
          "alloc_objects",
          "alloc_space",
          "inuse_objects",
          "inuse_space",
        ]);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    120_000,
  );
});
