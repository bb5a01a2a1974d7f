/** Inferred context of recordings whose program knew which span was on which thread: few claims may be wrong. */
import { beforeAll, describe, expect, it } from "vitest";
import { fixtureScore, type Score } from "../../kit/context-truth.ts";

const CASES: [name: string, trace: string | undefined, recall: number][] = [
  // async-profiler's profiler.Span with ids in the tag, and events of the JDK.
  ["apctx-jdk17", undefined, 0.85],
  // OpenTelemetry's scopes.
  ["jdkscope-jdk25", undefined, 0.95],
  // Datadog's samples: what is between them is often only of their root.
  ["ddctx-jdk17", undefined, 0.05],
  ["ddctx-jdk17", "ddctx-jdk17.captured.datadog.json.gz", 0.75],
  // Another program: an event loop and pools. Its spans overlap on the loop, where only a sample could decide.
  ["relay-jdk17", "relay-jdk17.whole.otlp.json.gz", 0.3],
  // The same on virtual threads, with scopes whose roots only the events of spans state.
  ["relay-jdk25", undefined, 0.9],
  // Virtual threads by Java's id in a trace, without a clock.
  ["relay-virtual25", "relay-virtual25.whole.otlp.json.gz", 0.15],
  // Datadog's samples around events of the JDK, and a trace whose clock these samples measure.
  ["relay-dd17", undefined, 0.1],
  ["relay-dd17", "relay-dd17.whole.otlp.json.gz", 0.85],
  // profiler.Span from start to end of a request, although the loop served others in between.
  ["relay-ap17", undefined, 0.85],
];

describe.each(CASES)("claims for %s with %s", (name, trace, recall) => {
  let found: Score;
  beforeAll(async () => {
    found = await fixtureScore(name, trace);
  });

  it("are right, those of each rule", () => {
    for (const { spans, rightSpans, roots, rightRoots } of Object.values(found.rules)) {
      // Of few claims one would be too much.
      if (roots < 50) continue;
      expect(rightSpans).toBeGreaterThanOrEqual(0.98 * spans);
      expect(rightRoots).toBeGreaterThanOrEqual(0.98 * roots);
    }
    expect(found.rightSpans).toBeGreaterThanOrEqual(0.98 * found.spans);
    expect(found.rightRoots).toBeGreaterThanOrEqual(0.98 * found.roots);
    expect(found.spans).toBeGreaterThan(10);
    expect(found.roots).toBeGreaterThan(10);
  });

  it("find most of the spans that a rule can find", () => {
    expect(found.found).toBeGreaterThanOrEqual(recall * found.certain);
  });
});
