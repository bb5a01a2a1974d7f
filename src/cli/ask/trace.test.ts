/** `spanflame trace` and --trace: a real recording beside its traces. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { askCli, buildCli, callCli, ROOT } from "../../../test/kit/run-cli.ts";

const fixture = (name: string) => join(ROOT, "fixtures", "traces", name);
const RECORDING = fixture("ddctx-jdk17.jfr");
const CAPTURED = fixture("ddctx-jdk17.captured.datadog.json.gz");
const WHOLE = fixture("ddctx-jdk17.whole.otlp.pb.gz");

beforeAll(() => buildCli(), 120_000);

interface Row {
  id: string;
  traceId: string;
  name: string;
  reason: string | null;
  startUnixNano: string | null;
  durationNano: string | null;
  selfNano: string | null;
  from: string;
  profiles: { type: string; samples: number; value: string; inferredSamples: number }[];
}
interface Answer {
  recordings: { name: string; clock: { offsetNano: string; agree: number; asked: number } | null }[];
  spans: Row[];
  unmatchedRoots: { id: string }[];
}
interface Ranked {
  rows: { id: string; samples: number }[];
}
const trace = (...args: string[]) => askCli<Answer>("trace", RECORDING, ...args);

interface Stretch {
  id: string;
  hex: string;
  startUnixNano: string;
  durationNano: string;
  words: string;
  samples: number;
  hottest: { function: string; samples: number; stack: string[] } | null;
  wait: { kind: string; coveredNano: string; heldBy: { operation: string; certain: boolean } | null } | null;
}

describe("the critical path in frames", () => {
  const relay = fixture("relay-dd17.jfr");
  const whole = fixture("relay-dd17.whole.otlp.json.gz");
  const pathOf = (...args: string[]) => askCli<Answer & { path?: Stretch[] }>("trace", ...args);

  it("adds up to the trace, and has the samples that top counts in each stretch", async () => {
    const id = "6b0242b4000000001024c9aeb2c67ccf";
    const { spans, path = [] } = await pathOf(RECORDING, id, "--trace", WHOLE);
    const sum = path.reduce((total, { durationNano }) => total + BigInt(durationNano), 0n);
    expect(String(sum)).toBe(spans[0]!.durationNano);
    const sampled = path.filter(({ samples }) => samples > 1);
    expect(sampled.length).toBeGreaterThan(1);
    for (const { hex, startUnixNano, durationNano, samples, hottest, words } of sampled) {
      const until = BigInt(startUnixNano) + BigInt(durationNano);
      const only = ["--span", `0x${hex}`, "--since", startUnixNano, "--until", String(until)];
      const top = await askCli<{ total: string }>("top", RECORDING, "--type", "wall", "--value", "samples", ...only);
      expect([hex, String(samples)]).toEqual([hex, top.total]);
      expect(hottest!.stack).toContain(hottest!.function);
      expect(words).toContain(`(${hottest!.samples} of ${samples} samples)`);
    }
    // Of several traces no one is asked about.
    expect((await pathOf(RECORDING, "--trace", WHOLE)).path).toBe(undefined);
  });

  it("tells a wait with its holder, whatever the clock of the trace", async () => {
    const id = "6b0000000000000038dda1232865cd13";
    const held = expect.objectContaining({ operation: "POST /import", certain: true });
    const { path = [] } = await pathOf(relay, id, "--trace", whole, "--inferred");
    const [stretch] = path.filter(({ wait }) => wait !== null);
    expect(stretch?.wait).toMatchObject({ kind: "monitor", heldBy: held });
    expect(stretch?.words).toMatch(/^lock 102 ms for Object, held by POST \/import \(compute-1, request 0x\w+\)$/);
    const { out } = await callCli(["trace", relay, id, "--trace", whole, "--inferred"]);
    expect(out.toString()).toContain(`import.part  ${stretch?.words}\n`);

    const later = (nanos: string) => `"startTimeUnixNano":"${BigInt(nanos) + 1_500_000_000n}"`;
    const text = gunzipSync(readFileSync(whole)).toString();
    const moved = text
      .replaceAll(/"startTimeUnixNano":"(\d+)"/g, (_, nanos: string) => later(nanos))
      .replaceAll(/"endTimeUnixNano":"(\d+)"/g, (_, nanos: string) => later(nanos).replace("start", "end"));
    const { code, out: json } = await callCli(["trace", relay, id, "--trace", "-", "--inferred", "--json"], {
      input: new TextEncoder().encode(moved),
    });
    const other = JSON.parse(json.toString()) as { path: Stretch[] };
    const told = (all: readonly Stretch[]) => all.map(({ hex, words, samples }) => [hex, words, samples]);
    expect([code, told(other.path)]).toEqual([0, told(path)]);
  });
});

describe("spanflame trace", () => {
  it("measures the clock: the tracer's is half a millisecond behind the profiler's", async () => {
    const { recordings } = await trace("--trace", CAPTURED);
    expect(recordings).toEqual([
      { name: "ddctx-jdk17.jfr", clock: expect.objectContaining({ offsetNano: "562886", agree: 185, asked: 185 }) },
    ]);
    expect((await trace("--trace", WHOLE)).recordings[0]?.clock?.offsetNano).toBe("0");
  });

  it("has the samples that top counts for a span, and reasons for spans without", async () => {
    const { spans, unmatchedRoots } = await trace("--trace", WHOLE);
    const most = spans.toSorted((a, b) => cpuOf(b) - cpuOf(a))[0]!;
    const top = await askCli<{ total: string }>("top", RECORDING, "--type", "cpu", "--span", most.id);
    expect(cpuOf(most)).toBeGreaterThan(2);
    expect(most.profiles.find(({ type }) => type === "cpu")?.value).toBe(top.total);
    expect(most.reason).toBeNull();
    for (const { profiles, reason } of spans) expect(reason === null).toBe(profiles.some(({ samples }) => samples > 0));
    expect(new Set(spans.map(({ reason }) => reason))).toEqual(new Set([null, "short", "unsampled"]));
    expect(unmatchedRoots).toEqual([]);
  });

  it("prints the spans of one request, of one span and below it, and the first of them", async () => {
    const { spans } = await trace("--trace", WHOLE);
    const [root, child] = spans;
    const ids = async (...args: string[]) => (await trace("--trace", WHOLE, ...args)).spans.map(({ id }) => id);
    const own = spans.filter(({ traceId }) => traceId === root!.traceId).map(({ id }) => id);
    expect(own.length).toBeGreaterThan(2);
    for (const name of ["--local-root", "--trace-id"]) expect(await ids(name, root!.id)).toEqual(own);
    expect(await ids("--trace-id", `00-${root!.traceId}-00f067aa0ba902b7-01`, "--limit", "2")).toEqual(own.slice(0, 2));
    const below = await ids("--span", child!.id);
    expect([below[0], below.length < own.length]).toEqual([child!.id, true]);
    const { out } = await callCli(["trace", RECORDING, "--trace", WHOLE, root!.id, "--limit", "1"]);
    expect(out.toString()).toContain(`… and ${own.length - 1} more span`);
  });

  it("has a span without a start in its trace, with no time", async () => {
    const spans =
      '[{"traceId":"a","id":"a","name":"root","timestamp":1700000000000000,"duration":5000},{"traceId":"a","id":"b","parentId":"a","name":"child"}]';
    const input = Buffer.from(spans);
    const { code, out, err } = await callCli(["trace", RECORDING, "--trace", "-"], { input });
    expect([code, out.toString()]).toEqual([0, expect.stringMatching(/\n *5 ms +5 ms \* root .*\nno time +child /)]);
    expect(err).toMatch(/warning: .*Zipkin: the span has no start, so it has no time \(offset 85\)/);
    const { out: json } = await callCli(["trace", RECORDING, "--trace", "-", "--json"], { input });
    const answer = JSON.parse(json.toString()) as Answer;
    expect(answer.spans.map((span) => [span.startUnixNano, span.durationNano, span.selfNano])).toEqual([
      ["1700000000000000000", "5000000", "5000000"],
      [null, null, null],
    ]);
  });

  it("names the service of each span that is of another service than its parent", async () => {
    const span = (id: string, parentId: string, serviceName: string) =>
      ({
        traceId: "a",
        id,
        parentId,
        name: `op-${id}`,
        timestamp: 1,
        duration: 9,
        localEndpoint: { serviceName },
      }) as object;
    const spans = [span("1", "", "shop"), span("2", "1", "shop"), span("3", "2", "users"), span("4", "1", "shop")];
    const { out } = await callCli(["trace", RECORDING, "--trace", "-"], { input: Buffer.from(JSON.stringify(spans)) });
    const names = out.toString().match(/(?:\w+: )?op-\d/g);
    expect(names).toEqual(["shop: op-1", "op-2", "users: op-3", "op-4"]);
  });

  it("lists roots of samples that a part of the trace does not have", async () => {
    const [first] = (await trace("--trace", WHOLE)).spans;
    const one = `[{"trace_id":1,"span_id":${first?.id},"start":${first?.startUnixNano},"duration":1000}]`;
    const { code, out } = await callCli(["trace", RECORDING, "--trace", "-", "--json"], { input: Buffer.from(one) });
    const answer = JSON.parse(out.toString()) as Answer;
    expect([code, answer.spans.map(({ id }) => id)]).toEqual([0, [first?.id]]);
    const roots = answer.unmatchedRoots.map(({ id }) => BigInt(id));
    expect(roots.length).toBeGreaterThan(10);
    expect(roots).not.toContain(BigInt(first?.id ?? 0));
    expect(roots).toEqual(roots.toSorted((a, b) => (a < b ? -1 : 1)));
  });

  it("prints an indented tree for people", async () => {
    const { code, out, err } = await callCli(["trace", RECORDING, "--trace", CAPTURED]);
    expect([code, err]).toEqual([0, expect.stringContaining("310 spans")]);
    const lines = out.toString().split("\n");
    expect(lines[0]).toBe("ddctx-jdk17.jfr: clock of the trace +563 µs (185 of 185 spans agree)");
    expect(lines.find((line) => line.includes("POST /checkout"))).toMatch(/^ *\d+ ms .*\* demo-shop: servlet.request/);
    const short = lines.filter((line) => line.endsWith("too short to sample"));
    expect(short.length).toBeGreaterThan(5);
    // The words name the self time of the second column: the span itself may be long.
    for (const line of short) {
      const [, self, said] = /^ *\S+ \S+ +(\S+ \S+) .*— self (\S+ \S+):/.exec(line) ?? [];
      expect(said, line).toBe(self);
    }
    expect(out.toString()).toMatch(/^ *\d+ ms .* — (left out by the sampler|no sample)$/m);
  });

  it.each<[args: string[], code: number, says: string]>([
    [["--trace", fixture("missing.json")], 1, "missing.json: there is no such file"],
    [["--trace", RECORDING], 1, "ddctx-jdk17.jfr: this is no trace file of OTLP, Jaeger, Zipkin or Datadog"],
    [["--trace", WHOLE, "--trace", join(ROOT, "package.json")], 1, "package.json: this is no trace file"],
    [["--trace", "-", "--trace", "-"], 2, "--trace: standard input can only be read once"],
  ])("refuses %j with exit code %i", async (args, code, says) => {
    const { code: ended, out, err } = await callCli(["trace", RECORDING, "--json", ...args]);
    expect([ended, JSON.parse(out.toString())]).toMatchObject([code, { exit: code }]);
    expect(err).toContain(says);
  });

  it("has the spans of samples where neither a file nor the recording knows one", async () => {
    const shop = join(ROOT, "fixtures", "shop.jfr");
    const { spans, unmatchedRoots } = await askCli<Answer>("trace", shop);
    expect(new Set(spans.map(({ from }) => from))).toEqual(new Set(["samples"]));
    const { rows } = await askCli<Ranked>("spans", shop, "--type", "cpu", "--by", "span");
    const own = spans.filter((span) => cpuOf(span) > 0).map((span) => [span.id, cpuOf(span)] as const);
    expect(new Map(own)).toEqual(new Map(rows.map(({ id, samples }) => [id, samples])));
    expect(unmatchedRoots).toEqual([]);
  });

  it("has all samples of a request whose spans no event states", async () => {
    const agent = join(ROOT, "fixtures", "recorded", "ddagent-jdk17.jfr");
    const { rows } = await askCli<Ranked>("spans", agent, "--type", "cpu");
    const [first] = rows.filter(({ id }) => id !== "0");
    const { spans } = await askCli<Answer>("trace", agent, first!.id);
    expect(spans.reduce((sum, span) => sum + cpuOf(span), 0)).toBe(first!.samples);
    const [one] = spans.filter((span) => cpuOf(span) > 0);
    const why = await askCli<{ time: { from: string } }>("why", agent, "--span", one!.id);
    expect(why.time.from).toBe("samples");
  });
});

const cpuOf = ({ profiles }: Row) => profiles.find(({ type }) => type === "cpu")?.samples ?? 0;

describe("spanflame spans --by operation --trace", () => {
  it("has the durations of the program's spans by nearest rank, and their samples", async () => {
    const { spans } = JSON.parse(gunzipSync(readFileSync(fixture("ddctx-jdk17.spans.json.gz"))).toString()) as {
      spans: { operation: string; startUnixNano: string; endUnixNano: string }[];
    };
    const { rows } = await askCli<{ rows: { operation: string; spans: number; p95Nano: string; maxNano: string }[] }>(
      "spans",
      RECORDING,
      ...["--type", "cpu", "--by", "operation", "--trace", WHOLE],
    );
    expect(rows.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(spans.map(({ operation }) => operation)),
    );
    for (const { operation, spans: count, p95Nano, maxNano } of rows) {
      const durations = spans
        .filter((span) => span.operation === operation)
        .map((span) => BigInt(span.endUnixNano) - BigInt(span.startUnixNano))
        .sort((a, b) => (a < b ? -1 : 1));
      const p95 = durations[Math.ceil(0.95 * durations.length) - 1];
      expect([count, p95Nano, maxNano]).toEqual([durations.length, String(p95), String(durations.at(-1))]);
    }
  });
});

describe("spanflame spans --by operation", () => {
  interface Operation {
    key: string;
    samples: number;
    spans: number | null;
    p50Nano: string | null;
    maxNano: string | null;
    inferred?: number;
  }
  const operations = async (recording: string, type: string, ...more: string[]) =>
    (await askCli<{ rows: Operation[] }>("spans", recording, "--type", type, "--by", "operation", ...more)).rows;

  it.each([
    ["apctx-jdk17.jfr", "cpu"],
    ["jdkscope-jdk25.jfr", "sleep"],
    ["ddctx-jdk17.jfr", "cpu"],
  ])("has the durations of the spans that the recording knows: %s", async (name, type) => {
    const spans = (await askCli<Answer>("trace", fixture(name))).spans.filter(({ from }) => from !== "samples");
    const rows = await operations(fixture(name), type);
    const known = new Map(rows.map((row) => [row.key, row]));
    expect(new Set([...spans.map((span) => span.name), ""])).toEqual(
      new Set([...rows.filter((row) => row.spans !== null).map(({ key }) => key), ""]),
    );
    for (const operation of new Set(spans.map((span) => span.name))) {
      if (operation === "") continue;
      const durations = spans
        .filter((span) => span.name === operation)
        .map(({ durationNano }) => BigInt(durationNano!))
        .sort((a, b) => (a < b ? -1 : 1));
      const p50 = durations[Math.ceil(durations.length / 2) - 1];
      const expected = { spans: durations.length, p50Nano: String(p50), maxNano: String(durations.at(-1)) };
      expect(known.get(operation)).toMatchObject(expected);
    }
  });

  it("counts inferred samples of operations that only spans name", async () => {
    const rows = await operations(fixture("apctx-jdk17.jfr"), "cpu", "--inferred");
    expect(rows.some(({ inferred = 0 }) => inferred > 0)).toBe(true);
    for (const { samples, inferred = 0 } of rows) expect(inferred).toBeLessThanOrEqual(samples);
  });

  it("has no durations where the recording knows no span", async () => {
    const [first] = await operations(join(ROOT, "fixtures", "shop.jfr"), "cpu", "--limit", "1");
    expect(first).not.toHaveProperty("p50Nano");
  });
});

describe("spanflame convert --trace", () => {
  interface Dictionary {
    stringTable: string[];
    linkTable: { traceId?: string; spanId?: string }[];
    attributeTable: { keyStrindex?: number; value?: { stringValue?: string } }[];
  }
  interface Sample {
    linkIndex?: number;
    attributeIndices?: number[];
  }
  interface Message {
    dictionary: Dictionary;
    resourceProfiles: { scopeProfiles: { profiles: { samples: Sample[] }[] }[] }[];
  }

  /** Samples by span, root and trace: the key is `span root trace` joined by slashes, the value how many. */
  async function linked(...args: string[]): Promise<{ counts: Map<string, number>; dictionary: Dictionary }> {
    const { code, out, err } = await callCli(["convert", RECORDING, "-o", "-", "--format", "otlp-json", ...args]);
    if (code !== 0) throw new Error(err);
    const { dictionary, resourceProfiles } = JSON.parse(out.toString()) as Message;
    const counts = new Map<string, number>();
    const samples = resourceProfiles.flatMap((each) => each.scopeProfiles).flatMap(({ profiles }) => profiles);
    for (const { linkIndex = 0, attributeIndices = [] } of samples.flatMap((profile) => profile.samples)) {
      const text = (key: string) =>
        attributeIndices
          .map((i) => dictionary.attributeTable[i])
          .find((each) => dictionary.stringTable[each?.keyStrindex ?? 0] === key)?.value?.stringValue;
      const { traceId = "", spanId = "" } = dictionary.linkTable[linkIndex] ?? {};
      const root = text("local_root_span.id") ?? (traceId.startsWith("0".repeat(16)) ? traceId.slice(16) : "");
      const key = `${spanId || (text("span.id") ?? "")}/${root}/${traceId}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return { counts, dictionary };
  }

  it("writes the trace ids of the file, and local roots as attributes", async () => {
    const { spans } = JSON.parse(gunzipSync(readFileSync(fixture("ddctx-jdk17.spans.json.gz"))).toString()) as {
      spans: { spanId: string; traceId: string }[];
    };
    const hex = (id: string) => BigInt(id).toString(16).padStart(16, "0");
    const traces = new Map(spans.map(({ spanId, traceId }) => [hex(spanId), traceId]));
    const plain = (await linked()).counts;
    const { counts, dictionary } = await linked("--trace", WHOLE);
    const wanted = new Map<string, number>();
    for (const [key, count] of plain) {
      const [span = "", root = "", trace = ""] = key.split("/");
      wanted.set(`${span}/${root}/${traces.get(span) ?? trace}`, count);
    }
    expect([...plain.keys()].filter((key) => traces.has(key.split("/")[0] ?? "")).length).toBeGreaterThan(50);
    expect(counts).toEqual(wanted);
    const links = dictionary.linkTable.map(({ traceId, spanId }) => `${traceId}/${spanId}`);
    expect(new Set(links).size).toBe(links.length);
  });

  it("changes nothing for spans of another program, and nothing in pprof", async () => {
    const other = fixture("apctx-jdk17.whole.zipkin.json.gz");
    expect((await linked("--trace", other)).counts).toEqual((await linked()).counts);
    const { out } = await callCli([
      ...["convert", RECORDING, "-o", "-", "--format", "pprof", "--type", "cpu", "--force", "--trace", WHOLE],
    ]);
    expect(gunzipSync(out).includes("local root span id")).toBe(true);
    expect(gunzipSync(out).includes("local_root_span.id")).toBe(false);
  });

  it("writes messages that keep the rules, in both forms", async () => {
    for (const format of ["otlp", "otlp-json"]) {
      const { out } = await callCli([
        "convert",
        RECORDING,
        "-o",
        "-",
        "--format",
        format,
        "--trace",
        CAPTURED,
        "--force",
      ]);
      expect((await callCli(["validate", "-", "--strict"], { input: out })).code).toBe(0);
    }
  });
});

describe("an id", () => {
  const rows = JSON.parse(gunzipSync(readFileSync(fixture("ddctx-jdk17.spans.json.gz"))).toString()) as {
    spans: { spanId: string; traceId: string; parentSpanId: string }[];
  };
  const root = rows.spans.filter(({ parentSpanId }) => parentSpanId === "0")[5]!;
  const [id, tid] = [BigInt(root.spanId), root.traceId];
  const hex = id.toString(16).padStart(16, "0");

  it.each<[string, string]>([
    ["of 128 bits", tid],
    ["in a traceparent", `00-${tid}-${hex}-01`],
    ["of a local root, in decimal", String(id)],
    ["of a local root, in hex", `0x${hex}`],
    ["of the low 64 bits, in decimal", String(BigInt(`0x${tid.slice(16)}`))],
    ["in B3's header", `b3: ${tid}-${hex}-1`],
    ["in an address of Jaeger", `http://localhost:16686/trace/${tid}`],
    ["in an address of Datadog", `https://app.datadoghq.com/apm/trace/${tid}?spanID=${id}`],
    [
      "in an address of Grafana",
      `http://localhost:3000/explore?left=%7B%22queries%22:%5B%7B%22query%22:%22${tid}%22%7D%5D%7D`,
    ],
  ])("%s finds its trace and no other", async (_, text) => {
    for (const file of [CAPTURED, WHOLE]) {
      const { spans } = await askCli<{ spans: { traceId: string }[] }>("trace", RECORDING, text, "--trace", file);
      expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([tid]));
    }
  });

  it("of 128 bits selects the samples of its local roots", async () => {
    const totalOf = async (text: string, ...more: string[]) =>
      (await askCli<{ total: string }>("top", RECORDING, "--type", "wall", "--local-root", text, ...more)).total;
    expect(await totalOf(tid, "--trace", WHOLE)).toBe(await totalOf(String(id)));
    expect(await totalOf(`00-${tid}-${hex}-01`, "--trace", WHOLE)).toBe(await totalOf(String(id)));
    expect(await totalOf(tid, "--trace", WHOLE)).not.toBe("0");
  });

  it("that nothing knows is answered with what is known", async () => {
    const other = String(id).replace(/.$/, (digit) => String((Number(digit) + 1) % 10));
    const { code, out, err } = await callCli(["trace", RECORDING, other, "--trace", WHOLE, "--json"]);
    expect([code, JSON.parse(out.toString())]).toMatchObject([1, { exit: 1 }]);
    expect(err).toContain(`neither the recordings nor the trace files know the id ${other}`);
    expect(err).toContain(`${id} (0x${hex}): a digit differs`);
    expect(err).toContain("the recordings cover ddctx-jdk17.jfr");
  });

  it.each(["zzz", "Application", "f".repeat(33)])("is not %s, which is no file either", async (text) => {
    const { code, err } = await callCli(["trace", RECORDING, text]);
    expect([code, err]).toEqual([2, expect.stringContaining(`"${text}" is neither a file nor an id`)]);
  });

  it("may be in base64, in groups, in capital letters and in decimal", async () => {
    const whole = BigInt(`0x${tid}`);
    const totalOf = async (text: string) =>
      (await askCli<{ total: string }>("top", RECORDING, "--type", "wall", "--trace", WHOLE, `--local-root=${text}`))
        .total;
    const forms = [
      Buffer.from(tid, "hex").toString("base64url"),
      (tid.match(/.{4}/g) ?? []).join("-"),
      `0X${tid.toUpperCase()}`,
      String(whole),
    ];
    const want = await totalOf(tid);
    for (const form of forms) {
      expect(await totalOf(form)).toBe(want);
      const { code, out } = await callCli(["trace", "--trace", WHOLE, "--json", "--", RECORDING, form]);
      const found = (JSON.parse(out.toString()) as Answer).spans.map(({ traceId }) => traceId);
      expect([code, new Set(found)]).toEqual([0, new Set([tid])]);
    }
  });

  it("is a file if there is one of this name", async () => {
    const { code, err } = await callCli(["trace", RECORDING, "nonsense.jfr"]);
    expect([code, err.includes("nonsense.jfr: there is no such file")]).toEqual([3, true]);
  });
});

describe("a trace file alone", () => {
  it("is an input: trace has its spans and critical path, and no samples", async () => {
    const { recordings, spans } = await askCli<Answer>("trace", WHOLE);
    expect(recordings).toEqual([]);
    expect(spans.length).toBeGreaterThan(100);
    expect(spans.every(({ reason, profiles }) => reason === null && profiles.length === 0)).toBe(true);
    const { code, out } = await callCli(["trace", WHOLE]);
    expect(code).toBe(0);
    expect(out.toString()).toMatch(/^no recording: .*\nduration, self time, \* on the critical path, span\ntrace /);
  });

  it("has the self times of its spans in top, which add up to those of trace", async () => {
    const { spans } = await askCli<Answer>("trace", WHOLE);
    const top = await askCli<{ total: string; unit: string; frames: { name: string }[] }>("top", WHOLE);
    expect(top.unit).toBe("nanoseconds");
    expect(BigInt(top.total)).toBe(spans.reduce((sum, { selfNano }) => sum + BigInt(selfNano ?? 0), 0n));
    expect(top.frames[0]?.name).toMatch(/^demo-shop: /);
  });

  it("tells why what it needs, and beside a recording is read as --trace reads it", async () => {
    const { code, err } = await callCli(["why", WHOLE]);
    expect([code, err.toString()]).toEqual([0, expect.stringContaining("no recording: why needs samples")]);
    const [beside, option] = [await trace(WHOLE), await trace("--trace", WHOLE)];
    expect(beside).toEqual(option);
  });
});
