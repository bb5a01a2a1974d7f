/** `convert` to the report and to SVG: by name and by --format, with filters; totals equal the core's. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { emptyCore } from "../../../test/kit/core/read-store.ts";
import { pprofOf } from "../../../test/kit/otlp/pprof-message.ts";
import { buildCli, callCli, ROOT } from "../../../test/kit/run-cli.ts";
import { bytesSource } from "../../bytes/byte-source.ts";
import { readInputs } from "../../input/open.ts";
import { isProfiler } from "../../model/query/run-rules.ts";
import { fromData } from "../../report/data.ts";
import { escapeText } from "../../report/escape.ts";

const AGENT = join(ROOT, "fixtures", "recorded", "ddagent-jdk17.jfr");
const FILTER = { attributes: [{ key: "thread.name", value: "worker-1" }] };

let folder: string;
beforeAll(() => buildCli(), 120_000);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "spanflame-shown-"));
  return () => rm(folder, { recursive: true });
});
const path = (name: string) => join(folder, name);

function dataOf(html: string) {
  return fromData(JSON.parse(/id="data">(.*?)<\/script>/s.exec(html)?.[1] ?? ""));
}

async function core() {
  const made = await emptyCore();
  await readInputs(made, [{ name: "a", source: bytesSource(readFileSync(AGENT)) }]);
  return made;
}

async function expected(type: string) {
  const asked = await core();
  const id = asked.profiles().find((profile) => profile.type === type)?.id ?? -1;
  const totals = asked.select(id, FILTER);
  return { totals, top: asked.views.top("self", 0, 10).rows };
}

it("writes a report with the core's totals, frame by frame", async () => {
  const { code, err } = await callCli([
    "convert",
    AGENT,
    "-o",
    path("a.html"),
    "--type",
    "cpu",
    "--thread",
    "worker-1",
  ]);
  const html = readFileSync(path("a.html"), "utf8");
  const { totals, top } = await expected("cpu");
  expect([code, err]).toEqual([0, expect.stringContaining(`${totals.samples} samples of cpu`)]);
  expect(html).toContain(`data-samples="${totals.samples}" data-value="${totals.value}"`);
  expect(html).toContain("<li><bdi>thread.name = worker-1</bdi></li>");
  expect(html).toContain("OpenJDK");
  const { frames, selectionTotal } = dataOf(html).answer;
  expect(selectionTotal).toBe(Number(totals.value));
  expect(frames.self.reduce((sum, value) => sum + value, 0)).toBe(Number(totals.value));
  // The profiler's frames are one.
  const functions = top.filter(({ name }) => !isProfiler(name));
  expect(functions.length).toBeLessThan(top.length);
  for (const { name, self } of functions) {
    const own = frames.self.reduce((sum, value, row) => sum + (frames.names[frames.name[row]] === name ? value : 0), 0);
    expect([name, own]).toEqual([name, Number(self)]);
  }
});

it("puts root frames above the stacks", async () => {
  await callCli(["convert", AGENT, "-o", path("a.html"), "--type", "cpu", "--root-by", "thread-pool"]);
  const html = readFileSync(path("a.html"), "utf8");
  const { frames } = dataOf(html).answer;
  const below = Array.from(frames.parent, (parent, row) => (row > 0 && parent === 0 ? row : 0)).filter(
    (row) => row > 0,
  );
  const roots = below.map((row) => frames.names[frames.name[row]]);
  expect(roots).toContain("worker-*");
  expect(below.reduce((sum, row) => sum + frames.total[row], 0)).toBe(frames.total[0]);
  expect(html).toContain("<li><bdi>root by thread pool</bdi></li>");
  await callCli(["convert", AGENT, "-o", path("a.folded"), "--type", "cpu", "--root-by", "thread-pool"]);
  const lines = readFileSync(path("a.folded"), "utf8").trim().split("\n");
  expect([...new Set(lines.map((line) => line.split(";")[0]))].sort()).toEqual([...roots].sort());
});

it("makes one frame of a run of frames", async () => {
  const args = ["--type", "cpu", "--collapse", "jdk", "--collapse", "Own=^demo\\."];
  await callCli(["convert", AGENT, "-o", path("a.html"), ...args]);
  const html = readFileSync(path("a.html"), "utf8");
  expect(dataOf(html).answer.frames.names).toContainEqual(expect.stringMatching(/^Own · \d+$/));
  expect(html).toContain("collapsed runs of Own");
  await callCli(["convert", AGENT, "-o", path("a.folded"), ...args]);
  const lines = readFileSync(path("a.folded"), "utf8").trim().split("\n");
  expect(lines.filter((line) => /(^|;)(java\.|demo\.)/.test(line))).toEqual([]);
  expect(lines).toContainEqual(expect.stringMatching(/^JDK;Own(;| )/));
});

it("has functions of an upload's list of libraries as libraries, and reports a damaged list", async () => {
  // A list of libraries is beside the rules of languages.
  const site = "/opt/acme/shared";
  const profile = pprofOf({
    types: [["cpu-time", "nanoseconds"]],
    samples: [{ stack: ["send", "checkout"], values: [5_000_000] }],
    files: { send: `${site}/requests/sessions.py`, checkout: "/srv/shop/app.py" },
  });
  const folder = path("upload");
  mkdirSync(folder);
  writeFileSync(join(folder, "event.json"), JSON.stringify({ attachments: ["auto"] }));
  writeFileSync(join(folder, "auto"), profile);
  const tones = async () => {
    const { code, err } = await callCli(["convert", folder, "-o", path("a.html")]);
    const html = readFileSync(path("a.html"), "utf8");
    const { frames } = dataOf(html).answer;
    const graph = dataOf(html);
    const toneOf = (name: string) => graph.toneOf(frames.name.findIndex((at) => frames.names[at] === name));
    return { code, err, same: toneOf("send") === toneOf("checkout"), hasLegend: html.includes("Libraries") };
  };
  expect(await tones()).toMatchObject({ code: 0, same: true, hasLegend: false });
  const list = { v1: [{ kind: "library", name: "requests", version: "2.31.0", paths: [`${site}/requests`] }] };
  writeFileSync(join(folder, "code-provenance.json"), JSON.stringify(list));
  expect(await tones()).toMatchObject({ code: 0, same: false, hasLegend: true });
  writeFileSync(join(folder, "code-provenance.json"), "[");
  const damaged = await tones();
  expect(damaged).toMatchObject({ same: true, hasLegend: false });
  expect(damaged.err).toContain("code-provenance.json was not read: ");
  rmSync(join(folder, "code-provenance.json"));
  mkdirSync(join(folder, "code-provenance.json"));
  expect((await tones()).err).toContain("code-provenance.json was not read: it is no file");
});

it("takes the format from the name or from --format, and packs", async () => {
  const svg = async (...args: string[]) => (await callCli(["convert", AGENT, "--type", "cpu", ...args])).code;
  expect(await svg("-o", path("a.svg"))).toBe(0);
  expect(await svg("-o", path("b.svg.gz"))).toBe(0);
  expect(await svg("-o", path("c.txt"), "--format", "svg")).toBe(0);
  const text = readFileSync(path("a.svg"), "utf8");
  expect(text).toMatch(/^<\?xml .*<\/svg>\n$/s);
  expect(gunzipSync(readFileSync(path("b.svg.gz"))).toString()).toBe(text);
  expect(readFileSync(path("c.txt"), "utf8")).toBe(text);
});

it("writes every profile of a request into a report, which begins with the overview of that", async () => {
  const { out } = await callCli(["why", AGENT, "--attr", "thread.name=worker-1", "--json"]);
  const { sentence } = JSON.parse(out.toString()) as { sentence: string };
  await callCli(["convert", AGENT, "-o", path("a.html"), "--thread", "worker-1"]);
  const html = readFileSync(path("a.html"), "utf8");
  expect(/id="sentence"><bdi>(.*?)<\/bdi>/.exec(html)?.[1]).toBe(escapeText(sentence));
  const asked = await core();
  const counts = asked.profiles().flatMap(({ id }) => asked.select(id, FILTER).samples || []);
  expect(counts.length).toBeGreaterThan(1);
  expect([...html.matchAll(/data-samples="(\d+)"/g)].map(([, count]) => Number(count))).toEqual(counts);

  const whole = await callCli(["why", AGENT, "--json"]);
  await callCli(["convert", AGENT, "-o", path("a.html")]);
  const told = JSON.parse(whole.out.toString()) as { sentence: string };
  expect(readFileSync(path("a.html"), "utf8")).toContain(`id="sentence"><bdi>${escapeText(told.sentence)}<`);
});

it("refuses what it cannot do, by name", async () => {
  const refused = async (...args: string[]) => {
    const { code, err } = await callCli(["convert", AGENT, "-o", path("a.html"), ...args]);
    expect(code).toBe(2);
    return err;
  };
  expect(await refused("--type", "cpu", "--pretty")).toContain("--pretty: is not for --format html");
  expect(await refused("--type", "cpu", "--preset", "otel")).toContain("--preset: is not for --format html");
  expect(await refused("--type", "cpu", "--format", "png")).toContain("only the page can draw it");
  expect(await refused("--format", "gif")).toContain("firefox, html, svg");
});
