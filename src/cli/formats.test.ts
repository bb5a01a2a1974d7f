/**
 * `convert` to pprof, collapsed stacks, speedscope and Firefox: names, totals of real recordings, filters, Go's own
 * reader.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { emptyCore } from "../../test/kit/core/read-store.ts";
import { need } from "../../test/kit/needs.ts";
import { readPprof, total } from "../../test/kit/otlp/pprof-schema.ts";
import { buildCli, callCli, ROOT } from "../../test/kit/run-cli.ts";
import { readCollapsed, readFirefox, readSpeedscope, sum } from "../../test/kit/shown-formats.ts";
import { bytesSource } from "../bytes/byte-source.ts";
import type { Core } from "../core/core.ts";
import { FORMATS } from "../core/tables/formats.ts";
import type { Filter, OutputFormat, ProfileSummary } from "../core/types.ts";
import { readInputs } from "../input/open.ts";

const SHOP = join(ROOT, "fixtures", "shop.jfr");
const FIXTURES = ["shop-chunks", "recorded/dd152-jdk17-all", "recorded/ap46-jdk17-all", "recorded/jdk25-cputime"];
/** Go's own reader of pprof, as a package of the sources of `go tool pprof`. */
const READER = join(
  spawnSync("go", ["env", "GOROOT"], { encoding: "utf8" }).stdout?.trim() ?? "",
  "src/cmd/vendor/github.com/google/pprof/profile",
);
/** What `go tool pprof -raw` prints, then the total of each sample type by its name. */
const RAW = `package main
import ("fmt"; "os"; "raw/profile")
func main() {
  p, err := profile.Parse(os.Stdin)
  if err != nil { panic(err) }
  fmt.Println(p)
  for _, t := range p.SampleType {
    at, err := p.SampleIndexByName(t.Type)
    if err != nil { panic(err) }
    sum := int64(0)
    for _, s := range p.Sample { sum += s.Value[at] }
    fmt.Printf("total %s/%s %d\\n", t.Type, t.Unit, sum)
  }
}`;

let folder: string;
beforeAll(() => buildCli(), 120_000);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "spanflame-formats-"));
  return () => rm(folder, { recursive: true });
});
const path = (name: string) => join(folder, name);
const text = (name: string) => readFileSync(path(name), "utf8");
const pprofOf = (name: string) => readPprof(gunzipSync(readFileSync(path(name))));

async function converted(name: string, ...options: string[]): Promise<void> {
  const { code, err } = await callCli(["convert", SHOP, "-o", path(name), ...options]);
  expect([code, err]).toEqual([0, expect.stringMatching(/observations/)]);
}

describe("a file's name says its format", () => {
  it("that is compressed as pprof tools expect", async () => {
    await converted("a.pb.gz");
    await converted("b.pprof");
    await converted("c.bin", "--format", "pprof");
    expect(pprofOf("a.pb.gz").types).toContain("cpu/samples");
    expect(readFileSync(path("b.pprof"))).toEqual(readFileSync(path("a.pb.gz")));
    expect(readFileSync(path("c.bin"))).toEqual(readFileSync(path("a.pb.gz")));
  });

  it("whatever stands before it", async () => {
    await converted("a.json.speedscope.json");
    await converted("b.firefox.json");
    await converted("c.FOLDED", "--type", "cpu");
    await converted("d.collapsed.gz", "--type", "cpu");
    expect(readSpeedscope(text("a.json.speedscope.json")).length).toBeGreaterThan(3);
    expect(readFirefox(text("b.firefox.json")).length).toBeGreaterThan(3);
    expect(gunzipSync(readFileSync(path("d.collapsed.gz"))).toString()).toBe(text("c.FOLDED"));
  });
});

it("a file of one profile has the usual one, and the others are named", async () => {
  const { code, err } = await callCli(["convert", SHOP, "-o", "usual.collapsed"], { cwd: folder });
  expect([code, err]).toEqual([
    0,
    expect.stringContaining("--type cpu; the recording also has wall, alloc-samples, lock-contention"),
  ]);
  await converted("named.collapsed", "--type", "cpu");
  expect(text("usual.collapsed")).toBe(text("named.collapsed"));
});

describe("wrong usage", () => {
  it.each([
    [
      "what OTLP alone has is asked for",
      ["-o", "a.pprof", "--resource", "a=b"],
      "--resource: is not for --format pprof",
    ],
    ["what pprof alone has is asked for", ["-o", "a.pb", "--timestamps"], "--timestamps: is not for --format otlp"],
    [
      "a message is to be framed that is none",
      ["-o", "a.firefox.json", "--framed"],
      "--framed: is not for --format firefox",
    ],
    [
      "root frames are asked for where samples are written as they are",
      ["-o", "a.pprof", "--root-by", "thread"],
      "--root-by: is not for --format pprof",
    ],
    [
      "a root frame is unknown",
      ["-o", "a.folded", "--type", "cpu", "--root-by", "thread,span"],
      '--root-by: "span" is not one of endpoint, operation, thread, library, thread-pool, holder, attr:KEY',
    ],
    [
      "there are too many root frames",
      ["-o", "a.folded", "--type", "cpu", "--root-by", "thread,operation,attr:tenant"],
      "--root-by: at most 2 levels",
    ],
    [
      "a rule for runs is unknown",
      ["-o", "a.folded", "--type", "cpu", "--collapse", "sprung"],
      '--collapse: "sprung" is not one of web, pool, spring, netty, reactive, jdk, profiler, carrier, NAME=REGEX',
    ],
    ["a rule's pattern is none", ["-o", "a.folded", "--type", "cpu", "--collapse", "a=("], "--collapse: "],
    [
      "a format is unknown",
      ["-o", "a", "--format", "gif"],
      `not one of ${FORMATS.map(({ name }) => name).join(", ")}, html, svg`,
    ],
  ])("is said when %s", async (_, options, message) => {
    const { code, err } = await callCli(["convert", SHOP, ...options], { cwd: folder });
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});

/** Sum of the values of one profile in each format. */
const TOTALS: Record<Exclude<OutputFormat, "otlp" | "otlp-json">, (bytes: Uint8Array, unit: string) => number> = {
  pprof: (bytes) => Number(total(readPprof(bytes), 0)),
  collapsed: (bytes) => sum(readCollapsed(Buffer.from(bytes).toString()).weights),
  speedscope: (bytes) => sum(readSpeedscope(Buffer.from(bytes).toString()).flatMap(({ weights }) => weights)),
  // Of milliseconds again nanoseconds.
  firefox: (bytes, unit) =>
    sum(
      readFirefox(Buffer.from(bytes).toString()).flatMap(({ weights }) =>
        unit === "nanoseconds" ? weights.map((ms) => Math.round(ms * 1e6)) : weights,
      ),
    ),
};

describe.each(FIXTURES)("of %s", (name) => {
  let core: Core;
  let profiles: ProfileSummary[];
  beforeAll(async () => {
    core = await emptyCore();
    const bytes = new Uint8Array(readFileSync(join(ROOT, "fixtures", `${name}.jfr`)));
    await readInputs(core, [{ name, source: bytesSource(bytes) }]);
    profiles = core.profiles();
  });

  function expectTotals(format: keyof typeof TOTALS, filter: Filter): void {
    for (const { id, unit } of profiles) {
      const { samples, value } = core.select(id, filter);
      const { bytes, observations } = core.write(id, filter, { format });
      expect(observations).toBe(samples);
      expect(TOTALS[format](bytes, unit)).toBe(Number(value));
    }
  }

  it.each(Object.keys(TOTALS) as (keyof typeof TOTALS)[])("%s has the core's own sums, filtered or not", (format) => {
    expectTotals(format, {});
    core.select(profiles[0]!.id, {});
    const root = core.views.rank({ kind: "local-root" }, 0, 1).rows[0];
    if (root !== undefined) expectTotals(format, { localRoot: root.id });
  });

  it("pprof has all profiles and measures in one file, the same with times", () => {
    const sums = profiles.flatMap(({ measures }) =>
      measures.map(({ type, unit, value }) => [`${type}/${unit}`, value]),
    );
    for (const timestamps of [false, true]) {
      const profile = readPprof(core.write(null, {}, { format: "pprof", timestamps }).bytes);
      expect(profile.types.map((type, i) => [type, total(profile, i)])).toEqual(sums);
      const timed = profile.samples.filter(({ labels }) => typeof labels.end_timestamp_ns === "bigint").length;
      expect(timed).toBe(timestamps ? profile.samples.length : 0);
    }
  });

  it("collapsed stacks of several profiles are refused", () => {
    expect(() => core.write(null, {}, { format: "collapsed" })).toThrow("contains one profile");
  });
});

need(existsSync(READER), "no go with its sources").describe("Go's reader of pprof", () => {
  let reader: string;
  // The whole of `go tool pprof` takes a minute of a processor to compile, and Go comes without it.
  beforeAll(async () => {
    const source = await mkdtemp(join(tmpdir(), "spanflame-pprof-"));
    cpSync(READER, join(source, "profile"), { recursive: true });
    writeFileSync(join(source, "go.mod"), "module raw\ngo 1.20\n");
    writeFileSync(join(source, "main.go"), RAW);
    reader = join(source, "raw");
    execFileSync("go", ["build", "-o", reader, "."], { cwd: source, env: { ...process.env, GOFLAGS: "" } });
    return () => rm(source, { recursive: true });
  });
  const shownOf = (name: string) => execFileSync(reader, { input: readFileSync(path(name)), encoding: "utf8" });

  it("shows every label in all 64 bits", async () => {
    await converted("a.pb.gz", "--type", "cpu");
    const shown = [...shownOf("a.pb.gz").matchAll(/(?:local root )?span id:\[(-?\d+)\]/g)].map(([label]) => label);
    const ours = pprofOf("a.pb.gz").samples.flatMap(({ labels }) =>
      ["local root span id", "span id"]
        .filter((key) => labels[key] !== undefined)
        .map((key) => `${key}:[${BigInt.asIntN(64, labels[key] as bigint)}]`),
    );
    expect(shown.toSorted()).toEqual(ours.toSorted());
    expect(shown.some((label) => label.includes("[-"))).toBe(true);
  });

  it("has the core's total, of each sample type", async () => {
    await converted("a.pb.gz");
    const profile = pprofOf("a.pb.gz");
    const shown = [...shownOf("a.pb.gz").matchAll(/^total (\S+ -?\d+)$/gm)].map(([, line]) => line);
    expect(shown).toEqual(profile.types.map((type, i) => `${type} ${total(profile, i)}`));
  });
});
