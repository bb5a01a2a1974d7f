/**
 * Twelve kinds of requests, each with its clocks (fixtures/relay/Kinds.java): what the parts of their time state must
 * hold what the clocks say. Runs over the recordings of fixtures/kinds, and over the folder that SPANFLAME_KINDS names,
 * for recordings just made with fixtures/relay/kinds.sh.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { lengthOf, union } from "../../src/model/span-time/parts.ts";
import { openRecording } from "../kit/open-recording.ts";

const { SPANFLAME_KINDS } = process.env;
const FOLDER = SPANFLAME_KINDS
  ? resolve(SPANFLAME_KINDS)
  : fileURLToPath(new URL("../../fixtures/kinds/", import.meta.url));
/** Of the requests of a recording, so many must have their clock in the interval of a part. */
const SHARE = 0.9;
/** Milliseconds: a clock stands around a wait and a little more, and a tracer reads its own. */
const SLACK = 3;
/** Milliseconds from look to look of the samplers of wall time: no sample may be of a part that is shorter. */
const STEP = 10;
/** After so many looks an interval is at most so wide, as a share of the duration: the median of the requests. */
const LOOKS = 8;
const WIDEST = 0.5;
/** Each kind, and the part that its requests must have, in a recording that can tell. */
const KINDS: Record<string, string | null> = {
  sync: "cpu",
  async: "off-thread",
  virtual: "off-thread",
  reactive: "off-thread",
  continuation: "off-thread",
  blocked: "lock",
  parked: "park",
  starved: null,
  gc: "gc",
  socket: "socket",
  file: "file",
  sleeping: "sleep",
};
/** Parts whose clocks are compared, in every request that has the part or the clock. */
const PARTS = ["cpu", "runnable", "lock", "park", "sleep", "socket", "file", "off-thread", "gc"];

interface Span {
  spanId: string;
  localRootSpanId: string;
  operation: string;
  wallMs: number;
  selfCpuMs: number;
  pausedMs: number;
  waitsMs: Record<string, number>;
}

interface Truth {
  spans: Span[];
  active: Record<string, [from: number, to: number, span: string][]>;
}

type Parts = Record<string, { low: number; high: number }>;

/** What the clocks say of a part: so many milliseconds at least, and at most. */
type Clocks = Record<string, [least: number, most: number]>;

interface Request {
  kind: string;
  wallMs: number;
  /** Wall samples. */
  samples: number;
  clocks: Clocks;
  parts: Parts;
}

const sum = (all: number[]) => all.reduce((a, b) => a + b, 0);

/** Milliseconds in which one thread or more worked for these spans. */
function activeMs(ids: ReadonlySet<string>, active: Truth["active"]): number {
  const own = Object.values(active).flatMap((stretches) => stretches.filter(([, , span]) => ids.has(span)));
  return lengthOf(union(own.map(([from, to]) => [from / 1e6, to / 1e6])));
}

/** `states`: the recording has events of waits, which state those of virtual threads as well. */
function clocksOf(root: Span, { spans, active }: Truth, states: boolean): Clocks {
  const own = spans.filter((span) => span.localRootSpanId === root.spanId);
  const waits = new Map<string, number>();
  for (const { waitsMs } of own)
    for (const [part, ms] of Object.entries(waitsMs)) waits.set(part, (waits.get(part) ?? 0) + ms);
  const isVirtual = root.operation === "GET /virtual";
  const waited = sum([...waits.values()]);
  const on = activeMs(new Set(own.map(({ spanId }) => spanId)), active);
  const cpu = sum(own.map(({ selfCpuMs }) => selfCpuMs));
  // A virtual thread that waits is on no thread, unless an event states what it waits for.
  const off = Math.max(0, root.wallMs - on - (isVirtual && states ? waited : 0));
  // On a thread, without a processor and a wait of its own: it waited for one, or for a collection also beside pauses.
  const spare = Math.max(root.pausedMs, on - cpu - (isVirtual ? 0 : waited));
  const clocks: Clocks = {
    cpu: [cpu, cpu],
    runnable: [0, spare - root.pausedMs],
    "off-thread": [off, off],
    gc: [root.pausedMs, spare],
  };
  if (!isVirtual || states) for (const [part, ms] of waits) clocks[part] = [ms, ms];
  return clocks;
}

function bytesOf(name: string): Buffer {
  const path = join(FOLDER, name);
  return existsSync(path) ? readFileSync(path) : gunzipSync(readFileSync(`${path}.gz`));
}

/** The requests of a recording, and what it can tell. */
async function requestsOf(name: string) {
  const truth: Truth = JSON.parse(bytesOf(`${name}.expected.json`).toString());
  const trace = `${name}.whole.otlp.json.gz`;
  const traces = { name: trace, data: readFileSync(join(FOLDER, trace)) };
  const recording = await openRecording({ name, data: bytesOf(`${name}.jfr`) }, { infer: true, traces });
  const wall = recording.profiles.find(({ type }) => type === "wall");
  const states = recording.profiles.some(({ type }) => type === "sleep");
  const profile = wall ?? recording.profiles[0]!;
  const requests: Request[] = [];
  for (const root of truth.spans.filter(({ spanId, localRootSpanId }) => spanId === localRootSpanId)) {
    const time = await recording.timeOf(recording.select(profile.id, { localRoot: BigInt(root.spanId) }));
    if (time === null) continue;
    const parts: Parts = {};
    for (const { part, low, high } of time.breakdown)
      parts[part] = { low: Number(low) / 1e6, high: Number(high) / 1e6 };
    const kind = root.operation.slice(root.operation.indexOf("/") + 1);
    const samples = time.samples + time.inferredSamples;
    requests.push({ kind, wallMs: root.wallMs, samples, clocks: clocksOf(root, truth, states), parts });
  }
  return { requests, states, samplesWall: wall !== undefined, tellsThreads: wall !== undefined || /scopes/.test(name) };
}

const clockOf = ({ clocks }: Request, part: string) => clocks[part] ?? [0, 0];
const openOf = ({ parts }: Request) => parts.unsampled?.high ?? 0;

/** Whether the interval of a part, with what nothing explains, holds its clock. */
function holds(request: Request, part: string): boolean {
  const [least, most] = clockOf(request, part);
  const { low = 0, high = 0 } = request.parts[part] ?? {};
  return most >= low - SLACK && least <= high + openOf(request) + SLACK;
}

const names = (existsSync(FOLDER) ? readdirSync(FOLDER) : []).flatMap(
  (file) => /^(.*)\.expected\.json(?:\.gz)?$/.exec(file)?.[1] ?? [],
);

it("has recordings", () => {
  expect(names.length).toBeGreaterThan(0);
});

describe.each(names)("%s", async (name) => {
  const { requests, states, samplesWall, tellsThreads } = await requestsOf(name);
  const partOf = (kind: string) => (kind === "virtual" && states ? "sleep" : KINDS[kind]) ?? null;
  const compared = PARTS.filter((part) => part !== "runnable" || samplesWall);

  it("has every kind, but for virtual threads where there are none", () => {
    const kinds = new Set(requests.map(({ kind }) => kind));
    expect(Object.keys(KINDS).filter((kind) => !kinds.has(kind))).toEqual(name.endsWith("jdk17") ? ["virtual"] : []);
  });

  it.each(compared)("%s: its interval holds the clock", (part) => {
    const asked = requests.filter((each) => clockOf(each, part)[0] > STEP || each.parts[part] !== undefined);
    const missed = asked.filter((request) => !holds(request, part));
    const seen = missed.map((each) => ({ kind: each.kind, clock: clockOf(each, part), ...each.parts[part] }));
    expect(asked.length).toBeGreaterThan(0);
    expect([missed.length <= (1 - SHARE) * asked.length, seen]).toEqual([true, seen]);
  });

  it.each(compared)("%s: its interval tells something", (part) => {
    // Of a request on no thread there are no samples.
    const looks = ({ wallMs, samples }: Request) => (part === "off-thread" ? wallMs / STEP : samples);
    const asked = requests.filter((each) => each.parts[part] !== undefined && (!samplesWall || looks(each) >= LOOKS));
    const widths = asked
      .map(({ wallMs, parts }) => (parts[part]!.high - parts[part]!.low) / wallMs)
      .sort((a, b) => a - b);
    expect(widths[widths.length >> 1] ?? 0).toBeLessThanOrEqual(WIDEST);
  });

  it("have the sleep of a span that does nothing else, where events state it", () => {
    // The clock of the trace is known: the recording has samples or events of its spans.
    for (const request of states ? requests.filter(({ kind }) => kind === "sync") : [])
      expect(request.parts.sleep?.high).toBeGreaterThan(clockOf(request, "sleep")[0] - SLACK);
  });

  it.each(Object.keys(KINDS).filter((kind) => KINDS[kind] !== null))(
    "%s has its part, or says that nothing tells",
    (kind) => {
      const part = partOf(kind)!;
      for (const request of requests.filter((each) => each.kind === kind && clockOf(each, part)[0] > STEP)) {
        if (part !== "off-thread" || tellsThreads) expect(request.parts[part]?.high).toBeGreaterThan(0);
        else {
          expect(request.parts[part]).toBeUndefined();
          expect(openOf(request)).toBeGreaterThan(clockOf(request, part)[0]);
        }
      }
    },
  );
});
