/**
 * What the trace id of a Link is: a local root that a profiler recorded, or a trace of 64 or of 128 bits. The first two
 * look alike, so each reader has a rule (assembly/store/tables.ts, LinkOrigin), and our own messages come back as they
 * went.
 */
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import type { Core } from "../../../src/core/core.ts";
import { readInputs } from "../../../src/input/open.ts";
import { validateBytes } from "../../../src/validate/validate.ts";
import { codes, emptyCore } from "../../kit/core/read-store.ts";
import { flatten, readOtlp } from "../../kit/otlp/otlp-schema.ts";
import { readPprof } from "../../kit/otlp/pprof-schema.ts";
import { encode } from "../../kit/otlp/resolve.ts";

const KEY = "spanflame.trace_id";
const hex = (id: bigint, digits: number) => id.toString(16).padStart(digits, "0");
const bytesOf = (id: bigint, size: number) => Uint8Array.from(Buffer.from(hex(id, 2 * size), "hex"));

interface Sample {
  trace: bigint;
  span: bigint;
}

/** One profile for each list of samples; `origins` are what the Profiles have for the key, null for nothing. */
function message(profiles: readonly (readonly Sample[])[], origins: readonly (string | null)[]): Uint8Array {
  const names = ["", "cpu", "samples", KEY, ...profiles.map((_, i) => `type ${i}`)];
  const attributes: object[] = [{}];
  const links: object[] = [{}];
  return encode({
    resourceProfiles: [
      {
        scopeProfiles: [
          {
            profiles: profiles.map((samples, i) => {
              const value = origins[i] ?? null;
              return {
                sampleType: { typeStrindex: 4 + i, unitStrindex: 2 },
                attributeIndices:
                  value === null ? [] : [attributes.push({ keyStrindex: 3, value: { stringValue: value } }) - 1],
                samples: samples.map(({ trace, span }, n) => ({
                  linkIndex: links.push({ traceId: bytesOf(trace, 16), spanId: bytesOf(span, 8) }) - 1,
                  values: ["1"],
                  timestampsUnixNano: [`${1_700_000_000_000_000_000n + BigInt(n)}`],
                })),
              };
            }),
          },
        ],
      },
    ],
    dictionary: {
      mappingTable: [{}],
      locationTable: [{}],
      functionTable: [{}],
      linkTable: links,
      stringTable: names,
      attributeTable: attributes,
      stackTable: [{}],
    },
  });
}

async function read(bytes: Uint8Array): Promise<Core> {
  const core = await emptyCore();
  await readInputs(core, [{ name: "m", source: bytesSource(bytes) }]);
  expect(codes(core)).toEqual([]);
  return core;
}

/** What a message says once read and written, and that reading it again and writing it changes no byte. */
async function written(bytes: Uint8Array) {
  const core = await read(bytes);
  const labels = core
    .profiles()
    .map(({ id }) => readPprof(core.write(id, {}, { format: "pprof" }).bytes).samples.map((sample) => sample.labels));
  const first = core.write(null, {}, { format: "otlp" }).bytes;
  const second = (await read(first)).write(null, {}, { format: "otlp" }).bytes;
  expect(Buffer.compare(second, first)).toBe(0);
  const errors = validateBytes(first, "protobuf").findings.filter(({ severity }) => severity === "error");
  expect(errors).toEqual([]);
  const data = readOtlp(first);
  return { labels: labels.map((list) => list[0]), profiles: flatten(data), links: data.dictionary?.linkTable ?? [] };
}

const LONG = (0xabn << 64n) | 0xcdn;

describe("a Link of a message", () => {
  it.each([
    ["of 128 bits is a trace", LONG, null, { "trace id": hex(LONG, 32) }, {}],
    ["of 64 bits is a local root", 7n, null, { "local root span id": 7n }, {}],
    [
      "of 64 bits is one where the Profile says so",
      7n,
      "local_root_span_id",
      { "local root span id": 7n },
      { [KEY]: "local_root_span_id" },
    ],
    [
      "of 64 bits is a trace where the Profile says that",
      7n,
      "trace_id_64_bit",
      { "trace id": hex(7n, 32) },
      { [KEY]: "trace_id_64_bit" },
    ],
    ["of 128 bits needs no word", LONG, "trace_id_64_bit", { "trace id": hex(LONG, 32) }, {}],
  ] as const)("%s", async (_, trace, origin, label, attributes) => {
    const { labels, profiles } = await written(message([[{ trace, span: 9n }]], [origin]));
    expect(labels).toEqual([{ "span id": 9n, ...label }]);
    expect(profiles.map((profile) => profile.attributes)).toEqual([attributes]);
  });

  it("keeps its place, whichever profiles say what", async () => {
    const ids = [5n, LONG, 6n, 8n, LONG + 1n];
    const samples = ids.map((trace, i) => ({ trace, span: BigInt(i + 1) }));
    const bytes = message(
      [samples.slice(0, 2), samples.slice(2, 4), samples.slice(4)],
      ["trace_id_64_bit", null, null],
    );
    const { links, labels } = await written(bytes);
    expect(links.slice(1).map(({ traceId }) => traceId)).toEqual(ids.map((id) => hex(id, 32)));
    expect(labels).toMatchObject([
      { "trace id": hex(5n, 32) },
      { "local root span id": 6n },
      { "trace id": hex(LONG + 1n, 32) },
    ]);
  });

  it("without a span becomes an attribute that comes back", async () => {
    const { profiles } = await written(message([[{ trace: 7n, span: 0n }]], ["trace_id_64_bit"]));
    expect(profiles[0]?.samples[0]?.attributes).toEqual({ "trace.id": hex(7n, 32) });
  });
});
