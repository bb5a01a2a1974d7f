import { expect, it } from "vitest";
import type { Severity } from "../types.ts";
import { FirstOfKind } from "./first-of-kind.ts";

it("takes so many of a kind in a file and in all files, and counts the rest of each kind", () => {
  const first = new FirstOfKind({ perFile: 2, overall: 5 });
  const taken = (file: string, code = "a", severity: Severity = "error") => first.takes({ code, severity, file });
  expect([taken("1"), taken("1"), taken("1")]).toEqual([true, true, false]);
  expect([taken("2"), taken("2"), taken("2"), taken("3")]).toEqual([true, true, false, true]);
  // The kind has its five; another code and another severity are other kinds.
  expect([taken("4"), taken("4", "b"), taken("1", "a", "warning")]).toEqual([false, true, true]);
  expect(first.leftOut()).toEqual([{ code: "a", severity: "error", file: "1", count: 3 }]);
  first.reset();
  expect([taken("4"), first.leftOut()]).toEqual([true, []]);
});
