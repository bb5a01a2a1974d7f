/**
 * Keys that a writer gives a sample, a mapping or a location for a column of the store (thread, lone id, event, build
 * id, frame type): what an input has under the same key, of whatever type, is not written beside them.
 */
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import type { Core } from "../../../src/core/core.ts";
import { readInputs } from "../../../src/input/open.ts";
import { validateBytes } from "../../../src/validate/validate.ts";
import { codes, emptyCore } from "../../kit/core/read-store.ts";
import { pprofOf, type SampleSpec } from "../../kit/otlp/pprof-message.ts";
import { readPprof } from "../../kit/otlp/pprof-schema.ts";
import { encode } from "../../kit/otlp/resolve.ts";

async function read(bytes: Uint8Array): Promise<Core> {
  const core = await emptyCore();
  await readInputs(core, [{ name: "m", source: bytesSource(bytes) }]);
  return core;
}

/** Faults of the outputs that have attributes or labels by key. */
function faults(core: Core): string[] {
  const written = core.write(null, {}, { format: "otlp" }).bytes;
  readPprof(core.write(null, {}, { format: "pprof" }).bytes);
  const { findings } = validateBytes(written, "protobuf");
  return findings.filter(({ severity }) => severity === "error").map(({ rule, where }) => `${rule} ${where}`);
}

type Attribute = [key: string, value: object];
const text = (stringValue: string) => ({ stringValue });
const int = (intValue: string) => ({ intValue });

interface Owners {
  profile?: Attribute[];
  sample?: Attribute[];
  mapping?: Attribute[];
  location?: Attribute[];
  resource?: Attribute[];
  link?: object;
  extent?: [start: string, limit: string];
}

function messageOf({
  profile = [],
  sample = [],
  mapping = [],
  location = [],
  resource = [],
  link,
  extent = ["16", "99"],
}: Owners) {
  const strings = ["", "cpu", "samples"];
  const table: object[] = [{}];
  const indices = (attributes: Attribute[]) =>
    attributes.map(([key, value]) => {
      if (!strings.includes(key)) strings.push(key);
      return table.push({ keyStrindex: strings.indexOf(key), value }) - 1;
    });
  const [memoryStart, memoryLimit] = extent;
  const one = {
    stackIndex: 1,
    attributeIndices: indices(sample),
    values: ["1"],
    timestampsUnixNano: ["5"],
    ...(link === undefined ? {} : { linkIndex: 1 }),
  };
  const profiles = [
    { sampleType: { typeStrindex: 1, unitStrindex: 2 }, samples: [one], attributeIndices: indices(profile) },
  ];
  const resourceOf = (attributes: Attribute[]) => ({ attributes: attributes.map(([key, value]) => ({ key, value })) });
  return encode({
    // Two resources: attributes that they do not share become attributes of the samples.
    resourceProfiles: [
      { resource: resourceOf(resource), scopeProfiles: [{ profiles }] },
      { resource: resourceOf([]), scopeProfiles: [{ profiles }] },
    ],
    dictionary: {
      mappingTable: [{}, { memoryStart, memoryLimit, attributeIndices: indices(mapping) }],
      locationTable: [{}, { mappingIndex: 1, address: "17", attributeIndices: indices(location) }],
      functionTable: [{}],
      linkTable: [{}, ...(link === undefined ? [] : [link])],
      stringTable: strings,
      attributeTable: table,
      stackTable: [{}, { locationIndices: [1] }],
    },
  });
}

const ID = "0123456789abcdef";
const SPAN = { spanId: new Uint8Array(8).fill(2), traceId: new Uint8Array(16) };

/** A local root in a trace id, in the form of our writer. */
const FULL = { spanId: new Uint8Array(8).fill(2), traceId: new Uint8Array(16).fill(3, 8) };

describe("OTLP", () => {
  it.each<[string, Owners]>([
    [
      "a thread's name of two types",
      {
        sample: [
          ["thread.name", text("a")],
          ["thread.name", int("1")],
        ],
      },
    ],
    [
      "a thread's name that is a number first",
      {
        sample: [
          ["thread.name", int("1")],
          ["thread.name", text("a")],
        ],
      },
    ],
    [
      "a thread's id twice",
      {
        sample: [
          ["thread.id", text("a")],
          ["thread.id", int("1")],
        ],
      },
    ],
    [
      "a lone span twice",
      {
        sample: [
          ["span.id", text(ID)],
          ["span.id", int("1")],
        ],
      },
    ],
    ["a link with a span only beside span.id", { sample: [["span.id", text(ID)]], link: SPAN }],
    [
      "an event of two types",
      {
        sample: [
          ["profile.type", text("cpu")],
          ["jfr.event", int("1")],
          ["jfr.event", text("e")],
        ],
      },
    ],
    [
      "a profile type of two types",
      {
        sample: [
          ["profile.type", text("cpu")],
          ["profile.type", int("1")],
        ],
      },
    ],
    [
      "a resource with the sample's keys",
      { sample: [["thread.name", text("a")]], resource: [["thread.name", text("b")]] },
    ],
    ["a resource with a key of a lone id", { sample: [["span.id", text(ID)]], resource: [["span.id", text("b")]] }],
    ["an origin of trace ids that is no text", { profile: [["spanflame.trace_id", int("1")]], link: FULL }],
    [
      "an origin of trace ids of two types",
      {
        profile: [
          ["spanflame.trace_id", text("a")],
          ["spanflame.trace_id", int("1")],
        ],
      },
    ],
    [
      "two frame types",
      {
        location: [
          ["profile.frame.type", text("jvm")],
          ["profile.frame.type", text("go")],
        ],
      },
    ],
    [
      "a build id of two types",
      {
        mapping: [
          ["process.executable.build_id.gnu", int("1")],
          ["process.executable.build_id.gnu", text("ab")],
        ],
      },
    ],
  ])("%s", async (_, owners) => {
    expect(faults(await read(messageOf(owners)))).toEqual([]);
  });

  it.each([
    ["99", "16"],
    ["16", "16"],
    ["16", "0"],
  ])("a mapping from %s to %s is read as one without an extent", async (...extent) => {
    const core = await read(messageOf({ extent }));
    expect(codes(core)).toContain("otlp.mapping.extent");
    expect(faults(core)).toEqual([]);
  });
});

describe("pprof", () => {
  const labels: [string, NonNullable<SampleSpec["labels"]>][] = [
    ["OTLP's names beside pprof's", { "thread name": "a", "thread.name": "b", "thread id": 1n, "thread.id": 2n }],
    ["a lone span beside span.id", { "span id": 12n, "span.id": "b" }],
    ["a lone root beside local_root_span.id", { "local root span id": 12n, "local_root_span.id": "b" }],
    ["ids and times that are texts", { "span id": "none", end_timestamp_ns: "soon", timestamp_ns: "now" }],
  ];

  it.each(labels)("%s", async (_, labels) => {
    const bytes = pprofOf({ types: [["cpu", "nanoseconds"]], samples: [{ stack: ["main"], values: [1], labels }] });
    const core = await read(bytes);
    expect(core.samples()).toBe(1);
    expect(faults(core)).toEqual([]);
  });
});
