/** Requests about traces, answered for a recording beside the trace files of its program. */
import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { emptyCore } from "../../../test/kit/core/read-store.ts";
import { readBeside } from "../../../test/kit/page-answers.ts";
import type { Core } from "../../core/core.ts";
import { traceHex } from "../../model/trace/beside.ts";
import { readTraces } from "../contexts.ts";
import { FileSource } from "../file-source.ts";
import { HeldCore } from "../held-core.ts";
import { tracesInto } from "../trace-reading.ts";
import { Finding } from "./finding.ts";
import { profilesOf } from "./sample-facts.ts";
import { SpanRequests } from "./span-requests.ts";
import { Traces } from "./traces.ts";

const pathOf = (name: string) => new URL(`../../../fixtures/traces/${name}`, import.meta.url).pathname;
const fileOf = (name: string) => ({ name, blob: new Blob([readFileSync(pathOf(name))]) });

let core: Core;
let traces: Traces;

beforeAll(async () => {
  core = await emptyCore();
  const found = await readBeside(core, pathOf("ddctx-jdk17.jfr"), [fileOf("ddctx-jdk17.captured.datadog.json.gz")]);
  const read = await Traces.of(new HeldCore(core), found?.files ?? []);
  if (read === null) throw new Error("no spans");
  traces = read;
});

test("the list has every trace, in the order that is asked for", () => {
  const { traces: count, spans } = traces.overview();
  const page = traces.list("duration", false, 0, count);
  expect(page.rows).toHaveLength(count);
  expect(page.rows.reduce((sum, row) => sum + row.spans, 0)).toBe(spans);
  const durations = page.rows.map(({ duration }) => duration);
  expect(durations).toEqual([...durations].sort((a, b) => b - a));
  expect(traces.list("duration", true, 0, 1).rows).toEqual(page.rows.slice(-1));
});

test("a trace has its spans with their samples; parents precede children", () => {
  const spans = traces.spans(traces.list("samples", false, 0, 1).rows[0]!.trace, []);
  if (spans === null) throw new Error("no trace");
  expect(spans.samples).toBe(traces.list("samples", false, 0, 1).rows[0]?.samples);
  const cpu = spans.profiles.find(({ type }) => type === "cpu");
  const wall = spans.profiles.find(({ type }) => type === "wall");
  expect((cpu?.samples ?? wall?.samples)?.some((n) => n > 0)).toBe(true);
  const sum = spans.profiles.flatMap(({ samples }) => [...samples]).reduce((a, b) => a + b, 0);
  expect(sum).toBe(spans.samples);
  for (const [place, up] of spans.up.entries()) {
    expect(up).toBeLessThan(place);
    if (up >= 0) expect(spans.depth[place]).toBe((spans.depth[up] ?? 0) + 1);
    // A span has samples, or a reason why it has none.
    const isSampled = spans.profiles.some(({ samples }) => (samples[place] ?? 0) > 0);
    expect(spans.reason[place] === 0).toBe(isSampled);
  }
});

test("of an id that only the trace file knows its trace, its duration and why it has no samples are said", async () => {
  const held = new HeldCore(core);
  const finding = new Finding(held, profilesOf(core));
  const spans = await SpanRequests.of(held, traces.overview().files);
  const { tree } = traces;
  const carried = (id: bigint) => held.totals(null, { span: id }).samples > 0;
  const places = Array.from({ length: tree.count }, (_, place) => place).filter((place) => !carried(tree.id[place]!));
  expect(places.length).toBeGreaterThan(5);
  for (const place of places) {
    const { trace, lines } = await finding.uncarried(tree.id[place]!, spans);
    expect(trace).toBe(traceHex(tree, place));
    expect(lines[0]).toMatch(/^.+, [\d.]+ (ns|µs|ms|s)$/);
    expect(lines[1]).toMatch(/\.$/);
    expect(lines.join()).not.toMatch(/know the id|[Ss]imilar ids/);
  }
  const unknown = await finding.uncarried(0x1234567n, spans);
  expect(unknown.trace).toBeNull();
  expect(unknown.lines[0]).toContain("neither the recordings nor the trace files know the id");
});

test("a trace is found by one of its spans, and a span by name, id and attribute", () => {
  const whole = traces.spans(traces.list("samples", false, 0, 1).rows[0]!.trace, []);
  if (whole === null) throw new Error("no trace");
  const id = whole.id.at(-1) ?? 0n;
  expect(traces.spans("", [id])?.trace).toBe(whole.trace);
  expect(traces.spans("", [BigInt(`0x${whole.trace}`)])?.trace).toBe(whole.trace);
  // No other trace is shown in place of an unknown one.
  expect(traces.spans("", [])).toBeNull();
  expect(traces.spans("", [12n])).toBeNull();
  expect(traces.spans("5c".repeat(16), [id])).toBeNull();
  expect(traces.spans(whole.trace, [1n])?.trace).toBe(whole.trace);
  const place = whole.id.length - 1;
  const detail = traces.span(whole.trace, place);
  expect(detail?.id).toBe(id);
  expect([...traces.find(whole.trace, id.toString(16).padStart(16, "0"))]).toContain(place);
  expect([...traces.find(whole.trace, String(detail?.name).toUpperCase())]).toContain(place);
  const [{ key = "", value = "" } = {}] = detail?.attributes ?? [];
  expect([...traces.find(whole.trace, `${key}=${value}`)]).toContain(place);
  expect([...traces.find(whole.trace, "no span has this")]).toEqual([]);
  expect(traces.span(whole.trace, whole.id.length)).toBeNull();
});

test("the parts of a span's time add up to its duration, and its states to its wall samples", async () => {
  const whole = traces.spans(traces.list("samples", false, 0, 1).rows[0]!.trace, []);
  if (whole === null) throw new Error("no trace");
  const wall = whole.profiles.find(({ type }) => type === "wall");
  for (let place = 0; place < whole.id.length; place++) {
    const time = await traces.time(whole.trace, place, "span");
    expect(time?.from).toBe("trace");
    expect(time?.duration).toBe(whole.length[place]);
    const parts = time?.breakdown.map(({ nano }) => nano) ?? [];
    expect(Number(parts.reduce((sum, nano) => sum + nano, 0n))).toBe(time?.duration);
    expect(time?.breakdown.filter(({ low, nano, high }) => low > nano || nano > high)).toEqual([]);
    expect(time?.samples).toBe(wall?.samples[place] ?? 0);
    expect(time?.states.reduce((sum, { samples }) => sum + samples, 0)).toBe(time?.samples);
  }
  expect(await traces.time(whole.trace, whole.id.length, "span")).toBeNull();
});

test("a part opens exactly the samples that are counted for it", async () => {
  let opened = 0;
  for (const { trace } of traces.list("samples", false, 0, 8).rows) {
    const ids = traces.spans(trace, [])?.id ?? new BigUint64Array();
    for (const [place, span] of ids.entries()) {
      const time = await traces.time(trace, place, "span");
      for (const { part, type, samples, attributes, frames } of time?.opens ?? []) {
        const profile = core.profiles().find((each) => each.type === type);
        const selected = core.select(profile?.id ?? 0, { span, attributes, frames });
        expect([part, type, selected.samples]).toEqual([part, type, samples]);
        opened++;
      }
    }
  }
  expect(opened).toBeGreaterThan(20);
});

test("a root has the time of its whole request, and is compared with the other requests of its operation", async () => {
  const [{ trace = "" } = {}] = traces.list("samples", false, 0, 1).rows;
  const alone = await traces.time(trace, 0, "span");
  const all = await traces.time(trace, 0, "root");
  const whole = traces.spans(trace, []);
  if (whole === null) throw new Error("no trace");
  expect(alone?.isRoot).toBe(true);
  expect(all?.duration).toBe(alone?.duration);
  expect(all?.samples).toBeGreaterThanOrEqual(alone?.samples ?? 0);
  expect(all?.breakdown.reduce((sum, { nano }) => sum + nano, 0n)).toBe(BigInt(all?.duration ?? 0));
  expect(all?.breakdown.map(({ part }) => part)).not.toContain("children");
  const peers = await traces.peers(trace, 0, "root");
  expect(peers?.count).toBeGreaterThan(2);
  expect(peers?.all).toBeGreaterThanOrEqual(peers?.count ?? 0);
  expect(peers?.parts.filter(({ p50, p95 }) => p50 > p95)).toEqual([]);
  // One by one, they are the same.
  const others: bigint[] = [];
  for (const { trace: other } of traces.list("start", false, 0, 100).rows) {
    const spans = traces.spans(other, []);
    const isPeer = spans?.name === whole.name && spans?.service === whole.service && spans?.resource === whole.resource;
    const time = other === trace || !isPeer ? null : await traces.time(other, 0, "root");
    if (time != null && time.opens.length > 0)
      others.push(time.breakdown.find(({ part }) => part === "cpu")?.nano ?? 0n);
  }
  expect(others).toHaveLength(peers?.count ?? 0);
  others.sort((a, b) => Number(a - b));
  expect(peers?.parts.find(({ part }) => part === "cpu")?.p50).toBe(others[Math.ceil(others.length / 2) - 1]);
});

test("the strips of a trace have all samples with a state of its spans, and a critical path of its duration", async () => {
  for (const { trace, duration } of traces.list("samples", false, 0, 12).rows) {
    const strips = await traces.strips(trace);
    const whole = traces.spans(trace, []);
    if (strips === null || whole === null) throw new Error("no strips");
    for (const place of whole.id.keys()) {
      const counted = whole.profiles
        .filter(({ type }) => ["cpu", "wall"].includes(type))
        .reduce((sum, { samples }) => sum + (samples[place] ?? 0), 0);
      const marked = [...strips.place.keys()].filter((i) => strips.place[i] === place && strips.length[i] === 0);
      expect(marked.reduce((sum, i) => sum + (strips.count[i] ?? 0), 0)).toBe(counted);
      const onPath = [...strips.path.place.keys()].filter((i) => strips.path.place[i] === place);
      const path = onPath.map((i) => (strips.path.to[i] ?? 0) - (strips.path.from[i] ?? 0));
      expect(path.reduce((sum, each) => sum + each, 0)).toBe(whole.critical[place]);
    }
    expect([...strips.at].filter((at, i) => at < 0 || at + (strips.length[i] ?? 0) > duration)).toEqual([]);
    expect([...strips.pauses.from].filter((from, i) => from < 0 || (strips.pauses.to[i] ?? 0) > duration)).toEqual([]);
    // One recording has all spans of the program.
    expect(new Set(strips.file)).toEqual(new Set([0]));
  }
  expect(await traces.strips("5c".repeat(16))).toBeNull();
});

test("a file without a span is reported, and gives no trace", async () => {
  const other = await emptyCore();
  const blob = new Blob(['{"resourceSpans":[]}']);
  expect(
    await readTraces(
      other,
      [{ name: "empty.json", source: new FileSource(blob), opened: undefined }],
      tracesInto(other),
    ),
  ).toBeNull();
  expect(await Traces.of(new HeldCore(other), [])).toBeNull();
  expect(other.diagnostics().map(({ code, file }) => [code, file])).toEqual([["trace.empty", "empty.json"]]);
});
