import { beforeAll, describe, expect, it } from "vitest";
import { loadPatterns } from "../query/pattern.ts";
import { patternsIn, RuleFileError, rulesOf } from "./rule-file.ts";

const RULE = { name: "Ours", any: "^acme\\.(Legacy|Old)", info: 1, warning: 5 };
const file = (...rules: unknown[]) => JSON.stringify({ rules });

describe("a file of rules", () => {
  beforeAll(() => loadPatterns());

  it("gives its rules, with what is left out filled in", () => {
    expect(rulesOf(file(RULE))).toEqual([{ ...RULE, in: ["cpu", "wall"], figure: "share", why: "", advice: "" }]);
    const attribute = { key: "alloc.class", values: ["int[]"] };
    const whole = { name: "B", in: ["alloc-samples"], attribute, info: 0, warning: 0, why: "W.", advice: "A." };
    expect(rulesOf(file(whole))).toEqual([{ ...whole, in: ["alloc"], figure: "share" }]);
    expect(rulesOf(file({ name: "C", in: ["exceptions"], figure: "rate", info: 1, warning: 2 }))).toHaveLength(1);
  });

  it("tells which patterns it uses before they are compiled", () => {
    expect(patternsIn(file(RULE, { ...RULE, unless: "x+", leaf: 5 }))).toEqual([RULE.any, RULE.any, "x+"]);
    expect(patternsIn("{")).toEqual([]);
    expect(patternsIn("null")).toEqual([]);
    expect(patternsIn(file(null))).toEqual([]);
  });

  it.each([
    ["{", /^the file is not JSON/],
    ["[]", /^the file has no list "rules"$/],
    [file(), /^the list of rules is empty$/],
    [file(7), /^rule 1: it is not an object$/],
    [file(RULE, { ...RULE }), /^rule 2: another rule is named "Ours"$/],
    [file({ ...RULE, warn: 3 }), /^rule 1: unknown field "warn"$/],
    [file({ ...RULE, name: "" }), /^rule 1: "name" must be a string$/],
    [file({ ...RULE, name: "x".repeat(61) }), /^rule 1: "name" has more than 60 characters$/],
    [file({ ...RULE, info: "1" }), /^rule 1: "info" must be a number of at least 0$/],
    [file({ ...RULE, info: 6 }), /^rule 1: "info" must not be above "warning"$/],
    [file({ ...RULE, figure: "sum" }), /^rule 1: "figure" must be one of share, time, rate, pauses$/],
    [file({ ...RULE, in: "cpu" }), /^rule 1: "in" must be a list of profile types$/],
    [file({ ...RULE, any: "(" }), /^rule 1: "any" is not a valid pattern: missing closing \)/],
    [file({ ...RULE, any: 3 }), /^rule 1: "any" must be a pattern$/],
    [file({ name: "A", info: 1, warning: 2 }), /^rule 1: a share needs "any", "leaf"/],
    [
      file({ ...RULE, attribute: { key: "k", values: ["v"] } }),
      /^rule 1: "attribute" and patterns exclude each other$/,
    ],
    [file({ name: "A", info: 1, warning: 2, attribute: { key: "k" } }), /^rule 1: "attribute" must be/],
  ])("is refused with its reason: %s", (text, reason) => {
    expect(() => rulesOf(text)).toThrow(RuleFileError);
    expect(() => rulesOf(text)).toThrow(reason);
  });
});
