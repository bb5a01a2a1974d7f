/** The report of `convert` has the trace sections of the page's report: of trace files, and of spans of recordings. */
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { buildCli, callCli, ROOT } from "../../../test/kit/run-cli.ts";

const fixture = (name: string) => join(ROOT, "fixtures", "traces", name);
const RECORDING = fixture("ddctx-jdk17.jfr");
const TRACE = fixture("ddctx-jdk17.captured.datadog.json.gz");

let folder: string;
beforeAll(() => buildCli(), 120_000);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "spanflame-report-"));
  return () => rm(folder, { recursive: true });
});

async function reportOf(...args: string[]): Promise<string> {
  const path = join(folder, "a.html");
  const { code, err } = await callCli(["convert", ...args, "-o", path]);
  expect([code, err]).toEqual([0, expect.stringContaining("samples of")]);
  return readFileSync(path, "utf8");
}

const sections = (html: string) => [...html.matchAll(/<table id="(\w+)">/g)].map(([, id]) => id);

interface SpanRow {
  id: string;
  traceId: string;
  profiles: { inferredSamples: number }[];
}

/** A span of the trace file with samples whose context is inferred. */
async function inferredSpan(): Promise<SpanRow> {
  const { out } = await callCli(["trace", RECORDING, "--trace", TRACE, "--inferred", "--json"]);
  const { spans } = JSON.parse(out.toString()) as { spans: SpanRow[] };
  return spans.find(({ profiles }) => profiles.some(({ inferredSamples }) => inferredSamples > 0))!;
}

it("has waterfall, parts, operations and coverage of the selected span, with inferred samples marked", async () => {
  const { id, traceId } = await inferredSpan();
  const html = await reportOf(RECORDING, "--trace", TRACE, "--inferred", "--type", "sleep", "--span", id);
  expect(sections(html)).toEqual(expect.arrayContaining(["trace", "time", "operations", "coverage"]));
  expect(html).toContain(`trace ${traceId}`);
  expect(html).toMatch(/<td>[\d,]+ \([\d,]+ inferred\)<\/td>/);
  expect(html).toMatch(/[\d,]+ by trace/);
});

it("marks inferred context in the totals and in the table of functions", async () => {
  const html = await reportOf(RECORDING, "--trace", TRACE, "--inferred", "--type", "sleep");
  expect(html.match(/id="totals"[^>]*>([^<]*)/)?.[1]).toMatch(/^[\d,]+ samples, [\d,]+ of them inferred · /);
  const table = html.slice(html.indexOf('<table id="top">'));
  expect(table).toContain('<th scope="col">context</th>');
  expect(table).toMatch(/<td>[\d.]+ % inferred<\/td><\/tr>/);
});

it("has operations and coverage without a choice among several traces, with inferred context", async () => {
  const html = await reportOf(RECORDING, "--trace", TRACE, "--type", "cpu");
  expect(sections(html)).toEqual(expect.arrayContaining(["operations", "coverage"]));
  expect(sections(html)).not.toContain("trace");
  expect(html).not.toContain("Context is not inferred.");
  expect(html).toMatch(/By rule: [\d,]+ by trace/);
  expect(html).not.toMatch(/inferred\)?<\/td>|of them inferred/);
});

it("has the spans that a recording knows where no trace file is named", async () => {
  const html = await reportOf(fixture("apctx-jdk17.jfr"), "--type", "cpu");
  expect(sections(html)).toContain("operations");
  const none = await reportOf(fixture("relay-jdk17.jfr"), "--type", "cpu");
  expect(sections(none)).not.toContain("operations");
});

it("has them in each report of --out-dir", async () => {
  const { code } = await callCli([
    ...["convert", RECORDING, "--out-dir", folder, "--format", "html", "--type", "cpu", "--trace", TRACE],
  ]);
  expect(code).toBe(0);
  expect(sections(readFileSync(join(folder, "ddctx-jdk17.html"), "utf8"))).toContain("operations");
});
