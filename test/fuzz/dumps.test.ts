/**
 * The fuzzer of dumps (docs/fuzzing.md): every stream of small dumps, damaged blindly, in a folder, files of a
 * collector, an archive or a capture. Every call and frame is read, sums close, and every output is written and read
 * back.
 */
import { readFileSync } from "node:fs";
import { bytesSource } from "../../src/bytes/byte-source.ts";
import { Core } from "../../src/core/core.ts";
import { readInputs } from "../../src/input/open.ts";
import { callsOf, readFolder, sumOf } from "../kit/cdt/cdt-reading.ts";
import {
  asCapture,
  asFolder,
  asStreamFiles,
  asZip,
  Bytes,
  type Streams,
  type WrittenCall,
  writeStreams,
} from "../kit/cdt/cdt-writer.ts";
import { Random } from "../kit/random.ts";
import { damageBlindly } from "./damage.ts";
import { checkOutputs } from "./outputs.ts";
import { type FuzzCase, fuzz } from "./runner.ts";

const module = await WebAssembly.compile(
  new Uint8Array(readFileSync(new URL("../../build/core.wasm", import.meta.url))),
);
let core = await Core.instantiate(module);
let other = await Core.instantiate(module);

const START = Date.UTC(2024, 1, 3);
const FOLDER = `web/2024/02/03/${START}`;

const CALLS = Array.from({ length: 8 }, (_, i): WrittenCall => {
  const tags = (["sql", "xml", "trace"] as const).map((stream) => ({ name: stream, value: `v${i}`, in: stream }));
  const inner = { method: "void a.B.inner() (B.java:2) [b.jar]", before: 1, after: 4, children: [], tags };
  return {
    threadId: 1 + (i % 2),
    thread: `t${i % 2}`,
    at: START + 100 * i,
    root: { method: `void a.B.run${i % 3}() (B.java:1)`, before: 0, after: 10, children: [inner, inner] },
    isRecorded: i % 4 !== 3,
    reactive: i === 2 ? 9 : 0,
    params: { url: ["/x"], "brave.trace_id": [`a${i}`], "brave.span_id": [`b${i}`] },
  };
});

/** Dumps of every format, with and without phrases and ids. */
const SOUND: Streams[] = [0, 1, 2, 3, 4].map((format) => {
  const isOdd = format % 2 === 1;
  const { streams } = writeStreams({
    start: START,
    pauses: [
      [150, 20],
      [30, 5],
    ],
    format,
    eventsPerBlock: 9,
    blocksPerFile: isOdd ? 2 : 100,
    callsPerFile: isOdd ? 3 : 100,
    dictionary: isOdd ? "posDictionary" : "dictionary",
    isPhrased: format > 2,
    calls: CALLS,
  });
  // Read where the dictionary is damaged or gone.
  const words = new Bytes().varint(0).string("call.info").varint(1).string("void a.B.run0() (B.java:1)");
  return { ...streams, callsDictionary: [words.done()] };
});

interface DumpCase extends FuzzCase {
  container: "folder" | "files" | "archive" | "capture";
}

/** A dump with some of its files damaged or gone. */
function damaged(random: Random, said: string[]): Streams {
  const streams = Object.fromEntries(Object.entries(random.pick(SOUND)).map(([name, files]) => [name, [...files]]));
  for (let n = random.below(3); n >= 0; n--) {
    const [name, files] = random.pick(Object.entries(streams));
    const at = random.below(Math.max(1, files.length));
    if (random.one(10)) {
      delete streams[name];
      said.push(`no ${name}`);
      continue;
    }
    const file = files[at];
    if (file === undefined) continue;
    const [what, bytes] = damageBlindly(file, random, random.pick(Object.values(random.pick(SOUND)).flat()));
    files[at] = bytes;
    said.push(`${name} ${at + 1}: ${what}`);
  }
  return streams;
}

function make(seed: number, index: number): DumpCase {
  const random = new Random(seed, index);
  const said: string[] = [];
  const streams = damaged(random, said);
  const container = random.pick(["folder", "folder", "files", "archive", "capture"] as const);
  said.push(container);
  let inputs: { name: string; bytes: Uint8Array }[];
  if (container === "folder" || container === "files") {
    const files = container === "folder" ? asFolder(streams, FOLDER, random.one(3)) : asStreamFiles(streams, "shop-1");
    inputs = Object.entries(files).map(([name, bytes]) => ({ name, bytes }));
  } else if (container === "archive") {
    inputs = [{ name: "dump.zip", bytes: asZip(streams, FOLDER, random.one(2) ? "/" : "\\") }];
  } else {
    inputs = [{ name: "capture", bytes: asCapture(streams, "pod_1") }];
  }
  if (random.one(3)) {
    const which = random.below(inputs.length);
    const [what, bytes] = damageBlindly(inputs[which]!.bytes, random, random.pick(inputs).bytes);
    inputs[which] = { name: inputs[which]!.name, bytes };
    said.push(`${inputs[which]!.name}: ${what}`);
  }
  return { inputs, said, container };
}

async function check({ inputs, container }: DumpCase): Promise<void> {
  core.reset();
  const runs =
    container === "folder" || container === "files"
      ? await readFolder(core, Object.fromEntries(inputs.map(({ name, bytes }) => [name, bytes])))
      : (
          await readInputs(
            core,
            inputs.map(({ name, bytes }) => ({ name, source: bytesSource(bytes) })),
          )
        ).runs;
  const calls = await callsOf(core, runs);
  const size = inputs.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const sums = { wall: 0n, suspension: 0n, invocations: 0n };
  for (const call of calls.values()) {
    if (call.duration < 0n || call.suspension < 0n || call.suspension > call.duration)
      throw new Error(`${call.id}: times`);
    if (call.frames.length === 0) throw new Error(`${call.id}: no frame`);
    for (const { method, self, suspended } of call.frames) {
      if (suspended < 0 || suspended > self) throw new Error(`${call.id}: suspension of a frame`);
      sums.wall += BigInt(self) * 1_000_000n;
      sums.suspension += BigInt(suspended) * 1_000_000n;
      sums.invocations += method === null ? 0n : 1n;
    }
  }
  for (const [type, sum] of Object.entries(sums)) {
    if (sumOf(core, type) !== Number(sum)) throw new Error(`${type}: ${sumOf(core, type)} of frames of ${sum}`);
  }
  if (sumOf(core, "net") + sumOf(core, "suspension") !== sumOf(core, "wall")) throw new Error("net and suspension");
  await checkOutputs(core, other, size, {}, "cAnArY");
}

fuzz({
  of: "dumps",
  cases: 250,
  fresh: 75,
  make,
  check,
  async renew() {
    core = await Core.instantiate(module);
    other = await Core.instantiate(module);
  },
});
