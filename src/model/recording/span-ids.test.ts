import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { profileSummary } from "../../../test/kit/otlp/profile.ts";
import { ID_ROWS, missingIds } from "./span-ids.ts";

it("a recording without span ids has the setting of its profiler that adds them, as docs/recording.md has it", () => {
  const of = (...events: string[]) =>
    missingIds([profileSummary({ type: "cpu", events: Object.fromEntries(events.map((name) => [name, 1])) })])?.setting;
  expect(of("jdk.ExecutionSample")).toContain("dd-java-agent.jar");
  expect(of("jdk.JavaMonitorEnter", "profiler.WallClockSample")).toContain("one.profiler.Span");
  expect(of()).toContain("spanflame/record");
  const guide = readFileSync(new URL("../../../docs/recording.md", import.meta.url), "utf8");
  for (const { setting } of ID_ROWS) expect(guide).toContain(setting);
});

it("where samples have ids, own or inferred, nothing is missing", () => {
  expect(missingIds([profileSummary({ type: "cpu", samplesWithSpan: 1 })])).toBeNull();
  expect(missingIds([profileSummary({ type: "cpu" }), profileSummary({ type: "cpu", inferredSpan: 1 })])).toBeNull();
  expect(missingIds([])).toBeNull();
});
