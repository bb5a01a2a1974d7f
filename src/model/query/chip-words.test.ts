import { describe, expect, it } from "vitest";
import { chipWords, filterWords } from "./chip-words.ts";
import { EMPTY_QUERY } from "./query.ts";

describe("chipWords", () => {
  it("has ids in both notations, attributes with their key", () => {
    expect(chipWords({ kind: "span", id: 255n }, [])).toEqual({
      label: "span",
      value: "255",
      full: "span 255 (0x00000000000000ff)",
    });
    expect(chipWords({ kind: "attribute", key: "tenant", value: "acme" }, [])).toMatchObject({
      label: "tenant =",
      full: "tenant = acme",
    });
  });

  it("has the name of a thread beside its number", () => {
    const chip = { kind: "attribute", key: "thread.id", value: "33" } as const;
    expect(chipWords(chip, [], new Map([["33", "worker-1"]]))).toMatchObject({
      value: "33 worker-1",
      full: "thread.id = 33 worker-1",
    });
    expect(chipWords(chip, [], new Map([["34", "worker-2"]])).value).toBe("33");
  });

  it("cuts what is long and makes it harmless", () => {
    const { value } = chipWords({ kind: "attribute", key: "k", value: `\u202e${"x".repeat(500)}` }, []);
    expect(value.length).toBeLessThan(100);
    expect(value).not.toContain("\u202e");
  });
});

describe("filterWords", () => {
  it("says all filters, and nothing where there are none", () => {
    const query = {
      ...EMPTY_QUERY,
      filter: {
        localRoot: [7n],
        attributes: [{ key: "tenant", value: "acme", exclude: true }],
        time: { from: 100n, to: 1_000_000_100n },
      },
    };
    expect(filterWords(query, [{ from: 100n }])).toBe("request 7 · tenant ≠ acme · time +0:00.00 · 1 s");
    expect(filterWords(EMPTY_QUERY, [])).toBe("");
  });
});
