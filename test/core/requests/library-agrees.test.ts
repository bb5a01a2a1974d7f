/** The library has the figures of `spans`, `trace`, `why` and `calls`, for every recording of the fixtures. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Core } from "../../../src/core/core.ts";
import { PROFILES } from "../../../src/core/tables/catalogue.ts";
import { usualMeasure } from "../../../src/core/tables/usual-measure.ts";
import type { Recording } from "../../../src/library/recording.ts";
import { profileTabs } from "../../../src/model/recording/profile-tabs.ts";
import { WAIT_KINDS } from "../../../src/model/waits/wait-rows.ts";
import { type ToldTime, toldTime } from "../../../src/model/why/sentence.ts";
import type { WhySummary } from "../../../src/model/why/summary.ts";
import { whyWords } from "../../../src/model/why/why-text.ts";
import { measured } from "../../../src/model/words/measure.ts";
import { HeldCore } from "../../../src/requests/held-core.ts";
import { directly } from "../../../src/requests/questions/direct.ts";
import { SpanRequests } from "../../../src/requests/traces/span-requests.ts";
import { shortDump } from "../../kit/cdt/short-dump.ts";
import { type Case, cases, FIXTURES, inputs } from "../../kit/figure-cases.ts";
import { openRecording } from "../../kit/open-recording.ts";
import { readBeside } from "../../kit/page-answers.ts";
import { askCli, buildCli, ROOT } from "../../kit/run-cli.ts";

const MOST = Number.POSITIVE_INFINITY;
const folder = mkdtempSync(join(tmpdir(), "spanflame-library-"));
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(() => buildCli(), 120_000);

const fileOf = (name: string) => ({ name, data: readFileSync(join(FIXTURES, name)) });

function given({ recording, trace }: Case) {
  return [fileOf(recording), { infer: true, ...(trace !== null && { traces: fileOf(trace) }) }] as const;
}

/** An answer of the library as the command line prints it. */
const asJson = (answer: object): unknown =>
  JSON.parse(JSON.stringify(answer, (_, value) => (typeof value === "bigint" ? String(value) : value)));

const MODULE = WebAssembly.compile(readFileSync(join(ROOT, "build", "core.wasm")));

/** The questions of the page's worker, which reads each recording into another core. */
async function pageAsked({ recording, trace }: Case) {
  const core = await Core.instantiate(await MODULE);
  const files = trace === null ? [] : [trace];
  const traces = files.map((name) => ({ name, blob: new Blob([readFileSync(join(FIXTURES, name))]) }));
  const read = await readBeside(core, join(FIXTURES, recording), traces, true);
  const held = new HeldCore(core);
  const spans = await SpanRequests.of(held, read?.files ?? []);
  const ask = directly({ held, calls: null, spans, profiles: () => core.profiles() });
  return { core, ask: ask as (name: Parameters<typeof ask>[0], ...given: unknown[]) => Promise<unknown> };
}

interface Told {
  schema: number;
  losses?: object;
  sentence: string;
  requests: Record<string, unknown> & { longest: { id: string; durationNano: string }[]; others: object | null };
}

interface Traced {
  spans: {
    traceId: string;
    id: string;
    name: string;
    durationNano: string;
    selfNano: string;
    criticalNano: string;
    reason: string | null;
    from: string;
    profiles: { type: string; samples: number; value: string; inferredSamples: number; inferredValue: string }[];
  }[];
}

/** The spans of all traces, as `trace` prints them. */
async function spansOf(recording: Recording): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (const { trace } of (await recording.traceRows({ by: "start", limit: MOST })).rows) {
    const spans = await recording.spans({ trace });
    if (spans === null) throw new Error(`no trace ${trace}`);
    for (const [i, id] of spans.id.entries()) {
      const profiles = spans.profiles.filter(({ samples }) => samples[i] !== 0);
      rows.push({
        ...{ traceId: trace.toString(16).padStart(32, "0"), id: String(id), name: spans.texts[spans.nameOf[i]!] },
        ...{ duration: spans.length[i], self: spans.self[i], critical: spans.critical[i] },
        reason: profiles.length > 0 ? null : spans.reasons[spans.reason[i]! - 1],
        profiles: profiles.map(({ type, ...of }) => [type, of.samples[i], of.inferred[i], of.value[i]]),
      });
    }
  }
  return rows;
}

function printed({ spans }: Traced): unknown[] {
  return spans.map(({ traceId, id, name, durationNano, selfNano, criticalNano, reason, profiles }) => ({
    ...{ traceId, id, name, duration: Number(durationNano), self: Number(selfNano), critical: Number(criticalNano) },
    // `trace` gives it for spans with inferred samples, too.
    reason: profiles.length > 0 ? null : reason,
    profiles: profiles.map(({ type, samples, value, inferredSamples, inferredValue }) => [
      ...[type, samples + inferredSamples, inferredSamples],
      Number(value) + Number(inferredValue),
    ]),
  }));
}

describe.each(cases)("$recording with $trace", (of) => {
  it("has the spans of `trace`, the operations of `spans` and the time of `why`", async () => {
    const recording = await openRecording(...given(of));
    expect(recording.traces?.files.length ?? 0).toBe(of.trace === null ? 0 : 1);
    const traced = await askCli<Traced>("trace", ...inputs(of), "--inferred");
    const sorted = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
    // Without a stated span the library has no traces; `trace` has the spans of samples.
    if (recording.traces === null) expect(new Set(traced.spans.map(({ from }) => from)).has("recording")).toBe(false);
    else expect(sorted(await spansOf(recording))).toEqual(sorted(printed(traced)));

    const { source, rows } = await recording.operations({ by: "operation", limit: MOST });
    if (source !== "roots") {
      const lengths = new Map<string, number[]>();
      for (const { name, durationNano } of traced.spans.filter(({ from }) => from !== "samples"))
        lengths.set(name, [...(lengths.get(name) ?? []), Number(durationNano)]);
      expect(rows.map(({ operation, spans, max }) => [operation, spans, max])).toEqual(
        [...lengths].map(([name, all]) => [name, all.length, Math.max(...all)]).sort(),
      );
      type Listed = { rows: { operation?: string; key?: string; p50Nano: string | null; p95Nano: string }[] };
      const [profile] = recording.profiles;
      const listed = await askCli<Listed>(
        ...["spans", ...inputs(of), "--inferred", "--by", "operation", "--type", profile?.type ?? "wall"],
      );
      for (const { operation, key = operation, p50Nano, p95Nano } of listed.rows) {
        const row = rows.find((each) => each.operation === key);
        if (p50Nano !== null) expect([key, row?.p50, row?.p95]).toEqual([key, Number(p50Nano), Number(p95Nano)]);
      }
    }

    const all = await recording.timeOf(recording.select(null));
    const [longest] = all?.longest ?? [];
    const [profile] = recording.profiles;
    if (longest === undefined || profile === undefined || longest.id >= 2n ** 64n) return;
    const selection = recording.select(null, { localRoot: longest.id });
    const time = await recording.timeOf(selection);
    const told = await askCli<Told>("why", ...inputs(of), "--local-root", String(longest.id), "--type", profile.type);
    if (time === null) {
      expect(told.requests).toBe(null);
      return;
    }
    const parts = (breakdown: typeof time.breakdown) =>
      breakdown.map((part) => ({
        ...part,
        nano: `${part.nano}`,
        low: `${part.low}`,
        high: `${part.high}`,
        measured: `${part.measured}`,
      }));
    const { requests, counted, duration, samples, inferredSamples, unknownRoots, rest } = time;
    expect(told.requests).toMatchObject({
      ...{ requests, counted, durationNano: String(duration), samples, inferredSamples, unknownRoots },
      breakdown: parts(time.breakdown),
      others: rest && { requests: rest.requests, of: rest.of, breakdown: parts(rest.breakdown) },
    });
    expect(told.requests.longest.map(({ id, durationNano }) => [id, durationNano])).toEqual(
      time.longest.map((each) => [String(each.id), String(each.duration)]),
    );
    const request = recording.select(profile.type, { localRoot: longest.id });
    const { schema: _, losses: __, ...answer } = told;
    expect(asJson(await recording.why(request))).toEqual(answer);
    const page = await pageAsked(of);
    const { core, ask } = page;
    const query = { profile: profile.id, measure: usualMeasure(profile), filter: { localRoot: [longest.id] } };
    const story = (await ask("story", query, "", "")) as WhySummary;
    const choice = (await ask("ofTraces", "choiceTime", {}, query.filter)) as ToldTime;
    const tabs = profileTabs(PROFILES, core.profiles(), core.settings());
    const words = whyWords(story, measured(profile, query.measure), tabs, toldTime(query.filter, choice));
    expect(words.sentence).toBe(told.sentence);
    recording.close();
  }, 90_000);
});

describe.each([
  { recording: "waits/holders-jdk25.jfr", trace: null },
  { recording: "traces/relay-jdk17.jfr", trace: "traces/relay-jdk17.whole.otlp.json.gz" },
  { recording: "traces/relay-dd17.jfr", trace: null },
])("waits of $recording", (of) => {
  it("are those of `waits` and of the page, whole and of a request", async () => {
    const recording = await openRecording(...given(of));
    type Listed = { waits: { localRoot: string | null; address: string | null; kind: string }[]; total: object };
    const listed = await askCli<Listed>("waits", ...inputs(of));
    const all = await recording.waits(recording.select(null), { limit: MOST });
    const decimal = (address: string | null) => (address === null ? null : String(BigInt(address)));
    const printed = listed.waits.map(({ address, ...wait }) => ({ ...wait, address: decimal(address) }));
    expect(asJson(all)).toEqual({ waits: printed, total: listed.total });
    expect(all.total.waits).toBeGreaterThan(0);
    const second = await recording.waits(recording.select(null), { offset: 1, limit: 1 });
    expect(second).toEqual({ waits: all.waits.slice(1, 2), total: all.total });
    for (const by of ["endpoint", "thread-pool", "thread"] as const) {
      const { schema: _, ...blocked } = await askCli<{ schema: number }>("waits", ...inputs(of), "--by", by);
      expect(asJson(await recording.blocked(recording.select(null), { by, limit: MOST }))).toEqual(blocked);
    }
    const root = all.waits.find(({ localRoot, kind }) => localRoot !== null && WAIT_KINDS.includes(kind))?.localRoot;
    if (root == null) throw new Error("no wait of a request");
    const id = BigInt.asUintN(64, root);
    const { waits: own } = await recording.waits(recording.select(null, { localRoot: id }), { limit: MOST });
    const { ask } = await pageAsked(of);
    const page = (await ask("waitsOfSpans", [id])) as typeof own;
    const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(asJson(row))).sort();
    expect(sorted(page)).toEqual(sorted(own.filter(({ kind }) => WAIT_KINDS.includes(kind))));
    recording.close();
  }, 90_000);
});

const DUMP = shortDump();

describe("calls of a dump", () => {
  const path = join(folder, "dump.zip");
  beforeAll(() => writeFileSync(path, DUMP));

  it.each([
    [{}, []],
    [{ by: "start", reversed: true, roots: "all" } as const, ["--sort", "start", "--roots", "all"]],
    [{ minMs: 20, maxMs: 50 }, ["--min-ms", "20", "--max-ms", "50"]],
    [{ params: { tenant: "acme" } }, ["--attr", "tenant=acme"]],
    [{ threads: ["worker-0"], roots: "all" } as const, ["--thread", "worker-0", "--roots", "all"]],
    [{ query: "run2" }, ["--query", "run2"]],
  ])("%j are those of the command line with %j", async (options, args) => {
    const recording = await openRecording({ name: "dump.zip", data: DUMP });
    const { count, duration, suspension, rows } = await recording.calls({ limit: MOST, ...options });
    type Listed = { total: Record<string, unknown>; rows: { id: string; durationNano: string; name: string }[] };
    const told = await askCli<Listed>("calls", path, ...args);
    const nanos = (ms: number) => String(1_000_000 * ms);
    expect({ calls: count, durationNano: nanos(duration), suspensionNano: nanos(suspension) }).toEqual({
      calls: told.total.calls,
      durationNano: told.total.durationNano,
      suspensionNano: told.total.suspensionNano,
    });
    const line = (id: string, name: string, nano: string) => `${id} ${name} ${nano}`;
    const own = rows.map((row) => line(row.id, row.name, nanos(row.duration)));
    const listed = told.rows.map((row) => line(row.id, row.name, row.durationNano));
    expect(own.toSorted()).toEqual(listed.toSorted());
    expect(own.length).toBeGreaterThan(0);
  });

  it("have samples", async () => {
    const recording = await openRecording({ name: "dump.zip", data: DUMP });
    const told = await askCli<{ total: string }>("top", path, "--type", "wall");
    expect(String(recording.select("wall").total().value)).toBe(told.total);
  });

  it("are none in a recording of another format", async () => {
    const recording = await openRecording(fileOf("shop.jfr"));
    expect(await recording.calls()).toEqual({ count: 0, duration: 0, suspension: 0, offset: 0, rows: [] });
    expect([recording.traces, await recording.spans(), (await recording.traceRows()).rows]).toEqual([null, null, []]);
  });
});
