/** Where the time of any selection went: parts add up, and each opens the samples that it counts. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { emptyCore } from "../../../test/kit/core/read-store.ts";
import { answersOf, readBeside } from "../../../test/kit/page-answers.ts";
import type { Core } from "../../core/core.ts";
import type { Filter, SpanChoice } from "../../core/types.ts";
import { ENDPOINT_KEYS } from "../../model/lists/request-keys.ts";
import { loadPatterns } from "../../pattern/pattern.ts";
import type { InputFile } from "../api/api.ts";
import type { ChoiceTime, SlowRequest } from "../api/operations-api.ts";
import { HeldCore } from "../held-core.ts";
import { SpanRequests } from "./span-requests.ts";

const pathOf = (path: string) => new URL(`../../../fixtures/${path}`, import.meta.url).pathname;
const TRACE = "traces/ddctx-jdk17.captured.datadog.json.gz";

interface Opened {
  core: Core;
  time: (filter: Filter, choice?: SpanChoice) => Promise<ChoiceTime | null>;
  slow: (filter: Filter, limit: number) => Promise<SlowRequest[]>;
  samplesOf: (filter: Filter) => Filter;
}

async function opened(recording: string, trace: string | null): Promise<Opened> {
  await loadPatterns();
  const { core, spans } = await answersOf(pathOf(recording), trace === null ? null : pathOf(trace), false);
  return {
    core,
    time: (filter, choice = {}) => spans.ask("choiceTime", [choice, filter]),
    slow: (filter, limit) => spans.ask("slowRequests", [filter, limit]),
    samplesOf: (filter) => spans.samplesOf(filter),
  };
}

/** Faults of an answer: parts that do not add up, and parts that open other samples than they count. */
function faultsOf({ core, samplesOf }: Opened, time: ChoiceTime): unknown[] {
  const faults: unknown[] = [];
  for (const { breakdown, duration } of [time, ...(time.rest === null ? [] : [time.rest])]) {
    const sum = breakdown.reduce((all, { nano }) => all + nano, 0n);
    if (Number(sum) !== duration) faults.push(["sum", sum, duration]);
    for (const { part, low, nano, high } of breakdown) if (low > nano || nano > high) faults.push([part, low, high]);
  }
  if (time.shown === null || time.counted < time.requests) return faults;
  for (const { part, type, samples, attributes, frames } of time.opens) {
    const profile = core.profiles().find((each) => each.type === type);
    const { shown } = time;
    const all = {
      ...shown,
      attributes: [...(shown.attributes ?? []), ...attributes],
      frames: [...(shown.frames ?? []), ...frames],
    };
    const found = core.select(profile?.id ?? 0, samplesOf(all)).samples;
    if (found !== samples) faults.push([part, type, samples, found]);
  }
  return faults;
}

function countsOf(names: readonly string[]): number[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts.values()];
}

const endpointOf = ({ endpoint, operation }: SlowRequest) => endpoint || operation;

/** Values of the attribute that names requests. */
function endpoints(core: Core): { key: string; value: string }[] {
  const key = ENDPOINT_KEYS.find((each) => core.attributeKeys().includes(each)) ?? "";
  core.select(null, {});
  return core.views.rank({ kind: "attribute", key }, 0, 20).rows.map(({ label }) => ({ key, value: label }));
}

describe.each<[string, string | null]>([
  ["traces/ddctx-jdk17.jfr", TRACE],
  ["traces/ddctx-jdk17.jfr", null],
  ["recorded/ddagent-jdk17.jfr", null],
  ["recorded/dd152-jdk17-all.jfr", null],
])("%s with %s", (recording, trace) => {
  let of: Opened;
  beforeAll(async () => {
    of = await opened(recording, trace);
  });

  it("adds up for all requests, and opens their samples", async () => {
    const time = await of.time({});
    expect(time?.shown).toEqual({ spans: {} });
    expect(time?.opens.length).toBeGreaterThan(0);
    expect(faultsOf(of, time!)).toEqual([]);
  });

  it("adds up for each endpoint, its slowest requests, a thread, a function and a range of time", async () => {
    const { core, time } = of;
    const marks = core.views.timeRows()[0]!;
    const third = (marks.to - marks.from) / 3n;
    const [thread] = core.views.rank({ kind: "attribute", key: "thread.name" }, 0, 1).rows;
    const filters: Filter[] = [
      ...endpoints(core).map((attribute) => ({ attributes: [attribute] })),
      { attributes: [{ key: "thread.name", value: thread?.label ?? "" }] },
      { frames: [{ pattern: "java" }] },
      { time: { from: marks.from + third, to: marks.from + 2n * third } },
    ];
    expect(filters.length).toBeGreaterThan(3);
    let answers = 0;
    for (const filter of filters) {
      const all = await time(filter);
      if (all === null) continue;
      answers++;
      expect([filter, faultsOf(of, all)]).toEqual([filter, []]);
      const slow = await time(filter, { slowest: 10 });
      const counts = countsOf((await of.slow(filter, 100)).map(endpointOf));
      const compared = counts.length === 1 ? counts : counts.filter((count) => count > 1);
      const wanted = compared.reduce((sum, count) => sum + Math.ceil(count / 10), 0);
      expect([filter, slow?.requests ?? 0]).toEqual([filter, wanted]);
      if (slow === null) continue;
      expect([filter, faultsOf(of, slow)]).toEqual([filter, []]);
      if (all.requests > 1) expect(slow.rest).toMatchObject({ of: "selection", requests: all.requests - wanted });
    }
    expect(answers).toBeGreaterThan(3);
  });

  it("lists the slowest requests, each with the time that it has alone", async () => {
    const { core, time, slow } = of;
    const all = await slow({}, 100);
    expect(all.length).toBeGreaterThan(5);
    expect(all).toEqual([...all].sort((a, b) => b.duration - a.duration));
    for (const { id, by, duration, breakdown } of all.slice(0, 20)) {
      const alone = await time(by === "root" ? { localRoot: id } : { span: id });
      expect([id, alone?.duration, alone?.breakdown]).toEqual([id, duration, breakdown]);
    }
    expect(await slow({}, 3)).toEqual(all.slice(0, 3));
    for (const endpoint of endpoints(core)) {
      const own = await slow({ attributes: [endpoint] }, 100);
      expect(own.length).toBeGreaterThan(0);
      const durations = own.map(({ duration }) => duration).reverse();
      const p95 = durations[Math.ceil(0.95 * own.length) - 1];
      for (const each of own)
        expect(each).toMatchObject({ endpoint: endpoint.value, alike: { requests: own.length, p95 } });
    }
    expect(await slow({ attributes: [{ key: "thread.name", value: "no such thread" }] }, 5)).toEqual([]);
  });

  it("has the requests with samples of a local root, and of none", async () => {
    const { core, time } = of;
    core.select(null, {});
    const [root] = core.views.rank({ kind: "local-root" }, 0, 1).rows;
    const one = await time({ localRoot: root!.id });
    expect(one?.requests).toBe(1);
    expect(faultsOf(of, one!)).toEqual([]);
    expect(one?.rest?.of).toMatch(/endpoint|operation|all/);
    if (one?.rest?.of === "endpoint") {
      // The others of its endpoint, the middle one of which is the median.
      const slowest = await of.slow({}, 1000);
      const own = slowest.find(({ id }) => id === root!.id);
      const others = slowest.filter(({ id, endpoint }) => endpoint === own?.endpoint && id !== root!.id);
      expect(one.rest.requests).toBe((own?.alike.requests ?? 0) - 1);
      if (others.length === one.rest.requests)
        expect(one.rest.median?.duration).toBe(others[others.length >> 1]?.duration);
    }
    expect(one?.longest[0]).toMatchObject({ id: root!.id, duration: one?.duration });
    expect(await time({ localRoot: 12345n })).toBeNull();
    expect(await time({ attributes: [{ key: "thread.name", value: "no such thread" }] })).toBeNull();
  });

  it("has the time of a span, also of one that no trace knows", async () => {
    const { core, time } = of;
    core.select(null, {});
    const { rows } = core.views.rank({ kind: "span" }, 0, 30);
    for (const { id } of rows) {
      const one = await time({ span: id });
      expect(one?.requests).toBe(1);
      expect([id, faultsOf(of, one!)]).toEqual([id, []]);
    }
  });
});

it("has the CPU time that the threads' clocks measured within its interval for 95 of 100 requests", async () => {
  const measured = JSON.parse(readFileSync(pathOf("traces/cpu-of-requests.json"), "utf8"));
  let [requests, within] = [0, 0];
  for (const [recording, roots] of Object.entries<Record<string, number>>(measured)) {
    const of = await opened(recording, recording === "traces/ddctx-jdk17.jfr" ? TRACE : null);
    for (const [id, ms] of Object.entries(roots)) {
      const cpu = (await of.time({ localRoot: BigInt(id) }))?.breakdown.find(({ part }) => part === "cpu");
      requests++;
      if (cpu !== undefined && Number(cpu.low) <= ms * 1e6 && ms * 1e6 <= Number(cpu.high)) within++;
    }
  }
  expect(requests).toBeGreaterThan(140);
  expect(within / requests).toBeGreaterThanOrEqual(0.95);
});

it("compares an endpoint with the others, and has the longest pause of its requests", async () => {
  const of = await opened("recorded/ddagent-jdk17.jfr", null);
  let pauses = 0;
  for (const endpoint of endpoints(of.core)) {
    const time = await of.time({ attributes: [endpoint] });
    expect(time?.rest?.of).toBe("all");
    const gc = time?.breakdown.find(({ part }) => part === "gc")?.nano ?? 0n;
    if (gc === 0n || time === null) continue;
    const { id, by, type, time: moment } = time.pause!;
    expect([by, of.core.profiles().some((profile) => profile.type === type)]).toEqual(["root", true]);
    const request = time.longest.find((each) => each.id === id)!;
    expect(moment.from).toBeGreaterThanOrEqual(request.start);
    expect(moment.to).toBeLessThanOrEqual(request.start + BigInt(request.duration));
    pauses++;
  }
  expect(pauses).toBeGreaterThan(0);
});

/** The whole trace of one request of the recording, 1 h long. */
function traceOf(id: bigint): InputFile {
  const hour = 3_600_000_000_000n;
  const span = {
    traceId: "1".padStart(32, "0"),
    spanId: id.toString(16).padStart(16, "0"),
    name: "servlet.request",
    startTimeUnixNano: "1795310250000000000",
    endTimeUnixNano: String(1795310250000000000n + hour),
  };
  return {
    name: "one.json",
    blob: new Blob([JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })]),
  };
}

it("has all requests of an endpoint, of which a trace file has one", async () => {
  const path = pathOf("recorded/dd152-jdk17-all.jfr");
  const alone = await answersOf(path, null, false);
  const [request] = await alone.spans.ask("slowRequests", [{}, 1]);
  const before = await alone.spans.ask("endpointTimes", []);
  expect(before.map(({ source }) => source)).toEqual(before.map(() => "roots"));
  const core = await emptyCore();
  const read = await readBeside(core, path, [traceOf(request!.id)]);
  const spans = await SpanRequests.of(new HeldCore(core), read?.files ?? []);
  const after = await spans.ask("endpointTimes", []);
  for (const { endpoint, ...times } of before) {
    const now = after.find((each) => each.endpoint === endpoint);
    // The others last at least as long as before.
    if (endpoint !== request!.endpoint) expect(now).toEqual({ endpoint, ...times });
    else expect(now).toMatchObject({ requests: times.requests, max: 3_600_000_000_000, source: "roots" });
  }
  // The table has them, too: all but one have no duration that is stated.
  const { source, spans: count, unstated } = await spans.ask("operations", ["p95", false, 0, 10]);
  const all = before.reduce((sum, { requests }) => sum + requests, 0);
  expect([source, count, unstated]).toEqual(["files", all, all - 1]);
});
