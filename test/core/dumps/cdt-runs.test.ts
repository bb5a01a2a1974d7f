/** Several runs of dumps in one message: a Resource for each, with its time, and the same message after reading it. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import type { Core } from "../../../src/core/core.ts";
import type { OutputFormat, WriteOptions } from "../../../src/core/types.ts";
import { sampleFrames } from "../../../src/input/dump/read-dumps.ts";
import { readInputs } from "../../../src/input/open.ts";
import { codesOf, readFolder, sumOf } from "../../kit/cdt/cdt-reading.ts";
import { asFolder, type WrittenCall, writeStreams } from "../../kit/cdt/cdt-writer.ts";
import { emptyCore } from "../../kit/core/read-store.ts";
import { findingsOf } from "../../kit/otlp/valid.ts";

const START = Date.UTC(2024, 1, 3);
const SHOP = new Uint8Array(readFileSync(new URL("../../../fixtures/shop.jfr", import.meta.url)));

/** A call of `ms`. */
const call = (ms: number): WrittenCall => ({
  threadId: 1,
  thread: "main",
  at: START,
  root: { method: "void a.B.run() (B.java:1)", before: 0, after: ms, children: [] },
  isRecorded: true,
  reactive: 0,
  params: {},
});

/** Files of a run of a server with one call. */
const run = (server: string, begin: number, ms: number) =>
  asFolder(writeStreams({ start: START, calls: [call(ms)] }).streams, `dump/${server}/2024/02/03/${begin}`, false);

async function sampled(files: Record<string, Uint8Array>): Promise<Core> {
  const core = await emptyCore();
  await sampleFrames(core, await readFolder(core, files), () => true);
  return core;
}

interface Resource {
  attributes: Record<string, string>;
  separate: boolean;
  profiles: { value: number; from: string; duration: string; id: string }[];
}

interface Pair {
  key: string;
  value: { stringValue: string };
}

/** The Resources of what the core writes, with one profile type. */
function resources(core: Core, options: Partial<WriteOptions> = {}): Resource[] {
  const { bytes } = core.write(null, {}, { format: "otlp-json", ...options });
  expect(findingsOf(bytes, "json")).toEqual([]);
  const { resourceProfiles, dictionary } = JSON.parse(new TextDecoder().decode(bytes));
  const pairs = (attributes: Pair[] = []) =>
    Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]));
  return resourceProfiles.map(
    ({
      resource,
      scopeProfiles,
    }: {
      resource: { attributes?: Pair[] };
      scopeProfiles: {
        scope: { attributes?: Pair[] };
        profiles: {
          sampleType: { typeStrindex: number };
          samples: { values: string[] }[];
          timeUnixNano: string;
          durationNano: string;
          profileId: string;
        }[];
      }[];
    }) => ({
      attributes: pairs(resource.attributes),
      separate: scopeProfiles.every(({ scope }) => pairs(scope.attributes)["spanflame.resource"] === "separate"),
      profiles: scopeProfiles
        .flatMap(({ profiles }) => profiles)
        .filter(({ sampleType }) => dictionary.stringTable[sampleType.typeStrindex] === "wall")
        .map(({ samples, timeUnixNano, durationNano, profileId }) => ({
          value: samples.reduce((sum, { values }) => sum + Number(values[0]), 0) / 1e6,
          from: timeUnixNano,
          duration: durationNano,
          id: profileId,
        })),
    }),
  );
}

async function again(bytes: Uint8Array, format: OutputFormat): Promise<Uint8Array> {
  const core = await emptyCore();
  await readInputs(core, [{ name: "message", source: bytesSource(bytes) }]);
  expect(core.diagnostics()).toEqual([]);
  return core.write(null, {}, { format }).bytes;
}

const TWO = { ...run("web", 1, 10), ...run("web", 2, 30), ...run("db", 3, 10) };

describe("runs of a dump in OTLP", () => {
  it("have a Resource each, with their calls and their time", async () => {
    const core = await sampled(TWO);
    const written = resources(core);
    expect(written.map(({ attributes, profiles }) => [attributes, profiles.map(({ value }) => value)])).toEqual([
      [{ "service.name": "db", "service.instance.id": "db/3" }, [10]],
      [{ "service.name": "web", "service.instance.id": "web/1" }, [10]],
      [{ "service.name": "web", "service.instance.id": "web/2" }, [30]],
    ]);
    expect(written.every(({ separate }) => separate)).toBe(true);
    const profiles = written.flatMap((each) => each.profiles);
    expect(profiles.map(({ from, duration }) => [from, duration])).toEqual(
      [10, 10, 30].map((ms) => [`${START}000000`, `${ms}000000`]),
    );
    // Runs with the same calls are different profiles.
    expect(new Set(profiles.map(({ id }) => id)).size).toBe(3);
    expect(sumOf(core, "wall")).toBe(50e6);
    expect(core.profiles().filter(({ type }) => type === "wall").length).toBe(1);
  });

  it("are one profile in formats of one list", async () => {
    const core = await sampled(TWO);
    const { bytes } = core.write(core.profiles().find(({ type }) => type === "wall")!.id, {}, { format: "collapsed" });
    expect(new TextDecoder().decode(bytes)).toBe("a.B.run 50000000\n");
  });

  it.each<OutputFormat>(["otlp", "otlp-json"])("come back from %s as they were", async (format) => {
    const core = await sampled(TWO);
    const bytes = core.write(null, {}, { format }).bytes.slice();
    expect(Buffer.compare(await again(bytes, format), bytes)).toBe(0);
  });

  it("keep what the caller says of every Resource", async () => {
    const core = await sampled(TWO);
    const changed = resources(core, { resource: { "service.name": "shop", "service.instance.id": "" } });
    expect(changed.map(({ attributes, separate }) => [attributes, separate])).toEqual(
      Array(3).fill([{ "service.name": "shop" }, false]),
    );
  });

  it("of one run, have no mark of a separate Resource", async () => {
    const core = await sampled(run("web", 1, 10));
    expect(resources(core).map(({ attributes, separate }) => [attributes, separate])).toEqual([
      [{ "service.name": "web", "service.instance.id": "web/1" }, false],
    ]);
    expect(new TextDecoder().decode(core.write(null, {}, { format: "otlp-json" }).bytes)).not.toContain("separate");
  });

  it("are beside a recording, whose Profiles are in another Resource", async () => {
    const core = await emptyCore();
    await readInputs(core, [{ name: "shop.jfr", source: bytesSource(SHOP) }]);
    await sampleFrames(core, await readFolder(core, run("web", 1, 10)), () => true);
    const [dump, recording, ...others] = resources(core);
    expect(recording?.attributes["service.instance.id"]).toBe(core.files()[0]!.resource["service.instance.id"]);
    expect(recording?.separate).toBe(true);
    expect([dump?.attributes["service.instance.id"], dump?.separate]).toEqual(["web/1", true]);
    expect(others).toEqual([]);
  });

  it("above the room of the store, share a Resource, and a diagnostic names them", async () => {
    const many = Array.from({ length: 300 }, (_, i) => run("web", i + 1, 10));
    const core = await sampled(Object.assign({}, ...many));
    const codes = codesOf(core).filter((code) => code === "cdt.runs.many");
    const written = resources(core);
    expect(codes.length).toBeGreaterThan(0);
    expect(written.length).toBe(300 - codes.length + 1);
    expect(written.length).toBeGreaterThan(200);
    const values = written.flatMap(({ profiles }) => profiles.map(({ value }) => value));
    expect(values.reduce((sum, value) => sum + value, 0)).toBe(3000);
    expect(sumOf(core, "wall")).toBe(3000e6);
  });
});

it("a scope with another attribute is no mark: its Resource becomes attributes of samples", async () => {
  const core = await sampled(TWO);
  const text = new TextDecoder().decode(core.write(null, {}, { format: "otlp-json" }).bytes);
  const foreign = new TextEncoder().encode(text.replaceAll('"separate"', '"joined"'));
  const back = await emptyCore();
  await readInputs(back, [{ name: "message", source: bytesSource(foreign) }]);
  expect(codesOf(back)).toContain("otlp.resources.differ");
});

it("columns of calls are those of the runs that were read after a reset", async () => {
  const core = await emptyCore();
  const durations = async (ms: number) => {
    await readFolder(core, run("web", 1, ms));
    return [...(await core.dumps()).columns.figures("duration")].slice(1);
  };
  expect(await durations(10)).toEqual([10]);
  core.reset();
  expect(await durations(20)).toEqual([20]);
});
