/** Sound messages in unusual encodings are what they are; random bytes and other files are not. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../src/bytes/byte-source.ts";
import { readInputs } from "../../src/input/open.ts";
import { HEAD_BYTES, sniffSource } from "../../src/input/sniff.ts";
import { Random } from "../fuzz/random.ts";
import { pprofOf } from "../kit/pprof-message.ts";
import { emptyCore } from "../kit/read-store.ts";

const kindOf = async (bytes: Uint8Array) => (await sniffSource(bytesSource(bytes), bytes.subarray(0, HEAD_BYTES))).kind;

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

const UNKNOWN: ((random: Random) => Field)[] = [
  (random) => ({ number: 20 + random.below(2000), wire: 0, value: Uint8Array.of(random.below(128)) }),
  (random) => ({ number: 20 + random.below(2000), wire: 2, value: new Uint8Array(random.below(100)).fill(7) }),
  (random) => ({ number: 20 + random.below(2000), wire: 1, value: new Uint8Array(8).fill(9) }),
  (random) => ({ number: 20 + random.below(2000), wire: 5, value: new Uint8Array(4).fill(3) }),
];

/** The same message with unknown fields, in another order of its fields, with padded numbers. */
function unusual(bytes: Uint8Array, random: Random): Uint8Array {
  const fields = fieldsOf(bytes);
  const numbers = [...new Set(fields.map(({ number }) => number))].sort(() => random.below(3) - 1);
  const ordered = random.one(2)
    ? numbers.flatMap((number) => fields.filter((field) => field.number === number))
    : fields;
  const unknown = Array.from({ length: 1 + random.below(3) }, () => random.pick(UNKNOWN)(random));
  const at = random.one(2) ? 0 : random.below(ordered.length + 1);
  return written([...ordered.slice(0, at), ...unknown, ...ordered.slice(at)], random, random.one(2));
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

  it.each([
    ["pprof", PPROF],
    ["otlp", otlp],
  ] as const)("of %s is detected", async (kind, bytes) => {
    expect(await kindOf(bytes)).toBe(kind);
    const missed: number[] = [];
    for (let seed = 0; seed < 300; seed++) {
      if ((await kindOf(unusual(bytes, new Random(7, seed)))) !== kind) missed.push(seed);
    }
    expect(missed).toEqual([]);
  });

  it("is not seen in random bytes, in classes, libraries and pictures", async () => {
    const found: string[] = [];
    for (let seed = 0; seed < 3000; seed++) {
      const random = new Random(11, seed);
      const bytes = Uint8Array.from({ length: 64 + random.below(4000) }, () => random.below(256));
      if (["pprof", "otlp"].includes(await kindOf(bytes))) found.push(`random ${seed}`);
    }
    expect(found.length).toBeLessThan(3);
    for (const folder of ["build", "fixtures/elf", "docs"]) {
      for (const name of readdirSync(folder).filter((each) => /\.(wasm|so|png|debug|o)$/.test(each))) {
        const kind = await kindOf(readFileSync(`${folder}/${name}`));
        if (["pprof", "otlp"].includes(kind)) found.push(name);
      }
    }
    expect(found.filter((name) => !name.startsWith("random"))).toEqual([]);
  });
});
