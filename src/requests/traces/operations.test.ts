/** Requests about operations, with a recording, its trace file, and without any spans. */
import { expect, test } from "vitest";
import { answersOf } from "../../../test/kit/page-answers.ts";
import type { SpanSort } from "../../model/query/query.ts";
import { loadPatterns } from "../../pattern/pattern.ts";
import type { ListedRequest } from "../api/operations-api.ts";

const pathOf = (path: string) => new URL(`../../../fixtures/${path}`, import.meta.url).pathname;
const TRACE = "traces/ddctx-jdk17.captured.datadog.json.gz";

const opened = (recording: string, trace: string | null) =>
  answersOf(pathOf(recording), trace === null ? null : pathOf(trace), false);

test("counts and percentiles are those of the spans of each operation", async () => {
  const { spans } = await opened("traces/ddctx-jdk17.jfr", TRACE);
  const page = await spans.ask("operations", ["operation", false, 0, 100]);
  for (const { operation, spans: count, p50, p95, max } of page.rows) {
    const question = { choice: { operation }, sort: "duration", reversed: true } as const;
    const { rows } = await spans.ask("regionSpans", [question, 0, 1000]);
    const nearest = (percent: number) => rows[Math.ceil((percent * count) / 100) - 1]?.duration;
    expect([rows.length, p50, p95, max]).toEqual([count, nearest(50), nearest(95), nearest(100)]);
  }
  expect(page.source).toBe("files");
  expect(page.rows.some(({ cpu }) => (cpu ?? 0) > 0)).toBe(true);
  expect(page.rows.some(({ allocation }) => (allocation ?? 0) > 0)).toBe(true);
});

test("CPU time per span is that of the samples that a filter by the operation finds", async () => {
  const { core, spans } = await opened("traces/ddctx-jdk17.jfr", TRACE);
  const cpu = core.profiles().find(({ type }) => type === "cpu");
  if (cpu === undefined) throw new Error("no CPU profile");
  const { rows } = await spans.ask("operations", ["spans", false, 0, 100]);
  const sum = (choice: object) => core.select(cpu.id, spans.samplesOf({ spans: choice })).samples;
  for (const { operation, spans: count, cpu: each } of rows) {
    expect(Math.round((each ?? 0) * count)).toBe(sum({ operation }) * Number(cpu.period));
  }
  // The slowest are a part of them, and all spans have what carries an id.
  expect(sum({ operation: "servlet.request", slowest: 5 })).toBeLessThan(sum({ operation: "servlet.request" }));
  expect(sum({})).toBe(cpu.samplesWithSpan);
  expect(sum({ operation: "no such operation" })).toBe(0);
  expect(core.select(cpu.id, { spans: { operation: "servlet.request" } }).samples).toBe(0);
});

test("the map has every span, and a region lists its own", async () => {
  const { spans } = await opened("traces/ddctx-jdk17.jfr", TRACE);
  const map = await spans.ask("spanMap", [{}, 40, 20]);
  expect(map.cells.reduce((sum, n) => sum + n, 0)).toBe(310);
  const choice = { duration: { from: 200_000_000n, to: 300_000_000n } };
  const slow = await spans.ask("regionSpans", [{ choice, sort: "duration", reversed: false }, 0, 100]);
  const durations = slow.rows.map(({ duration }) => duration);
  expect(durations).toEqual([...durations].sort((a, b) => b - a));
  expect(durations.every((nanos) => nanos >= 200_000_000 && nanos < 300_000_000)).toBe(true);
  const early = await spans.ask("regionSpans", [{ choice, sort: "start", reversed: false }, 0, 1]);
  expect(slow.rows.every(({ start }) => start >= (early.rows[0]?.start ?? 0n))).toBe(true);
  const last = await spans.ask("regionSpans", [{ choice, sort: "duration", reversed: true }, slow.count - 1, 1]);
  expect(last.rows).toEqual(slow.rows.slice(0, 1));
});

test("local roots without spans last from their first sample to their last one", async () => {
  const { core, spans } = await opened("recorded/dd152-jdk17-all.jfr", null);
  expect(() => spans.samplesOf({ spans: { operation: "GET /search" } })).toThrow("not found");
  const page = await spans.ask("operations", ["operation", false, 0, 10]);
  expect([page.source, page.count, page.spans]).toEqual(["roots", 3, 48]);
  const choice = { operation: "GET /search" };
  const { rows } = await spans.ask("regionSpans", [{ choice, sort: "duration", reversed: false }, 0, 100]);
  expect(rows).toHaveLength(page.rows.find(({ operation }) => operation === "GET /search")?.spans ?? 0);
  // The samples of the operation are those of its roots.
  const wall = core.profiles().find(({ type }) => type === "wall");
  const found = core.select(wall?.id ?? 0, spans.samplesOf({ spans: choice }));
  expect(found).toEqual(core.select(wall?.id ?? 0, { localRoot: rows.map(({ id }) => id) }));
  expect(found.samples).toBeGreaterThan(0);
});

test("the parts of the time of requests add up to their durations, and open their samples", async () => {
  await loadPatterns();
  const { core, spans } = await opened("traces/ddctx-jdk17.jfr", TRACE);
  const { rows } = await spans.ask("operations", ["spans", false, 0, 100]);
  for (const choice of [
    ...rows.map(({ operation }) => ({ operation })),
    { operation: "servlet.request", slowest: 5 },
  ]) {
    const time = await spans.ask("choiceTime", [choice, {}]);
    if (time === null) throw new Error("no requests");
    const sum = time.breakdown.reduce((all, { nano }) => all + nano, 0n);
    expect(Number(sum)).toBe(time.duration);
    const isAll = !("slowest" in choice);
    expect(time.rest === null).toBe(isAll);
    for (const { part, type, samples, attributes, frames } of time.opens) {
      const profile = core.profiles().find((each) => each.type === type);
      if (profile === undefined || time.counted < time.requests) continue;
      const filter = spans.samplesOf({ spans: choice, attributes, frames });
      expect([part, type, core.select(profile.id, filter).samples, attributes, frames]).toEqual([
        part,
        type,
        samples,
        attributes,
        frames,
      ]);
    }
  }
  const slow = await spans.ask("choiceTime", [{ operation: "servlet.request", slowest: 5 }, {}]);
  const whole = await spans.ask("choiceTime", [{ operation: "servlet.request" }, {}]);
  expect((slow?.requests ?? 0) + (slow?.rest?.requests ?? 0)).toBe(whole?.requests);
  expect((slow?.duration ?? 0) + (slow?.rest?.duration ?? 0)).toBe(whole?.duration);
  expect(await spans.ask("choiceTime", [{ operation: "no such operation" }, {}])).toBeNull();
});

test("the time of one request is that of its local root", async () => {
  const { spans } = await opened("traces/ddctx-jdk17.jfr", TRACE);
  const question = { choice: { operation: "servlet.request" }, sort: "duration", reversed: false } as const;
  const [longest] = (await spans.ask("regionSpans", [question, 0, 1])).rows;
  if (longest === undefined) throw new Error("no request");
  const start = { from: longest.start, to: longest.start + 1n };
  const one = await spans.ask("choiceTime", [{ operation: "servlet.request", start }, {}]);
  const trace = await spans.ask("spans", [longest.trace, []]);
  const place = trace?.id.indexOf(longest.id) ?? -1;
  const root = await spans.ask("time", [longest.trace, place, "root"]);
  expect(one?.requests).toBe(1);
  expect(one?.breakdown).toEqual(root?.breakdown);
});

test("requests that no trace knows have their time from their first sample to their last one", async () => {
  const { spans } = await opened("traces/ddctx-jdk17.jfr", null);
  const { rows } = await spans.ask("operations", ["spans", false, 0, 1]);
  const time = await spans.ask("choiceTime", [{ operation: rows[0]?.operation ?? "" }, {}]);
  expect(time?.requests).toBe(rows[0]?.spans);
  expect(Number(time?.breakdown.reduce((all, { nano }) => all + nano, 0n))).toBe(time?.duration);
});

test("beside a trace file the requests are those without it, with the durations that it states", async () => {
  const alone = await opened("traces/ddctx-jdk17.jfr", null);
  const beside = await opened("traces/ddctx-jdk17.jfr", TRACE);
  const rowsOf = async ({ spans }: typeof alone) => (await spans.ask("operations", ["operation", false, 0, 100])).rows;
  const [before, after] = [await rowsOf(alone), await rowsOf(beside)];
  const counts = (rows: typeof before) => rows.map(({ operation, spans }) => [operation, spans]);
  expect(counts(after)).toEqual(counts(before));
  expect(after.map(({ unstated }) => unstated)).toEqual(after.map(() => 0));
  expect(before.map(({ unstated }) => unstated)).toEqual(before.map(({ spans }) => spans));
  for (const [i, { max }] of after.entries()) expect(max).toBeGreaterThan(before[i]?.max ?? 0);
  // The lists of endpoints have the same figures.
  const times = await beside.spans.ask("endpointTimes", []);
  for (const { endpoint, ...time } of times) {
    const { spans: requests, p50, p95, max } = after.find(({ operation }) => operation === endpoint)!;
    expect({ source: "files", requests, p50, p95, max }).toEqual(time);
  }
  expect(times).toHaveLength(after.length);
  const spans = await beside.spans.ask("operations", ["spans", false, 0, 100, "spans"]);
  expect([spans.of, spans.spans, spans.rows[0]?.operation]).toEqual(["spans", 310, "micro.step"]);
  expect(spans.rows.some(({ operation }) => operation === "GET /stream")).toBe(false);
});

test("the slowest are those of each endpoint", async () => {
  const { spans } = await opened("traces/ddctx-jdk17.jfr", TRACE);
  const { rows } = await spans.ask("operations", ["operation", false, 0, 100]);
  const choice = { requests: true, slowest: 5 } as const;
  const slow = await spans.ask("regionSpans", [{ choice, sort: "duration", reversed: false }, 0, 100]);
  expect(slow.count).toBe(rows.reduce((sum, row) => sum + Math.ceil(row.spans / 20), 0));
  for (const { operation, max } of rows) {
    expect(Math.max(...slow.rows.filter((row) => row.operation === operation).map((row) => row.duration))).toBe(max);
  }
  const time = await spans.ask("choiceTime", [choice, {}]);
  expect([time?.requests, (time?.rest?.requests ?? 0) + slow.count]).toEqual([
    slow.count,
    rows.reduce((sum, row) => sum + row.spans, 0),
  ]);
});

test("the list has each request with its own cause, in any order", async () => {
  const { spans } = await opened("traces/ddctx-jdk17.jfr", TRACE);
  const list = (sort: SpanSort, reversed = false, limit = 100) =>
    spans.ask("requestList", [{ choice: { requests: true }, sort, reversed }, "", 0, limit]);
  const { rows, count } = await list("duration");
  expect([count, rows.length]).toEqual([60, 60]);
  const slow = await spans.ask("slowRequests", [{}, 60]);
  const own = ({ id, duration, breakdown, function: name }: ListedRequest) => ({ id, duration, breakdown, name });
  expect(rows.map(own)).toEqual(slow.map(own));
  expect(new Set(rows.map((row) => row.function)).size).toBeGreaterThan(3);
  const keys: Record<SpanSort, (row: ListedRequest) => number | bigint | string> = {
    duration: ({ duration }) => -duration,
    start: ({ start }) => start,
    operation: ({ operation }) => operation,
    cause: ({ breakdown }) => breakdown.toSorted((a, b) => Number(b.nano - a.nano))[0]?.part ?? "",
    id: ({ id }) => id,
  };
  for (const [sort, keyOf] of Object.entries(keys) as [SpanSort, (typeof keys)[SpanSort]][]) {
    const sorted = (await list(sort)).rows;
    const values = sorted.map(keyOf);
    expect([sort, values]).toEqual([sort, values.toSorted((a, b) => Number(a > b) - Number(a < b))]);
    expect(sorted).toHaveLength(60);
    const first = (await list(sort, true, 1)).rows.map(keyOf);
    expect([sort, first]).toEqual([sort, values.slice(-1)]);
  }
});
