import { describe, expect, it } from "vitest";
import type { Filter } from "../../core/types.ts";
import { baselineOf, baselineText, change, isEverything, pin, resolveBaseline } from "./baseline.ts";
import { EMPTY_QUERY } from "./query.ts";

describe("a baseline", () => {
  it("is the rest of the operation where there is one, else of the profile", () => {
    expect(baselineOf("", ["http.route", "tenant", "operation"])).toEqual({
      kind: "operation",
      keys: ["operation", "http.route"],
    });
    // A request is compared with requests of its endpoint, also where all its spans have one operation.
    expect(baselineOf("", ["http.route", "tenant", "operation"], true)).toEqual({
      kind: "operation",
      keys: ["http.route", "operation"],
    });
    expect(baselineOf("", ["tenant"])).toEqual({ kind: "rest" });
    expect(baselineOf("rest", ["operation"])).toEqual({ kind: "rest" });
  });

  it("is read as it was written", () => {
    for (const choice of [{ kind: "rest" }, { kind: "key", key: "a=b:c" }, { kind: "file", name: "a:b" }] as const) {
      expect(baselineOf(baselineText(choice), [])).toEqual(choice);
    }
    expect(baselineText(baselineOf("", ["operation"]) as { kind: "operation"; keys: string[] })).toBe("");
    const time = { from: 1n, to: 9n };
    const filter = { localRoot: [7n], time };
    const state = { ...EMPTY_QUERY, view: "diff", type: "wall", filter } as const;
    expect(baselineOf(pin(state), [])).toEqual({ kind: "pinned", filter });
    expect(baselineOf(pin(EMPTY_QUERY), ["operation"])).toEqual({ kind: "pinned", filter: {} });
  });

  it("says how a share changed", () => {
    expect([change(0, 0), change(3, 0), change(0, 3), change(2, 2), change(3, 1)]).toEqual([0, 1, -1, 0, 0.5]);
  });
});

describe("nothing is left to compare with", () => {
  it("where everything is selected and the rest is the baseline", () => {
    const rest = { filter: {}, rest: true };
    expect(isEverything({}, rest)).toBe(true);
    expect(isEverything({ rawNames: true }, { filter: { rawNames: true }, rest: true })).toBe(true);
    expect(isEverything({ file: "a.jfr" }, rest)).toBe(false);
    expect(isEverything({}, { filter: {}, rest: false })).toBe(false);
  });
});

describe("a baseline as a filter", () => {
  const selected: Filter = { localRoot: [7n] };

  /** A selection of 10 samples; each attribute with its values and their samples. */
  function questions(values: Record<string, [label: string, samples: number][]>, all: Record<string, number> = {}) {
    const asked: string[] = [];
    return {
      asked,
      totals: async () => ({ ok: true as const, value: { samples: 10 } }),
      totalsOf: async (filter: Filter) => {
        const key = filter.attributes?.[0]?.key ?? "";
        return { ok: true as const, value: { samples: all[key] ?? 100 } };
      },
      values: async (key: string) => {
        asked.push(key);
        if (!(key in values)) return { ok: false as const, error: `no ${key}` };
        return {
          ok: true as const,
          value: { rows: (values[key] ?? []).map(([label, samples]) => ({ label, samples })) },
        };
      },
    };
  }
  const attribute = (key: string, value: string) => ({ attributes: [{ key, value }] });
  const everything = { ok: true, value: { baseline: { filter: {}, rest: true }, words: "all other samples" } };

  it("needs no question where the choice says it all", async () => {
    const none = questions({});
    const filter = { localRoot: [7n], frames: [{ pattern: "^java" }] };
    expect(await resolveBaseline({ kind: "rest" }, filter, none)).toEqual(everything);
    expect(await resolveBaseline({ kind: "pinned", filter }, {}, none)).toMatchObject({
      value: { baseline: { filter, rest: false }, words: "pinned" },
    });
    // A local root is of one file, frames may be in any.
    expect(await resolveBaseline({ kind: "file", name: "b.jfr" }, filter, none)).toMatchObject({
      value: { baseline: { filter: { frames: filter.frames, file: "b.jfr" }, rest: false }, words: "b.jfr" },
    });
    // Without a filter no sample is left that could share a value.
    const operation = { kind: "operation" as const, keys: ["operation"] };
    expect(await resolveBaseline(operation, {}, none)).toEqual(everything);
    expect(await resolveBaseline(operation, { rawNames: true }, none)).toEqual(everything);
    expect(none.asked).toEqual([]);
  });

  it("is the rest of the samples with the value that the whole selection shares", async () => {
    const shared = questions({ operation: [], "http.route": [["/cart", 10]], tenant: [["acme", 10]] });
    expect(
      await resolveBaseline({ kind: "operation", keys: ["operation", "http.route", "tenant"] }, selected, shared),
    ).toEqual({
      ok: true,
      value: {
        baseline: { filter: attribute("http.route", "/cart"), rest: true },
        words: "others with http.route = /cart",
      },
    });
    // One round trip: the keys after the first that fits are asked for with it.
    expect(shared.asked).toEqual(["operation", "http.route", "tenant"]);
  });

  it("is the first one that has samples, unless the user chose", async () => {
    const shared = { operation: [["checkout", 10]], tenant: [["acme", 10]] } as Record<string, [string, number][]>;
    const keys = ["operation", "tenant"];
    expect(
      await resolveBaseline({ kind: "operation", keys }, selected, questions(shared, { operation: 10 })),
    ).toMatchObject({
      value: { words: "others with tenant = acme" },
    });
    expect(
      await resolveBaseline({ kind: "operation", keys }, selected, questions(shared, { operation: 10, tenant: 10 })),
    ).toEqual(everything);
    expect(
      await resolveBaseline({ kind: "key", key: "operation" }, {}, questions(shared, { operation: 10 })),
    ).toMatchObject({ value: { words: "others with operation = checkout" } });
  });

  it("is all samples with the most frequent value only where the user chose its attribute", async () => {
    const mixed = {
      tenant: [
        ["acme", 9],
        ["globex", 1],
      ] as [string, number][],
    };
    expect(await resolveBaseline({ kind: "key", key: "tenant" }, {}, questions(mixed))).toMatchObject({
      value: { baseline: { filter: attribute("tenant", "acme"), rest: false }, words: "all with tenant = acme" },
    });
    expect(await resolveBaseline({ kind: "operation", keys: ["tenant"] }, selected, questions(mixed))).toEqual(
      everything,
    );
    expect(await resolveBaseline({ kind: "key", key: "tenant" }, {}, questions({ tenant: [] }))).toEqual(everything);
  });

  it("passes an error on", async () => {
    expect(await resolveBaseline({ kind: "key", key: "tenant" }, {}, questions({}))).toEqual({
      ok: false,
      error: "no tenant",
    });
  });
});
