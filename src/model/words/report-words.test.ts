import { describe, expect, it } from "vitest";
import { isClean, reportWords } from "./report-words.ts";

const error = { severity: "error" } as const;
const warning = { severity: "warning" } as const;
const info = { severity: "info" } as const;

describe("reportWords", () => {
  it("says valid, and what there is beside", () => {
    expect(reportWords({ valid: true, findings: [] })).toBe("valid");
    expect(reportWords({ valid: true, findings: [warning, info, info] })).toBe("valid, 1 warning, 2 notes");
    expect(reportWords({ valid: false, findings: [error, error, warning] })).toBe("not valid: 2 errors, 1 warning");
  });

  it("is clean with notes only", () => {
    expect([isClean({ findings: [info] }), isClean({ findings: [warning] })]).toEqual([true, false]);
  });
});
