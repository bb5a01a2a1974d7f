/** Files of other viewers and profilers, as the real programs wrote them (fixtures/viewers), and their damage. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { codes, emptyCore } from "../../../test/kit/core/read-store.ts";
import { fileInput, openRecording } from "../../../test/kit/open-recording.ts";
import { bytesSource } from "../../bytes/byte-source.ts";
import type { Core } from "../../core/core.ts";
import { readInputs } from "../open.ts";
import { NOT_READ } from "./instead.ts";
import { JSLB_MAGIC } from "./jslb.ts";
import { parseJson } from "./parsed.ts";

const bytesOf = (name: string) => readFileSync(fileURLToPath(new URL(`../../../${name}`, import.meta.url)));
const shop = (name: string) => bytesOf(`fixtures/viewers/shop.${name}`);
const jsonOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

async function read(bytes: Uint8Array, name = "a"): Promise<Core> {
  const core = await emptyCore();
  await readInputs(core, [{ name, source: bytesSource(bytes) }]);
  return core;
}

const facts = (core: Core) =>
  core.profiles().map(({ type, unit, samples, value, threads }) => ({ type, unit, samples, value, threads }));

const messages = (core: Core) => core.diagnostics().map(({ message }) => message);

interface Speedscope {
  profiles: { weights: number[]; samples: number[][] }[];
}

describe("files of the real programs", () => {
  it("are profiles of V8: each sample counts until the next one, and (idle) does not", async () => {
    const file = JSON.parse(shop("cpuprofile").toString());
    const idle = file.nodes.find(
      ({ callFrame }: { callFrame: { functionName: string } }) => callFrame.functionName === "(idle)",
    );
    const times = file.timeDeltas as number[];
    const last = file.endTime - file.startTime - times.reduce((sum, delta) => sum + delta, 0);
    const values = [...times.slice(1), last].filter((_, i) => file.samples[i] !== idle.id);
    const core = await read(shop("cpuprofile"));
    expect(facts(core)).toEqual([
      {
        ...{ type: "cpu", unit: "nanoseconds", samples: values.length, threads: 0 },
        value: 1000n * BigInt(values.reduce((sum, value) => sum + value, 0)),
      },
    ]);
  });

  it("are sampling heap profiles", async () => {
    const sum = [
      ...shop("heapprofile")
        .toString()
        .matchAll(/"selfSize":(\d+)/g),
    ].reduce((all, [, n]) => all + Number(n), 0);
    const [profile] = facts(await read(shop("heapprofile")));
    expect(profile).toMatchObject({ type: "inuse_space", unit: "bytes", value: BigInt(sum) });
  });

  it("are of py-spy: threads with their names, and the time of one sample", async () => {
    const { profiles } = JSON.parse(shop("py-spy.speedscope.json").toString()) as Speedscope;
    const count = profiles.reduce((sum, { weights }) => sum + weights.length, 0);
    const core = await read(shop("py-spy.speedscope.json"));
    expect(facts(core)).toEqual([
      { type: "wall", unit: "nanoseconds", samples: count, value: BigInt(count) * 20_000_000n, threads: 2 },
    ]);
    // Times are never taken for a number of samples.
    expect(core.profiles()[0]?.meaning).toMatchObject({ kind: "wall", nanos: 1, each: 20_000_000 });
    expect(codes(core)).toEqual(["other.clock"]);
  });

  it("are of rbspy: each sample has the time since the one before", async () => {
    const [profile] = (JSON.parse(shop("rbspy.speedscope.json").toString()) as Speedscope).profiles;
    const weights = profile?.weights ?? [];
    const core = await read(shop("rbspy.speedscope.json"));
    const value = weights.reduce((sum, seconds) => sum + BigInt(Math.round(seconds * 1e9)), 0n);
    expect(facts(core)).toEqual([{ type: "wall", unit: "nanoseconds", samples: weights.length, value, threads: 1 }]);
  });

  it("are of Chrome, with the script's address as file", async () => {
    using recording = await openRecording(fileInput("fixtures/viewers/shop.chrome.cpuprofile"));
    const cpu = recording.select("cpu");
    const names = cpu.top({ limit: 2 }).rows.map(({ name }) => name);
    expect(names.sort()).toEqual(["price", "tax"]);
    // 16 orders of 50 ms, and the begin and the end of the page's call.
    expect(Math.round(Number(cpu.total().value) / 1e8)).toBe(10);
    expect(new TextDecoder().decode(recording.write("otlp-json").bytes)).toContain("http://shop.test/shop.js");
  });

  it("are of perf script: thread, time and kernel", async () => {
    const text = shop("perf.txt").toString();
    const count = text.match(/cpu-clock:/g)?.length ?? 0;
    const core = await read(shop("perf.txt"));
    expect(facts(core)).toEqual([
      { type: "cpu", unit: "nanoseconds", samples: count, value: BigInt(count) * 10_101_010n, threads: 1 },
    ]);
  });

  it.each(["4.1", "4.2"])("are OTLP of async-profiler %s", async (version) => {
    const core = await read(shop(`ap${version}.otlp`));
    expect(codes(core)).toEqual([]);
    const [profile, ...others] = core.profiles();
    expect(others).toEqual([]);
    expect(profile?.meaning).toMatchObject({ kind: "cpu", nanos: 20_000_000 });
    expect(profile?.samples).toBeGreaterThan(10);
  });

  it("have frames that know their language", async () => {
    const typesOf = async (name: string) => {
      using recording = await openRecording(fileInput(`fixtures/viewers/shop.${name}`));
      const json = new TextDecoder().decode(recording.write("otlp-json").bytes);
      return [...new Set(json.match(/"stringValue":"(?:v8js|cpython|ruby|kernel|native)"/g) ?? [])].map((each) =>
        each.slice(15, -1),
      );
    };
    expect(await typesOf("cpuprofile")).toContain("v8js");
    expect(await typesOf("py-spy.speedscope.json")).toContain("cpython");
    expect(await typesOf("rbspy.speedscope.json")).toContain("ruby");
    expect(await typesOf("chrome.cpuprofile")).toContain("v8js");
    expect((await typesOf("perf.txt")).sort()).toEqual(expect.arrayContaining(["native", "v8js"]));
  });
});

describe("evented profiles of speedscope", () => {
  it.each([
    ["milliseconds", "nanoseconds", 1_000_000],
    ["seconds", "nanoseconds", 1_000_000_000],
    ["bytes", "bytes", 1],
    ["none", "count", 1],
  ])("in %s are %s", async (unit, written, factor) => {
    const event = (type: string, frame: number, at: number) => ({ type, frame, at });
    const events = [event("O", 0, 0), event("O", 1, 2), event("C", 1, 5), event("C", 0, 6)];
    const profiles = [{ type: "evented", name: "Thread (7)", unit, startValue: 0, endValue: 6, events }];
    const file = { exporter: "speedscope@1.3.2", shared: { frames: [{ name: "main" }, { name: "leaf" }] }, profiles };
    const core = await read(jsonOf(file));
    expect(facts(core)).toMatchObject([{ unit: written, value: BigInt(6 * factor), threads: 1 }]);
  });
});

/** A processed profile in which each list of numbers `keys` names is a slab. */
function jslbOf(profile: object, keys: readonly string[]): Uint8Array {
  const columns: Int32Array[] = [];
  const root = jsonOf(
    JSON.parse(JSON.stringify(profile), (key, value) =>
      keys.includes(key) && Array.isArray(value) ? { $s: columns.push(Int32Array.from(value)) } : value,
    ),
  );
  const slabs = [root, ...columns.map(({ buffer }) => new Uint8Array(buffer as ArrayBuffer))];
  let at = 20 + 12 * slabs.length;
  const rows = slabs.map(({ length }, i) => {
    const start = at;
    at = Math.ceil((at + length) / 8) * 8;
    return [i === 0 ? 10 : 4, start, length];
  });
  const file = new Uint8Array(at);
  file.set(JSLB_MAGIC);
  const view = new DataView(file.buffer);
  for (const [i, word] of [1, slabs.length, 0, ...rows.flat()].entries()) view.setUint32(8 + 4 * i, word, true);
  for (const [i, slab] of slabs.entries()) file.set(slab, rows[i]?.[1]);
  return file;
}

const GECKO = {
  meta: { version: 30, interval: 1, startTime: 1000, stackwalk: 1, product: "Firefox", categories: [] },
  libs: [],
  threads: [
    {
      ...{ name: "GeckoMain", pid: 7, tid: 8, stringTable: ["(root)", "pay (https://shop/a.js:3:9)"] },
      samples: {
        schema: { stack: 0, time: 1 },
        data: [
          [1, 0.5],
          [null, 1.5],
          [1, 2.5],
        ],
      },
      stackTable: {
        schema: { prefix: 0, frame: 1 },
        data: [
          [null, 0],
          [0, 1],
        ],
      },
      frameTable: { schema: { location: 0 }, data: [[0], [1]] },
      markers: { schema: { name: 0 }, data: [[0]] },
    },
  ],
  processes: [],
};

describe("profiles of the Firefox Profiler", () => {
  it("in Gecko's format have rows, and samples without a stack are none", async () => {
    const core = await read(jsonOf({ ...GECKO, counters: [{}, {}] }));
    expect(facts(core)).toMatchObject([{ type: "wall", samples: 2, threads: 1 }]);
    expect(core.profiles()[0]?.meaning).toMatchObject({ kind: "wall", nanos: 1_000_000 });
    expect(messages(core)).toEqual([expect.stringContaining("firefox: not read: 1 marker and 2 counters")]);
  });

  it("with shared tables, offsets to callers and flags of frames, as samply writes version 71, also in slabs", async () => {
    const id = "ab".repeat(20);
    const profile = {
      meta: {
        ...{
          interval: 1,
          startTime: 1000,
          preprocessedProfileVersion: 71,
          product: "shop",
          categories: [{ name: "User" }],
        },
        sampleUnits: { threadCPUDelta: "µs" },
      },
      libs: [{ name: "shop", path: "/srv/shop", codeId: id }],
      shared: {
        stringArray: ["main", "0x1234", "shop.rs"],
        stackTable: { frame: [0, 1], prefixOffset: [0, 1], length: 2 },
        frameTable: { func: [0, 1], lib: [0, 0], flags: [16, 2], address: [0, 0x1234], line: [12, 0], length: 2 },
        funcTable: { name: [0, 1], source: [0, null], resource: [-1, 0], length: 2 },
        resourceTable: { length: 1, name: [0] },
        sources: { filename: [2], length: 1 },
      },
      threads: [
        {
          ...{ name: "main", pid: "7", tid: 8, processName: "shop" },
          samples: { stack: [1, 1], timeDeltas: [1, 2], threadCPUDelta: [900, 1000], weightType: "samples", length: 2 },
        },
      ],
    };
    const binary = jslbOf(profile, ["frame", "prefixOffset", "func", "address", "threadCPUDelta"]);
    for (const bytes of [jsonOf(profile), binary, gzipSync(binary)]) {
      const core = await read(bytes);
      expect(messages(core)).toEqual([]);
      expect(facts(core)).toMatchObject([
        { type: "wall", samples: 2 },
        { type: "cpu", unit: "nanoseconds", value: 1_900_000n },
      ]);
      using recording = await openRecording({ name: "a", data: bytes });
      expect(new TextDecoder().decode(recording.write("otlp-json").bytes)).toContain(`"stringValue":"${id}"`);
    }
  });
});

describe("what Spanflame writes", () => {
  it.each([
    ["firefox", "fixtures/viewers/shop.py-spy.speedscope.json"],
    ["speedscope", "fixtures/viewers/shop.py-spy.speedscope.json"],
    ["firefox", "fixtures/recorded/ap46-jdk17-all.jfr"],
    ["speedscope", "fixtures/recorded/ap46-jdk17-all.jfr"],
  ] as const)("as %s of %s is read with its sums, stacks, times and threads", async (format, name) => {
    using before = await openRecording(fileInput(name));
    const written = before.write(format).bytes;
    using after = await openRecording({ name: "again", data: written });
    const sums = (of: typeof before) =>
      of.profiles
        .filter(({ samples }) => samples > 0)
        .map(({ type, otlpType }) => [otlpType, of.select(type).total().value])
        .sort();
    expect(sums(after)).toEqual(sums(before));
    // The texts have stacks, threads, values and times in their order, and are the same again.
    const again = after.write(format).bytes;
    const shapeOf = (bytes: Uint8Array) => shape(JSON.parse(new TextDecoder().decode(bytes)));
    expect(shapeOf(again)).toEqual(shapeOf(written));
  });
});

type Loose = Record<string, never>;

/** For each thread of each type: its samples by time, with the names of frames. Counts have no times in speedscope. */
function shape(file: Loose): unknown {
  const { threads, profiles } = file as unknown as { threads?: Loose[]; profiles?: Loose[] };
  if (threads === undefined) {
    const frames = (file as never as { shared: { frames: { name: string }[] } }).shared.frames;
    // Threads of one name are one thread.
    const threadsNamed = new Map<string, string[][]>();
    for (const profile of profiles ?? []) {
      const { name, unit, samples, weights } = profile as never as {
        name: string;
        unit: string;
      } & Speedscope["profiles"][0];
      const stacks = samples.map((stack, i) => `${stack.map((frame) => frames[frame]?.name).join(";")} ${weights[i]}`);
      threadsNamed.set(`${name} ${unit}`, [...(threadsNamed.get(`${name} ${unit}`) ?? []), stacks]);
    }
    return [...threadsNamed]
      .map(([name, lists]) => {
        const hasOrder = name.endsWith(" nanoseconds") && lists.length === 1;
        return `${name} ${(hasOrder ? joined(lists.flat()) : summed(lists.flat())).join("\n")}`;
      })
      .sort();
  }
  const strings = (file as never as { shared: { stringArray: string[] } }).shared.stringArray;
  return threads
    .map((thread) => {
      const { name, processName, samples, stackTable, frameTable, funcTable } = thread as never as Record<
        string,
        never
      >;
      const column = (table: never, key: string) => (table as Record<string, (number | null)[]>)[key] ?? [];
      const namesOf = (row: number | null): string =>
        row === null
          ? ""
          : `${namesOf(column(stackTable, "prefix")[row] ?? null)};${strings[column(funcTable, "name")[column(frameTable, "func")[column(stackTable, "frame")[row] ?? 0] ?? 0] ?? 0]}`;
      const rows = column(samples, "stack").map((stack, i) =>
        [column(samples, "time")[i], namesOf(stack), column(samples, "weight")[i]].join(" "),
      );
      return `${processName} ${name} ${rows.sort().join("\n")}`;
    })
    .sort();
}

/** Neighbours of one stack as one: those that only differ in a line are two samples the first time. */
function joined(stacks: readonly string[]): string[] {
  const runs: string[] = [];
  for (const stack of stacks) {
    const [, names = "", weight = 0] = /^([\s\S]*) (\d+)$/.exec(stack) ?? [];
    const [, last, sum = 0] = /^([\s\S]*) (\d+)$/.exec(runs.at(-1) ?? "") ?? [];
    if (last === names) runs.pop();
    runs.push(`${names} ${Number(weight) + (last === names ? Number(sum) : 0)}`);
  }
  return runs;
}

function summed(stacks: readonly string[]): string[] {
  const sums = new Map<string, number>();
  for (const stack of stacks) {
    const blank = stack.lastIndexOf(" ");
    sums.set(stack.slice(0, blank), (sums.get(stack.slice(0, blank)) ?? 0) + Number(stack.slice(blank)));
  }
  return [...sums].map(([names, sum]) => `${names} ${sum}`).sort();
}

describe("damage", () => {
  it("of JSON is named with its place, and the part before it is read", () => {
    expect(parseJson('{"a":[1,{"b":2},NaN]}')).toEqual({
      value: { a: [1, { b: 2 }] },
      fault: { message: 'unexpected "NaN]}"', at: 16 },
    });
    expect(parseJson('{"a":[12,34')).toEqual({ value: { a: [12] }, fault: { message: "the text is cut off", at: 11 } });
    expect(parseJson('{"a":"x\\"')).toEqual({ value: {}, fault: { message: "the text is cut off", at: 9 } });
    expect(parseJson("")).toEqual({ value: null, fault: { message: "the text is cut off", at: 0 } });
  });

  it("of a file leaves its other samples", async () => {
    const whole = shop("py-spy.speedscope.json");
    const core = await read(whole.subarray(0, 1500));
    expect(messages(core).join()).toMatch(/speedscope: the text is cut off \(offset 1500\)/);
    const cpu = shop("cpuprofile").toString();
    const cut = await read(new TextEncoder().encode(cpu.slice(0, cpu.indexOf('"timeDeltas"') + 40)));
    expect(facts(cut)).toMatchObject([{ type: "cpu" }]);
  });

  it("of references is counted with the first place", async () => {
    const node = (id: number, children: number[]) => ({
      id,
      callFrame: { functionName: `f${id}`, url: "a.js", lineNumber: 0 },
      children,
    });
    const file = {
      nodes: [node(1, [2]), node(2, [1, 9])],
      startTime: 5,
      endTime: 9,
      samples: [2, 7, 2],
      timeDeltas: [1, 1, 1],
    };
    const core = await read(jsonOf(file));
    expect(messages(core).sort()).toEqual([
      "cpuprofile: 1 entry that is its own caller; the stack ends there (first: nodes[1])",
      "cpuprofile: 1 entry with a child that does not exist; it was left out (first: nodes[1])",
      "cpuprofile: 1 entry without a node or a time; left out (first: samples[1])",
      "cpuprofile: times count from an unknown moment, not from 1970",
    ]);
  });

  it("with deep brackets, huge numbers and wrong types is refused or read, and nothing ends the reader", async () => {
    const deep = `{"shared":{"frames":[]},"$schema":"speedscope.app/file-format-schema","x":${"[".repeat(200_000)}`;
    const wrong = {
      $schema: "speedscope.app/file-format-schema",
      shared: 7,
      profiles: [null, { type: "sampled", samples: 5 }, { type: "evented", events: [{ at: 1e308, frame: 2 ** 40 }] }],
    };
    for (const bytes of [new TextEncoder().encode(deep), jsonOf(wrong)]) {
      expect((await read(bytes)).diagnostics().length).toBeGreaterThan(0);
    }
  });
});

/** Numbers of a linear congruence, so that a failure can be repeated. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Bytes that are of the formats, and change their structure. */
const BYTES = [...new TextEncoder().encode('0123456789-eE.,:[]{}"\\ \n\t()/'), 0, 0x7f, 0x80, 0xff];

/** 2,000 were tried; so many take minutes. */
const MUTATIONS = Number(process.env.SPANFLAME_MUTATIONS ?? 150);

describe(`${MUTATIONS} mutated files`, () => {
  const files: [string, Uint8Array][] = [
    ["speedscope", shop("py-spy.speedscope.json")],
    ["cpuprofile", shop("cpuprofile")],
    ["heapprofile", shop("heapprofile")],
    ["firefox", jsonOf(GECKO)],
    ["jslb", jslbOf(GECKO, ["data"])],
    ["perf", shop("perf.txt").subarray(0, 6000)],
    ["OTLP v1.7", shop("ap4.2.otlp")],
  ];
  it.each(files)(
    "of %s end in samples or diagnostics",
    async (_, sound) => {
      const next = random(sound.length);
      const core = await emptyCore();
      for (let i = 0; i < MUTATIONS; i++) {
        const bytes = Uint8Array.from(sound);
        for (let k = next(4); k >= 0; k--) bytes[next(bytes.length)] = BYTES[next(BYTES.length)] ?? 0;
        const name = `${i}`;
        const cut = next(4) === 0 ? bytes.subarray(0, next(bytes.length)) : bytes;
        await expect(readInputs(core, [{ name, source: bytesSource(cut) }])).resolves.toMatchObject({
          inputs: [{ name }],
        });
      }
    },
    600_000,
  );
});

describe("files that are not read", () => {
  const HEADS: Record<string, string | number[]> = {
    "Linux perf data": "PERFILE2",
    "a .NET trace (nettrace)": "Nettrace",
    "a heap snapshot of V8": '{"snapshot":{"meta":{}}}',
    "a thread dump of a JVM": "2026-11-30 12:00:00\nFull thread dump OpenJDK 64-Bit Server VM\n",
    "a Chrome trace": '{"traceEvents":[{"ph":"X"}]}',
    "a Git LFS pointer instead of its file": "version https://git-lfs.github.com/spec/v1\noid sha256:ab\n",
    "a flame graph of async-profiler as HTML": "<!DOCTYPE html>\n<html><title>Flame Graph</title>",
    "a trace of Windows (ETL)": [...Array<number>(72).fill(1), 2, 0, 2, 0xc0],
    "simpleperf data in protobuf": "SIMPLEPERF\x01\x00",
    "a binary property list, as Instruments has them": "bplist00",
    "a Java heap dump (hprof)": "JAVA PROFILE 1.0.2\0",
    "a profile of stackprof": '{"version":1.2,"mode":"cpu","interval":10000,"samples":26,"frames":{}}',
    "an execution trace of Go": "go 1.25 trace\0\0\0",
  };
  it("are named in Ruby's Marshal, too: stackprof", async () => {
    const core = await read(
      Uint8Array.from([4, 8, 0x7b, 0x10, ...new TextEncoder().encode(":\fversionf\b1.2:\tmode")]),
    );
    expect(messages(core)[0]).toContain("the file is a profile of stackprof, not a recording: ");
  });

  it.each(Object.entries(HEADS))("are named with what to do instead: %s", async (what, head) => {
    const core = await read(typeof head === "string" ? new TextEncoder().encode(head) : Uint8Array.from(head));
    const row = NOT_READ.find((each) => each.what === what);
    expect(messages(core)[0]).toContain(`the file is ${what}, not a recording: ${row?.instead} (`);
  });
});
