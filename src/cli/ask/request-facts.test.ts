/** `spans` lists requests and spans with endpoint, start and duration, and sorts by them. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { askCli, buildCli, callCli, ROOT } from "../../../test/kit/run-cli.ts";

beforeAll(buildCli);

interface Row {
  id: string;
  samples: number;
  endpoint: string | null;
  startUnixNano: string | null;
  durationNano: string | null;
  from: string | null;
  atLeast: boolean;
}

const fixture = (name: string) => join(ROOT, "fixtures", name);
const RECORDING = fixture("traces/relay-dd17.jfr");
const TRACE = fixture("traces/relay-dd17.whole.otlp.json.gz");
const rowsOf = async (...args: string[]) => (await askCli<{ rows: Row[] }>("spans", ...args)).rows;

describe("requests", () => {
  it("last as the trace file states, else as the recording or its samples do", async () => {
    const traced = await rowsOf(RECORDING, "--trace", TRACE);
    const alone = await rowsOf(RECORDING);
    expect(alone.map(({ id }) => id)).toEqual(traced.map(({ id }) => id));
    expect(traced.filter(({ from }) => from === "trace").length).toBeGreaterThan(10);
    expect(traced.filter(({ from, atLeast }) => from === "trace" && atLeast)).toEqual([]);
    expect(new Set(alone.map(({ from }) => from))).not.toContain("trace");
    // What `trace` says of the same spans.
    const { spans } = await askCli<{ spans: { id: string; startUnixNano: string; durationNano: string }[] }>(
      "trace",
      ...[RECORDING, "--trace", TRACE],
    );
    const known = new Map(spans.map((span) => [span.id, [span.startUnixNano, span.durationNano]]));
    for (const { id, from, startUnixNano, durationNano } of traced)
      if (from === "trace") expect([startUnixNano, durationNano]).toEqual(known.get(id));
  });

  it("are sorted by duration, start and samples, those without a time last", async () => {
    for (const by of ["local-root", "span"]) {
      const rows = await rowsOf(RECORDING, "--by", by, "--sort", "duration");
      const durations = rows.map(({ durationNano }) => Number(durationNano ?? -1));
      expect(durations).toEqual(durations.toSorted((a, b) => b - a));
      const starts = (await rowsOf(RECORDING, "--by", by, "--sort", "start")).map(({ startUnixNano }) => startUnixNano);
      expect(starts.filter((each) => each !== null)).toEqual(starts.filter((each) => each !== null).toSorted());
      const samples = (await rowsOf(RECORDING, "--by", by, "--sort", "samples")).map((row) => row.samples);
      expect(samples).toEqual(samples.toSorted((a, b) => b - a));
      expect((await rowsOf(RECORDING, "--by", by, "--sort", "duration", "--limit", "2")).map(({ id }) => id)).toEqual(
        rows.slice(0, 2).map(({ id }) => id),
      );
    }
  });

  it("have the endpoint that --endpoint selects, and the same times under a filter", async () => {
    const agent = fixture("recorded/ddagent-jdk17.jfr");
    const all = await rowsOf(agent, "--type", "wall");
    const [first] = all.filter(({ endpoint }) => endpoint !== null);
    const some = await rowsOf(agent, "--type", "wall", "--endpoint", first?.endpoint ?? "");
    expect(some.length).toBeGreaterThan(0);
    expect(some.length).toBeLessThan(all.length);
    const facts = ({ id, endpoint, startUnixNano, durationNano }: Row) => ({
      id,
      endpoint,
      startUnixNano,
      durationNano,
    });
    const ids = new Set(some.map(({ id }) => id));
    expect(some.map(facts)).toEqual(all.filter(({ id }) => ids.has(id)).map(facts));
    expect(new Set(some.map(({ endpoint }) => endpoint))).toEqual(new Set([first?.endpoint]));
  });

  it("show their start in UTC", async () => {
    const { out } = await callCli(["spans", RECORDING, "--sort", "start", "--limit", "1"]);
    expect(out.toString()).toMatch(/ \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /);
  });
});

it.each([
  [["--sort", "weight"], '--sort: "weight" is not one of value, samples, duration, start'],
  [["--by", "thread", "--sort", "duration"], "--sort duration: is for --by local-root and span, not thread"],
  [["--by", "operation", "--sort", "samples"], "--sort: is not for --by operation"],
])("%j is refused", async (args, words) => {
  const { code, err } = await callCli(["spans", RECORDING, ...args]);
  expect([code, err]).toEqual([2, expect.stringContaining(words)]);
});

it.each(["recorded/ddagent-jdk17.jfr", "traces/relay-dd17.jfr", "recorded/dd152-jdk17-all.jfr"])(
  "requests of %s last as `why` and `trace` state",
  async (name) => {
    const recording = fixture(name);
    type Span = Pick<Row, "id" | "startUnixNano" | "durationNano" | "from" | "atLeast">;
    const facts = ({ startUnixNano, durationNano, from, atLeast }: Omit<Span, "id">) => ({
      startUnixNano,
      durationNano,
      from,
      atLeast,
    });
    const { spans } = await askCli<{ spans: Span[] }>("trace", recording);
    const known = new Map(spans.map((span) => [span.id, facts(span)]));
    const rows = await rowsOf(recording, "--by", "span", "--sort", "duration");
    expect(rows.map(({ id }) => known.get(id))).toEqual(rows.map(facts));
    for (const from of new Set(rows.map((row) => row.from))) {
      const row = rows.find((each) => each.from === from) as Row;
      type Time = Omit<Span, "id">;
      const { time } = await askCli<{ time: Time & { recorded?: Omit<Time, "from"> } }>(
        "why",
        recording,
        "--span",
        row.id,
      );
      expect(facts(time.recorded ? { from: "recording", ...time.recorded } : time)).toEqual(facts(row));
    }
  },
);

describe("the message of a recording answers as the recording does", () => {
  const recording = fixture("recorded/ap46-jdk17-all.jfr");
  const answersOf = async (command: string, ...args: string[]) => {
    const message = join(mkdtempSync(join(tmpdir(), "message-")), "a.pb");
    expect((await callCli(["convert", recording, "-o", message, "-q"])).code).toBe(0);
    const [own, its] = await Promise.all([recording, message].map((path) => askCli<object>(command, path, ...args)));
    return { own, its };
  };

  it("with labels of threads that depend on all profiles", async () => {
    const { own, its } = await answersOf("spans", "--type", "malloc", "--by", "thread");
    const rows = (answer: object | undefined) =>
      (answer as { rows: { key: string; value: string }[] }).rows.map(({ key, value }) => `${key} ${value}`).sort();
    expect(rows(own)).toContain("echo #22 8248");
    expect(rows(its)).toEqual(rows(own));
    const { out } = await callCli(["top", recording, "--type", "malloc", "--thread", "echo #22", "--json"]);
    expect(JSON.parse(out.toString())).toMatchObject({ total: "8248" });
  });

  it.each([3, 40, 100])("with the first %d of functions that weigh the same", async (limit) => {
    const { own, its } = await answersOf("top", "--type", "cpu", "--limit", String(limit));
    expect(its).toEqual(own);
  });
});
