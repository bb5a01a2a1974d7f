import { expect, it } from "vitest";
import type { Severity } from "../core/types.ts";
import { ExitCode, exitOf } from "./exit.ts";

it("is 3 if an input was not read, or a reading stopped; with --strict also for damage", () => {
  const one = { name: "a", read: "partly" as const };
  const exit = (code: string, severity: Severity, strict = false, isOutput = false) =>
    exitOf(
      { runs: [], readable: 1, inputs: [one] },
      [{ code, severity, message: "", file: "a", chunk: null, offset: null }],
      strict,
      isOutput,
    );
  expect(exit("source.changed", "error")).toBe(ExitCode.Partly);
  expect(exit("core.memory", "error")).toBe(ExitCode.Partly);
  expect(exit("otlp.types.many", "error")).toBe(ExitCode.Partly);
  const sums = [
    exit("core.sums", "error"),
    exit("core.sums", "error", false, true),
    exit("core.sums", "error", true, true),
  ];
  expect(sums).toEqual([ExitCode.Partly, ExitCode.Done, ExitCode.Partly]);
  expect(exit("core.memory", "error", false, true)).toBe(ExitCode.Partly);
  expect(exit("otlp.profiles.many", "warning")).toBe(ExitCode.Done);
  expect(exit("source.grown", "warning")).toBe(ExitCode.Done);
  expect([exit("jfr.chunk.truncated", "error"), exit("gzip.damaged", "error")]).toEqual([ExitCode.Done, ExitCode.Done]);
  expect(exit("jfr.chunk.truncated", "error", true)).toBe(ExitCode.Partly);
  expect([exit("jfr.pool.undefined", "warning"), exit("jfr.pool.undefined", "warning", true)]).toEqual([0, 3]);
  expect(exit("jfr.metadata.moved", "warning", true)).toBe(ExitCode.Done);
  expect(exitOf({ runs: [], readable: 1, inputs: [one, { name: "b", read: "not" }] }, [])).toBe(ExitCode.Partly);
  expect(exitOf({ runs: [], readable: 0, inputs: [{ name: "b", read: "not" }] }, [])).toBe(ExitCode.Failed);
});
