/** Sound messages in unusual encodings are what they are; random bytes and other files are not. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { opened } from "../../../src/input/classify.ts";
import { readInputs } from "../../../src/input/open.ts";
import { fitsOf, MESSAGE_HEAD_BYTES } from "../../../src/otlp/message-fit.ts";
import { isTraceMessage } from "../../../src/otlp/sniff-trace.ts";
import { emptyCore } from "../../kit/core/read-store.ts";
import { pprofOf } from "../../kit/otlp/pprof-message.ts";
import { Random } from "../../kit/random.ts";

async function kindOf(bytes: Uint8Array): Promise<string> {
  return (await opened(bytesSource(bytes))).sniffed.kind;
}

/** A varint of `value` with up to `more` bytes that it does not need. */
function varint(value: number, more: number): number[] {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    bytes.push(left % 128);
    if (left < 128) break;
  }
  while (bytes.length < 10 && more-- > 0) bytes.push(0);
  return bytes.map((byte, i) => (i < bytes.length - 1 ? byte + 128 : byte));
}

/** Bytes of values by wire type. */
const FIXED: Readonly<Record<number, number>> = { 1: 8, 5: 4 };

interface Field {
  number: number;
  wire: number;
  value: Uint8Array;
}

/** The fields of a message; its numbers are below 2⁵³. */
function fieldsOf(bytes: Uint8Array): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const next = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte % 128) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = next();
    const wire = tag % 8;
    const length = wire === 2 ? next() : (FIXED[wire] ?? 0);
    const from = at;
    if (wire === 0) next();
    else at += length;
    const value = bytes.subarray(from, at);
    fields.push({ number: Math.floor(tag / 8), wire, value });
  }
  return fields;
}

function written(fields: readonly Field[], random: Random, padded: boolean): Uint8Array {
  const more = () => (padded && random.one(2) ? random.below(9) : 0);
  const bytes = fields.flatMap(({ number, wire, value }) => [
    ...varint(number * 8 + wire, more()),
    ...(wire === 2 ? varint(value.length, more()) : []),
    ...value,
  ]);
  return Uint8Array.from(bytes);
}

/** Numbers of fields that contain messages, with those of these. */
interface Shape {
  [number: number]: Shape;
}

const SHAPES: Readonly<Record<string, Shape>> = {
  otlp: { 1: { 1: {}, 2: { 1: {}, 2: { 1: {}, 2: {} } } }, 2: {} },
  pprof: { 1: {}, 2: {}, 3: {}, 4: { 4: {} }, 5: {}, 11: {} },
  trace: { 1: { 1: {}, 2: { 1: {}, 2: {} } } },
};

/** A field that no version has, of any wire type; a group may have one inside. */
function unknown(random: Random, padded: boolean, depth = 0): number[] {
  const number = 200 + random.below(100_000);
  const wire = random.pick(depth < 3 ? [0, 1, 2, 3, 5] : [0, 1, 2, 5]);
  const tag = (of: number) => varint(number * 8 + of, padded ? random.below(9) : 0);
  const bytes = (length: number) => Array.from({ length }, () => random.below(256));
  if (wire === 0) return [...tag(0), ...varint(random.below(1 << 30), padded ? random.below(9) : 0)];
  if (wire === 2) {
    const content = bytes(random.below(60));
    return [...tag(2), ...varint(content.length, padded ? random.below(9) : 0), ...content];
  }
  if (wire === 3) return [...tag(3), ...(random.one(2) ? unknown(random, padded, depth + 1) : []), ...tag(4)];
  return [...tag(wire), ...bytes(FIXED[wire]!)];
}

/** How a message is written again. */
interface How {
  padded: boolean;
  unknown: boolean;
  ordered: boolean;
}

/** The same message with unknown fields, in another order of its fields, with padded numbers, at every level. */
function unusual(bytes: Uint8Array, shape: Shape, how: How, random: Random): Uint8Array {
  const fields = fieldsOf(bytes).map((field) => {
    const inner = field.wire === 2 ? shape[field.number] : undefined;
    return inner === undefined ? field : { ...field, value: unusual(field.value, inner, how, random) };
  });
  const numbers = [...new Set(fields.map(({ number }) => number))];
  for (let i = numbers.length - 1; i > 0 && how.ordered; i--) {
    const k = random.below(i + 1);
    [numbers[i], numbers[k]] = [numbers[k]!, numbers[i]!];
  }
  const parts = numbers
    .flatMap((number) => fields.filter((field) => field.number === number))
    .map((field) => [...written([field], random, how.padded)]);
  const more = how.unknown ? 1 + random.below(3) : 0;
  for (let i = 0; i < more; i++) {
    parts.splice(random.one(2) ? 0 : random.below(parts.length + 1), 0, unknown(random, how.padded));
  }
  return Uint8Array.from(parts.flat());
}

/** The message after its length, as the Collector writes it. */
function framed(message: Uint8Array): Uint8Array {
  const frame = new Uint8Array(4 + message.length);
  new DataView(frame.buffer).setUint32(0, message.length);
  frame.set(message, 4);
  return frame;
}

const PPROF = pprofOf({
  types: [
    ["samples", "count"],
    ["cpu", "nanoseconds"],
  ],
  samples: Array.from({ length: 5 }, (_, i) => ({
    stack: [`f${i}`, "main"],
    values: [1 + i, 1000],
    labels: { a: "b" },
  })),
  period: ["cpu", "nanoseconds", 1000],
});

describe("a message in an unusual encoding", async () => {
  const core = await emptyCore();
  await readInputs(core, [{ name: "a", source: bytesSource(PPROF) }]);
  const otlp = core.write(null, {}, { format: "otlp" }).bytes.slice();

  const trace = gunzipSync(readFileSync("fixtures/traces/ddctx-jdk17.whole.otlp.pb.gz"));
  const checkout = readFileSync("fixtures/data-sets/checkout.pb");

  it.each([
    ["pprof", PPROF],
    ["otlp", otlp],
    ["otlp", checkout],
    ["trace", trace],
  ] as const)("of %s is detected, also with gzip", async (kind, bytes) => {
    expect(await kindOf(bytes)).toBe(kind);
    const missed: string[] = [];
    for (let seed = 0; seed < (kind === "trace" ? 48 : 160); seed++) {
      const how = { padded: seed % 2 === 1, unknown: seed % 4 > 1, ordered: seed % 8 > 3 };
      const bare = unusual(bytes, SHAPES[kind]!, how, new Random(7, seed));
      const message = seed % 7 === 6 && kind !== "pprof" ? framed(bare) : bare;
      const found = await kindOf(seed % 5 === 0 ? gzipSync(message) : message);
      if (found !== kind) missed.push(`${seed} ${JSON.stringify(how)} ${found}`);
      const head = message.subarray(0, MESSAGE_HEAD_BYTES);
      const { profiles, logs, traces } = fitsOf(head);
      const isTrace = isTraceMessage(head) || traces > Math.max(profiles, logs);
      if (kind === "trace" && !isTrace) missed.push(`${seed} as a dropped file`);
    }
    expect(missed).toEqual([]);
  });

  it("of pprof is read as the usual one", async () => {
    const read = async (message: Uint8Array) => {
      const own = await emptyCore();
      await readInputs(own, [{ name: "a", source: bytesSource(message) }]);
      const lines = own.profiles().map(({ id, type }) => {
        const { bytes: collapsed } = own.write(id, {}, { format: "collapsed" });
        return [type, ...new TextDecoder().decode(collapsed).split("\n").sort()];
      });
      // An unknown field may have the number of a late one.
      return [
        lines,
        own.diagnostics().filter(({ message: text }) => !text.includes("wire type that it must not have")),
      ];
    };
    const usual = await read(PPROF);
    for (let seed = 0; seed < 60; seed++) {
      const how = { padded: seed % 2 === 1, unknown: true, ordered: seed % 4 > 1 };
      expect([seed, await read(unusual(PPROF, SHAPES.pprof!, how, new Random(8, seed)))]).toEqual([seed, usual]);
    }
  });

  it("of pprof is detected after a field 15 of any type: doc_url took the number late", async () => {
    const tag = (wire: number) => varint(15 * 8 + wire, 0);
    const texts = [0, 1, 8].map((size) => [...tag(2), size, ...new Array(size).fill(65)]);
    const heads = [[...tag(0), 5], [...tag(1), ...new Array(8).fill(1)], [...tag(5), 1, 2, 3, 4], ...texts];
    for (const head of heads) expect(await kindOf(Uint8Array.from([...head, ...PPROF])), `${head}`).toBe("pprof");
  });

  /** Every file of these folders by its ending; a trace in JSON is one, too. */
  it("is not seen in other files", async () => {
    const EXPECTED: [RegExp, string[]][] = [
      [/\.jfr(\.gz)?$/, ["jfr"]],
      [/speedscope\.json$/, ["speedscope"]],
      [/otlp\.(pb|framed|json)\.gz$|(jaeger|zipkin|datadog)\.json\.gz$/, ["trace"]],
      [/\.(parquet|md|mjs|ts|html|svg|json|so|o|debug|png|wasm|sh|c|s|rs|cpp|java)$/, ["foreign", "symbols", "trace"]],
    ];
    const wrong: string[] = [];
    for (const folder of ["fixtures", "build", "docs", "scripts"]) {
      for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
        const path = join(folder, name);
        const expected = EXPECTED.find(([ending]) => ending.test(name))?.[1];
        if (expected === undefined || !statSync(path).isFile()) continue;
        const kind = await kindOf(readFileSync(path));
        if (!expected.includes(kind)) wrong.push(`${path} ${kind}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("is not seen in random bytes", async () => {
    const found: string[] = [];
    for (let seed = 0; seed < 3000; seed++) {
      const random = new Random(11, seed);
      const bytes = Uint8Array.from({ length: 64 + random.below(4000) }, () => random.below(256));
      if (["pprof", "otlp", "logs", "trace"].includes(await kindOf(bytes))) found.push(`random ${seed}`);
    }
    expect(found).toEqual([]);
  });
});
