/**
 * The fuzzer of messages (docs/fuzzing.md): OTLP, OTLP/JSON, pprof and collapsed stacks, damaged at their fields and
 * blindly, alone or beside a private recording, compressed or not. Every output is written, read back and held to its
 * bounds.
 */
import { readFileSync } from "node:fs";
import { bytesSource } from "../../src/bytes/byte-source.ts";
import { Core } from "../../src/core/core.ts";
import type { Filter } from "../../src/core/types.ts";
import { readInputs } from "../../src/input/open.ts";
import { buildChunk } from "../kit/jfr/jfr-builder.ts";
import { ATTRIBUTE, Constants, cpuItem, cpuType, JVM_TYPES, javaStack, ref } from "../kit/jfr/jfr-types.ts";
import { logsJson, logsProtobuf } from "../kit/otlp/logs-writer.ts";
import { MESSAGE, PPROF, survive } from "../kit/otlp/messages.ts";
import { frame } from "../kit/otlp/otlp-message.ts";
import { Random } from "../kit/random.ts";
import { damageBlindly } from "./damage.ts";
import { COLLAPSED, damageLines } from "./lines.ts";
import { checkOutputs } from "./outputs.ts";
import { type FuzzCase, fuzz } from "./runner.ts";
import { damageFields, OTLP_SHAPE, PPROF_SHAPE } from "./wire.ts";
import { wrap } from "./wrap.ts";

/** In every text of the private recording, and in no other input. */
const SECRET = "cAnArY";

const module = await WebAssembly.compile(
  new Uint8Array(readFileSync(new URL("../../build/core.wasm", import.meta.url))),
);
let core = await Core.instantiate(module);
let other = await Core.instantiate(module);

function privateRecording(): Uint8Array {
  const c = new Constants();
  const items = Array.from({ length: 40 }, (_, i) =>
    cpuItem(c, {
      at: BigInt(i) * 1000n,
      weight: 1n,
      span: BigInt(1 + (i % 5)),
      root: BigInt(1 + (i % 3)),
      stack: javaStack(`${SECRET}${i}`, `${SECRET}a`, `${SECRET}root`),
      more: { operation: c.attribute(`${SECRET} op ${i % 4}`) },
    }),
  );
  const types = [...JVM_TYPES, cpuType([ref("operation", ATTRIBUTE)])];
  return buildChunk({ types, items: [...items, { checkpoint: c.all() }] }).bytes;
}
const PRIVATE = privateRecording();

/** Messages of a recording, small ones of everything, and each in its forms. */
async function corpus(): Promise<Uint8Array[]> {
  const shop = new Uint8Array(readFileSync(new URL("../../fixtures/shop.jfr", import.meta.url)));
  await readInputs(core, [{ name: "shop", source: bytesSource(shop) }]);
  const profile = core.profiles()[0]?.id ?? 0;
  const written = (["otlp", "otlp-json"] as const).map((format) => core.write(profile, {}, { format }).bytes);
  core.reset();
  await readInputs(core, [{ name: "m", source: bytesSource(MESSAGE) }]);
  const json = core.write(null, {}, { format: "otlp-json" }).bytes;
  const logged = { records: [{ pprof: PPROF }, { type: "allocation", pprof: PPROF }] };
  return [json, frame(MESSAGE), COLLAPSED, logsProtobuf(logged), logsJson(logged, logged), ...written];
}
const BLIND = await corpus();

interface MessageCase extends FuzzCase {
  /** Where the private recording is among the inputs, if it is. */
  secret: boolean;
  filter: Filter;
  random: Random;
}

/** The message, damaged. */
function hostile(random: Random, said: string[]): Uint8Array {
  if (random.one(8)) {
    const [what, bytes] = damageLines(COLLAPSED, random);
    said.push(what);
    return bytes;
  }
  const [sound, shape] = random.one(3) ? ([PPROF, PPROF_SHAPE] as const) : ([MESSAGE, OTLP_SHAPE] as const);
  let bytes: Uint8Array = sound;
  let what: string;
  if (!random.one(3)) {
    [what, bytes] = damageFields(sound, shape, random);
    said.push(what);
    if (!random.one(6)) return bytes;
  } else if (random.one(2)) {
    bytes = random.pick(BLIND);
  }
  for (let n = 1 + random.below(3); n > 0; n--) {
    [what, bytes] = damageBlindly(bytes, random, random.one(2) ? sound : random.pick(BLIND));
    said.push(what);
  }
  return bytes;
}

function make(seed: number, index: number): MessageCase {
  const random = new Random(seed, index);
  const said: string[] = [];
  let bytes = hostile(random, said);
  if (random.one(8)) {
    const [what, packed] = wrap(bytes, MESSAGE, random);
    said.push(what);
    bytes = packed;
  }
  const message = { name: "m", bytes };
  const recording = { name: "private.jfr", bytes: PRIVATE };
  const secret = random.one(3);
  const inputs = secret ? [message, recording] : [message];
  if (secret && random.one(2)) inputs.reverse();
  return { inputs, said, secret, filter: secret ? { file: "m" } : {}, random };
}

async function check({ inputs, secret, filter }: MessageCase): Promise<void> {
  const bytes = inputs.reduce((sum, input) => sum + input.bytes.length, 0);
  if (!secret) {
    // The core's memory holds the private texts, and no input does.
    core.reset();
    await readInputs(core, [{ name: "private.jfr", source: bytesSource(PRIVATE) }]);
    core.write(null, {}, { format: "otlp-json" });
    for (const input of inputs) await survive(core, input.bytes);
  }
  core.reset();
  await readInputs(
    core,
    inputs.map((input) => ({ name: input.name, source: bytesSource(input.bytes) })),
  );
  await checkOutputs(core, other, bytes, filter, SECRET);
}

fuzz({
  of: "messages",
  cases: 600,
  fresh: 150,
  make,
  check,
  async renew() {
    core = await Core.instantiate(module);
    other = await Core.instantiate(module);
  },
});
