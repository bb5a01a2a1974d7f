/**
 * The good and broken messages of ../shared/otlp-cases, each with one fault: intact parts are read, and nothing traps.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { bytesSource } from "../../src/bytes/byte-source.ts";
import { Core } from "../../src/core/core.ts";
import { readInputs } from "../../src/input/open.ts";
import { need } from "../kit/needs.ts";
import { resolve } from "../kit/otlp/resolve.ts";

const CASES = new URL("../../../shared/otlp-cases/", import.meta.url);
const isThere = existsSync(CASES);
const names = isThere ? readdirSync(CASES).filter((name) => /\.(pb|json)$/.test(name)) : [];
const bytesOf = (name: string) => new Uint8Array(readFileSync(new URL(name, CASES)));

const module = await WebAssembly.compile(
  new Uint8Array(readFileSync(new URL("../../build/core.wasm", import.meta.url))),
);

async function read(name: string): Promise<Core> {
  const core = await Core.instantiate(module);
  await readInputs(core, [{ name, source: bytesSource(bytesOf(name)) }]);
  return core;
}

/** Profiles with the number and the sum of their observations. */
const totals = (core: Core) =>
  core
    .profiles()
    .map(({ type, unit, samples, value }) => `${type}/${unit} ${samples} ${value}`)
    .sort();
/** Faults, without the diagnostics of the good message: its payload is not a recording, and its resources differ. */
const wrong = (core: Core) =>
  core
    .diagnostics()
    .map(({ code }) => code)
    .filter((code) => code !== "jfr.foreign-bytes" && code !== "otlp.resources.differ");

/** First letters and numbers of the cases in which nothing is wrong that a reader would notice. */
const SOUND =
  /^(good|golden|a04|a05|d0|i02|i05|i06|j0[14789]|j10|j17|j19|j2[1234]|j3[0235]|n05|n06|o|s0[4567]|w02|w04|w05|z08|z10)/;
/** Those of which some sample cannot be read, or has another value. */
const FEWER = /^(j15|j16|j20|j25|j26|j27|j28|j29|s02|s07|s08|s11|w03|w06|w11|golden|r05|t0)/;

need(isThere, "no ../shared/otlp-cases").describe("the shared cases", () => {
  it.each(names)("%s is read as far as it is sound", async (name) => {
    const core = await read(name);
    if (!FEWER.test(name)) expect(totals(core)).toEqual(totals(await read("good.pb")));
    // Its two objects are equal.
    if (SOUND.test(name)) expect(wrong(core)).toEqual(name.startsWith("j19") ? ["source.copy"] : []);
    else if (!/^(s08|j03|j16)/.test(name)) expect(wrong(core)).not.toEqual([]);
    for (const { samples } of core.profiles()) expect(samples).toBeGreaterThan(0);
  });

  it.each(["golden", "good"])("%s.pb comes out saying what it said", async (name) => {
    for (const form of ["pb", "json"]) {
      const core = await read(`${name}.${form}`);
      const { bytes } = core.write(null, {}, { format: "otlp" });
      expect(resolve(bytes)).toEqual(resolve(bytesOf(`${name}.pb`)));
    }
  });
});
