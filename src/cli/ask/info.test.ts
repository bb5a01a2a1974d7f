/** `info --no-stacks` as a process: the facts of `info` without those of stacks. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RECORDINGS } from "../../../test/kit/core/read-filters.ts";
import { askCli, buildCli, callCli, ROOT } from "../../../test/kit/run-cli.ts";

interface Info {
  doubts?: { about: string; words: string }[];
  profiles: { samplesWithAttribute: Record<string, number>; stacks: number | null }[];
  remote: object | null;
}

const fixture = (name: string) => join(ROOT, "fixtures", name);
const SHOP = fixture("shop.jfr");
let folder: string;
beforeAll(async () => {
  await buildCli();
  folder = mkdtempSync(join(tmpdir(), "info-"));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** The facts of an answer that need no stacks. */
function withoutStacks(info: Info): Info {
  const profiles = info.profiles.map(({ samplesWithAttribute, ...profile }) => {
    const { library: _, "library.version": __, ...others } = samplesWithAttribute;
    return { ...profile, samplesWithAttribute: others, stacks: null };
  });
  const { doubts = [], ...others } = info;
  return { ...others, doubts: doubts.filter(({ about }) => about !== "stacks"), remote: null, profiles };
}

async function compare(path: string): Promise<void> {
  const [whole, brief] = [await askCli<Info>("info", path), await askCli<Info>("info", path, "--no-stacks")];
  // Samples of a message have their library as an attribute, those of a recording by their stack.
  expect(withoutStacks(brief)).toEqual(withoutStacks(whole));
  expect([brief.remote, ...brief.profiles.map(({ stacks }) => stacks)].every((each) => each === null)).toBe(true);
}

it("prints what a recording is, then its profiles, then its chunks", async () => {
  const { out } = await callCli(["info", fixture("shop.jfr")]);
  const lines = out.toString().split("\n");
  const at = (start: string) => lines.findIndex((line) => line.startsWith(start));
  expect([at("shop.jfr: ") === 0, at("cpu: ") < at("  JFR ")]).toEqual([true, true]);
  expect(lines[at("cpu: ")]).toMatch(/^cpu: 150 samples, 198 samples, \d+ with a span, \d+ stacks?, \d+ threads$/);
});

describe("info --no-stacks", () => {
  it.each(RECORDINGS)("has the other facts of %s", (name) => compare(fixture(name)));

  it.each(["pb", "json", "pprof", "collapsed"])("has the other facts of a message that ends in .%s", async (ending) => {
    const path = join(folder, `shop.${ending}`);
    await callCli(["convert", SHOP, "-o", path, ...(ending === "collapsed" ? ["--type", "cpu"] : [])]);
    await compare(path);
  });

  it("prints the counters of ddprof, and the share of native frames with names", async () => {
    const path = fixture("recorded/dd152-jdk17-remotesym.jfr");
    const { files } = await askCli<{ files: { counters?: Record<string, number> }[] }>("info", path);
    expect(files[0]?.counters).toMatchObject({
      remote_symbolication_libs_with_build_id: 23,
      remote_symbolication_build_id_cache_hits: 24,
    });
    const text = async (...options: string[]) => (await callCli(["info", path, ...options])).out.toString();
    expect(await text()).toMatch(
      /counters of the profiler: (remote_symbolication_\w+ \d+, ){2}\d+ others\n[\s\S]*: 2,848 at 343 addresses of 6 libraries \(5 with a build id\), 0 \(0 %\) have names\n/,
    );
    expect(await text("--symbols", fixture("recorded/elf"))).toMatch(/, 505 \(17\.7 %\) have names\n/);
    expect((await callCli(["info", SHOP])).out.toString()).not.toContain("native frames");
  });

  it("prints no number of stacks", async () => {
    const [whole, brief] = [await callCli(["info", SHOP]), await callCli(["info", SHOP, "--no-stacks"])];
    expect(whole.out.toString()).toMatch(/ \d+ stacks, /);
    const withoutThem = whole.out.toString().replaceAll(/ \d+ stacks?,/g, "");
    // What stacks tell of samples, and of the recording.
    const ofStacks = / {4}samples with library .*\n| {2}Stacks that the recorder cut.*\n {4}record with: .*\n/g;
    expect(brief.out.toString()).toBe(withoutThem.replaceAll(ofStacks, ""));
  });

  it.each(["--strict", "--inferred"])("is refused with %s", async (option) => {
    const { code, err } = await callCli(["info", SHOP, "--no-stacks", option]);
    expect([code, err]).toEqual([2, expect.stringContaining(`--no-stacks: is not for ${option}`)]);
  });
});

describe("a trace file that contradicts the recording", () => {
  const WHOLE = fixture("traces/relay-dd17.whole.otlp.json.gz");
  interface OtlpSpan {
    parentSpanId?: string;
    startTimeUnixNano: string;
    endTimeUnixNano: string;
    attributes: object[];
  }
  interface Resource {
    attributes: { key: string }[];
  }
  type Change = (span: OtlpSpan & { name: string }, resource: Resource) => void;

  /** The doubts of `info` with the trace file, whose spans are changed. */
  async function doubtsWith(change: Change | null): Promise<Record<string, string>> {
    const file = JSON.parse(gunzipSync(readFileSync(WHOLE)).toString());
    type Of = { resource: Resource; scopeSpans: { spans: Parameters<Change>[0][] }[] };
    for (const { resource, scopeSpans } of file.resourceSpans as Of[])
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) change?.(span, resource);
    const path = join(folder, "changed.json");
    writeFileSync(path, JSON.stringify(file));
    const args = [fixture("traces/relay-dd17.jfr"), "--trace", path];
    const { doubts = [] } = await askCli<Info>("info", ...args);
    const { out } = await callCli(["info", ...args]);
    for (const { words } of doubts) expect(out.toString()).toContain(`  ${words}\n`);
    return Object.fromEntries(doubts.map(({ about, words }) => [about, words]));
  }

  /** Changes the spans of this name. */
  const named = (name: string, change: Change): Change => {
    return (span, resource) => {
      if (span.name === name) change(span, resource);
    };
  };
  const moved = (span: OtlpSpan, nanos: bigint) => {
    span.startTimeUnixNano = String(BigInt(span.startTimeUnixNano) + nanos);
    span.endTimeUnixNano = String(BigInt(span.endTimeUnixNano) + nanos);
  };

  it("says nothing of one that agrees, but how many spans are too short", async () => {
    const { contradictions, clocks, periods } = await doubtsWith(null);
    expect([contradictions, clocks, periods]).toEqual([
      undefined,
      undefined,
      expect.stringMatching(/ \d+ of \d+ spans have no sample and a self time below \d+ ms\.$/),
    ]);
  });

  it("names the offset of a clock, and takes no times as contradiction", async () => {
    const { contradictions, clocks } = await doubtsWith((span) => moved(span, 1_500_000_000n));
    expect([contradictions, clocks]).toEqual([
      undefined,
      expect.stringMatching(/is 1\.5 s behind that of the trace, by/),
    ]);
  });

  it.each<[string, Change, RegExp]>([
    [
      "at another time",
      named("render", (span) => moved(span, 10_000_000_000n)),
      /(\d+) have samples outside of their time/,
    ],
    [
      "of another process",
      ({ name, attributes }, resource) => {
        resource.attributes = resource.attributes.filter(({ key }) => key !== "service.instance.id");
        const stringValue = name === "render" ? "other-1" : "relay-1";
        attributes.push({ key: "service.instance.id", value: { stringValue } });
      },
      /(\d+) are of another process/,
    ],
    [
      "below another local root",
      named("render", (span) => {
        span.parentSpanId = "00000000000000aa";
      }),
      /(\d+) are not below the local root of their samples/,
    ],
  ])("counts spans %s", async (_, change, words) => {
    const { contradictions = "" } = await doubtsWith(change);
    expect(contradictions).toMatch(words);
    const [, wrong = "0"] = /: (\d+) of \d+ spans with samples/.exec(contradictions) ?? [];
    expect(words.exec(contradictions)?.[1]).toBe(wrong);
  });

  it("counts spans of another trace id, where samples state one", async () => {
    const path = join(folder, "stated.pb");
    await callCli(["convert", fixture("traces/relay-dd17.jfr"), "--trace", WHOLE, "-o", path, "--force"]);
    const file = JSON.parse(gunzipSync(readFileSync(WHOLE)).toString());
    const text = JSON.stringify(file).replaceAll(/(?<="traceId":")\w+/g, (id) => [...id].reverse().join(""));
    const other = join(folder, "other.json");
    writeFileSync(other, text);
    const { doubts = [] } = await askCli<Info>("info", path, "--trace", other);
    expect(doubts.find(({ about }) => about === "contradictions")?.words).toMatch(/have samples of another trace id/);
  });
});

it("says what --inferred would add where a recording states context, and only there", async () => {
  const hint = async (...args: string[]) => (await callCli(["info", ...args])).err;
  const path = fixture("traces/ddctx-jdk17.jfr");
  expect(await hint(path)).toMatch(
    /^spanflame: [\d,]+ samples of sleep, park and \d+ other profiles have no span id; --inferred assigns those/m,
  );
  expect(await hint(path, "--inferred")).not.toContain("--inferred");
  expect(await hint(fixture("recorded/jdk17-profile.jfr"))).not.toContain("--inferred");
});
