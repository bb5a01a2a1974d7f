/**
 * The content that we read of a recording, compared with the facts of its workload (NAME.expected.json): identities
 * exactly, amounts as far as chance allows. Runs over fixtures/recorded, over ../shared/recordings/made where that is,
 * and over the folder that SPANFLAME_RECORDINGS names, for recordings just made with test/producers/record.sh.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../src/bytes/byte-source.ts";
import { Core } from "../../src/core/core.ts";
import type { RankRow } from "../../src/core/types.ts";
import { readInputs } from "../../src/input/open.ts";
import { message } from "../kit/core/read-store.ts";
import { eachChunk, jfrTool, printEvents } from "../kit/jfr/jfr-tool.ts";
import { flatten } from "../kit/otlp/otlp-schema.ts";
import { classOf, identityFaults, stackFaults } from "./workload/identity.ts";
import { type Cell, type Observation, observe, tally } from "./workload/observation.ts";
import { PLANTS } from "./workload/planted.ts";
import { allocationFaults, amountFaults, CLOCKS, housekeepingFaults, shareFaults } from "./workload/shares.ts";
import { STACK_CLOCKS, stackShareFaults } from "./workload/stack-shares.ts";
import { HOUSEKEEPING, truthFaults, type WorkloadTruth } from "./workload/truth.ts";

const FIXTURES = fileURLToPath(new URL("../../fixtures/recorded/", import.meta.url));
const MADE = fileURLToPath(new URL("../../../shared/recordings/made/", import.meta.url));
const NEW = process.env.SPANFLAME_RECORDINGS;
/** What must be there, in this repository or beside it; a name that is nowhere is reported as skipped. */
const KNOWN = [
  "dd122-jdk17-all",
  "dd152-jdk17-all",
  "dd152-jdk17-remotesym",
  "ddagent-jdk17",
  "ap46-jdk17-all",
  "ap46-jdk17-jfrsync",
  "jdk17-profile",
  "jdk25-cputime",
];
/** Events whose samples bear span ids and have a clock to be held to, with their profiles. */
const CONTEXT_EVENTS: Record<string, string> = {
  "datadog.ExecutionSample": "cpu",
  "datadog.MethodSample": "wall",
  "datadog.ObjectSample": "alloc-samples",
};

interface Counted {
  counts: Record<string, number>;
  sums: Record<string, number>;
  /** The five hottest leaf frames of an event with their number of samples. */
  hot: Record<string, [string, number][]>;
}

interface Recording {
  name: string;
  bytes: Uint8Array;
  truth: WorkloadTruth;
  /** What an independent reader counted: events, and sums of their fields. */
  counted: Counted | null;
}

const json = (path: string) => JSON.parse(readFileSync(path, "utf8"));

/** The recordings of a folder made with the workload that these tests know. The other one also wrote `active`. */
function recordingsIn(folder: string): Recording[] {
  const names = readdirSync(folder).filter((file) => file.endsWith(".jfr"));
  return names.flatMap((file) => {
    const path = join(folder, file.slice(0, -4));
    const truth = existsSync(`${path}.expected.json`) ? (json(`${path}.expected.json`) as WorkloadTruth) : null;
    if (!truth?.spans || "active" in truth) return [];
    const counted = existsSync(`${path}.truth.json`) ? json(`${path}.truth.json`) : null;
    return [{ name: basename(path), bytes: new Uint8Array(readFileSync(`${path}.jfr`)), truth, counted }];
  });
}

function recordings(): Recording[] {
  if (NEW !== undefined) return recordingsIn(resolve(NEW));
  const here = recordingsIn(FIXTURES);
  const known = new Set(here.map(({ name }) => name));
  return [...here, ...(existsSync(MADE) ? recordingsIn(MADE).filter(({ name }) => !known.has(name)) : [])];
}

interface Opened extends Recording {
  core: Core;
  seen: Observation[];
}

async function open(recording: Recording): Promise<Opened> {
  const { name, bytes } = recording;
  const wasm = new Uint8Array(readFileSync(new URL("../../build/core.wasm", import.meta.url)));
  const core = await Core.instantiate(await WebAssembly.compile(wasm));
  await readInputs(core, [{ name, source: bytesSource(bytes) }]);
  return { ...recording, core, seen: observe(flatten(message(core))) };
}

/** Everything that the workload alone can hold against us. */
function faults(seen: Observation[], truth: WorkloadTruth, period: (profile: string) => bigint): string[] {
  return [
    ...identityFaults(seen, truth),
    ...stackFaults(seen, truth),
    ...["cpu", "wall"].flatMap((profile) => shareFaults(seen, truth, profile)),
    ...["cpu", "wall"].flatMap((profile) => amountFaults(seen, truth, profile, period(profile))),
    ...housekeepingFaults(seen, truth),
    ...allocationFaults(seen, truth),
  ];
}

/** Samples per event, their weights and hottest leaf frames, as an independent reader counted them. */
function countFaults(seen: Observation[], { counts, sums, hot }: Counted): string[] {
  return Object.entries(CONTEXT_EVENTS).flatMap(([event, profile]) => {
    const faults: string[] = [];
    const { samples, value } = tally(seen, (o) => o.profile).get(profile) ?? { samples: 0, value: 0 };
    if (samples !== (counts[event] ?? 0)) faults.push(`${event}: ${samples} samples, truth ${counts[event]}`);
    const weight = profile === "alloc-samples" ? undefined : sums[`${event}.weight`];
    if (weight !== undefined && weight !== value) faults.push(`${event}: weighs ${value}, truth ${weight}`);
    const leaves = tally(seen, (o) => (o.profile === profile ? leafName(o.frames[0] ?? "") : null));
    for (const [name, count] of hot[event] ?? []) {
      const found = leaves.get(leafName(name))?.samples;
      if (found !== count) faults.push(`${event}: ${name} is the leaf of ${found}, truth ${count}`);
    }
    return faults;
  });
}

/**
 * A leaf name in a form common to both sides: without the truth's dot before frames without a class, and without our
 * brackets around addresses.
 */
function leafName(name: string): string {
  const build = /\b[0-9a-f]{40}\b/.exec(name)?.[0];
  // A remote frame has no name, only its library's build id and an address, which the truth leaves out.
  return build ? `${build}.<remote>` : name.replace(/^\./, "").replace(/^\[(.*\+0x.*)\]$/, "$1");
}

/** Cells by all that says whose a sample is. */
const identity = (profile: string, span: string, root: string, thread: string, attributes: [string, string][]) =>
  JSON.stringify([profile, span, root, thread, attributes.toSorted(([a], [b]) => (a < b ? -1 : 1))]);

/** The same cells as the JDK's `jfr print` has them. */
function printedCells(tool: string, { bytes }: Recording, sizes: number[]): Map<string, Cell> {
  const cells = new Map<string, Cell>();
  const rest = ["startTime", "eventThread", "stackTrace", "objectClass", "size", "weight", "spanId", "localRootSpanId"];
  const own = new Set([...rest, "state", "mode", "correlationId"]);
  const unsigned = (id: string) => String(BigInt.asUintN(64, BigInt(id)));
  eachChunk(bytes, sizes, (path) => {
    for (const { type, values } of printEvents(tool, path, Object.keys(CONTEXT_EVENTS))) {
      const context = Object.entries(values).filter(([key, value]) => !own.has(key) && value !== null);
      const key = identity(
        CONTEXT_EVENTS[type] ?? type,
        unsigned(values.spanId),
        unsigned(values.localRootSpanId),
        values.eventThread?.javaName ?? values.eventThread?.osName ?? "",
        context.map(([name, value]) => [name, String(value)]),
      );
      const cell = cells.get(key) ?? { samples: 0, value: 0 };
      // The file has a 32-bit float; its shortest decimal is another number.
      const weight = Math.fround(Number(values.weight ?? 1));
      const value = type === "datadog.ObjectSample" ? Math.floor(Number(values.size) * weight + 0.5) : weight;
      cells.set(key, { samples: cell.samples + 1, value: cell.value + value });
    }
  });
  return cells;
}

const all = await Promise.all(recordings().map(open));
/** Samples of the JDK and of async-profiler bear no ids. */
const bearsSpans = ({ seen }: Opened) => seen.some(({ span }) => span !== "0");
const tool = jfrTool();

for (const name of NEW === undefined ? KNOWN : []) {
  if (!all.some((recording) => recording.name === name))
    it.skip(`${name}: skipped: neither in fixtures/ nor in ${MADE}`, () => {});
}

describe.each(all)("$name", ({ core, truth }) => {
  it("comes with figures that add up", () => {
    expect(truthFaults(truth)).toEqual([]);
  });

  it("is read without errors", () => {
    expect(core.diagnostics().filter(({ severity }) => severity === "error")).toEqual([]);
  });
});

describe.each(all.filter((opened) => !bearsSpans(opened)))("$name, as the stacks tell", ({ core, seen, truth }) => {
  const profiles = core.profiles().filter(({ type }) => (type.split(":")[0] ?? "") in STACK_CLOCKS);
  it.each(profiles)("shares $otlpType as the clocks do", ({ otlpType }) => {
    expect(stackShareFaults(seen, truth, otlpType)).toEqual([]);
  });

  it.each(profiles)("would not if the heaviest operation of $otlpType were lost", ({ otlpType }) => {
    const here = seen.filter(({ profile, thread }) => profile === otlpType && thread !== HOUSEKEEPING);
    const [heaviest] = [...tally(here, (o) => classOf(o.frames))].sort(([, a], [, b]) => b.samples - a.samples);
    const rest = seen.filter(({ frames }) => classOf(frames) !== heaviest?.[0]);
    expect(stackShareFaults(rest, truth, otlpType)).not.toEqual([]);
  });

  it("has some of it", () => {
    expect(profiles).not.toEqual([]);
  });
});

describe.each(all.filter(bearsSpans))("$name, as its workload knows it", (recording) => {
  const { core, seen, truth, counted } = recording;
  const period = (profile: string) => core.profiles().find(({ otlpType }) => otlpType === profile)?.period ?? 0n;
  const context = seen.filter(({ profile }) => profile in CLOCKS);

  it("bears spans, roots, threads and attributes as they were", () => {
    expect(identityFaults(seen, truth)).toEqual([]);
  });

  it("has stacks that belong to their spans", () => {
    expect(stackFaults(context, truth)).toEqual([]);
  });

  it.each(["cpu", "wall"])("shares %s as the clocks do, and holds about as many as there was time for", (profile) => {
    expect(shareFaults(seen, truth, profile)).toEqual([]);
    expect(amountFaults(seen, truth, profile, period(profile))).toEqual([]);
  });

  it("has housekeeping without a span, as much as there was", () => {
    expect(housekeepingFaults(seen, truth)).toEqual([]);
  });

  it("estimates allocation to what the threads counted", () => {
    expect(allocationFaults(seen, truth)).toEqual([]);
  });

  it("has as many samples as its truth counts", ({ skip }) => {
    if (counted === null) return skip("no truth file");
    expect(countFaults(seen, counted)).toEqual([]);
  });

  it("has per span, thread and attributes what `jfr print` has", ({ skip }) => {
    if (tool === null) return skip("no JDK on this machine");
    const sizes = core.files()[0]?.chunks.map(({ bytes }) => bytes) ?? [];
    const found = tally(context, (o) => identity(o.profile, o.span, o.root, o.thread, Object.entries(o.attributes)));
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(printedCells(tool, recording, sizes)));
  });

  it("is ranked as it is written", () => {
    for (const { id, otlpType } of core.profiles()) {
      const ranked = (by: Parameters<Core["views"]["rank"]>[0], name: (row: RankRow) => string) => {
        core.select(id, {});
        const { rows } = core.views.rank(by, 0, 1_000_000);
        return Object.fromEntries(rows.map((row) => [name(row), { samples: row.samples, value: Number(row.value) }]));
      };
      const written = (keyOf: (o: Observation) => string | undefined) =>
        Object.fromEntries(tally(seen, (o) => (o.profile === otlpType ? (keyOf(o) ?? null) : null)));
      const idOr = (id: string) => (id === "0" ? undefined : id);
      // Each with its root: no span of ours goes on in two.
      expect(ranked({ kind: "span" }, (row) => `${row.id} in ${row.root}`)).toEqual(
        written((o) => idOr(o.span) && `${o.span} in ${o.root}`),
      );
      expect(ranked({ kind: "local-root" }, (row) => String(row.id))).toEqual(written((o) => idOr(o.root)));
      for (const key of truth.attributes) {
        expect(ranked({ kind: "attribute", key }, (row) => row.label)).toEqual(written((o) => o.attributes[key]));
      }
    }
  });

  // The agent's recording is too small for some of these.
  if (NEW === undefined && /^dd1.*-all$/.test(recording.name)) {
    it.each(PLANTS)("it would be noticed if: $name", ({ plant, needsCount }) => {
      const planted = plant(seen);
      expect(planted).not.toEqual(seen);
      expect(faults(seen, truth, period)).toEqual([]);
      const found = faults(planted, truth, period);
      if (needsCount === undefined) expect(found).not.toEqual([]);
      else if (counted !== null) expect(countFaults(planted, counted)).not.toEqual([]);
    });
  }
});
