import { describe, expect, it } from "vitest";
import { profileSummary } from "../../../test/kit/otlp/profile.ts";
import { chipWords } from "./chip-words.ts";
import { chipsOf } from "./chips.ts";
import { FILTER_KINDS, type FilterChip, type FilterKind, filterRow } from "./filters.ts";
import { EMPTY_QUERY, rankFilterOf, reduceQuery } from "./query.ts";
import { hashToQuery, queryToHash } from "./written/query-hash.ts";

/** A condition of each kind, the phrase for its absence and its part of a file's name. */
const EXAMPLES: Record<FilterKind, { chip: FilterChip; full: string; absence: string[]; fileName: string | null }> = {
  file: { chip: { kind: "file", name: "a b.jfr" }, full: "file a b.jfr", absence: [], fileName: null },
  "local-root": {
    chip: { kind: "local-root", id: 255n },
    full: "request 255 (0x00000000000000ff)",
    absence: ["carries request 255"],
    fileName: "root-255",
  },
  span: {
    chip: { kind: "span", id: 7n },
    full: "span 7 (0x0000000000000007)",
    absence: ["carries span 7"],
    fileName: "span-7",
  },
  "no-span": {
    chip: { kind: "no-span" },
    full: "without a span: neither a span id nor the id of a request",
    absence: ["is without a span"],
    fileName: "no-span",
  },
  attribute: {
    chip: { kind: "attribute", key: "a=b", value: "c", exclude: true },
    full: "a=b ≠ c",
    absence: ["carries a=b ≠ c"],
    fileName: "not-a=b-c",
  },
  frame: {
    chip: { kind: "frame", pattern: "^x&" },
    full: "frame /^x&/",
    absence: ["has a frame /^x&/"],
    fileName: "^x&",
  },
  "root-frame": {
    chip: { kind: "root-frame", by: "thread-pool", name: "http-*" },
    full: "thread pool http-*",
    absence: ["is of thread pool http-*"],
    fileName: "thread-pool-http-*",
  },
  time: {
    chip: { kind: "time", from: 1n, to: 2_000_000_001n },
    full: "+0:00.00 · 2 s, from 1970-01-01 00:00:00.000 UTC",
    absence: ["was taken in this range of time"],
    fileName: "time-1-2000000001",
  },
  calls: {
    chip: { kind: "calls", part: "min", text: "1500" },
    full: "duration ≥ 1500",
    absence: ["is of these calls"],
    fileName: "min-1500",
  },
  spans: {
    chip: { kind: "spans", operation: "GET /a, b", slowest: 5, duration: { from: 1_000_000n, to: 2_000_000n } },
    full: "spans: slowest 5 %, GET /a, b, 1 ms – 2 ms",
    absence: ["is of these spans"],
    fileName: "spans-slowest-5,took-1000000-2000000,of-GET /a, b",
  },
};

describe.each(FILTER_KINDS)("a filter by %s", (kind) => {
  const { chip, full, absence, fileName } = EXAMPLES[kind];
  const state = reduceQuery(EMPTY_QUERY, { kind: "add", chip });

  it("is a chip, once, and goes with it", () => {
    expect(chipsOf(state)).toEqual([chip]);
    expect(reduceQuery(state, { kind: "also", chip }).filter).toBe(state.filter);
    expect(reduceQuery(state, { kind: "remove", chip })).toEqual(EMPTY_QUERY);
  });

  it("is in the address", () => {
    expect(hashToQuery(queryToHash(state))).toEqual(state);
  });

  it("has words", () => {
    expect(chipWords(chip, [{ from: 1n }]).full).toBe(full);
    expect([filterRow(kind).absence([chip]), filterRow(kind).fileName(chip)]).toEqual([absence, fileName]);
  });
});

describe("a filter for samples without a span", () => {
  const NONE: FilterChip = { kind: "no-span" };
  const SPAN: FilterChip = { kind: "span", id: 7n };
  const ROOT: FilterChip = { kind: "local-root", id: 9n };
  const after = (...chips: FilterChip[]) =>
    chips.reduce((state, chip) => reduceQuery(state, { kind: "add", chip }), EMPTY_QUERY);

  it("takes the place of a span or root, and gives way to one", () => {
    expect(after(ROOT, SPAN, NONE).filter).toEqual({ noSpan: true });
    expect(after(NONE, SPAN).filter).toEqual({ span: [7n] });
    expect(after(NONE, ROOT).filter).toEqual({ localRoot: [9n] });
  });

  it("leaves the lists of spans and roots as they are", () => {
    for (const kind of ["span", "local-root"] as const) expect(rankFilterOf(after(NONE), { kind })).toEqual({});
    expect(rankFilterOf(after(NONE), { kind: "attribute", key: "k" })).toEqual({ noSpan: true });
  });

  it("with a span, as a link may have it, leaves nothing and tells why", () => {
    const { filter } = hashToQuery("#span=7&no-span=yes");
    expect(filter).toEqual({ span: [7n], noSpan: true });
    const { reason } = filterRow("no-span");
    const profile = profileSummary({ type: "cpu", samples: 9, samplesWithSpan: 5 });
    expect(reason?.(filter, profile)).toMatch(/exclude each other/);
    expect(reason?.({ noSpan: true }, profile)).toBeNull();
    expect(reason?.({ noSpan: true }, { ...profile, samplesWithSpan: 9 })).toMatch(/Every sample/);
  });
});
