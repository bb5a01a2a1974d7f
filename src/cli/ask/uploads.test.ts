/** Uploads of Datadog's profilers, as those for Go and Ruby build them: requests, figures, several in a zip. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { zipSync } from "fflate";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pprofOf } from "../../../test/kit/otlp/pprof-message.ts";
import { askCli, buildCli, callCli } from "../../../test/kit/run-cli.ts";
import { TRACE_WRITERS } from "../../../test/kit/trace-writer.ts";

const OUT = mkdtempSync(join(tmpdir(), "spanflame-uploads-"));
afterAll(() => rmSync(OUT, { recursive: true }));

/** An upload of a minute: two requests have samples, and five of /cart were counted. */
function upload(minute: number, process: string, cpu: number): Record<string, Uint8Array> {
  const labels = (root: number) => ({ "local root span id": root, "trace endpoint": "GET /cart" });
  const pprof = pprofOf({
    types: [["cpu-time", "nanoseconds"]],
    samples: [1, 2].map((root) => ({ stack: ["work"], values: [cpu], labels: labels(10 * minute + root) })),
  });
  const event = {
    attachments: ["cpu.pprof", "metrics.json"],
    tags_profiler: `service:shop,runtime-id:${process},host:h1,language:go,git.commit.sha:abc,team:core`,
    start: `2026-11-20T08:0${minute}:00.000000000Z`,
    end: `2026-11-20T08:0${minute + 1}:00.000000000Z`,
    family: "go",
    version: "4",
    endpoint_counts: { "GET /cart": 5, "GET /health": 3 },
  };
  return {
    "cpu.pprof": pprof,
    "metrics.json": Buffer.from(
      JSON.stringify([
        ["go_gcs_per_sec", 0.25],
        ["go_num_goroutine", 12 + minute],
      ]),
    ),
    "event.json": Buffer.from(JSON.stringify(event)),
  };
}

const within = (folder: string, files: Record<string, Uint8Array>) =>
  Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`${folder}/${name}`, bytes]));

beforeAll(async () => {
  await buildCli();
  // By name the later one is first.
  const files = { ...within("two/a", upload(2, "p1", 4_000_000)), ...within("two/b", upload(1, "p1", 2_000_000)) };
  const single = { ...within("old", upload(1, "p1", 1_000_000)), ...within("new", upload(1, "p2", 5_000_000)) };
  for (const [name, bytes] of Object.entries({ ...files, ...single })) {
    mkdirSync(dirname(join(OUT, name)), { recursive: true });
    writeFileSync(join(OUT, name), bytes);
  }
  writeFileSync(
    join(OUT, "two.zip"),
    zipSync({ ...within("a", upload(2, "p1", 4)), ...within("b", upload(1, "p2", 2)) }),
  );
  mkdirSync(join(OUT, "python"));
  for (const [name, bytes] of Object.entries(LIBRARIES)) writeFileSync(join(OUT, "python", name), bytes);
  writeFileSync(join(OUT, "python.zip"), zipSync(LIBRARIES));
}, 120_000);

const SITE = "/app/lib/python3.12/site-packages";
/** An upload of Python's profiler: a function of a library is running in one sample, the application in another. */
const LIBRARIES: Record<string, Uint8Array> = {
  "auto.pprof": pprofOf({
    types: [["cpu-time", "nanoseconds"]],
    samples: [
      { stack: ["send", "checkout"], values: [3_000_000] },
      { stack: ["checkout"], values: [1_000_000] },
    ],
    files: { send: `${SITE}/requests/sessions.py`, checkout: "/srv/shop/app.py" },
  }),
  "event.json": Buffer.from(JSON.stringify({ attachments: ["auto.pprof"], tags_profiler: "service:till" })),
  "code-provenance.json": Buffer.from(
    JSON.stringify({ v1: [{ kind: "library", name: "requests", version: "2.31.0", paths: [`${SITE}/requests`] }] }),
  ),
};

interface Row {
  key: string;
  samples: number;
  requests: number;
  value: string;
}

it("counts the requests of an endpoint that have no sample, too", async () => {
  const args = ["--type", "cpu-time", "--by", "endpoint"];
  const { rows } = await askCli<{ rows: Row[] }>("spans", join(OUT, "two"), ...args);
  expect(rows).toEqual([
    { key: "GET /cart", samples: 4, requests: 10, value: "12000000" },
    { key: "GET /health", samples: 0, requests: 6, value: "0" },
  ]);
  const { out } = await callCli(["spans", join(OUT, "two"), ...args]);
  expect(out.toString()).toMatch(
    /^12 ms +4 +10 requests +1\.2 ms each +GET \/cart\n +0 ns +0 +6 requests +0 ns each +GET \/health\n$/,
  );
  const { out: first } = await callCli(["spans", join(OUT, "two"), ...args, "--limit", "1"]);
  expect(first.toString()).toBe("12 ms  4  10 requests  1.2 ms each  GET /cart\n");
  // Of a single request, the counts of the whole file say nothing.
  const one = await askCli<{ rows: Row[] }>("spans", join(OUT, "two"), ...args, "--local-root", "11");
  expect(one.rows[0]?.requests).toBe(1);
});

it("compares for each request that was counted", async () => {
  const args = ["--type", "cpu-time", "--per", "request", "--by", "endpoint"];
  const answer = await askCli<{ a: { requests: number }; caveats: string[] }>(
    "diff",
    join(OUT, "old"),
    join(OUT, "new"),
    ...args,
  );
  expect(answer.a.requests).toBe(8);
  expect(answer.caveats.join()).not.toContain("without a sample");
});

it("has figures of the profiler and all tags, and nothing is wrong", async () => {
  const { code, out, err } = await callCli(["info", join(OUT, "old")]);
  expect([code, err]).toEqual([0, ""]);
  for (const line of ["go_gcs_per_sec: 0.25", "team: core", "vcs.ref.head.revision: abc", "service.instance.id: p1"])
    expect(out.toString()).toContain(`  ${line}\n`);
});

it("reads the uploads of a folder in the order of their times", async () => {
  const { files } = await askCli<{ files: { name: string; figures: object }[] }>("info", join(OUT, "two"));
  expect(files.map(({ name }) => name)).toEqual(["two/b/cpu.pprof", "two/a/cpu.pprof"]);
  expect(files[1]?.figures).toEqual({ go_gcs_per_sec: 0.25, go_num_goroutine: 14 });
});

it("keeps the uploads of an archive apart", async () => {
  const { files } = await askCli<{ files: { name: string; resource: Record<string, string>; figures: object }[] }>(
    "info",
    join(OUT, "two.zip"),
  );
  expect(files.map(({ resource, figures }) => [resource["service.instance.id"], Object.values(figures)[1]])).toEqual([
    ["p1", 14],
    ["p2", 13],
  ]);
});

it.each(["python", "python.zip"])("groups by the library that was running: %s", async (name) => {
  const input = join(OUT, name);
  const { rows } = await askCli<{ rows: Row[] }>("spans", input, "--type", "cpu-time", "--by", "library");
  expect(rows.map(({ key, value }) => [key, value])).toEqual([["requests", "3000000"]]);
  const type = ["--type", "cpu-time"];
  const top = await askCli<{ total: string }>("top", input, ...type, "--attr", "library.version=2.31.0");
  expect(top.total).toBe("3000000");
  const collapsed = ["--format", "collapsed", "--root-by", "library"];
  const { out } = await callCli(["convert", input, "-o", "-", ...type, ...collapsed]);
  expect(out.toString().trim().split("\n").sort()).toEqual([
    "(no library);checkout 1000000",
    "requests;checkout;send 3000000",
  ]);
  const message = await callCli(["convert", input, "-o", "-", "--format", "otlp-json"]);
  expect(message.out.toString()).toMatch(/"2\.31\.0"/);
  expect((await callCli(["validate", "-", "--strict"], { input: message.out })).code).toBe(0);
});

it("counts a sample of several profiles once in the lines of a trace", async () => {
  const begin = BigInt(Date.UTC(2026, 10, 20, 8)) * 1_000_000n;
  const labels = { "local root span id": 7, "span id": 7 };
  const types: [string, string][] = [
    ["goroutines", "count"],
    ["sockets", "count"],
    ["handles", "count"],
  ];
  const samples = [1, 2].map((i) => ({ stack: [`work${i}`], values: [i, i, i], labels }));
  const input = join(OUT, "several.pprof");
  writeFileSync(input, pprofOf({ types, samples, timeNanos: String(begin), durationNanos: "60000000000" }));
  const span = { trace: 7n, parent: 0n, thread: "main", kind: "server" as const };
  const spans = [
    { ...span, id: 7n, name: "GET /cart", start: begin, duration: 2_000_000_000n },
    { ...span, id: 8n, parent: 7n, name: "inner", start: begin, duration: 1_000_000_000n },
  ];
  const traces = join(OUT, "several.json");
  writeFileSync(traces, TRACE_WRITERS["otlp-json"]!(spans));
  const { out } = await callCli(["trace", input, "--trace", traces]);
  expect(out.toString()).toContain("GET /cart  — 2 samples\n");
  // No sample has a time, so no command can ask for those of that time.
  const { err } = await callCli(["why", input, "--trace", traces, "--span", "8"]);
  expect(err).not.toContain("what the process did then");
});
