/**
 * The fuzzer of chunks (docs/fuzzing.md): files of the chunks of a few recordings, cut, overlapping, in any order and
 * packed, exported by several jobs, in several runs that are killed, at a time, and merged between. Each chunk counts
 * once, as the most of it that some file has, with the service that a file of its process states.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { bytesSource } from "../../src/bytes/byte-source.ts";
import { intsOf, longsOf, textsOf } from "../../src/fleet/parquet/column-data.ts";
import { partsByDate, readPart } from "../../src/fleet/part-files.ts";
import { readInputs } from "../../src/input/open.ts";
import { emptyCore } from "../kit/core/read-store.ts";
import { newKernels } from "../kit/parquet-parts.ts";
import { Random } from "../kit/random.ts";
import { buildCli, callCli, runCli } from "../kit/run-cli.ts";
import { type FuzzCase, fuzz } from "./runner.ts";

const FIXTURES = join(import.meta.dirname, "..", "..", "fixtures");
/** Lists of them count once in a file, so a data set has some. */
const LISTS = ["datadog.HeapLiveObject", "jdk.OldObjectSample"];
/** A shorter beginning of a chunk is not recognised. */
const LEAST = 4096;

function chunksIn(name: string): Uint8Array[] {
  const bytes = readFileSync(join(FIXTURES, name));
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += chunks.at(-1)!.length)
    chunks.push(bytes.subarray(at, at + Number(bytes.readBigInt64BE(at + 8))));
  return chunks;
}

/** Chunks that state a service, and others. */
const STATING = ["dd152-jdk17-all", "dd122-jdk17-all", "ddagent-jdk17", "dd152-jdk17-remotesym"];
const chunks = [...chunksIn("shop-chunks.jfr"), ...chunksIn(join("recorded", "jdk17-profile.jfr"))];
const bare = chunks.length;
chunks.push(...STATING.flatMap((name) => chunksIn(join("recorded", `${name}.jfr`))));

/** Of a chunk its first bytes, or all. */
interface Version {
  chunk: number;
  bytes: number;
}

interface ChunksCase extends FuzzCase {
  files: { name: string; versions: Version[]; packed: Uint8Array }[];
  /** Files of each export, by their numbers. */
  runs: { files: number[]; jobs: string; kill: number; isTwice: boolean; compacts: boolean }[];
}

function packed(random: Random, bytes: Uint8Array): [ending: string, packed: Uint8Array] {
  const half = bytes.length >> 1;
  switch (random.below(5)) {
    case 0:
      return [".jfr.gz", gzipSync(bytes, { level: 1 })];
    case 1:
      return [".zip", zipSync({ "a.jfr": bytes }, { level: 1 })];
    case 2:
      return [".jfr.gz", Buffer.concat([gzipSync(bytes.subarray(0, half)), gzipSync(bytes.subarray(half))])];
    default:
      return [".jfr", bytes];
  }
}

function make(seed: number, index: number): ChunksCase {
  const random = new Random(seed, index);
  const shuffled = <T>(list: readonly T[]) => {
    const left = [...list];
    return list.map(() => left.splice(random.below(left.length), 1)[0]!);
  };
  const files: ChunksCase["files"] = [];
  const stating = shuffled(Array.from({ length: chunks.length - bare }, (_, i) => bare + i));
  const others = shuffled(Array.from({ length: bare }, (_, i) => i));
  for (let recordings = 1 + random.below(2); recordings > 0; recordings--) {
    // One process states one service.
    const own = shuffled([...others.splice(0, 1 + random.below(2)), ...stating.splice(0, random.below(2))]);
    const whole = own.map((chunk) => ({ chunk, bytes: chunks[chunk]!.length }));
    for (let n = 2 + random.below(4); n > 0; n--) {
      const first = random.below(own.length);
      const slice = whole.slice(first, first + 1 + random.below(own.length));
      const versions = random.pick([
        () => whole,
        () => slice,
        () => shuffled(whole),
        () => [...whole, ...slice],
        () => [...slice.slice(0, -1), cut(slice.at(-1)!)],
        () => [...slice.slice(0, -1), cut(slice.at(-1)!)],
      ])();
      const bytes = Buffer.concat(versions.map(({ chunk, bytes }) => chunks[chunk]!.subarray(0, bytes)));
      const [ending, own_] = packed(random, bytes);
      files.push({ name: `${random.below(1000)}-${files.length}${ending}`, versions, packed: own_ });
    }
  }
  function cut({ chunk, bytes }: Version): Version {
    return { chunk, bytes: LEAST + random.below(bytes - LEAST - 1) };
  }
  const order = shuffled([...files.keys()]);
  const runs: ChunksCase["runs"] = [];
  for (const left = order; left.length > 0; ) {
    runs.push({
      files: left.splice(0, 1 + random.below(left.length)),
      jobs: random.pick(["0", "1", "2", "4"]),
      kill: random.one(3) ? 1 + random.below(60) : 0,
      isTwice: random.one(4),
      compacts: random.one(4),
    });
  }
  const said = runs.map((run) => JSON.stringify({ ...run, files: run.files.map((i) => files[i]!.name) }));
  const inputs = files.map(({ name, packed: bytes }) => ({ name, bytes }));
  return {
    inputs,
    said: [...files.map(({ name, versions }) => `${name} ${JSON.stringify(versions)}`), ...said],
    files,
    runs,
  };
}

/** Rows of a data set by event, with their values and services. */
type Rows = Map<string, { rows: number; value: bigint; services: Set<string> }>;

async function rowsIn(set: string): Promise<Rows> {
  const kernels = await newKernels();
  const found: Rows = new Map();
  for (const [date, parts] of partsByDate(set)) {
    for (const part of parts) {
      const { samples, recordings } = readPart(kernels, set, date, part);
      const ids = intsOf(samples.column("recording_id"));
      const [events, services] = [textsOf(samples.column("event")), textsOf(samples.column("service"))];
      const values = longsOf(samples.column("value"));
      for (const [row, event] of events.entries()) {
        const own = found.get(event) ?? { rows: 0, value: 0n, services: new Set() };
        found.set(event, own);
        own.rows++;
        own.value += values[row]!;
        own.services.add(services[row]!);
      }
      for (const [id, samples] of longsOf(recordings.column("samples")).entries()) {
        const count = ids.reduce((sum, each) => sum + Number(each === id), 0);
        if (count !== Number(samples)) throw new Error(`a recording says ${samples} samples and has ${count}`);
      }
    }
  }
  return found;
}

const folder = mkdtempSync(join(tmpdir(), "spanflame-chunks-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const alone = new Map<string, Promise<Rows>>();

/** Rows of a version that no other file has. */
function rowsOf({ chunk, bytes }: Version): Promise<Rows> {
  const key = `${chunk}-${bytes}`;
  const known = alone.get(key) ?? readAlone(join(folder, key), chunks[chunk]!.subarray(0, bytes));
  alone.set(key, known);
  return known;
}

async function readAlone(path: string, bytes: Uint8Array): Promise<Rows> {
  writeFileSync(`${path}.jfr`, bytes);
  await callCli(["export", `${path}.jfr`, "--parquet", path]);
  const rows = await rowsIn(path);
  rmSync(path, { recursive: true });
  return rows;
}

/** The most of each chunk, and the chunks of its process: of files which share chunks. */
function countedIn({ files }: ChunksCase) {
  const most = new Map<number, Version>();
  const groups = new Map<number, Set<number>>();
  for (const { versions } of files) {
    for (const each of versions) if ((most.get(each.chunk)?.bytes ?? 0) < each.bytes) most.set(each.chunk, each);
    const group = new Set(versions.flatMap(({ chunk }) => [...(groups.get(chunk) ?? [chunk])]));
    for (const chunk of group) groups.set(chunk, group);
  }
  return { most, groups };
}

/** What counts, with its service: that of its process. */
async function expected(one: ChunksCase) {
  const { files } = one;
  const { most, groups } = countedIn(one);
  const rows: Rows = new Map();
  const all = files.flatMap(({ versions }) => versions);
  for (const version of most.values()) {
    const group = all.filter(({ chunk }) => groups.get(version.chunk)!.has(chunk));
    const stated = (await Promise.all(group.map(rowsOf))).flatMap((own) =>
      [...own.values()].flatMap(({ services }) => [...services].filter((service) => service !== "")),
    );
    for (const [event, own] of await rowsOf(version)) {
      const sum = rows.get(event) ?? { rows: 0, value: 0n, services: new Set() };
      rows.set(event, sum);
      sum.rows += own.rows;
      sum.value += own.value;
      sum.services.add(stated[0] ?? "");
    }
  }
  return rows;
}

function words(rows: Rows): string {
  const own = [...rows].filter(([event]) => !LISTS.includes(event)).sort(([a], [b]) => (a < b ? -1 : 1));
  return own
    .map(([event, { rows, value, services }]) => `${event} ${rows} ${value} ${[...services].sort()}`)
    .join("\n");
}

/** Samples and values by type and unit of profiles. */
type Sums = Map<string, [samples: number, value: bigint]>;

async function sumsOf(inputs: { name: string; bytes: Uint8Array<ArrayBuffer> }[]): Promise<Sums> {
  const core = await emptyCore();
  await readInputs(
    core,
    inputs.map(({ name, bytes }) => ({ name, source: bytesSource(bytes) })),
  );
  const sums: Sums = new Map();
  for (const { type: name, unit, samples, value } of core.profiles()) {
    // A name of several events has the event, too.
    const type = `${name.split(":")[0]} ${unit}`;
    const [n, sum] = sums.get(type) ?? [0, 0n];
    sums.set(type, [n + samples, sum + value]);
  }
  return sums;
}

const aloneSums = new Map<string, Promise<Sums>>();

function sumsOfVersion({ chunk, bytes }: Version): Promise<Sums> {
  const key = `${chunk}-${bytes}`;
  const known = aloneSums.get(key) ?? sumsOf([{ name: key, bytes: chunks[chunk]!.slice(0, bytes) }]);
  aloneSums.set(key, known);
  return known;
}

const beginOf = (chunk: number) => Buffer.from(chunks[chunk]!).readBigInt64BE(32);

/** A reading counts the most of each chunk, and of each process the list of live objects of the last chunk with one. */
async function checkReading(one: ChunksCase): Promise<void> {
  const { most, groups } = countedIn(one);
  const want: Sums = new Map();
  const lists = new Map<string, { type: string; begin: bigint; sums: [number, bigint] }>();
  const add = (type: string, [samples, value]: [number, bigint]) => {
    const [n, sum] = want.get(type) ?? [0, 0n];
    want.set(type, [n + samples, sum + value]);
  };
  for (const version of most.values()) {
    for (const [type, sums] of await sumsOfVersion(version)) {
      if (!type.startsWith("live-heap")) {
        add(type, sums);
        continue;
      }
      const key = `${type} ${[...groups.get(version.chunk)!].sort()}`;
      const begin = beginOf(version.chunk);
      if ((lists.get(key)?.begin ?? 0n) < begin) lists.set(key, { type, begin, sums });
    }
  }
  for (const { type, sums } of lists.values()) add(type, sums);
  const order = one.runs.flatMap(({ files }) => files).map((i) => one.files[i]!);
  for (const files of [order, order.toReversed()]) {
    const found = await sumsOf(files.map(({ name, packed }) => ({ name, bytes: new Uint8Array(packed) })));
    const types = [...new Set([...want.keys(), ...found.keys()])];
    const differ = types.flatMap((type) => {
      const [own, read] = [want.get(type), found.get(type)].map(String);
      return own === read ? [] : [`${type}: ${own} in the model, ${read} read`];
    });
    if (differ.length > 0) throw new Error(`${files.map(({ name }) => name)}: ${differ.join("; ")}`);
  }
}

async function check(one: ChunksCase): Promise<void> {
  await checkReading(one);
  const own = mkdtempSync(join(folder, "case-"));
  const set = join(own, "set");
  mkdirSync(join(own, "in"));
  const paths = one.files.map(({ name, packed: bytes }) => {
    writeFileSync(join(own, "in", name), bytes);
    return join(own, "in", name);
  });
  for (const { files, jobs, kill, isTwice, compacts } of one.runs) {
    const inputs = files.map((i) => paths[i]!);
    const args = ["export", ...inputs, "--parquet", set, ...(jobs === "0" ? [] : ["--jobs", jobs])];
    const killed = kill === 0 ? {} : { env: { SPANFLAME_KILL_AT: String(kill) } };
    await Promise.all([runCli(args, killed), ...(isTwice ? [runCli(args)] : [])]);
    const { code, err } = await callCli(args);
    if (code === null || code === 2) throw new Error(`export ends with ${code}: ${err}`);
    const merged = compacts ? await callCli(["compact", set]) : null;
    if (merged !== null && merged.code !== 0) throw new Error(`compact: ${merged.code} ${merged.err}`);
  }
  const want = await expected(one);
  const found = await rowsIn(set);
  if (words(found) !== words(want))
    throw new Error(`rows of the model:\n${words(want)}\nof the data set:\n${words(found)}`);
  for (const list of LISTS) {
    const most = (
      await Promise.all(
        [
          ...new Map(
            one.files.flatMap(({ versions }) => versions.map((each) => [`${each.chunk} ${each.bytes}`, each] as const)),
          ).values(),
        ].map(rowsOf),
      )
    ).reduce((sum, rows) => sum + (rows.get(list)?.rows ?? 0), 0);
    if ((found.get(list)?.rows ?? 0) > most) throw new Error(`${list}: more than ${most}`);
  }
  const verified = await callCli(["verify", set]);
  if (verified.code !== 0) throw new Error(verified.err);
  const again = await callCli(["export", ...paths, "--parquet", set, "--json"]);
  const { written, busy } = JSON.parse(again.out.toString());
  if (written + busy > 0) throw new Error(`again: ${again.err}`);
  for (const state of ["writers", "claims", "files", "commits"]) {
    const left = readdirSync(join(set, "_spanflame", state));
    if (left.length > 0) throw new Error(`${state} has ${left}`);
  }
  rmSync(own, { recursive: true });
}

fuzz<ChunksCase>({ of: "chunks", runsPrograms: true, cases: 3, fresh: 2, make, check, renew: () => buildCli() });
