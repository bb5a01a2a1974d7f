import { describe, expect, it } from "vitest";
import { commandGroups, foundGroups, readGroups, type SuggestionGroup, withoutFound } from "./suggestions.ts";

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
  it("is offered once: as the request that was found by it", () => {
    const found = (id: bigint) =>
      foundGroups({ suggestions: { values: [], roots: [{ id, samples: 5, about: "" }] }, functions: [] });
    const read = readGroups("4264665117096331295");
    expect(withoutFound(read, found(4264665117096331295n))).toEqual([]);
    expect(withoutFound(read, found(42n))).toEqual(read);
    expect(withoutFound(readGroups("tenant=acme"), found(42n))).toHaveLength(1);
    // It names a span of the trace as well.
    const parent = readGroups("00-6b00b705000000000cb2a068373f9c72-00f067aa0ba902b7-01");
    expect(withoutFound(parent, found(0x00f067aa0ba902b7n))).toEqual(parent);
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
