import { describe, expect, it } from "vitest";
import { cardWords } from "../trace/operation-words.ts";
import { commandGroups, foundGroups, readGroups, type SuggestionGroup, without } from "./suggestions.ts";

const lines = (groups: SuggestionGroup[]) =>
  groups.map(({ name, items }) => [name, ...items.map(({ label, note }) => [label, note].filter(Boolean).join(" | "))]);

describe("readGroups", () => {
  it("reads ids and filters", () => {
    expect(lines(readGroups("4264665117096331295"))).toEqual([["Trace or span", "Open id 4264665117096331295"]]);
    expect(lines(readGroups("00-6b00b705000000000cb2a068373f9c72-00f067aa0ba902b7-01"))).toEqual([
      ["Trace or span", "Open trace 6b00b705000000000cb2a068373f9c72 | W3C trace context"],
    ]);
    expect(lines(readGroups("tenant=acme"))).toEqual([["Filter", "tenant = acme"]]);
    expect(lines(readGroups("!/java/"))).toEqual([["Filter", "no frame /java/"]]);
    expect(readGroups("checkout")).toEqual([]);
  });
});

describe("an id", () => {
  it("is offered once, with what is known of it", () => {
    const found = (id: bigint) =>
      foundGroups({ suggestions: { values: [], roots: [{ id, samples: 5, about: "" }] }, functions: [] });
    const read = readGroups("4264665117096331295");
    expect(without(read, found(4264665117096331295n))).toEqual([]);
    expect(without(read, found(42n))).toEqual(found(42n));
    expect(without(readGroups("tenant=acme"), found(42n))).toHaveLength(1);
    expect(lines(readGroups("4264665117096331295", "GET /books"))).toEqual([
      ["Trace or span", "Open id 4264665117096331295 | GET /books"],
    ]);
    // It names a span of the trace as well.
    const parent = readGroups("00-6b00b705000000000cb2a068373f9c72-00f067aa0ba902b7-01");
    expect(without(parent, found(0x00f067aa0ba902b7n))).toHaveLength(1);
  });

  it("has its endpoint, duration, samples and spans", () => {
    const totals = { samples: 2, value: 0n };
    const outline = {
      ...{ split: [totals, totals].map((each, profile) => ({ profile, totals: each })), roots: 1, medianNanos: null },
      ...{
        time: { from: 1n, to: 415_000_001n },
        spans: 1,
        threads: [],
        threadCount: 0,
        threadNames: new Map(),
        endpoint: "",
        operation: "",
      },
    };
    expect(cardWords({ ...outline, endpoint: "GET /books" })).toBe("GET /books · ≥ 415 ms · 4 samples · 1 span");
    const stated = { name: "servlet.request", start: 0n, duration: 420_000_000n, spans: 7, are: "trace" } as const;
    expect(cardWords({ ...outline, stated })).toBe("servlet.request · 420 ms · 4 samples · 7 spans");
    expect(cardWords({ ...outline, split: [], time: null })).toBe("0 samples · 1 span");
  });
});

describe("foundGroups", () => {
  it("groups values by what their keys name, each value once", () => {
    const values = [
      { key: "thread.name", value: "checkout-1", samples: 3 },
      { key: "customer.id", value: "checkout", samples: 1 },
      { key: "cart", value: "checkout", samples: 2 },
      { key: "http.route", value: "POST /checkout", samples: 9 },
      { key: "trace endpoint", value: "POST /checkout", samples: 9 },
      { key: "operation", value: "checkout.pay", samples: 4 },
    ];
    const roots = [{ id: 12n, samples: 5, about: "POST /checkout" }];
    const functions = [{ name: "Shop.checkout", self: 1n, total: 7n }];
    const groups = foundGroups({ suggestions: { values, roots }, functions });
    expect(lines(groups)).toEqual([
      ["Requests", "12 | POST /checkout"],
      ["Endpoints", "POST /checkout | trace endpoint"],
      ["Operations", "checkout.pay | operation"],
      ["Threads", "checkout-1 | thread.name"],
      ["Attributes", "checkout | cart", "checkout | customer.id"],
      ["Functions", "Shop.checkout"],
    ]);
    expect(groups.map(({ weighed }) => weighed)).toEqual([false, false, false, false, false, true]);
    expect(foundGroups({ suggestions: { values: [], roots: [] }, functions: [] })).toEqual([]);
  });
});

describe("commandGroups", () => {
  const commands = ["Show flame graph", "Show call tree", "Export…"].map((label) => ({ id: label, label, run() {} }));
  it("has all commands without a text, else those with all its words", () => {
    expect(lines(commandGroups(" ", commands))[0]).toHaveLength(4);
    expect(lines(commandGroups("tree SHOW", commands))).toEqual([["Commands", "Show call tree"]]);
    expect(commandGroups("nothing", commands)).toEqual([]);
  });
});
