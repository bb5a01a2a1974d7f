import { expect, it } from "vitest";
import { EMPTY_QUERY, reduceQuery } from "./query.ts";
import { conditionsOf, severalOf, subjectOf } from "./subject.ts";

const tenant = { kind: "attribute", key: "tenant", value: "acme" } as const;

it("is the one id, else the one value, else nothing", () => {
  const valued = reduceQuery(EMPTY_QUERY, { kind: "add", chip: tenant });
  expect(subjectOf(EMPTY_QUERY)).toBeNull();
  expect(subjectOf(valued)).toEqual({ kind: "value", key: "tenant", value: "acme" });
  expect(subjectOf(reduceQuery(EMPTY_QUERY, { kind: "add", chip: { ...tenant, exclude: true } }))).toBeNull();
  expect(subjectOf(reduceQuery(valued, { kind: "also", chip: { ...tenant, value: "other" } }))).toBeNull();
  const rooted = reduceQuery(valued, { kind: "add", chip: { kind: "local-root", id: 7n } });
  expect(subjectOf(rooted)).toEqual({ kind: "id", of: "local-root", id: 7n, word: "request" });
  expect(subjectOf(reduceQuery(rooted, { kind: "also", chip: { kind: "local-root", id: 8n } }))).toBeNull();
  expect(subjectOf(reduceQuery(EMPTY_QUERY, { kind: "add", chip: { kind: "span", id: 7n } }))).toMatchObject({
    of: "span",
    word: "span",
  });
});

it("has words for several requests, and none for other filters", () => {
  const valued = reduceQuery(EMPTY_QUERY, { kind: "add", chip: tenant });
  const words = (query: typeof EMPTY_QUERY) => severalOf(query);
  expect([words(EMPTY_QUERY), words(valued)]).toEqual([null, null]);
  expect(words(reduceQuery(valued, { kind: "also", chip: { ...tenant, value: "other" } }))).toBe("2 values of tenant");
  const chosen = (...values: [key: string, value: string][]) =>
    words(
      values.reduce(
        (query, [key, value]) => reduceQuery(query, { kind: "also", chip: { kind: "attribute", key, value } }),
        EMPTY_QUERY,
      ),
    );
  expect(chosen(["trace endpoint", "GET /a"], ["trace endpoint", "GET /b"])).toBe("2 endpoints");
  expect(chosen(["http.route", "GET /a"], ["thread.name", "a-1"], ["tenant", ""])).toBe("GET /a, a-1, tenant (empty)");
  expect(chosen(["tenant", "acme"], ["thread.name", "a"], ["thread.name", "b"])).toBe("acme, 2 threads");
  expect(words(reduceQuery(valued, { kind: "add", chip: { ...tenant, value: "b", exclude: true } }))).toBeNull();
  expect(words(reduceQuery(EMPTY_QUERY, { kind: "add", chip: { kind: "frame", pattern: "a" } }))).toBeNull();
  const slow = { kind: "spans", operation: "GET /a", slowest: 5 } as const;
  expect(words(reduceQuery(EMPTY_QUERY, { kind: "add", chip: slow }))).toBe("slowest 5 %, GET /a");
});

it("has words for filters by frame, time and file, and none for calls and samples without a span", () => {
  const words = (query: typeof EMPTY_QUERY) => conditionsOf(query, []);
  expect(words(EMPTY_QUERY)).toBeNull();
  const framed = reduceQuery(EMPTY_QUERY, { kind: "add", chip: { kind: "frame", pattern: "a" } });
  expect(words(framed)).toBe("frame /a/");
  expect(words(reduceQuery(framed, { kind: "add", chip: { kind: "file", name: "b.jfr" } }))).toBe(
    "file b.jfr · frame /a/",
  );
  const timed = reduceQuery(EMPTY_QUERY, { kind: "add", chip: { kind: "time", from: 1_000_000n, to: 3_000_000n } });
  expect(conditionsOf(timed, [{ from: 0n }])).toBe("time +0:00.00100 · 2 ms");
  // Without a time of any sample there is no zero.
  expect(words(timed)).toBe("time 1970-01-01 00:00:00.001 UTC");
  expect(words(reduceQuery(EMPTY_QUERY, { kind: "add", chip: { ...tenant, exclude: true } }))).toBe("tenant ≠ acme");
  expect(words(reduceQuery(framed, { kind: "add", chip: { kind: "no-span" } }))).toBeNull();
  const slow = reduceQuery(EMPTY_QUERY, { kind: "calls", calls: [{ part: "slowest", text: "5" }] });
  expect(words(slow)).toBeNull();
});

it("opens the time of the selection, with its filters", () => {
  const valued = reduceQuery(EMPTY_QUERY, { kind: "add", chip: tenant });
  const mapped = reduceQuery(valued, { kind: "operations", operations: { of: "GET /a", slowest: 5 } });
  const timed = reduceQuery(mapped, { kind: "request-time" });
  expect([timed.view, timed.filter]).toEqual(["operations", valued.filter]);
  expect(timed.operations).toMatchObject({ shape: "time", of: null, slowest: null, region: null });
});
