/** Inputs of several processes in one OTLP message: a Resource for each, with its facts, its samples and its time. */
import { zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import * as StoreTable from "../../../assembly/abi/store-table.ts";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import type { Core } from "../../../src/core/core.ts";
import { allColumns, observationColumns } from "../../../src/core/samples/store-columns.ts";
import { splitByProfile } from "../../../src/core/split.ts";
import type { Filter, OutputFormat, WriteOptions } from "../../../src/core/types.ts";
import { readInputs } from "../../../src/input/open.ts";
import { codes, emptyCore } from "../../kit/core/read-store.ts";
import { buildChunk } from "../../kit/jfr/jfr-builder.ts";
import { cpuChunk } from "../../kit/jfr/jfr-types.ts";
import { jsonOf, type Plain, protobufOf } from "../../kit/otlp/otlp-encode.ts";
import { findingsOf } from "../../kit/otlp/valid.ts";

const START = 1_700_000_000_000_000_000n;
const SECOND = 1_000_000_000n;
const text = (value: string) => new TextEncoder().encode(value);

/** A recording of one second, with samples of these weights. */
function recording(second: bigint, weights: bigint[]): Uint8Array {
  const start = START + second * SECOND;
  const samples = weights.map((weight, i) => ({ weight, at: BigInt(i) }));
  return buildChunk(cpuChunk(samples, { startNanos: start, durationNanos: SECOND })).bytes;
}

/** An upload whose event.json states these tags. */
function upload(tags: string, jfr: Uint8Array): Uint8Array {
  const event = { attachments: ["main.jfr"], tags_profiler: tags };
  return zipSync({ "event.json": text(JSON.stringify(event)), "main.jfr": jfr });
}

const ofInstance = (id: string, second: bigint, ...weights: bigint[]) =>
  upload(`service:shop,runtime-id:${id},host:host-${id}`, recording(second, weights));

async function read(...files: Uint8Array[]): Promise<Core> {
  const core = await emptyCore();
  await readInputs(
    core,
    files.map((bytes, i) => ({ name: `in-${i}`, source: bytesSource(bytes) })),
  );
  return core;
}

interface Written {
  attributes: Record<string, string>;
  profiles: { type: string; sum: bigint; from: bigint; to: bigint; keys: string[]; id: string }[];
}

interface Pair {
  key: string;
  value: { stringValue?: string; intValue?: string };
}

const textsOf = (pairs: Pair[] = []) =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? ""]));

/** The Resources of a message, which is valid. */
function resourcesOf(bytes: Uint8Array): Written[] {
  expect(findingsOf(bytes, "json")).toEqual([]);
  const { resourceProfiles, dictionary } = JSON.parse(new TextDecoder().decode(bytes));
  const word = (i = 0): string => dictionary.stringTable[i];
  const keyOf = (i: number) => word(dictionary.attributeTable[i].keyStrindex);
  return resourceProfiles.map(({ resource, scopeProfiles }: Plain) => ({
    attributes: textsOf((resource as { attributes?: Pair[] }).attributes),
    profiles: (scopeProfiles as { profiles: Record<string, never>[] }[])
      .flatMap(({ profiles }) => profiles)
      .map(({ sampleType, samples, timeUnixNano = 0, durationNano = 0, profileId }: Plain) => ({
        type: `${word((sampleType as { typeStrindex: number }).typeStrindex)}`,
        sum: (samples as { values: string[] }[])
          .flatMap(({ values }) => values)
          .reduce((sum, value) => sum + BigInt(value), 0n),
        from: BigInt(timeUnixNano as string),
        to: BigInt(timeUnixNano as string) + BigInt(durationNano as string),
        keys: [
          ...new Set((samples as { attributeIndices?: number[] }[]).flatMap((each) => each.attributeIndices ?? [])),
        ].map(keyOf),
        id: profileId as string,
      })),
  }));
}

const written = (core: Core, filter: Filter = {}, options: Partial<WriteOptions> = {}) =>
  resourcesOf(core.write(null, filter, { format: "otlp-json", ...options }).bytes);
const instances = (found: Written[]) => found.map(({ attributes }) => attributes["service.instance.id"]);
const sums = (found: Written[]) => found.map(({ profiles }) => profiles.map(({ sum }) => sum));

describe("recordings of several processes", () => {
  it("have a Resource each, with their facts, samples and time", async () => {
    const core = await read(ofInstance("a", 0n, 1n, 2n), ofInstance("b", 10n, 5n));
    const found = written(core);
    expect(found.map(({ attributes }) => [attributes["service.instance.id"], attributes["host.name"]])).toEqual([
      ["a", "host-a"],
      ["b", "host-b"],
    ]);
    expect(found.map(({ attributes }) => attributes["service.name"])).toEqual(["shop", "shop"]);
    expect(sums(found)).toEqual([[3n], [5n]]);
    expect(found.map(({ profiles }) => [profiles[0]?.from, profiles[0]?.to])).toEqual([
      [START, START + SECOND],
      [START + 10n * SECOND, START + 11n * SECOND],
    ]);
  });

  it("are one Resource as long as nothing tells the processes apart", async () => {
    const core = await read(ofInstance("a", 0n, 1n), ofInstance("b", 1n, 2n), ofInstance("a", 2n, 4n));
    expect(sums(written(core))).toEqual([[5n], [2n]]);
    const same = await read(ofInstance("a", 0n, 1n), ofInstance("a", 1n, 2n));
    expect(instances(written(same))).toEqual(["a"]);
    const unknown = await read(recording(0n, [1n]), recording(1n, [2n]));
    expect(sums(written(unknown))).toEqual([[3n]]);
    const oneKnown = await read(ofInstance("a", 0n, 1n), recording(1n, [2n]));
    expect(sums(written(oneKnown))).toEqual([[3n]]);
  });

  it("share a Resource where they identify no process, beside those that do", async () => {
    const core = await read(ofInstance("a", 0n, 1n), recording(1n, [2n]), ofInstance("b", 2n, 4n), recording(3n, [8n]));
    const found = written(core);
    expect(instances(found)).toEqual(["a", "b", undefined]);
    expect(sums(found)).toEqual([[1n], [4n], [10n]]);
    expect(found[2]?.attributes["service.name"]).toBe("unknown_service:java");
  });

  it.each<[string, string]>([
    ["service:shop", "service:cart"],
    ["service:shop,host:a", "service:shop,host:b"],
    ["service:shop,process_id:1", "service:shop,process_id:2"],
    ["service:shop,runtime-id:1", "service:shop,runtime-id:2"],
  ])("are told apart by what identifies a process: %s, %s", async (one, other) => {
    const core = await read(upload(one, recording(0n, [1n])), upload(other, recording(1n, [2n])));
    const isDivided = !one.includes("process_id") || core.files()[0]?.resource["process.pid"] !== undefined;
    expect(sums(written(core))).toEqual(isDivided ? [[1n], [2n]] : [[3n]]);
  });

  it("leave out a Resource without samples, and have the samples that pass a filter", async () => {
    const core = await read(ofInstance("a", 0n, 1n, 2n), ofInstance("b", 10n, 5n, 7n));
    const late = { time: { from: START + 10n * SECOND, to: START + 10n * SECOND + 1n } };
    const found = written(core, late);
    expect([instances(found), sums(found)]).toEqual([["b"], [[5n]]]);
    expect(found[0]?.profiles[0]).toMatchObject({ from: late.time.from, to: late.time.to });
    expect(sums(written(core, { file: "in-0/main.jfr" }))).toEqual([[3n]]);
    expect(instances(written(core, { span: 0xdeadn })).length).toBe(1);
  });

  it("have what the caller says of every Resource", async () => {
    const core = await read(ofInstance("a", 0n, 1n), ofInstance("b", 1n, 2n));
    const found = written(core, {}, { resource: { "service.name": "all", "host.name": "" } });
    expect(found.map(({ attributes }) => [attributes["service.name"], attributes["host.name"]])).toEqual([
      ["all", undefined],
      ["all", undefined],
    ]);
  });

  it.each<OutputFormat>(["otlp", "otlp-json"])("come back from %s as they were", async (format) => {
    const core = await read(ofInstance("a", 0n, 1n, 2n), ofInstance("b", 10n, 5n));
    const bytes = core.write(null, {}, { format }).bytes.slice();
    const back = await read(bytes);
    expect(codes(back)).toEqual([]);
    expect(Buffer.compare(back.write(null, {}, { format }).bytes, bytes)).toBe(0);
  });

  it("have the totals of one Resource, in every part of a divided message", async () => {
    const files = [1n, 2n, 3n, 4n, 5n].map((n) => ofInstance(`${n % 3n}`, n, n, n * n, 7n));
    const core = await read(...files);
    const whole = core.profiles()[0]!.value;
    const sum = (found: Written[]) =>
      sums(found)
        .flat()
        .reduce((all, each) => all + each, 0n);
    expect([written(core).length, sum(written(core))]).toEqual([3, whole]);
    for (const preset of ["otel", "aggregated", "pyroscope"] as const)
      expect(sum(written(core, {}, { preset }))).toBe(whole);
    const parts = [...splitByProfile(core, null, {}, { format: "otlp-json" }, 1)].map(({ bytes }) =>
      resourcesOf(bytes),
    );
    expect(parts.reduce((all, part) => all + sum(part), 0n)).toBe(whole);
  });

  it("leave the store as it was, and other formats have one list", async () => {
    const core = await read(ofInstance("a", 0n, 1n, 2n), ofInstance("b", 1n, 5n));
    core.select(null, {});
    const tables = () => [
      ...Object.values(StoreTable)
        .filter((table) => table !== StoreTable.Frames)
        .map((table) => allColumns(core.instance, table).map((column) => [...column])),
      observationColumns(core.instance, null, 0, 3),
    ];
    const pprof = () => core.write(null, {}, { format: "pprof" }).bytes.slice();
    const [before, list] = [tables(), pprof()];
    const held = core.bytesHeld();
    for (let i = 0; i < 50; i++) written(core);
    expect(tables()).toEqual(before);
    expect(pprof()).toEqual(list);
    expect(core.select(null, {})).toEqual({ samples: 3, value: 8n });
    expect(core.bytesHeld()).toBeLessThan(held + 2 ** 20);
  });

  it("are whole again after a message for which there was no memory", async () => {
    const many = Array.from({ length: 2000 }, () => 1n);
    const core = await read(ofInstance("a", 0n, ...many), ofInstance("b", 1n, ...many));
    const before = core.select(null, {});
    let refused = 0;
    for (let room = 0; room < 2 ** 19; room += 2 ** 14) {
      core.limitMemory(core.bytesHeld() + room);
      try {
        core.write(null, {}, { format: "otlp" });
      } catch {
        refused++;
      }
      core.limitMemory(2 ** 32);
      expect(core.select(null, {})).toEqual(before);
    }
    expect(refused).toBeGreaterThan(0);
    expect(sums(written(core))).toEqual([[2000n], [2000n]]);
  });
});

interface OfService {
  service: string;
  value: bigint;
  time?: bigint;
  /** A scope of another producer. */
  scope?: string;
  /** Of the sample. */
  own?: string;
}

/** A message with a Resource for each, of the host "h" and one function. */
function message(resources: readonly OfService[]): Plain {
  const strings = ["", "cpu-time", "nanoseconds", "main", "service.name", "tenant"];
  const owns = resources.map(({ own }) => own);
  return {
    resourceProfiles: resources.map(({ service, value, time = 1500n, scope }, i) => ({
      resource: {
        attributes: [
          { key: "service.name", value: { stringValue: service } },
          { key: "host.name", value: { stringValue: "h" } },
        ],
      },
      scopeProfiles: [
        {
          ...(scope === undefined ? {} : { scope: { name: scope } }),
          profiles: [
            {
              sampleType: { typeStrindex: 1, unitStrindex: 2 },
              samples: [
                {
                  stackIndex: 1,
                  values: [value],
                  ...(time === 0n ? {} : { timestampsUnixNano: [time] }),
                  attributeIndices: owns[i] === undefined ? [1] : [1, 2 + i],
                },
              ],
              timeUnixNano: time,
              durationNano: 10n,
              profileId: `${i + 1}`.repeat(32).slice(0, 32),
            },
          ],
        },
      ],
    })),
    dictionary: {
      mappingTable: [{}],
      locationTable: [{}, { lines: [{ functionIndex: 1 }] }],
      functionTable: [{}, { nameStrindex: 3 }],
      linkTable: [{}],
      stringTable: strings,
      attributeTable: [
        {},
        { keyStrindex: 5, value: { stringValue: "acme" } },
        ...owns.map((own) => ({ keyStrindex: 4, value: { stringValue: own ?? "none" } })),
      ],
      stackTable: [{}, { locationIndices: [1] }],
    },
  };
}

const TWO: OfService[] = [
  { service: "shop", value: 3n },
  { service: "cart", value: 5n, time: 9000n },
];
const services = (found: Written[]) => found.map(({ attributes }) => attributes["service.name"]);

describe("Resources of an OTLP message", () => {
  it.each([undefined, "agent"])("stay apart, and are found by filters: scope %s", async (scope) => {
    for (const bytes of [
      protobufOf(message(TWO.map((each) => ({ ...each, scope }) as OfService))),
      jsonOf(message(TWO)),
    ]) {
      const core = await read(bytes);
      const found = written(core);
      expect([services(found), sums(found)]).toEqual([
        ["shop", "cart"],
        [[3n], [5n]],
      ]);
      expect(found.map(({ attributes }) => attributes["host.name"])).toEqual(["h", "h"]);
      // Samples say no more than they did.
      expect(found.flatMap(({ profiles }) => profiles.map(({ keys }) => keys))).toEqual([["tenant"], ["tenant"]]);
      expect(found.map(({ profiles }) => [profiles[0]?.from, profiles[0]?.to])).toEqual([
        [1500n, 1510n],
        [9000n, 9010n],
      ]);
      const cart = { attributes: [{ key: "service.name", value: "cart" }] };
      expect([core.select(null, cart), services(written(core, cart))]).toEqual([{ samples: 1, value: 5n }, ["cart"]]);
      expect(core.profiles().map(({ type, value }) => [type, value])).toEqual([["cpu-time", 8n]]);
    }
  });

  it("have no time where they state none, and what a range of time leaves", async () => {
    const core = await read(protobufOf(message([{ ...TWO[0]!, time: 0n }, TWO[1]!])));
    const timesOf = (found: Written[]) =>
      found.map(({ attributes, profiles }) => [attributes["service.name"], profiles[0]?.from, profiles[0]?.to]);
    expect(timesOf(written(core))).toEqual([
      ["shop", 0n, 0n],
      ["cart", 9000n, 9010n],
    ]);
    const back = await read(core.write(null, {}, { format: "otlp" }).bytes.slice());
    expect(timesOf(written(back))).toEqual(timesOf(written(core)));
    // A sample without a time is in no range.
    const part = written(core, { time: { from: 8000n, to: 9005n } });
    expect([timesOf(part), sums(part)]).toEqual([[["cart", 9000n, 9005n]], [[5n]]]);
  });

  it("keep the attributes that a sample itself states", async () => {
    const core = await read(
      protobufOf(
        message([
          { ...TWO[0]!, own: "other" },
          { ...TWO[1]!, own: "cart" },
        ]),
      ),
    );
    const found = written(core);
    expect(services(found)).toEqual(["shop", "cart"]);
    const keys = found.flatMap(({ profiles }) => profiles.map((each) => [...each.keys].sort()));
    expect(keys).toEqual(Array(2).fill(["service.name", "tenant"]));
  });

  it.each<OutputFormat>(["otlp", "otlp-json"])(
    "come back from %s as they were, and are found again",
    async (format) => {
      const core = await read(protobufOf(message(TWO)));
      const bytes = core.write(null, {}, { format }).bytes.slice();
      const back = await read(bytes);
      expect(back.select(null, { attributes: [{ key: "service.name", value: "cart" }] }).value).toBe(5n);
      expect(Buffer.compare(back.write(null, {}, { format }).bytes, bytes)).toBe(0);
    },
  );

  it("of several files are those of the files: equal ones are one", async () => {
    const again = { ...TWO[0]!, time: 1600n };
    const core = await read(protobufOf(message([TWO[0]!])), jsonOf(message([TWO[1]!])), protobufOf(message([again])));
    const found = written(core);
    expect([services(found), sums(found)]).toEqual([
      ["shop", "cart"],
      [[6n], [5n]],
    ]);
  });

  it("beside a recording, keep theirs", async () => {
    const core = await read(protobufOf(message(TWO)), ofInstance("a", 0n, 7n));
    const found = written(core);
    expect(services(found)).toEqual(["shop", "cart", "shop"]);
    expect(found.map(({ attributes }) => attributes["host.name"])).toEqual(["h", "h", "host-a"]);
    expect(sums(found)).toEqual([[3n], [5n], [7n]]);
  });

  it("above the room of the store lose no sample", async () => {
    const many = Array.from({ length: 1500 }, (_, i) => ({ service: `s${i}`, value: 2n }));
    const core = await read(protobufOf(message(many)));
    const found = written(core);
    expect(found.length).toBeGreaterThan(400);
    expect(
      sums(found)
        .flat()
        .reduce((sum, each) => sum + each, 0n),
    ).toBe(3000n);
    const last = { attributes: [{ key: "service.name", value: "s1499" }] };
    expect(core.select(null, last).value).toBe(2n);
    expect(written(core, last)[0]?.profiles[0]?.keys).toContain("service.name");
  });

  it("above the room of the store, as files, lose no sample", async () => {
    const files = Array.from({ length: 1200 }, (_, i) => protobufOf(message([{ service: `s${i}`, value: 2n }])));
    const core = await read(...files);
    expect(
      sums(written(core))
        .flat()
        .reduce((sum, each) => sum + each, 0n),
    ).toBe(2400n);
  });
});
