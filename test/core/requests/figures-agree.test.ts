/**
 * Every place that shows a figure shows the same one: the page's answers, `spans`, `trace`, `why`, `top`, `query` and
 * the report, for every recording of the fixtures, by itself and with each trace file beside it.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Core } from "../../../src/core/core.ts";
import { outlineOf } from "../../../src/core/outline.ts";
import type { ProfileSummary, TopRow } from "../../../src/core/types.ts";
import { explorerTabs } from "../../../src/model/lists/explorer.ts";
import { SELECTION_KEYS } from "../../../src/model/lists/request-keys.ts";
import { exactPattern } from "../../../src/model/query/pattern.ts";
import { EMPTY_QUERY } from "../../../src/model/query/query.ts";
import { foldOf, isProfiler, PROFILER } from "../../../src/model/query/run-rules.ts";
import { doubtsOf } from "../../../src/model/recording/doubts.ts";
import { PART_WORDS } from "../../../src/model/span-time/words.ts";
import { durationWords, isLeast, sourceWith } from "../../../src/model/trace/operation-words.ts";
import { durationsOf } from "../../../src/model/trace/operations.ts";
import { formatCount, formatFigure, formatNanos, formatPercent } from "../../../src/model/words/format.ts";
import { measured } from "../../../src/model/words/measure.ts";
import { loadPatterns } from "../../../src/pattern/pattern.ts";
import { HeldCore } from "../../../src/requests/held-core.ts";
import { directly } from "../../../src/requests/questions/direct.ts";
import { recordedFacts } from "../../../src/requests/recorded-facts.ts";
import { type Case, cases, FIXTURES, inputs, recordings } from "../../kit/figure-cases.ts";
import { DUCKDB } from "../../kit/needs.ts";
import { pprofOf } from "../../kit/otlp/pprof-message.ts";
import { answersOf } from "../../kit/page-answers.ts";
import { askCli, buildCli, callCli } from "../../kit/run-cli.ts";

const MOST = 1_000_000;
const folder = mkdtempSync(join(tmpdir(), "spanflame-figures-"));
afterAll(() => rmSync(folder, { recursive: true }));

function grouped<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}

/** The recording as the page has it. */
const pageOf = ({ recording, trace }: Case, isInferred = false) =>
  answersOf(join(FIXTURES, recording), trace === null ? null : join(FIXTURES, trace), isInferred);

const endpointOf = (profile: ProfileSummary) => explorerTabs(profile).find(({ name }) => name === "endpoint");
const hasRoots = ({ samplesWithRoot, inferredRoot = 0 }: ProfileSummary) => samplesWithRoot + inferredRoot > 0;

/** The cells of a table of a report, row by row. */
function cellsIn(html: string, id: string): string[][] {
  const [, table = ""] = new RegExp(`<table id="${id}">[\\s\\S]*?<tbody>([\\s\\S]*?)</tbody>`).exec(html) ?? [];
  const plain = (cell: string) =>
    cell
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">");
  return [...table.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = ""]) =>
    [...row.matchAll(/<t[dh][^>]*>([\s\S]*?)<\/t[dh]>/g)].map(([, cell = ""]) => plain(cell)),
  );
}

async function reportOf(of: Case, ...options: string[]): Promise<string> {
  const { out } = await callCli(["convert", ...inputs(of), "--format", "html", ...options, "-o", "-"]);
  return out.toString();
}

/** The functions that the page shows, and the samples without a stack. */
function functionsOf(core: Core, { id }: ProfileSummary): TopRow[] {
  const { value } = core.select(id, {});
  const rows = core.views.top("self", 0, MOST).rows.map((row) => ({ ...row, name: row.name || "(no name)" }));
  const rest = value - core.views.selfSum();
  return rest === 0n ? rows : [...rows, { name: "(no stack)", self: rest, total: rest }];
}

beforeAll(async () => {
  await buildCli();
  await loadPatterns();
}, 120_000);

describe.each(cases)("$recording with $trace", (of) => {
  it("operations and traces have the durations of their spans in every place", async () => {
    const { core, spans } = await pageOf(of);
    const { source, rows } = await spans.ask("operations", ["operation", false, 0, MOST, "spans"]);
    if (source === "roots") return;
    const named = new Map(rows.map((row) => [row.operation, [row.spans, row.p50, row.p95, row.max]]));
    const traced = await askCli<{
      spans: { name: string; traceId: string; startUnixNano: string; durationNano: string }[];
    }>("trace", ...inputs(of));
    const lengths = grouped(traced.spans, ({ name }) => name);
    const counted = [...lengths].map(([name, own]) => {
      const { spans: count, p50, p95, max } = durationsOf(BigInt64Array.from(own, (each) => BigInt(each.durationNano)));
      return [name, [count, Number(p50), Number(p95), Number(max)]] as const;
    });
    expect(new Map(counted)).toEqual(named);
    type Listed = Record<"operation" | "key" | "p50Nano" | "p95Nano" | "maxNano", string> & { spans: number | null };
    const listed = await askCli<{ rows: Listed[] }>(
      ...["spans", ...inputs(of), "--by", "operation", "--type", core.profiles()[0]?.type ?? "wall"],
    );
    const known = listed.rows
      .filter((row) => row.spans !== null)
      .map(
        (row) =>
          [row.operation ?? row.key, [row.spans, ...[row.p50Nano, row.p95Nano, row.maxNano].map(Number)]] as const,
      );
    for (const [name, figures] of known) expect([name, figures]).toEqual([name, named.get(name)]);
    expect(known.length).toBeGreaterThanOrEqual(of.trace === null ? 1 : named.size);
    const list = await spans.ask("list", ["start", false, 0, MOST]);
    const ends = grouped(traced.spans, ({ traceId }) => traceId);
    for (const { trace, duration, spans: count } of list.rows) {
      const own = ends.get(trace) ?? [];
      const starts = own.map((each) => BigInt(each.startUnixNano));
      const last = own.map((each) => BigInt(each.startUnixNano) + BigInt(each.durationNano));
      const extent = last.reduce((a, b) => (a > b ? a : b)) - starts.reduce((a, b) => (a < b ? a : b));
      expect([trace, duration, count]).toEqual([trace, Number(extent), own.length]);
    }
  }, 60_000);

  it("the page, info and its JSON say what it cannot show with the same figures", async () => {
    const { core } = await pageOf(of, true);
    const page = doubtsOf(await recordedFacts(new HeldCore(core), core.profiles()));
    const { doubts = [] } = await askCli<{ doubts?: typeof page }>("info", ...inputs(of), "--inferred");
    expect(page).toEqual(doubts);
    const { out } = await callCli(["info", ...inputs(of), "--inferred"]);
    const told = page.map(({ words, setting }) => {
      return `  ${words}\n${setting === undefined ? "" : `    record with: ${setting}\n`}`;
    });
    if (told.length > 0) expect(out.toString()).toContain(`what this recording cannot show:\n${told.join("")}`);
  }, 60_000);

  it("the longest request has one duration and one division of its time", async () => {
    const { core, spans } = await pageOf(of, true);
    const [longest] = (await spans.ask("choiceTime", [{}, {}]).catch(() => null))?.longest ?? [];
    if (longest === undefined || !core.profiles().some(hasRoots)) return;
    type Told = {
      sentence: string;
      requests: { durationNano: string; breakdown: { part: string; nano: string; samples: number }[] } | null;
    };
    const [profile] = core.profiles().filter((each) => {
      return core.select(each.id, { localRoot: longest.id }).samples > 0;
    });
    if (profile === undefined) return;
    const page = await spans.ask("choiceTime", [{}, { localRoot: longest.id }]);
    const told = await askCli<Told>("why", ...inputs(of), "--local-root", String(longest.id));
    if (page === null || told.requests === null) throw new Error("no time of the request");
    expect(Number(told.requests.durationNano)).toBe(page.duration);
    expect(page.duration).toBe(longest.duration);
    const parts = page.breakdown.map(({ part, nano, samples }) => [part, String(nano), samples]);
    expect(told.requests.breakdown.map(({ part, nano, samples }) => [part, nano, samples])).toEqual(parts);
    const least = isLeast(page.source) ? "≥ " : "";
    if (page.requests === 1 && told.sentence !== "")
      expect(told.sentence.startsWith(`${least}${formatNanos(page.duration)}`)).toBe(true);
    const shares = page.breakdown.map(({ nano }) => formatPercent(nano, page.duration));
    const [first = ""] = told.sentence.split(/\. (?:Other|Few|No|Only)/);
    for (const [, share = ""] of first.matchAll(/(<?[\d.]+ %)/g)) expect(shares).toContain(share);
  }, 60_000);

  it("the longest request has one duration, endpoint and count of samples in every list", async () => {
    const { core, spans } = await pageOf(of, true);
    const [longest] = (await spans.ask("choiceTime", [{}, {}]).catch(() => null))?.longest ?? [];
    if (longest === undefined) return;
    const { id } = longest;
    const filter = { localRoot: id };
    const profiles = core.profiles();
    const outline = outlineOf(new HeldCore(core), profiles, filter, SELECTION_KEYS);
    const typeOf = new Map(profiles.map((profile) => [profile.id, profile.type]));
    const counted = new Map(outline.split.map(({ profile, totals }) => [typeOf.get(profile), totals]));
    // The explorer and the header of the selection: from the first to the last sample of any profile.
    const { time } = outline;
    for (const profile of profiles) {
      core.select(profile.id, {});
      const keys = SELECTION_KEYS.endpoint.filter((key) => Object.hasOwn(profile.samplesWithAttribute, key));
      const how = { wholeExtents: true, requests: true, about: keys.slice(0, 1) };
      const row = core.views.rank({ kind: "local-root" }, 0, MOST, how).rows.find((each) => each.id === id);
      const totals = counted.get(profile.type);
      expect([profile.type, row?.samples, row?.value]).toEqual([profile.type, totals?.samples, totals?.value]);
      if (row === undefined) continue;
      expect([row.first, row.last]).toEqual([time?.from, time?.to]);
      if (row.about !== "") expect(row.about).toBe(outline.endpoint);
    }
    const extent = time === null ? null : Number(time.to - time.from);
    // The list of a region, and where the time went.
    const region = { choice: {}, sort: "duration", reversed: false } as const;
    const listed = (await spans.ask("regionSpans", [region, 0, MOST])).rows.find((each) => each.id === id);
    expect(listed?.duration).toBe(longest.duration);
    const told = await spans.ask("choiceTime", [{}, filter]);
    expect(told?.duration).toBe(longest.duration);
    if (told?.source === "roots") {
      expect(extent).toBe(longest.duration);
      // Without an endpoint, the operation of one of its spans.
      if (outline.endpoint !== "") expect(outline.endpoint).toBe(longest.operation);
    }
    // The command line.
    const [first] = counted;
    if (of.trace === null && first !== undefined) {
      const [type = "", totals] = first;
      const { rows } = await askCli<{ rows: { id: string; samples: number; value: string; durationNano: string }[] }>(
        ...["spans", ...inputs(of), "--inferred", "--type", type],
      );
      // Every request of the page's list has the duration that `spans` has.
      const { rows: requests } = await spans.ask("regionSpans", [region, 0, MOST]);
      const lengths = new Map(requests.map((each) => [String(each.id), each.duration]));
      for (const each of rows) expect([each.id, lengths.get(each.id)]).toEqual([each.id, Number(each.durationNano)]);
      const row = rows.find((each) => each.id === String(id));
      expect([row?.samples, row?.value]).toEqual([totals.samples, String(totals.value)]);
    }
    if (told?.source !== "roots") {
      const traced = await askCli<{ spans: { id: string; durationNano: string; name: string }[] }>(
        ...["trace", ...inputs(of), "--inferred"],
      );
      const own = traced.spans.find((each) => each.id === String(id));
      expect(Number(own?.durationNano)).toBe(longest.duration);
      expect([own?.name, outline.endpoint]).toContain(longest.operation);
    }
  }, 60_000);

  it("the report of a request has the page's division of its time, its samples and its extent", async () => {
    const { core, spans } = await pageOf(of, true);
    const [longest] = (await spans.ask("choiceTime", [{}, {}]).catch(() => null))?.longest ?? [];
    if (longest === undefined) return;
    const filter = { localRoot: longest.id };
    const profile = core.profiles().find(({ id }) => core.select(id, filter).samples > 0);
    if (profile === undefined) return;
    const chosen = ["--inferred", "--type", profile.type, "--local-root", String(longest.id)];
    const html = await reportOf(of, ...chosen);
    const totals = core.select(profile.id, filter);
    const [, samples, value] = /id="totals" data-samples="(\d+)" data-value="(\d+)"/.exec(html) ?? [];
    expect([samples, value]).toEqual([String(totals.samples), String(totals.value)]);
    const functions = core.views.top("self", 0, 50, { last: PROFILER }).rows.map(({ name, self, total }) => {
      const figures = [self, total].flatMap((value) => [
        formatFigure(value, measured(profile, 0)),
        formatPercent(value, totals.value),
      ]);
      return [name || "(no name)", ...figures];
    });
    expect(cellsIn(html, "top").map((cells) => cells.slice(1, 5))).toEqual(functions.map((cells) => cells.slice(1)));
    const { time } = outlineOf(new HeldCore(core), core.profiles(), filter, SELECTION_KEYS);
    const [, extent] = /<dt>Duration<\/dt><dd><bdi>(.*?), \d/.exec(html) ?? [];
    const page = await spans.ask("choiceTime", [{}, filter]);
    const isStated = page !== null && ["recordings", "ends"].includes(page.source);
    const told = isStated ? page.duration : time && time.to - time.from;
    expect(extent).toBe(told === null ? undefined : durationWords(told, "roots"));
    if (page === null || page.source === "roots") return;
    const parts = page.breakdown.map(({ part, nano }) => [PART_WORDS[part].name, formatNanos(Number(nano))]);
    expect(cellsIn(html, "time").map((cells) => cells.slice(0, 2))).toEqual(parts);
    const [, length] = /: ([^:<]+)\. Wall has/.exec(html) ?? [];
    expect(length).toBe(formatNanos(page.duration));
  }, 60_000);

  it("a search in the graph, whose profilers are one frame, finds each function with its total", async () => {
    const { core, spans } = await pageOf(of, true);
    const ask = directly({ held: new HeldCore(core), calls: null, spans, profiles: () => core.profiles() });
    for (const { id } of core.profiles()) {
      const query = { profile: id, measure: 0, filter: {}, ...foldOf({ ...EMPTY_QUERY.look, profiler: false }) };
      const { rows } = (await ask("top", query, "total", 0, MOST)) as { rows: TopRow[] };
      for (const { name, total } of [...rows.slice(0, 20), ...rows.filter((row) => isProfiler(row.name))]) {
        const found = (await ask("search", query, exactPattern(name))) as { value: bigint; frames: number };
        if (name !== "") expect([name, found.value, found.frames > 0]).toEqual([name, total, true]);
      }
    }
  }, 60_000);

  it("the report has the page's operations", async () => {
    const { core, spans } = await pageOf(of, true);
    if (spans.overview() === null) return;
    const page = await spans.ask("operations", ["p95", false, 0, 50]);
    const html = await reportOf(of, "--type", core.profiles()[0]?.type ?? "");
    const rows = cellsIn(html, "operations").map((cells) => cells.slice(-4));
    const expected = page.rows.map(({ spans: count, unstated, p50, p95, max }) => [
      formatCount(count),
      ...[p50, p95, max].map((nano) => durationWords(nano, sourceWith(page.source, unstated))),
    ]);
    expect(rows).toEqual(expected);
  }, 60_000);
});

/**
 * The page counts the samples of a profile that has them with and without a period; a data set has each kind in its
 * unit.
 */
const isMixed = ({ periods = [] }: ProfileSummary) => periods.some(({ period }) => period === 0n);

/** What a row of a macro is in the page's unit. */
function countOf({ periods = [] }: ProfileSummary, unit: string, weight: string): bigint {
  const [known, ...more] = periods.filter(({ period }) => period !== 0n);
  if (known === undefined || more.length > 0) throw new Error("samples of several periods");
  return unit === "nanoseconds" ? BigInt(weight) / known.period : BigInt(weight);
}

/** How a row of a data set weighs: samples are multiplied by the stated time between two. */
const weightOf = ({ unit, period, statedPeriod = period, periodUnit }: ProfileSummary, value: bigint) =>
  unit === "samples" && periodUnit === "nanoseconds" && period > 0n ? value * statedPeriod : value;

interface MacroRow {
  macro: "top" | "traces" | "operations" | "function_history";
  type: string;
  function_name: string;
  self: string;
  total: string;
  unit: string;
  local_root_span_id: string;
  endpoint: string | null;
  duration_nano: string;
  observations: string;
  requests: string;
  weight: string;
  p50: string;
  p95: string;
  of_all: string;
}

/** Functions of which the history is compared: of the first profile, for each takes long. */
function followed(core: Core, profile: ProfileSummary): TopRow[] {
  if (profile.id !== core.profiles()[0]?.id) return [];
  const [first, ...rows] = functionsOf(core, profile);
  return [first, rows.find(({ name }) => name === "(no stack)")].filter((row) => row !== undefined);
}
const text = (value: string) => `'${value.replaceAll("'", "''")}'`;

describe.each(recordings)("%s", (recording) => {
  const of = { recording, trace: null };
  const file = join(FIXTURES, recording);

  it("has one total and one list of functions in every place", async () => {
    const { core } = await pageOf(of);
    type Info = { profiles: { type: string; samples: number; value: string }[] };
    const { profiles } = await askCli<Info>("info", file);
    const known = core.profiles().map(({ type, samples, value }) => ({ type, samples, value: String(value) }));
    expect(profiles.map(({ type, samples, value }) => ({ type, samples, value }))).toEqual(known);
    for (const { id, samples, value } of core.profiles()) expect(core.select(id, {})).toEqual({ samples, value });
    const [first] = core.profiles();
    for (const profile of new Set([first, core.profiles().at(-1)])) {
      if (profile === undefined) continue;
      const { frames, total } = await askCli<{ total: string; frames: Record<"name" | "self" | "total", string>[] }>(
        ...["top", file, "--type", profile.type, "--limit", String(MOST)],
      );
      const line = ({ name, self, total }: Record<"name" | "self" | "total", string | bigint>) =>
        `${name} ${self} ${total}`;
      expect([total, frames.map(line).sort()]).toEqual([
        String(profile.value),
        functionsOf(core, profile).map(line).sort(),
      ]);
    }
  }, 60_000);

  DUCKDB.it(
    "has the functions, the requests and the endpoints of the page in the macros of a data set",
    async () => {
      const { core } = await pageOf(of);
      const own = join(folder, recording);
      expect((await callCli(["export", file, "--parquet", own])).code).toBe(0);
      const asked = core.profiles().flatMap((profile) => {
        const macro = (name: string, ...more: string[]) =>
          `SELECT '${name}' AS macro, '${profile.type}' AS type, * FROM ${name}(${[profile.type, ...more].map(text)})`;
        return [
          ...["top", "traces", "operations"].map((name) => macro(name)),
          ...followed(core, profile).map(({ name }) => macro("function_history", name)),
        ];
      });
      const { rows } = await askCli<{ rows: MacroRow[] }>("query", own, asked.join(" UNION ALL BY NAME "));
      const found = grouped(rows, ({ macro, type }) => `${macro} ${type}`);
      for (const profile of core.profiles()) {
        const { id, type } = profile;
        const macro = (name: MacroRow["macro"]) => found.get(`${name} ${type}`) ?? [];
        const mixed = isMixed(profile);
        const weight = (value: bigint) => (mixed ? value : weightOf(profile, value));
        const line = ({ name, self, total }: TopRow) => `${name} ${weight(self)} ${weight(total)}`;
        /** One row for each function, whatever units and dates its rows have. */
        const rowsOf = (name: MacroRow["macro"]) =>
          [...grouped(macro(name), (row) => row.function_name)].map(([name, rows]): TopRow => {
            const sum = (column: "self" | "total") =>
              rows.reduce(
                (all, row) => all + (mixed ? countOf(profile, row.unit, row[column]) : BigInt(row[column])),
                0n,
              );
            return { name, self: sum("self"), total: sum("total") };
          });
        const plain = ({ name, self, total }: TopRow) => `${name} ${self} ${total}`;
        const functions = functionsOf(core, profile);
        // Functions without weight are in no list of the page.
        const weighing = rowsOf("top").filter(({ self, total }) => self !== 0n || total !== 0n);
        expect([type, weighing.map(plain).sort()]).toEqual([type, functions.map(line).sort()]);
        const histories = rowsOf("function_history").map(plain);
        expect([type, histories.sort()]).toEqual([type, followed(core, profile).map(line).sort()]);
        const units = new Set(macro("top").map(({ unit }) => unit));
        expect(units).toEqual(new Set(mixed ? ["samples", "nanoseconds"] : [...units].slice(0, 1)));
        if (mixed) continue;
        for (const rows of grouped(macro("function_history"), (row) => row.function_name).values()) {
          const all = rows.reduce((sum, row) => sum + BigInt(row.of_all), 0n);
          // Of a date on which the function has no sample there is no row.
          if (rows.length === 1) expect([type, all]).toEqual([type, weightOf(profile, profile.value)]);
        }

        core.select(id, {});
        const endpoint = endpointOf(profile)?.by;
        const about = endpoint?.kind === "attribute" ? [endpoint.key] : [];
        const roots = core.views
          .rank({ kind: "local-root" }, 0, MOST, { about })
          .rows.filter((row) => row.id < 2n ** 64n);
        const traces = roots.map(
          (row) =>
            `${row.id.toString(16).padStart(16, "0")} ${row.about} ${row.last - row.first} ${row.samples} ${weightOf(profile, row.value)}`,
        );
        const told = macro("traces").map(
          (row) =>
            `${row.local_root_span_id} ${row.endpoint ?? ""} ${row.duration_nano} ${row.observations} ${row.weight}`,
        );
        expect([type, told.sort()]).toEqual([type, traces.sort()]);

        const operations = [...grouped(roots, (row) => row.about)].map(([name, of]) => {
          const { spans, p50, p95 } = durationsOf(BigInt64Array.from(of, ({ value }) => weightOf(profile, value)));
          return `${name} ${spans} ${weightOf(
            profile,
            of.reduce((sum, { value }) => sum + value, 0n),
          )} ${p50} ${p95}`;
        });
        const listed = macro("operations").map(
          (row) => `${row.endpoint ?? ""} ${row.requests} ${row.weight} ${row.p50} ${row.p95}`,
        );
        expect([type, listed.sort()]).toEqual([type, operations.sort()]);
      }
    },
    60_000,
  );
});

/** A profile of a day with a frame without a name and samples without a stack. */
function namelessOf(day: string, [noStack, leaf, noName]: readonly [number, number, number]): string {
  const path = join(folder, `${day}.pprof`);
  const samples = [
    { stack: [], values: [noStack] },
    { stack: ["leaf", "main"], values: [leaf] },
    { stack: ["", "main"], values: [noName] },
  ];
  const timeNanos = `${Date.parse(day)}000000`;
  writeFileSync(path, pprofOf({ types: [["cpu", "nanoseconds"]], samples, timeNanos, durationNanos: "1000000000" }));
  return path;
}

/** Recordings of different days. */
const PAIRS = [
  [namelessOf("2026-11-01", [30, 60, 10]), namelessOf("2026-11-02", [10, 60, 30])],
  ["recorded/dd152-jdk17-all.jfr", "traces/ddctx-jdk17.jfr"],
  ["recorded/jdk17-profile.jfr", "traces/relay-jdk17.jfr"],
  ["shop.jfr", "traces/relay-dd17.jfr"],
  ["recorded/ap46-jdk17-all.jfr", "traces/apctx-jdk17.jfr"],
] as const;

describe.each(PAIRS.map((pair) => ({ pair, names: pair.map((path) => basename(path)) })))("$names", ({ pair }) => {
  const files = pair.map((path) => resolve(FIXTURES, path));

  DUCKDB.it(
    "have the same shares of functions in diff and in its macro",
    async () => {
      const own = join(folder, files.map((path) => basename(path)).join("-"));
      expect((await callCli(["export", ...files, "--parquet", own])).code).toBe(0);
      const days = "SELECT DISTINCT strftime(date, '%Y-%m-%d') AS day FROM recordings ORDER BY day";
      const [before = "", after = ""] = (await askCli<{ rows: { day: string }[] }>("query", own, days)).rows.map(
        ({ day }) => day,
      );
      const typesOf = async (path = "") =>
        (await askCli<{ profiles: { type: string }[] }>("info", path)).profiles.map(({ type }) => type);
      const [first, second] = [await typesOf(files[0]), await typesOf(files[1])];
      const types = first.filter((type) => second.includes(type));
      expect(types.length).toBeGreaterThan(0);
      type Share = Record<"type" | "function_name", string> & Record<"self_before" | "self_after", number>;
      const asked = types.map(
        (type) => `SELECT ${text(type)} AS type, * FROM diff(${[type, before, after].map(text)})`,
      );
      const { rows } = await askCli<{ rows: Share[] }>("query", own, asked.join(" UNION ALL "));
      for (const type of types) {
        type Row = { name: string; nameInA?: string; self: { a: number; b: number } };
        const told = await askCli<{ rows: Row[] }>(
          ...["diff", ...files, "--type", type, "--per", "share", "--limit", String(MOST)],
        );
        const found = new Map(rows.filter((row) => row.type === type).map((row) => [row.function_name, row]));
        const share = (row: Share | undefined, side: "self_before" | "self_after") => (row?.[side] ?? 0) / 100;
        for (const { name, nameInA = name, self } of told.rows) {
          expect(share(found.get(nameInA), "self_before"), `${type} ${nameInA}`).toBeCloseTo(self.a, 10);
          expect(share(found.get(name), "self_after"), `${type} ${name}`).toBeCloseTo(self.b, 10);
        }
        const named = new Set(told.rows.flatMap(({ name, nameInA = name }) => [name, nameInA]));
        const left = [...found.keys()].filter((name) => name !== "(no stack)" && !named.has(name));
        expect([type, left]).toEqual([type, []]);
        for (const side of ["self_before", "self_after"] as const)
          expect(
            [...found.values()].reduce((sum, row) => sum + share(row, side), 0),
            type,
          ).toBeCloseTo(1, 10);
      }
    },
    60_000,
  );
});

interface EndpointRow {
  endpoint: string;
  samples: number;
  requests: number;
}

describe("endpoints", () => {
  const set = join(folder, "profiles");
  beforeAll(async () => {
    if (DUCKDB.isMissing) return;
    const { code, err } = await callCli([
      "export",
      ...recordings.map((name) => join(FIXTURES, name)),
      "--parquet",
      set,
    ]);
    expect({ code, err }).toMatchObject({ code: 0 });
  }, 120_000);

  it.each(recordings)(
    "%s has the same ones in the page and in spans, with the same figures",
    async (recording) => {
      const { core, spans } = await pageOf({ recording, trace: null });
      for (const profile of core.profiles()) {
        const by = endpointOf(profile)?.by;
        if (by === undefined) continue;
        core.select(profile.id, {});
        const page = core.views.rank(by, 0, MOST, { requests: true }).rows;
        const told = await askCli<{ rows: { key: string; samples: number; value: string }[] }>(
          ...["spans", join(FIXTURES, recording), "--by", "endpoint", "--type", profile.type],
        );
        const figures = page.map(({ label, samples, value }) => [label, samples, String(value)]);
        expect(told.rows.map(({ key, samples, value }) => [key, samples, value])).toEqual(figures);
        if (spans.overview() !== null) continue;
        // Requests of the explorer are those with samples of the profile; durations are by the samples of all profiles.
        const { rows } = await spans.ask("regionSpans", [{ choice: {}, sort: "duration", reversed: false }, 0, MOST]);
        const known = new Map(rows.map(({ id, duration }) => [id, duration]));
        for (const { label, requests } of page) {
          const filter = by.kind === "attribute" ? { attributes: [{ key: by.key, value: label }] } : {};
          core.select(profile.id, filter);
          const roots = core.views.rank({ kind: "local-root" }, 0, MOST).rows;
          const own = durationsOf(BigInt64Array.from(roots, ({ id }) => BigInt(known.get(id) ?? -1)));
          const { spans: count, p50, p95, max: longest } = own;
          if (count > 0) expect([label, requests]).toEqual([label, { count, p50, p95, longest }]);
          // The header of the endpoint, if each of its requests has a sample of the profile.
          const outline = outlineOf(new HeldCore(core), core.profiles(), filter, SELECTION_KEYS);
          if (count > 1 && outline.roots === count) expect([label, outline.medianNanos]).toEqual([label, p50]);
        }
      }
    },
    60_000,
  );

  DUCKDB.it(
    "are the same in data sets",
    async () => {
      const sql = `SELECT r.file AS file, s.profile_type AS type, s.endpoint AS endpoint, count(*) AS samples
      FROM samples s JOIN recordings r ON s.part = r.part AND s.recording_id = r.recording_id
      WHERE s.endpoint IS NOT NULL GROUP BY ALL`;
      const { rows } = await askCli<{ rows: (EndpointRow & { file: string; type: string })[] }>("query", set, sql);
      const found = rows.map(({ file, type, endpoint, samples }) => `${file} ${type} ${endpoint} ${samples}`);
      const expected: string[] = [];
      for (const recording of recordings) {
        const { core } = await pageOf({ recording, trace: null });
        for (const profile of core.profiles()) {
          const by = endpointOf(profile)?.by;
          if (by === undefined) continue;
          core.select(profile.id, {});
          for (const { label, samples } of core.views.rank(by, 0, MOST).rows) {
            if (label !== "")
              expected.push(`${recording.slice(recording.indexOf("/") + 1)} ${profile.type} ${label} ${samples}`);
          }
        }
      }
      expect(found.sort()).toEqual(expected.sort());
    },
    60_000,
  );
});
