/** Lookups of samples and links that were given back: what is added later finds the rows again. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { Core } from "../../../src/core/core.ts";
import { readInputs } from "../../../src/input/open.ts";
import { ROOT } from "../../kit/run-cli.ts";

/** Recordings with and without spans, one of them twice. */
const FILES = ["shop.jfr", "recorded/ddagent-jdk17.jfr", "shop-chunks.jfr", "shop.jfr"];

let module: WebAssembly.Module;
beforeAll(async () => {
  module = await WebAssembly.compile(readFileSync(join(ROOT, "build/core.wasm")));
});

const written = (core: Core) => Buffer.from(core.write(null, {}, { format: "otlp" }).bytes);

async function read(core: Core, name: string, bytes: Uint8Array): Promise<void> {
  await readInputs(core, [{ name, source: bytesSource(bytes) }]);
}

/** All files one after the other, with `between` after each of them, and the message of one more. */
async function readAll(between: (core: Core) => void): Promise<{ core: Core; messages: Buffer[] }> {
  const core = await Core.instantiate(module);
  const messages: Buffer[] = [];
  for (const name of FILES) {
    await read(core, name, readFileSync(join(ROOT, "fixtures", name)));
    between(core);
    messages.push(written(core));
  }
  await read(core, "message.pb", messages[1] ?? new Uint8Array());
  between(core);
  messages.push(written(core));
  return { core, messages };
}

describe("lookups that were given back", () => {
  it("are made again for the next file", async () => {
    const kept = await readAll(() => {});
    const forgotten = await readAll((core) => core.instance.wasm.forgetLookups());
    expect(forgotten.messages.map((each, i) => each.equals(kept.messages[i] ?? Buffer.of()))).toEqual(
      kept.messages.map(() => true),
    );
    expect(forgotten.core.profiles()).toEqual(kept.core.profiles());
  });

  it("free memory, and writing does not need them", async () => {
    const core = await Core.instantiate(module);
    await read(core, "shop-chunks.jfr", readFileSync(join(ROOT, "fixtures/shop-chunks.jfr")));
    const before = core.instance.wasm.usedBytes();
    core.instance.wasm.forgetLookups();
    const after = core.instance.wasm.usedBytes();
    expect(after).toBeLessThan(before);
    core.instance.wasm.forgetLookups();
    expect(core.instance.wasm.usedBytes()).toBe(after);
    written(core);
    const settled = core.instance.wasm.usedBytes();
    core.instance.wasm.forgetLookups();
    expect(core.instance.wasm.usedBytes()).toBe(settled);
  });

  it("may be given back before a reset", async () => {
    const core = await Core.instantiate(module);
    const bytes = readFileSync(join(ROOT, "fixtures/shop.jfr"));
    await read(core, "shop.jfr", bytes);
    const first = written(core);
    core.instance.wasm.forgetLookups();
    core.reset();
    await read(core, "shop.jfr", bytes);
    expect(written(core).equals(first)).toBe(true);
  });
});
