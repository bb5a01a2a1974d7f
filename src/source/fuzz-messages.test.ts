/**
 * The fuzzer of messages (docs/fuzzing.md): OTLP, pprof and OTLP/JSON damaged at random. In `npm test` a fixed number of
 * cases of a fixed seed; `npm run fuzz -- --of messages` goes on for as long as it is told.
 */
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { Core } from "../core/core.ts";
import { bytesSource } from "./byte-source.ts";
import { damageBlindly } from "./fuzzing/damage.ts";
import { Random } from "./fuzzing/random.ts";
import { MESSAGE, PPROF, survive } from "./message-test/messages.ts";
import { readInputs } from "./open.ts";
import { frame } from "./otlp/testing/message.ts";

const { FUZZ_SEED = "20240229", FUZZ_CASE, FUZZ_SECONDS } = process.env;
const SEED = Number(FUZZ_SEED);
/** Cases of `npm test`: some seconds. */
const CASES = 500;

const module = await WebAssembly.compile(
  new Uint8Array(readFileSync(new URL("../../build/core.wasm", import.meta.url))),
);

/** Messages of a recording, small ones of everything, and each in its forms. */
async function corpus(): Promise<Uint8Array[]> {
  const core = await Core.instantiate(module);
  const shop = new Uint8Array(readFileSync(new URL("../../fixtures/shop.jfr", import.meta.url)));
  await readInputs(core, [{ name: "shop", source: bytesSource(shop) }]);
  const profile = core.profiles()[0]?.id ?? 0;
  const written = (["otlp", "otlp-json"] as const).map((format) => core.write(profile, {}, { format }).bytes);
  core.reset();
  await readInputs(core, [{ name: "m", source: bytesSource(MESSAGE) }]);
  const json = core.write(null, {}, { format: "otlp-json" }).bytes;
  return [MESSAGE, PPROF, json, frame(MESSAGE), ...written];
}

it(
  `damaged messages do no harm (seed ${SEED})`,
  async () => {
    const sound = await corpus();
    const until = FUZZ_SECONDS === undefined ? Number.POSITIVE_INFINITY : Date.now() + 1000 * Number(FUZZ_SECONDS);
    const only = FUZZ_CASE === undefined ? null : Number(FUZZ_CASE);
    const many = FUZZ_SECONDS === undefined ? CASES : Number.POSITIVE_INFINITY;
    const to = only === null ? many : only + 1;
    let core = await Core.instantiate(module);
    const failures: string[] = [];
    for (let index = only ?? 0; index < to && Date.now() < until && failures.length < 20; index++) {
      const random = new Random(SEED, index);
      let bytes = random.pick(sound);
      let said = "";
      for (let n = 1 + random.below(3); n > 0; n--) [said, bytes] = damageBlindly(bytes, random, random.pick(sound));
      if (random.one(8)) bytes = new Uint8Array(gzipSync(bytes));
      try {
        await survive(core, bytes);
      } catch (error) {
        core = await Core.instantiate(module);
        failures.push(`npm run fuzz -- --of messages --seed ${SEED} --case ${index}: ${said}: ${error}`);
        console.error(failures.at(-1));
      }
    }
    expect(failures).toEqual([]);
  },
  1000 * Number(FUZZ_SECONDS ?? 0) + 600_000,
);
