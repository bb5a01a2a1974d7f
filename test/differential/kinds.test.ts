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
import { openRecording } from "../kit/open-recording.ts";

const { SPANFLAME_KINDS } = process.env;
const FOLDER = SPANFLAME_KINDS
  ? resolve(SPANFLAME_KINDS)
  : fileURLToPath(new URL("../../fixtures/kinds/", import.meta.url));
/** Of the requests of a recording, so many must have their clock in the interval of a part. */
const SHARE = 0.9;
/** Milliseconds: a clock stands around a wait and a little more, and a tracer reads its own. */
const SLACK = 3;
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
const PARTS = ["cpu", "lock", "off-thread"];

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

interface Request {
  kind: string;
  clocks: Record<string, number>;
  parts: Parts;
}

const sum = (all: number[]) => all.reduce((a, b) => a + b, 0);

/** What the clocks say of a request, by part, in milliseconds. */
function clocksOf(root: Span, { spans, active }: Truth): Record<string, number> {
  const own = spans.filter((span) => span.localRootSpanId === root.spanId);
  const ids = new Set(own.map(({ spanId }) => spanId));
  const stretches = Object.values(active).flat();
  const on = sum(stretches.filter(([, , span]) => ids.has(span)).map(([from, to]) => (to - from) / 1e6));
  const clocks: Record<string, number> = {
    cpu: sum(own.map(({ selfCpuMs }) => selfCpuMs)),
    "off-thread": Math.max(0, root.wallMs - on),
    gc: root.pausedMs,
  };
  // A virtual thread that waits is on no thread.
  if (root.operation === "GET /virtual") return clocks;
  for (const { waitsMs } of own)
    for (const [kind, ms] of Object.entries(waitsMs)) clocks[kind] = (clocks[kind] ?? 0) + ms;
  return clocks;
}

function bytesOf(name: string): Buffer {
  const path = join(FOLDER, name);
  return existsSync(path) ? readFileSync(path) : gunzipSync(readFileSync(`${path}.gz`));
}

async function requestsOf(name: string): Promise<Request[]> {
  const truth: Truth = JSON.parse(bytesOf(`${name}.expected.json`).toString());
  const data = bytesOf(`${name}.jfr`);
  const trace = `${name}.whole.otlp.json.gz`;
  const inputs = [
    { name, data },
    { name: trace, data: readFileSync(join(FOLDER, trace)) },
  ];
  const recording = await openRecording(inputs, { infer: true });
  const profile = recording.profiles.find(({ type }) => type === "wall") ?? recording.profiles[0]!;
  const requests: Request[] = [];
  for (const root of truth.spans.filter(({ spanId, localRootSpanId }) => spanId === localRootSpanId)) {
    const time = await recording.timeOf(recording.select(profile.id, { localRoot: BigInt(root.spanId) }));
    if (time === null) continue;
    const parts: Parts = {};
    for (const { part, low, high } of time.breakdown)
      parts[part] = { low: Number(low) / 1e6, high: Number(high) / 1e6 };
    const kind = root.operation.slice(root.operation.indexOf("/") + 1);
    requests.push({ kind, clocks: clocksOf(root, truth), parts });
  }
  return requests;
}

/** Whether the interval of a part, with what nothing explains, holds its clock. */
function holds({ clocks, parts }: Request, part: string): boolean {
  const clock = clocks[part] ?? 0;
  const { low = 0, high = 0 } = parts[part] ?? {};
  return clock >= low - SLACK && clock <= high + (parts.unsampled?.high ?? 0) + SLACK;
}

const names = (existsSync(FOLDER) ? readdirSync(FOLDER) : []).flatMap(
  (file) => /^(.*)\.expected\.json(?:\.gz)?$/.exec(file)?.[1] ?? [],
);

it("has recordings", () => {
  expect(names.length).toBeGreaterThan(0);
});

describe.each(names)("%s", async (name) => {
  const requests = await requestsOf(name);

  it("has every kind, but for virtual threads where there are none", () => {
    const kinds = new Set(requests.map(({ kind }) => kind));
    expect(Object.keys(KINDS).filter((kind) => !kinds.has(kind))).toEqual(name.endsWith("jdk17") ? ["virtual"] : []);
  });

  it.each(PARTS)("%s: its interval holds the clock", (part) => {
    const asked = requests.filter(({ clocks, parts }) => (clocks[part] ?? 0) > SLACK || parts[part] !== undefined);
    const missed = asked.filter((request) => !holds(request, part));
    const seen = missed.map(({ kind, clocks, parts }) => ({ kind, clock: clocks[part] ?? 0, ...parts[part] }));
    expect(asked.length).toBeGreaterThan(0);
    expect([missed.length <= (1 - SHARE) * asked.length, seen]).toEqual([true, seen]);
  });
});
