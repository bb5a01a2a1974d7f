/** Inferred context of recordings whose program knew which span was on which thread: few claims may be wrong. */
import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { bytesSource } from "../../src/bytes/byte-source.ts";
import { type Infer, keepContexts } from "../../src/core/contexts.ts";
import { openSpans, rowsOf } from "../../src/core/spans.ts";
import { readInputs } from "../../src/input/open.ts";
import { inference } from "../../src/model/context/infer.ts";
import { traceTree } from "../../src/model/trace/tree.ts";
import { readTraceFile } from "../../src/traces/read.ts";
import { type Score, scoreOf, truthOf } from "../kit/context-truth.ts";
import { emptyCore } from "../kit/read-store.ts";

const fixture = async (name: string) =>
  bytesSource(await readFile(new URL(`../../fixtures/traces/${name}`, import.meta.url)));

/** The claims for a recording, with a trace file beside it if one is named. */
async function score(name: string, trace?: string): Promise<Score> {
  const truth = await truthOf(name);
  const core = await emptyCore();
  const spans = await openSpans(core);
  let infer = inference();
  if (trace !== undefined) {
    await readTraceFile(trace, await fixture(trace), spans, 1);
    const columns = spans.columns();
    const entries = new Set([spans.text("server"), spans.text("consumer")]);
    const tree = traceTree(columns, rowsOf(columns, "files"), entries);
    infer = inference({ tree, columns, entries, text: (i) => spans.string(i) });
  }
  let found: Score | undefined;
  const scored: Infer = (facts) => {
    const claims = infer(facts);
    found = scoreOf(facts, claims, truth);
    return claims;
  };
  await keepContexts(core, scored);
  await readInputs(core, [{ name, source: await fixture(`${name}.jfr`) }]);
  if (found === undefined) throw new Error("nothing was inferred");
  return found;
}

const CASES: [name: string, trace: string | undefined, recall: number][] = [
  // async-profiler's profiler.Span with ids in the tag, and events of the JDK.
  ["apctx-jdk17", undefined, 0.85],
  // OpenTelemetry's scopes.
  ["jdkscope-jdk25", undefined, 0.95],
  // Datadog's samples: what is between them is often only of their root.
  ["ddctx-jdk17", undefined, 0.05],
  ["ddctx-jdk17", "ddctx-jdk17.captured.datadog.json.gz", 0.75],
];

describe.each(CASES)("claims for %s with %s", (name, trace, recall) => {
  let found: Score;
  beforeAll(async () => {
    found = await score(name, trace);
  });

  it("are right", () => {
    expect(found.rightSpans).toBeGreaterThanOrEqual(0.98 * found.spans);
    expect(found.rightRoots).toBeGreaterThanOrEqual(0.98 * found.roots);
    expect(found.spans).toBeGreaterThan(10);
  });

  it("find most of the spans that a rule can find", () => {
    expect(found.found).toBeGreaterThanOrEqual(recall * found.certain);
  });
});
