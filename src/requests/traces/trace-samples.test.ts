/** What is counted for all spans at once is what is counted for each of them. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { emptyCore } from "../../../test/kit/core/read-store.ts";
import { readBeside } from "../../../test/kit/page-answers.ts";
import { openSamples } from "../../core/samples/sample-reader.ts";
import { openSpans, rowsOf } from "../../core/samples/spans.ts";
import { totalsById } from "../../core/span-totals.ts";
import { spanTime } from "../../model/span-time/span-time.ts";
import { evidenceFrom, evidenceOf } from "../../model/trace/evidence.ts";
import { childTimes, extentAt } from "../../model/trace/span-extent.ts";
import { traceTree } from "../../model/trace/tree.ts";
import { HeldCore } from "../held-core.ts";
import { factsOfSamples } from "./sample-facts.ts";
import { Steps } from "./steps.ts";
import { timeFacts, traceSamples } from "./trace-samples.ts";

const pathOf = (name: string) => new URL(`../../../fixtures/traces/${name}`, import.meta.url).pathname;

async function opened(others: string[] = []) {
  const core = await emptyCore();
  const name = "ddctx-jdk17.captured.datadog.json.gz";
  const more = others.map((text, i) => ({ name: `${i}.json`, blob: new Blob([text]) }));
  const traces = [{ name, blob: new Blob([readFileSync(pathOf(name))]) }, ...more];
  await readBeside(core, pathOf("ddctx-jdk17.jfr"), traces, true);
  const spans = await openSpans(core);
  const tree = traceTree(spans.columns(), rowsOf(spans.columns(), "files"), new Set());
  return { core, spans, tree };
}

describe("the samples of all spans", () => {
  it("have the times and counts of each id, and the same in each trace that has the id", async () => {
    const { tree: alone } = await opened();
    const second = [...alone.id].map((id) => `{"traceId":"7","id":"${id.toString(16)}","timestamp":1,"duration":1}`);
    const { core, spans, tree } = await opened([`[${second.join(",")}]`]);
    expect([tree.count, new Set(tree.id).size]).toEqual([2 * alone.count, alone.count]);
    const { has, first, last } = evidenceOf(spans, tree, 0);
    expect({ has, first, last }).toEqual(evidenceFrom(tree, spans.times(0)));
    const { counts, inferred } = new Steps(() => traceSamples(new HeldCore(core), spans, tree)).value;
    const totals = totalsById(new HeldCore(core), "span");
    expect(counts.map(({ type }) => type)).toEqual(totals.map(({ profile }) => profile.type));
    for (const [i, { totals: of }] of totals.entries()) {
      const known = Array.from(tree.id, (id) => of.get(id));
      expect([...(counts[i]?.samples ?? [])]).toEqual(known.map((each) => each?.samples ?? 0));
      expect([...(counts[i]?.value ?? [])]).toEqual(known.map((each) => Number(each?.value ?? 0n)));
    }
    expect([...inferred.values()].some((samples) => samples.some((n) => n > 0))).toBe(true);
  });

  it("have the states of the other spans of each operation", async () => {
    const { core, spans, tree } = await opened();
    const reader = await openSamples(new HeldCore(core));
    const operations = new Steps(() => timeFacts(new HeldCore(core), reader)).value;
    const facts = factsOfSamples(core);
    const evidence = [evidenceOf(spans, tree, 0)];
    let compared = 0;
    for (let place = 0; place < tree.count; place++) {
      const { start, end, from } = extentAt(tree, place, evidence);
      const children = childTimes(tree, place);
      const span = tree.id[place] ?? 0n;
      const asked = { by: "span" as const, span, extent: { start, end, from }, children, ...facts, name: null };
      const { others } = spanTime(reader, asked);
      expect(spanTime(reader, { ...asked, operations }).others).toEqual(others);
      compared += Number(others.spans > 0);
    }
    expect(compared).toBeGreaterThan(10);
  });
});

describe("steps", () => {
  it("begin again after a failure, and after their answer is forgotten", () => {
    let run = 0;
    const steps = new Steps(function* () {
      yield;
      run++;
      if (run === 1) throw new Error("no memory");
      return run;
    });
    expect(steps.next()).toBe(false);
    expect(() => steps.next()).toThrow("no memory");
    expect(steps.value).toBe(2);
    expect(steps.next()).toBe(true);
    steps.forget();
    expect(steps.value).toBe(3);
  });
});
