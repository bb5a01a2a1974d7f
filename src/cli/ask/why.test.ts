/** `why` as a process: the text, the JSON, the user's rules, exit codes. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pprofOf } from "../../../test/kit/otlp/pprof-message.ts";
import { askCli, buildCli, callCli, ROOT } from "../../../test/kit/run-cli.ts";
import { formatCount } from "../../model/words/format.ts";

const AGENT = join(ROOT, "fixtures", "recorded", "ddagent-jdk17.jfr");
const REQUEST = ["--local-root", "4260687975460354386"];

const TRACED = join(ROOT, "fixtures", "traces", "ddctx-jdk17.jfr");
const TRACE = join(ROOT, "fixtures", "traces", "ddctx-jdk17.captured.datadog.json.gz");

interface Timed {
  requests: number;
  durationNano: string;
  breakdown: { part: string; nano: string }[];
}

interface Requested {
  sentence: string;
  requests: (Timed & { from: string; longest: { durationNano: string }[]; others: Timed | null }) | null;
}

interface Summary {
  sentence: string;
  told: { profile: string; samples: number; errorPoints: number; events: string[] };
  profile: string;
  samples: number;
  time: { startUnixNano: string; durationNano: string; from: string };
  states: { state: string; share: number }[];
  gc: { pauses: number; nano: string };
  findings: { name: string; profile: string | null; amount: number }[];
}

let folder: string;
const file = async (name: string, text: string | Uint8Array) => {
  await writeFile(join(folder, name), text);
  return join(folder, name);
};
beforeAll(async () => {
  await buildCli();
  folder = await mkdtemp(join(tmpdir(), "spanflame-why-"));
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

describe("why", () => {
  it("tells the same time and pauses of a request on each profile", async () => {
    const [wall, cpu] = await Promise.all(
      ["wall", "cpu"].map((type) => askCli<Summary>("why", AGENT, "--type", type, ...REQUEST)),
    );
    expect(wall?.time.from).toBe("samples");
    expect(wall?.time.durationNano).toMatch(/^\d+$/);
    expect(cpu).toMatchObject({ time: wall!.time, gc: wall!.gc, sentence: wall!.sentence, states: wall!.states });
    expect(wall!.sentence).toMatch(/^≥ 349 ms: .*Ops\$.*Other POST \/checkout requests \(11\): median ≥/);
  });

  it("states the profile that the sentence and its number of samples are of, whichever is asked about", async () => {
    const counts = (await askCli<{ profiles: { type: string; samples: number }[] }>("info", AGENT)).profiles;
    const samplesOf = (type: string) => counts.find((each) => each.type === type)?.samples;
    for (const type of ["cpu", "wall"]) {
      const { told, profile, samples } = await askCli<Summary>("why", AGENT, "--type", type);
      expect(told).toMatchObject({ profile: "wall", samples: samplesOf("wall"), events: [] });
      expect([profile, samples]).toEqual([type, samplesOf(type)]);
      const { out } = await callCli(["why", AGENT, "--type", type]);
      const stated = `Wall: ${formatCount(told.samples)} samples`;
      expect(out.toString()).toContain(stated);
      expect(out.toString()).toContain(`Shares are exact to ±${told.errorPoints.toFixed(1)} pp (95 %)`);
    }
    const plain = join(ROOT, "fixtures", "planted", "jfr-monitor.jfr.gz");
    const { told } = await askCli<Summary>("why", plain);
    expect(told).toMatchObject({ profile: "cpu", samples: 54 });
    expect(told.events).toContain("lock-contention");
    const { out } = await callCli(["why", plain]);
    expect(out.toString()).toMatch(/^CPU: \d+ samples .*, beside the events of Locks/m);
  });

  it("shows thread pools where samples have no ids", async () => {
    const { out } = await callCli(["why", join(ROOT, "fixtures", "planted", "jfr-monitor.jfr.gz")]);
    expect(out.toString()).toMatch(
      /\nThread pools\n- worker-\* \(3 threads\): [\d.]+ s, [\d.]+ % blocked in .*Taxes\.rateOf\n/,
    );
    expect(out.toString()).toMatch(/\nIdle or shorter: .*heartbeat/);
    expect((await callCli(["why", AGENT])).out.toString()).not.toContain("Thread pools");
  });

  it("takes the share of locks of contention, without calls of Object.wait", async () => {
    const plain = join(ROOT, "fixtures", "recorded", "jdk17-profile.jfr");
    const { out } = await callCli(["why", plain, "--type", "lock-contention"]);
    expect(out.toString()).toMatch(/^Locks: 17 samples: 242 ms, 100 % of the profile/m);
  });

  it("says of a thread that only waits for signals that this is no contention", async () => {
    const plain = join(ROOT, "fixtures", "planted", "jfr-monitor.jfr.gz");
    const { err, code } = await callCli(["why", plain, "--type", "lock-contention", "--thread", "heartbeat"]);
    expect([code, err]).toEqual([0, expect.stringMatching(/no samples\. Not contention: \d+ calls of Object\.wait/)]);
  });

  it("lasts as long as the recording, although a thread began to wait a minute before", async () => {
    const { time } = await askCli<Summary>("why", join(ROOT, "public", "sample.jfr"));
    expect(Number(time.durationNano) / 1e9).toBeCloseTo(25, 0);
  });

  it("finds context that threads kept after the end of a span, which a trace states", async () => {
    const start = Date.UTC(2026, 10, 20) * 1e6;
    const ms = (n: number) => BigInt(start) + BigInt(n) * 1_000_000n;
    const at = (span: number, ...times: number[]) =>
      times.map((time) => ({
        stack: ["work"],
        values: [10_000_000],
        labels: { "span id": span, "local root span id": span, end_timestamp_ns: ms(time) },
      }));
    const types: [string, string][] = [["cpu-time", "nanoseconds"]];
    // Span 5 lasts 100 ms; the samples of span 6 are within its 2 s.
    const samples = [...at(5, 0, 50, 3000, 4000, 5000), ...at(6, 100, 1900)];
    const pprof = await file("kept.pprof", pprofOf({ types, samples }));
    const span = (id: number, length: number) => ({
      ...{ trace_id: id, span_id: id, parent_id: 0, name: "GET", service: "s" },
      ...{ start: Number(ms(0)), duration: length * 1e6 },
    });
    const trace = await file("kept.json", JSON.stringify([[span(5, 100)], [span(6, 2000)]]));
    const ofTrace = await askCli<Summary>("why", pprof, "--trace", trace);
    const isKept = ({ name }: { name: string }) => name === "Context not cleared";
    expect(ofTrace.findings.filter(isKept)).toMatchObject([{ profile: null, amount: 300 / 7, samples: 3 }]);
    const { out } = await callCli(["why", pprof, "--trace", trace]);
    expect(out.toString()).toContain("42.9 % of the samples with spans of the trace");
    const alone = await askCli<Summary>("why", pprof);
    expect(alone.findings.filter(isKept)).toEqual([]);
    const recorded = await askCli<Summary>("why", TRACED, "--trace", TRACE);
    expect(recorded.findings.filter(isKept)).toEqual([]);
  });

  it("names the command for the time of a span without samples", async () => {
    const { spans } = await askCli<{ spans: { id: string; reason: string | null; startUnixNano: string }[] }>(
      "trace",
      TRACED,
      ...["--trace", TRACE],
    );
    const short = spans.find(({ reason }) => reason === "short")!;
    const { err } = await callCli(["why", TRACED, "--trace", TRACE, "--span", short.id]);
    expect(err).toMatch(/has no samples\. Its self time is [\d.]+ [mµ]s, shorter than the sampling interval of 10 ms/);
    const [, from = "", until = ""] = /--since (\d+) --until (\d+)$/m.exec(err) ?? [];
    expect(BigInt(from) < BigInt(short.startUnixNano) && BigInt(short.startUnixNano) < BigInt(until)).toBe(true);
    const { samples } = await askCli<Summary>("why", TRACED, "--since", from, "--until", until);
    expect(samples).toBeGreaterThan(0);
  });

  it("has every sample of a span in one part of its time, and none in the part that is not sampled", async () => {
    const sample = join(ROOT, "public", "sample.jfr");
    type Spans = { rows: { id: string }[] };
    const { rows } = await askCli<Spans>("spans", sample, "--type", "wall", "--by", "span", "--limit", "1");
    type Span = {
      time: Summary["time"];
      states: { samples: number }[];
      breakdown: { part: string; nano: string; samples: number }[];
    };
    const { time, states, breakdown } = await askCli<Span>("why", sample, "--span", rows[0]!.id);
    const sum = (of: { samples: number }[]) => of.reduce((all, { samples }) => all + samples, 0);
    expect(sum(breakdown.filter(({ part }) => part !== "cpu"))).toBe(sum(states));
    expect(breakdown.reduce((all, { nano }) => all + BigInt(nano), 0n)).toBe(BigInt(time.durationNano));
    const samplesOf = (name: string) => breakdown.find(({ part }) => part === name)?.samples ?? 0;
    expect(samplesOf("unsampled")).toBe(0);
    // The thread of the slow checkout waits for collections that it asked for.
    expect([samplesOf("gc") > 0, samplesOf("unknown") > 0]).toEqual([true, false]);
  });

  it("takes wall samples where no profile is named, and prints a text", async () => {
    const { out, code } = await callCli(["why", AGENT]);
    const stdout = out.toString();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^All samples of the recording\n[\d.]+ % /);
    expect(stdout).toMatch(/\nFindings\n- Sleeping \(info\): 19\.2 % of Wall\. /);
    expect(stdout).toContain("GC pauses: 4 pauses, 145 ms");
  });

  it("tells where the time of the requests of a selection went", async () => {
    const whole = await askCli<Requested>("why", TRACED, "--trace", TRACE, "--operation", "servlet.request");
    expect(whole.requests).toMatchObject({ requests: 60, counted: 60, from: "trace", unknownRoots: 0, others: null });
    const { rows } = await askCli<{ rows: { operation: string; maxNano: string }[] }>(
      ...["spans", TRACED, "--trace", TRACE, "--by", "operation", "--type", "wall"],
    );
    const most = rows.find(({ operation }) => operation === "servlet.request")?.maxNano;
    expect(whole.requests?.longest[0]?.durationNano).toBe(most);
    const endpoint = ["--attr", "trace endpoint=GET /search"];
    const [traced, alone] = await Promise.all([
      askCli<Requested>("why", TRACED, "--trace", TRACE, ...endpoint),
      askCli<Requested>("why", TRACED, ...endpoint),
    ]);
    expect(traced.requests).toMatchObject({ from: "trace", others: { of: "all" } });
    expect(alone.requests?.from).toBe("recording");
    // Requests that have nothing to do with each other have no time from the first to the last of them.
    for (const { sentence } of [traced, alone])
      expect(sentence).toMatch(/^\d+ requests of (≥ )?[\d.]+ m?s on average: /);
    for (const { requests } of [whole, traced, alone]) {
      for (const each of [requests, requests?.others ?? null]) {
        if (each === null) continue;
        const sum = each.breakdown.reduce((all, { nano }) => all + BigInt(nano), 0n);
        expect(String(sum)).toBe(each.durationNano);
      }
    }
    expect(traced.requests!.requests + traced.requests!.others!.requests).toBe(60);
    const { out } = await callCli(["why", TRACED, "--trace", TRACE, ...endpoint]);
    expect(out.toString()).toMatch(/\n\d+ requests: [\d.]+ m?s together, [\d.]+ ms on average\n/);
    expect(out.toString()).toContain("other requests");
  });

  it("has the parts of the time of requests in its sentence", async () => {
    const told = [
      ["on CPU", "cpu"],
      ["ready to run but without a processor", "runnable"],
    ] as const;
    let proven = 0;
    for (const args of [
      [AGENT, ...REQUEST],
      [TRACED, "--operation", "servlet.request"],
    ]) {
      const { sentence, requests } = await askCli<Requested>("why", ...args);
      if (requests === null) throw new Error("no requests");
      for (const [words, part] of told) {
        const [, percent] = new RegExp(`([\\d.]+) % ${words}`).exec(sentence) ?? [];
        if (percent === undefined) continue;
        proven++;
        const row = requests.breakdown.find((each) => each.part === part);
        const share = (100 * Number(row?.nano)) / Number(requests.durationNano);
        expect(Number(share.toFixed(1))).toBe(Number(percent));
      }
    }
    expect(proven).toBeGreaterThan(1);
  });

  it("has no requests for an operation without spans, and for recordings without ids", async () => {
    const { out, err, code } = await callCli(["why", TRACED, "--operation", "nowhere", "--json"]);
    expect([code, JSON.parse(out.toString()).requests]).toEqual([0, null]);
    expect(err).toContain("no span of the operation nowhere");
    const none = await askCli<Requested>("why", join(ROOT, "fixtures", "recorded", "jdk17-profile.jfr"));
    expect(none.requests).toBeNull();
  });

  it("adds the rules of a file", async () => {
    const rule = { name: "Ours", any: "Ops\\$Db\\.(query)$", in: ["wall"], info: 1, warning: 2 };
    const path = await file("rules.json", JSON.stringify({ rules: [rule] }));
    const { findings } = await askCli<Summary>("why", AGENT, "--rules", path);
    expect(findings[0]).toMatchObject({ name: "Ours", profile: "wall", tone: "warning" });
  });

  it.each([
    ["{", /rules\.json: the file is not JSON/],
    ['{"rules":[{"name":"A","any":"(","info":1,"warning":2}]}', /rules\.json: rule 1: "any" is not a valid pattern/],
  ])("refuses a file of rules with its reason: %s", async (text, reason) => {
    const { err, code } = await callCli(["why", AGENT, "--rules", await file("rules.json", text)]);
    expect(code).toBe(2);
    expect(err).toMatch(reason);
  });

  it("names a thread by its number in its text, in reports and in pictures", async () => {
    const filter = ["--attr", "thread.id=32"];
    const named = /^thread\.id = 32 (\S+)$/.exec(
      (await callCli(["why", AGENT, ...filter])).out.toString().split("\n")[0]!,
    );
    expect(named?.[1]).toMatch(/^worker-\d$/);
    for (const ending of ["html", "svg"]) {
      const { out } = await callCli(["convert", AGENT, ...filter, "--format", ending, "--type", "wall", "-o", "-"]);
      expect(out.toString().includes(`32 ${named?.[1]}`), ending).toBe(true);
    }
  });

  it("reports an empty selection", async () => {
    const { err, code } = await callCli(["why", AGENT, "--local-root", "7"]);
    expect([code, err]).toEqual([0, expect.stringContaining("no samples")]);
    const missing = await callCli(["why", AGENT, "--rules", join(folder, "nowhere.json")]);
    expect(missing.code).toBe(2);
  });
});
