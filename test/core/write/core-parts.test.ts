/** The two parts of the core that the page loads, against the whole module. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { Core } from "../../../src/core/core.ts";
import { FORMATS, formatRow } from "../../../src/core/tables/formats.ts";
import type { OutputFormat } from "../../../src/core/types.ts";
import { readInputs } from "../../../src/input/open.ts";
import { READ_AGAIN } from "../../kit/formats.ts";
import { wasmModule } from "../../kit/wasm-module.ts";

const at = (path: string) => new URL(`../../../${path}`, import.meta.url);
const moduleOf = (name: string) => WebAssembly.compile(readFileSync(at(`build/${name}.wasm`)));
const SEED = 7n;

const whole = async () => Core.instantiate(await moduleOf("core"), [], SEED);
const loadRest = () => moduleOf("core-rest");
const first = async (load = loadRest) => Core.instantiate(await moduleOf("core-first"), [], SEED, load);

async function filled(core: Core, ...inputs: { name: string; bytes: Uint8Array }[]): Promise<Core> {
  await readInputs(
    core,
    inputs.map(({ name, bytes }) => ({ name, source: bytesSource(bytes) })),
  );
  return core;
}

const SHOP = { name: "shop.jfr", bytes: new Uint8Array(readFileSync(at("fixtures/shop.jfr"))) };

function written(core: Core, format: OutputFormat): Uint8Array {
  const profile = formatRow(format).single ? 0 : null;
  return core.write(profile, {}, { format }).bytes;
}

const RECORDINGS = readdirSync(at("fixtures/recorded")).filter((name) => name.endsWith(".jfr"));
const DIRT = 0xa5;

/** Where the rest puts its data. */
const ofRest = wasmModule(readFileSync(at("build/core-rest.wasm"))).data;

/** What the page asks first of each profile. */
function drawn(core: Core) {
  const profiles = core.profiles();
  const answers = profiles.map(({ id }) => {
    const totals = core.select(id, {});
    const { views } = core;
    return [
      totals,
      views.frames({ focus: 0, width: 1000 }),
      views.timeline(id, 100, [], null),
      views.heat(id, 50, null),
    ];
  });
  return { profiles, answers, settings: core.settings(), files: core.files() };
}

describe("the core in two parts", () => {
  test.each(FORMATS.map(({ name }) => name))("writes %s as the whole core does", async (format) => {
    const parts = await filled(await first(), SHOP);
    await parts.complete();
    expect(written(parts, format)).toEqual(written(await filled(await whole(), SHOP), format));
  });

  test.each(READ_AGAIN)("reads %s as the whole core does", async (format) => {
    const message = { name: "message", bytes: written(await filled(await whole(), SHOP), format) };
    const parts = await filled(await first(), message);
    const both = await filled(await whole(), message);
    expect(parts.profiles()).toEqual(both.profiles());
    expect(parts.diagnostics()).toEqual(both.diagnostics());
    expect(written(parts, "otlp")).toEqual(written(both, "otlp"));
  });

  test("a recording is read without the rest", async () => {
    const core = await filled(await first(() => Promise.reject(new Error("not to be loaded"))), SHOP);
    expect(core.profiles()).toEqual((await filled(await whole(), SHOP)).profiles());
  });

  test.each(RECORDINGS)("%s is read and drawn without the data of the rest, which stay as they are", async (name) => {
    const recording = { name, bytes: new Uint8Array(readFileSync(at(`fixtures/recorded/${name}`))) };
    const core = await first(() => Promise.reject(new Error("not to be loaded")));
    const { memory } = core.instance;
    expect(ofRest.length).toBeGreaterThan(10);
    await core.loadLosses();
    for (const { offset, size } of ofRest) memory.bytes(offset, size).fill(DIRT);
    expect(drawn(await filled(core, recording))).toEqual(drawn(await filled(await whole(), recording)));
    const changed = ofRest.filter(({ offset, size }) => memory.bytes(offset, size).some((byte) => byte !== DIRT));
    expect(changed).toEqual([]);
  });

  test("the rest is loaded once, and again if that failed", async () => {
    let calls = 0;
    const core = await first(() => (++calls === 1 ? Promise.reject(new Error("away")) : loadRest()));
    await expect(core.complete()).rejects.toThrow("away");
    await Promise.all([core.complete(), core.complete()]);
    await core.complete();
    expect(calls).toBe(2);
  });
});
