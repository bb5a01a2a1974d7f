import { describe, expect, it } from "vitest";
import type { QueryState } from "../query.ts";
import { EMPTY_QUERY } from "../query.ts";
import { parseRoots } from "../root-by.ts";
import { parseRules } from "../run-rules.ts";
import { hashToQuery, queryToHash } from "./query-hash.ts";

describe("the URL hash", () => {
  it("is empty for the empty query", () => {
    expect(queryToHash(EMPTY_QUERY)).toBe("");
    expect(hashToQuery("")).toEqual(EMPTY_QUERY);
    expect(hashToQuery("#")).toEqual(EMPTY_QUERY);
  });

  it("infers context unless a link says no; links of before said yes", () => {
    const inferred = ["", "#inferred=yes", "#inferred=no"].map((hash) => hashToQuery(hash).inferred);
    expect(inferred).toEqual([true, true, false]);
  });

  it("brings every state back", () => {
    const state: QueryState = {
      type: "cpu:jdk.ExecutionSample",
      measure: "objects",
      extra: [{ event: "jdk.ThreadStart" }, { event: "odd=event&", value: "a=b c" }],
      inferred: false,
      filter: {
        span: [(1n << 64n) - 1n, 3n],
        localRoot: [7n],
        attributes: [
          { key: "http.route", value: "/a?b=c&d=e#f" },
          { key: "odd=key&%", value: "zürich-北京 =%25" },
          { key: "empty", value: "" },
          { key: "empty", value: "or not" },
          { key: "odd=key&%", value: "=%", exclude: true },
        ],
        frames: [{ pattern: "^java\\.(util|lang)&=#" }, { pattern: "x y", exclude: true }],
        time: { from: 1_700_000_000_123_456_789n, to: 1_700_000_001_000_000_000n },
        file: "a b&=#.jfr",
      },
      list: { sort: "io", reversed: true },
      files: { shown: true, sort: "share", reversed: true, time: { from: 1n, to: 3_000_000_000n } },
      operations: {
        shape: "map",
        by: "operation",
        sort: "cpu",
        reversed: true,
        of: "GET /a,b&=#",
        region: { start: { from: 1n, to: 2n }, duration: { from: 0n, to: 10n } },
        slowest: 5,
        spanSort: "start",
        spanReversed: true,
      },
      events: { of: "my.Event&=", field: "bytes", find: "a b&=#", sort: "p95", reversed: true },
      by: "key:odd=key&%",
      sort: "duration",
      reversed: true,
      rows: "/a&b=#c/",
      view: "sandwich",
      shape: {
        from: "a.B.run",
        merged: ["^java", "x&=#"],
        recursion: "all",
        lines: true,
        roots: parseRoots("endpoint,attr:odd%2C key%25"),
        runs: parseRules(["jdk", "My %3D own=^a=b|c&"]),
        opened: [
          { rule: "My = own", below: "a.B=c" },
          { rule: "JDK", below: "" },
        ],
      },
      look: { up: true, colouring: "origin", own: "shop, acme.", rawNames: true, folded: false, profiler: true },
      grouping: "callers",
      focus: 4_000_000_000,
      past: 940,
      path: [0, 12, 4_294_967_295],
      search: "a|b=&",
      function: "a.B.<init>",
      baseline: "#root=7&attr=a%3Db",
      scale: "value",
      timeline: "heat",
      lanes: "^worker-[12]&#=$",
      laneOrder: "first",
      zoom: { from: 1_700_000_000_000_000_000n, to: 1_700_000_000_500_000_000n },
      jvm: true,
      notes: [{ from: 5n, to: 9n, text: "pool ~ is full" }],
      diff: "functions",
      top: { sort: "name", reversed: true, found: true },
      chart: { place: 3, zoom: { from: 1_700_000_000_000_000_000n, to: 1_700_000_000_005_000_000n } },
      trace: { id: "0123456789abcdef0123456789abcdef", search: "a b&=#", sort: "name", reversed: true },
    };
    expect(hashToQuery(queryToHash(state))).toEqual(state);
  });

  it("keeps the bytes of links: the file after the list, all other filters before", () => {
    const hash =
      "#type=cpu&root=7&root=00000000000000010000000000000002&span=9&attr=a%3Db&attr=e%3D&not-attr=c%253D%3Dd" +
      "&frame=%5Ejava&not-frame=x+y&time=1-9&by=span&sort=-first&rows=12&file=a+b.jfr&view=top&focus=3";
    expect(queryToHash(hashToQuery(hash))).toBe(hash);
  });

  it("reads the time range of older links", () => {
    const time = { from: 1n, to: 9n };
    expect(hashToQuery("#closer=yes&time=1-9")).toEqual({ ...EMPTY_QUERY, filter: { time }, zoom: time });
  });

  it("takes half a surrogate pair, as a search box can hold it", () => {
    const filter = { attributes: [{ key: "\ud800k", value: "\udc00" }] };
    expect(hashToQuery(queryToHash({ ...EMPTY_QUERY, filter, search: "\ud800" }))).toMatchObject({
      filter: { attributes: [{ key: "\ufffdk", value: "\ufffd" }] },
      search: "\ufffd",
    });
  });

  it("leaves out what it cannot read", () => {
    expect(hashToQuery("#root=xyz&span=0&attr=novalue&attr=%25zz=1&focus=-3&type=wall&time=9-3&view=x&path=x")).toEqual(
      {
        ...EMPTY_QUERY,
        type: "wall",
      },
    );
  });

  it("reads each event once, and no more of them than anyone needs", () => {
    expect(hashToQuery("#event=a&event=&event=%25zz&event=a&event=a=n").extra).toEqual([
      { event: "a" },
      { event: "a", value: "n" },
    ]);
    expect(hashToQuery(`#event=${"x".repeat(300)}&event=a=${"y".repeat(250)}`).extra).toEqual([]);
    const many = Array.from({ length: 1000 }, (_, i) => `event=e${i}`).join("&");
    expect(hashToQuery(`#${many}`).extra).toHaveLength(20);
  });
});
