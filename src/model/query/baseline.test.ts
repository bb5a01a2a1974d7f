import { describe, expect, it } from "vitest";
import { baselineOf, baselineText, change, pin } from "./baseline.ts";
import { EMPTY_QUERY } from "./query.ts";

describe("a baseline", () => {
  it("is the rest of the operation where there is one, else of the profile", () => {
    expect(baselineOf("", ["http.route", "tenant", "operation"])).toEqual({
      kind: "operation",
      keys: ["operation", "http.route"],
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
