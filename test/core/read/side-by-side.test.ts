/** Recordings of which several cores read chunks side by side: tables, facts and outputs are those of one core. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { Core } from "../../../src/core/core.ts";
import { PartReader } from "../../../src/core/part-reader.ts";
import { readOnlyNeeded } from "../../../src/core/reading/read-filter.ts";
import { FORMATS } from "../../../src/core/tables/formats.ts";
import type { Filter } from "../../../src/core/types.ts";
import { readInputs } from "../../../src/input/open.ts";
import type { OtherCores } from "../../../src/input/other-cores.ts";
import { concat } from "../../fuzz/cases.ts";
import { damageChunk } from "../../fuzz/damage.ts";
import { answersOf } from "../../fuzz/questions.ts";
import { framingOf } from "../../fuzz/walk.ts";
import { memoryChunk } from "../../kit/jfr/frees.ts";
import { buildChunk } from "../../kit/jfr/jfr-builder.ts";
import { Random } from "../../kit/random.ts";

const FIXTURES = new URL("../../../fixtures/", import.meta.url);
const RECORDINGS = ["", "recorded/"].flatMap((folder) =>
  readdirSync(new URL(`./${folder}`, FIXTURES))
    .filter((name) => name.endsWith(".jfr"))
    .map((name) => ({ name: folder + name, bytes: new Uint8Array(readFileSync(new URL(folder + name, FIXTURES))) })),
);
const module = await WebAssembly.compile(readFileSync(new URL("../../../build/core.wasm", import.meta.url)));
const one = await Core.instantiate(module);
const several = await Core.instantiate(module);

/** Cores of this thread, which read the chunks of a random plan. */
class Cores implements OtherCores {
  readonly most = 3;
  readonly startBytes = 0;
  private readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  plan(sizes: readonly number[]): (number | null)[] {
    return sizes.map(() => (this.random.one(3) ? null : this.random.below(this.most)));
  }

  open(...[count, setup]: Parameters<OtherCores["open"]>): ReturnType<OtherCores["open"]> {
    return Array.from({ length: count }, () => {
      const spare: ArrayBuffer[] = [];
      const reader = PartReader.of(module, setup);
      return {
        read: async (chunk) => {
          if (!(chunk instanceof Uint8Array)) throw new TypeError("the bytes are sent");
          // Memory of earlier parts, which is too small or larger than needed.
          return (await reader).read(chunk, spare.pop() ?? null);
        },
        reuse: (rows) => void spare.push(rows),
      };
    });
  }
}

/** Everything that a core answers and writes. */
function everything(core: Core): unknown[] {
  const answers = answersOf(core);
  core.select(null, {});
  const outputs = FORMATS.flatMap(({ name: format, single }) =>
    (single ? core.profiles().map(({ id }) => id) : [null]).map((profile) =>
      Buffer.from(core.write(profile, {}, { format, timestamps: true }).bytes).toString("latin1"),
    ),
  );
  const { wasm } = core.instance;
  const sources = Array.from({ length: wasm.functionCount() }, (_, i) => wasm.functionSource(i));
  return [core.files(), core.eventTypes(), core.diagnostics(), answers, outputs, sources];
}

/** Reads the inputs with one core and with several; returns the number of chunks that were merged. */
async function compare(
  inputs: Uint8Array[],
  random: Random,
  needed: { filter: Filter } | null = null,
): Promise<number> {
  const others = new Cores(random);
  const merging = vi.spyOn(several, "mergeChunk").mockClear();
  const results: unknown[][] = [];
  for (const core of [one, several]) {
    core.reset();
    if (needed !== null) readOnlyNeeded(core, { stacks: true, all: false, ...needed });
    const sources = inputs.map((bytes, i) => ({ name: `${i}.jfr`, source: bytesSource(bytes) }));
    await readInputs(core, sources, core === several ? { others } : {});
    results.push(everything(core));
  }
  for (const [i, result] of results[0]!.entries()) expect(results[1]![i]).toEqual(result);
  return merging.mock.results.filter(({ value }) => value !== null).length;
}

const pick = (random: Random) => RECORDINGS[random.below(RECORDINGS.length)]!.bytes;

describe("cores side by side", () => {
  it.each(RECORDINGS)("reads $name after and before others as one core does", async ({ bytes }) => {
    const random = new Random(1, 0);
    expect(await compare([concat([pick(random), bytes, bytes, pick(random), bytes])], random)).toBeGreaterThan(0);
  });

  it.each(Array.from({ length: 8 }, (_, i) => i))("reads files of damaged chunks as one core does (%i)", async (i) => {
    const random = new Random(2, i);
    const chunks = Array.from({ length: 5 }, () => {
      const bytes = pick(random);
      return random.one(2) ? bytes : damageChunk(bytes, framingOf(bytes), random, pick(random))[1];
    });
    await compare([concat(chunks.slice(0, 3)), concat(chunks.slice(3))], random);
  });

  it("matches frees over chunks as one core does", async () => {
    const random = new Random(4, 0);
    const chunks = Array.from({ length: 6 }, (_, chunk) => {
      const events = Array.from({ length: 100 }, (_, i) => {
        const [at, address] = [BigInt(random.below(1000)), BigInt(1 + random.below(20))];
        return random.one(2) ? { at, address } : { at, address, size: BigInt(1000 * chunk + i) };
      });
      return buildChunk(memoryChunk(events)).bytes;
    });
    expect(await compare([concat(chunks), concat(chunks.slice(0, 3))], random)).toBeGreaterThan(0);
  });

  it.each([{ noSpan: true }, { localRoot: 1n }])("skips the same samples for a filter", async (filter) => {
    const random = new Random(3, 0);
    expect(await compare([concat(RECORDINGS.map(({ bytes }) => bytes))], random, { filter })).toBeGreaterThan(0);
  });
});
