import { describe, expect, it } from "vitest";
import { PROFILES } from "../../core/tables/catalogue.ts";
import { kindOf } from "../../core/tables/meanings.ts";
import { isReady, patternOf } from "../query/pattern.ts";
import { FINDING_RULES } from "./rules.ts";

/** Those of the catalogue, and Go's profile of waits. */
const KINDS = new Set<string>([
  "block",
  ...PROFILES.map(({ type }) => kindOf({ type, periodType: "", periodUnit: "" })),
]);

describe.each(FINDING_RULES)("the rule $name", (rule) => {
  const patterns = [rule.any, rule.leaf, rule.outermost, rule.unless, rule.files].filter((each) => each !== undefined);

  it("is about kinds of profiles of the catalogue, or about the whole selection", () => {
    expect(rule.in.filter((kind) => !KINDS.has(kind))).toEqual([]);
    expect(rule.in.length > 0).toBe(!["pauses", "kept", "held"].includes(rule.figure));
  });

  it("has patterns that need no engine, or an attribute where it is a share", () => {
    for (const pattern of patterns) {
      expect(isReady(pattern)).toBe(true);
      expect(patternOf(pattern).error).toBeNull();
    }
    if (rule.figure === "share") expect(patterns.length + Number(rule.attribute !== undefined)).toBeGreaterThan(0);
  });

  it("has limits, a short name, a reason and an advice of a sentence each", () => {
    expect(rule.info).toBeGreaterThan(0);
    expect(rule.warning).toBeGreaterThan(rule.info);
    expect(rule.name.split(" ").length).toBeLessThanOrEqual(4);
    for (const text of [rule.why, rule.advice]) expect(text).toMatch(/^[A-Z].{20,130}\.$/);
  });
});

it("no two rules have one name", () => {
  const names = FINDING_RULES.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
