/**
 * Every place that shows a figure shows the same one: the page's answers, `spans`, `trace`, `why`, `top`, `query` and
 * the report, for every recording of the fixtures, by itself and with each trace file beside it.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bytesSource } from "../../src/bytes/byte-source.ts";
import type { Core } from "../../src/core/core.ts";
import type { ProfileSummary } from "../../src/core/types.ts";
import { readInputs } from "../../src/input/open.ts";
import { explorerTabs } from "../../src/model/lists/explorer.ts";
import { durationWords } from "../../src/model/trace/operation-words.ts";
import { durationsOf } from "../../src/model/trace/operations.ts";
import { roundPercent } from "../../src/model/why/sentence.ts";
import { formatCount, formatNanos } from "../../src/model/words/format.ts";
import { loadPatterns } from "../../src/pattern/pattern.ts";
import { SpanRequests } from "../../src/worker/span-requests.ts";
import { inferContexts, readTraces } from "../../src/worker/trace-reading.ts";
import { Traces } from "../../src/worker/traces-session.ts";
import { DUCKDB } from "../kit/needs.ts";
import { emptyCore } from "../kit/read-store.ts";
import { askCli, buildCli, ROOT, runCli } from "../kit/run-cli.ts";

const FIXTURES = join(ROOT, "fixtures");
const MOST = 1_000_000;
const folder = mkdtempSync(join(tmpdir(), "spanflame-figures-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Case {
  recording: string;
  /** A file of the same folder; null for none. */
  trace: string | null;
}

const recordings = ["traces", "recorded", "."].flatMap((dir) =>
  readdirSync(join(FIXTURES, dir))
    .filter((name) => name.endsWith(".jfr"))
    .map((name) => join(dir, name)),
);
const isTraceFile = /\.(?:otlp|jaeger|zipkin|datadog)\./;
const tracesOf = (recording: string) => {
  const stem = recording.slice(recording.indexOf("/") + 1, -"jfr".length);
  const names = recording.startsWith("traces/") ? readdirSync(join(FIXTURES, "traces")) : [];
  return names.filter((name) => name.startsWith(stem) && isTraceFile.test(name)).map((name) => join("traces", name));
};
const cases = recordings.flatMap((recording): Case[] =>
  [null, ...tracesOf(recording)].map((trace) => ({ recording, trace })),
);

function grouped<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}

/** The recording as the page has it. */
async function pageOf({ recording, trace }: Case, isInferred = false): Promise<{ core: Core; spans: SpanRequests }> {
  const core = await emptyCore();
  const bytes = (name: string) => readFileSync(join(FIXTURES, name));
  const files = await readTraces(core, trace === null ? [] : [{ name: trace, blob: new Blob([bytes(trace)]) }]);
  if (isInferred) await inferContexts(core, files);
  await readInputs(core, [{ name: recording, source: bytesSource(bytes(recording)) }]);
  return { core, spans: new SpanRequests(await Traces.of(core, files.files, () => core), () => core) };
}

const inputs = ({ recording, trace }: Case) => [
  join(FIXTURES, recording),
  ...(trace === null ? [] : ["--trace", join(FIXTURES, trace)]),
];

const endpointOf = (profile: ProfileSummary) => explorerTabs(profile).find(({ name }) => name === "endpoint");
const hasRoots = ({ samplesWithRoot, inferredRoot = 0 }: ProfileSummary) => samplesWithRoot + inferredRoot > 0;

beforeAll(async () => {
  await buildCli();
  await loadPatterns();
}, 120_000);

describe.each(cases)("$recording with $trace", (of) => {
  it("operations and traces have the durations of their spans in every place", async () => {
    const { core, spans } = await pageOf(of);
    const { source, rows } = await spans.ask("operations", ["operation", false, 0, MOST]);
    if (source === "roots") return;
    const named = new Map(rows.map((row) => [row.operation, [row.spans, row.p50, row.p95, row.max]]));
    const traced = await askCli<{
      spans: { name: string; traceId: string; startUnixNano: string; durationNano: string }[];
    }>("trace", ...inputs(of));
    const lengths = grouped(traced.spans, ({ name }) => name);
    const counted = [...lengths].map(([name, own]) => {
      const { spans: count, p50, p95, max } = durationsOf(BigInt64Array.from(own, (each) => BigInt(each.durationNano)));
      return [name, [count, Number(p50), Number(p95), Number(max)]] as const;
    });
    expect(new Map(counted)).toEqual(named);
    type Listed = Record<"operation" | "key" | "p50Nano" | "p95Nano" | "maxNano", string> & { spans: number | null };
    const listed = await askCli<{ rows: Listed[] }>(
      ...["spans", ...inputs(of), "--by", "operation", "--type", core.profiles()[0]?.type ?? "wall"],
    );
    const known = listed.rows
      .filter((row) => row.spans !== null)
      .map(
        (row) =>
          [row.operation ?? row.key, [row.spans, ...[row.p50Nano, row.p95Nano, row.maxNano].map(Number)]] as const,
      );
    for (const [name, figures] of known) expect([name, figures]).toEqual([name, named.get(name)]);
    expect(known.length).toBeGreaterThanOrEqual(of.trace === null ? 1 : named.size);
    const list = await spans.ask("list", ["start", false, 0, MOST]);
    const ends = grouped(traced.spans, ({ traceId }) => traceId);
    for (const { trace, duration, spans: count } of list.rows) {
      const own = ends.get(trace) ?? [];
      const starts = own.map((each) => BigInt(each.startUnixNano));
      const last = own.map((each) => BigInt(each.startUnixNano) + BigInt(each.durationNano));
      const extent = last.reduce((a, b) => (a > b ? a : b)) - starts.reduce((a, b) => (a < b ? a : b));
      expect([trace, duration, count]).toEqual([trace, Number(extent), own.length]);
    }
  }, 60_000);

  it("the longest request has one duration and one division of its time", async () => {
    const { core, spans } = await pageOf(of, true);
    const [longest] = (await spans.ask("choiceTime", [{}, {}]).catch(() => null))?.longest ?? [];
    if (longest === undefined || !core.profiles().some(hasRoots)) return;
    type Told = {
      sentence: string;
      requests: { durationNano: string; breakdown: { part: string; nano: string; samples: number }[] } | null;
    };
    const [profile] = core.profiles().filter((each) => {
      return core.select(each.id, { localRoot: longest.id }).samples > 0;
    });
    if (profile === undefined) return;
    const page = await spans.ask("choiceTime", [{}, { localRoot: longest.id }]);
    const told = await askCli<Told>("why", ...inputs(of), "--local-root", String(longest.id));
    if (page === null || told.requests === null) throw new Error("no time of the request");
    expect(Number(told.requests.durationNano)).toBe(page.duration);
    expect(page.duration).toBe(longest.duration);
    const parts = page.breakdown.map(({ part, nano, samples }) => [part, String(nano), samples]);
    expect(told.requests.breakdown.map(({ part, nano, samples }) => [part, nano, samples])).toEqual(parts);
    const least = page.source === "roots" ? "≥ " : "";
    if (page.requests === 1 && told.sentence !== "")
      expect(told.sentence.startsWith(`${least}${formatNanos(page.duration)}`)).toBe(true);
    const shares = page.breakdown.map(({ nano }) => roundPercent(Number(nano) / page.duration));
    const [first = ""] = told.sentence.split(/\. (?:Other|Few|No|Only)/);
    for (const [, share = ""] of first.matchAll(/(<?[\d.]+ %)/g)) expect(shares).toContain(share);
  }, 60_000);

  it("the report has the page's operations", async () => {
    const { core, spans } = await pageOf(of);
    if (spans.overview() === null) return;
    const page = await spans.ask("operations", ["p95", false, 0, 50]);
    const { out } = await runCli([
      "convert",
      ...inputs(of),
      "--format",
      "html",
      "--type",
      core.profiles()[0]?.type ?? "",
      "-o",
      "-",
    ]);
    const [, table = ""] = /<table id="operations">[\s\S]*?<tbody>([\s\S]*?)<\/tbody>/.exec(out.toString()) ?? [];
    const rows = [...table.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = ""]) =>
      [...row.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)].slice(-4).map(([, cell = ""]) => cell),
    );
    const expected = page.rows.map(({ spans: count, p50, p95, max }) => [
      formatCount(count),
      ...[p50, p95, max].map((nano) => durationWords(nano, page.source)),
    ]);
    expect(rows).toEqual(expected);
  }, 60_000);
});

interface EndpointRow {
  endpoint: string;
  samples: number;
  requests: number;
}

describe("endpoints", () => {
  const set = join(folder, "profiles");
  beforeAll(async () => {
    if (DUCKDB.isMissing) return;
    const { code, err } = await runCli(["export", ...recordings.map((name) => join(FIXTURES, name)), "--parquet", set]);
    expect({ code, err }).toMatchObject({ code: 0 });
  }, 120_000);

  it.each(recordings)(
    "%s has the same ones in the page and in spans, with the same figures",
    async (recording) => {
      const { core, spans } = await pageOf({ recording, trace: null });
      for (const profile of core.profiles()) {
        const by = endpointOf(profile)?.by;
        if (by === undefined) continue;
        core.select(profile.id, {});
        const page = core.views.rank(by, 0, MOST, { requests: true }).rows;
        const told = await askCli<{ rows: { key: string; samples: number; value: string }[] }>(
          ...["spans", join(FIXTURES, recording), "--by", "endpoint", "--type", profile.type],
        );
        const figures = page.map(({ label, samples, value }) => [label, samples, String(value)]);
        expect(told.rows.map(({ key, samples, value }) => [key, samples, value])).toEqual(figures);
        if (spans.overview() !== null) continue;
        // Requests of the explorer are those with samples of the profile; durations are by the samples of all profiles.
        const { rows } = await spans.ask("regionSpans", [{ choice: {}, sort: "duration", reversed: false }, 0, MOST]);
        const known = new Map(rows.map(({ id, duration }) => [id, duration]));
        for (const { label, requests } of page) {
          const filter = by.kind === "attribute" ? { attributes: [{ key: by.key, value: label }] } : {};
          core.select(profile.id, filter);
          const roots = core.views.rank({ kind: "local-root" }, 0, MOST).rows;
          const own = durationsOf(BigInt64Array.from(roots, ({ id }) => BigInt(known.get(id) ?? -1)));
          const { spans: count, p50, p95, max: longest } = own;
          if (count > 0) expect([label, requests]).toEqual([label, { count, p50, p95, longest }]);
        }
      }
    },
    60_000,
  );

  DUCKDB.it(
    "are the same in data sets",
    async () => {
      const sql = `SELECT r.file AS file, s.profile_type AS type, s.endpoint AS endpoint, count(*) AS samples
      FROM samples s JOIN recordings r ON s.part = r.part AND s.recording_id = r.recording_id
      WHERE s.endpoint IS NOT NULL GROUP BY ALL`;
      const { rows } = await askCli<{ rows: (EndpointRow & { file: string; type: string })[] }>("query", set, sql);
      const found = rows.map(({ file, type, endpoint, samples }) => `${file} ${type} ${endpoint} ${samples}`);
      const expected: string[] = [];
      for (const recording of recordings) {
        const { core } = await pageOf({ recording, trace: null });
        for (const profile of core.profiles()) {
          const by = endpointOf(profile)?.by;
          if (by === undefined) continue;
          core.select(profile.id, {});
          for (const { label, samples } of core.views.rank(by, 0, MOST).rows) {
            if (label !== "")
              expected.push(`${recording.slice(recording.indexOf("/") + 1)} ${profile.type} ${label} ${samples}`);
          }
        }
      }
      expect(found.sort()).toEqual(expected.sort());
    },
    60_000,
  );
});
