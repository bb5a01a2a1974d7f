/** The last message of a core: its writer gives the samples back while it writes, and the bytes are the same. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { Core } from "../../../src/core/core.ts";
import { FORMATS } from "../../../src/core/tables/formats.ts";
import { PRESETS } from "../../../src/core/tables/presets.ts";
import type { Filter, WriteOptions } from "../../../src/core/types.ts";
import { readInputs } from "../../../src/input/open.ts";
import { ROOT } from "../../kit/run-cli.ts";

/** With samples of several observations, second measures, spans, several periods. */
const FILES = ["shop-chunks.jfr", "recorded/dd152-jdk17-all.jfr", "recorded/ap46-jdk17-all.jfr"];

let module: WebAssembly.Module;
beforeAll(async () => {
  module = await WebAssembly.compile(readFileSync(join(ROOT, "build/core.wasm")));
});

async function read(core: Core, ...names: string[]): Promise<void> {
  const inputs = names.map((name) => ({ name, source: bytesSource(readFileSync(join(ROOT, "fixtures", name))) }));
  await readInputs(core, inputs);
}

/** Nothing is left out, a part by time, and one root. */
function filters(core: Core): Filter[] {
  const { from, to } = core.views.timeBounds() ?? { from: 0n, to: 1n };
  core.select(null, {});
  const root = core.views.rank({ kind: "local-root" }, 0, 1).rows[0]?.id;
  return [
    {},
    { time: { from, to: from + (3n * (to - from)) / 4n } },
    ...(root === undefined ? [] : [{ localRoot: root }]),
  ];
}

const CHOICES: WriteOptions[] = PRESETS.flatMap(({ name: preset }) => [
  { format: "otlp", preset },
  { format: "otlp", preset, timestamps: true },
]);

describe("the last message", () => {
  it.each(FILES)("of %s has the bytes of any other, and the samples are given back", async (name) => {
    const kept = await Core.instantiate(module);
    await read(kept, name);
    const last = await Core.instantiate(module);
    for (const filter of filters(kept)) {
      for (const options of CHOICES) {
        const expected = Buffer.from(kept.write(null, filter, options).bytes);
        last.reset();
        await read(last, name);
        const used = last.instance.wasm.usedBytes();
        last.instance.wasm.writeLast();
        const { bytes, observations } = last.write(null, filter, options);
        expect(Buffer.from(bytes).equals(expected)).toBe(true);
        expect(observations).toBeGreaterThan(0);
        expect(last.instance.wasm.observationCount.value).toBe(0);
        expect(last.instance.wasm.usedBytes()).toBeLessThan(used);
      }
    }
  });

  it("keeps the samples if it has none, so that the host can say why", async () => {
    const core = await Core.instantiate(module);
    await read(core, "shop.jfr");
    const before = core.profiles();
    core.instance.wasm.writeLast();
    expect(core.write(null, { span: 0xdead_beefn }, { format: "otlp" }).observations).toBe(0);
    expect(core.profiles()).toEqual(before);
  });

  it("is one message: those after a reset keep their samples", async () => {
    const core = await Core.instantiate(module);
    for (const { name: format, single } of FORMATS) {
      await read(core, "shop.jfr");
      const profile = single === true ? (core.profiles()[0]?.id ?? null) : null;
      core.instance.wasm.writeLast();
      const first = core.write(profile, {}, { format });
      core.reset();
      await read(core, "shop.jfr");
      const { observationCount } = core.instance.wasm;
      const before = observationCount.value;
      expect(Buffer.from(core.write(profile, {}, { format }).bytes).equals(Buffer.from(first.bytes))).toBe(true);
      expect(observationCount.value).toBe(before);
      core.reset();
    }
  });
});
