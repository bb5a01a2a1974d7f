/** The seed of the hash tables: random for each instance, and without any effect on what is read and written. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { Core } from "../../../src/core/core.ts";
import { FORMATS } from "../../../src/core/tables/formats.ts";
import type { OutputFormat } from "../../../src/core/types.ts";
import { readInputs } from "../../../src/input/open.ts";
import { stable } from "../../kit/core/read-store.ts";
import { buildChunk, type Value } from "../../kit/jfr/jfr-builder.ts";
import { ATTRIBUTE, CPU, cpuType, JVM_TYPES, ref } from "../../kit/jfr/jfr-types.ts";

const wasm = await WebAssembly.compile(
  new Uint8Array(readFileSync(new URL("../../../build/core.wasm", import.meta.url))),
);
const SEEDS = [0n, 0x0123_4567_89ab_cdefn, 0xfedc_ba98_7654_3210n];
/** Formats that hold all profiles, and those of one. */
const MANY = FORMATS.filter(({ single }) => !single).map(({ name }) => name);
const ANY = FORMATS.map(({ name }) => name);
const fixture = (name: string) => new Uint8Array(readFileSync(new URL(`../../../fixtures/${name}`, import.meta.url)));

/** Sparse keys, many attributes and a thousand checkpoints' worth of stacks; and the same cut and bent. */
function built(): Uint8Array {
  const keys = Array.from({ length: 3000 }, (_, i) => BigInt(i * i + 1) << 20n);
  const values = { startTime: 0n, eventThread: 0n, weight: 9n };
  return buildChunk({
    types: [...JVM_TYPES, cpuType([ref("key", ATTRIBUTE)])],
    items: [
      ...keys.map((key, i) => ({
        event: CPU,
        values: { ...values, stackTrace: key, key, spanId: key, localRootSpanId: BigInt(i % 97) },
      })),
      {
        checkpoint: [
          {
            type: "jdk.types.StackTrace",
            entries: keys.map((key, i): [bigint, Value] => [
              key,
              {
                truncated: false,
                frames: [key, keys[i >> 1] ?? 1n].map((method) => ({
                  method,
                  lineNumber: i,
                  bytecodeIndex: 0,
                  type: 1n,
                })),
              },
            ]),
          },
          { type: ATTRIBUTE, entries: keys.map((key, i): [bigint, Value] => [key, { value: `v${i % 1000}` }]) },
        ],
      },
    ],
  }).bytes;
}

/** Everything that a core answers about a file: findings, outputs and rankings. */
async function answers(seed: bigint, name: string, file: Uint8Array<ArrayBuffer>): Promise<string[]> {
  const core = await Core.instantiate(wasm, [], seed);
  await readInputs(core, [{ name, source: bytesSource(file) }]);
  const out = [stable([core.files(), core.diagnostics(), core.profiles(), core.settings(), core.attributeKeys()])];
  const write = (profile: number | null, format: OutputFormat) => {
    const { bytes } = core.write(profile, {}, { format });
    out.push(`${format} ${Buffer.from(bytes).toString("base64")}`);
  };
  for (const format of MANY) write(null, format);
  for (const { id } of core.profiles()) {
    for (const format of ANY) write(id, format);
    core.select(id, {});
    out.push(stable([core.views.top("self", 0, 100), core.views.frames({ focus: 0, width: 1000 })]));
    out.push(stable([core.views.rank({ kind: "span" }, 0, 50), core.views.rank({ kind: "local-root" }, 0, 50)]));
    for (const key of core.attributeKeys()) out.push(stable(core.views.rank({ kind: "attribute", key }, 0, 50)));
  }
  return out;
}

/** The file with bytes changed here and there, the same in every run. */
function bent(file: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(file);
  for (let at = 1000; at < bytes.length; at += 997) bytes[at] = (bytes[at] ?? 0) ^ (1 << (at & 7));
  return bytes;
}

const FILES: [string, Uint8Array][] = [
  ["shop.jfr", fixture("shop.jfr")],
  ["dd152.jfr", fixture("recorded/dd152-jdk17-all.jfr")],
  ["built.jfr", built()],
];

describe("with another seed", () => {
  it.each(
    FILES.flatMap(([name, file]) => [[name, Uint8Array.from(file)] as const, [`bent ${name}`, bent(file)] as const]),
  )("%s gives the same answers", async (name, file) => {
    const [first, ...rest] = await Promise.all(SEEDS.map((seed) => answers(seed, name, file)));
    for (const other of rest) expect(other).toEqual(first);
    expect(first?.length).toBeGreaterThan(MANY.length);
  });
});
