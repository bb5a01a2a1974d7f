/**
 * The fuzzer of uploads (docs/fuzzing.md): a recording with event.json and a list of libraries, as a multipart body, a
 * zip or a folder, with hostile names, tags and values, damaged blindly or not. The recording is read where its bytes
 * are sound, facts are texts under known names, no name of an input leads out of the folder, and nothing is thrown.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { zipSync } from "fflate";
import { bytesSource } from "../../src/bytes/byte-source.ts";
import type { Core } from "../../src/core/core.ts";
import { readInputs } from "../../src/input/open.ts";
import { inputsOf } from "../../src/node/inputs.ts";
import { emptyCore } from "../kit/core/read-store.ts";
import { buildChunk } from "../kit/jfr/jfr-builder.ts";
import { concat } from "../kit/jfr/jfr-bytes.ts";
import { cpuChunk } from "../kit/jfr/jfr-types.ts";
import { Random } from "../kit/random.ts";
import { damageBlindly } from "./damage.ts";
import { type FuzzCase, fuzz } from "./runner.ts";

const SAMPLES = 3;
const CHUNK = buildChunk(cpuChunk([{ weight: 5n }, { weight: 1n }, { weight: 2n }])).bytes;
const encode = (text: string) => new TextEncoder().encode(text);

const NAMES = [
  "../../x.jfr",
  "/abs.jfr",
  "..\\w.jfr",
  "C:c.jfr",
  "..",
  "",
  "a/b.jfr",
  "__proto__",
  "main.jfr\u0000",
  "\ud800",
];
const TAGS = [
  "constructor:evil",
  "__proto__:p",
  "toString:q",
  "service:",
  ":x",
  "host:a:b",
  "runtime-id:r,1",
  "\u0000:\u0001",
];
const VALUES = [
  "null",
  "7",
  "[]",
  "{}",
  '"x"',
  "[null]",
  "[[[]]]",
  '{"__proto__":{"a":1}}',
  "1e999",
  `"${"x".repeat(99)}"`,
];

interface UploadCase extends FuzzCase {
  /** The bytes of the recording, of the description and of what is around them are sound. */
  isSound: boolean;
  isFolder: boolean;
}

function eventOf(random: Random, said: string[]): string {
  const attachments = ["main.jfr"];
  const tags = ["service:shop", "env:prod"];
  while (random.one(2)) attachments.push(random.pick(NAMES));
  while (random.one(2)) tags.push(random.pick(TAGS));
  const fields = [
    `"attachments":${JSON.stringify(attachments)}`,
    `"tags_profiler":${JSON.stringify(tags.join(","))}`,
    '"family":"java","version":"4"',
  ];
  while (random.one(3)) {
    const key = random.pick(["attachments", "tags_profiler", "tags", "start", "__proto__", "endpoint_counts"]);
    fields.push(`${JSON.stringify(key)}:${random.pick(VALUES)}`);
    said.push(`${fields.at(-1)} in event.json`);
  }
  return `{${fields.join(",")}}`;
}

/** As an agent sends it. */
function multipart(files: readonly (readonly [string, Uint8Array])[], random: Random): Uint8Array {
  const boundary = random.pick(["cut-0815", "-", "x".repeat(70), "=_b"]);
  const head = (name: string, i: number) =>
    `${i === 0 ? "" : "\r\n"}--${boundary}\r\ncontent-disposition: form-data; name="x"; filename="${name}"\r\n\r\n`;
  return concat(
    ...files.flatMap(([name, bytes], i) => [encode(head(name, i)), bytes]),
    encode(`\r\n--${boundary}--\r\n`),
  );
}

function make(seed: number, index: number): UploadCase {
  const random = new Random(seed, index);
  const said: string[] = [];
  const libraries = random.one(3) ? random.pick(VALUES) : '{"v1":[{"kind":"library","name":"a","paths":["/x"]}]}';
  const files: [string, Uint8Array][] = [
    ["main.jfr", CHUNK],
    ["event.json", encode(eventOf(random, said))],
  ];
  if (random.one(2)) files.push(["code-provenance.json", encode(libraries)]);
  if (random.one(3)) files.push(["metrics.json", encode(random.pick(VALUES))]);
  if (random.one(4)) files.push([random.pick(NAMES.filter((name) => name !== "")), encode("x")]);
  files.sort(() => random.below(3) - 1);
  const damaged = random.one(2) ? random.below(files.length) : -1;
  if (damaged >= 0) {
    const [how, bytes] = damageBlindly(files[damaged]![1], random, CHUNK);
    files[damaged]![1] = bytes;
    said.push(`${how} of ${files[damaged]![0]}`);
  }
  const form = random.pick(["multipart", "zip", "folder"]);
  said.push(form);
  const isSound = damaged < 0;
  if (form === "folder") {
    const inputs = files.map(([name, bytes]) => ({ name, bytes }));
    return { inputs, said, isSound, isFolder: true };
  }
  // The packer looks names up in an object.
  const entries = Object.fromEntries(files.filter(([name]) => name !== "__proto__"));
  const whole = form === "zip" ? zipSync(entries, { level: 1 }) : multipart(files, random);
  const isCut = random.one(3);
  const [how, bytes] = isCut ? damageBlindly(whole, random, CHUNK) : ["", whole];
  if (isCut) said.push(`${how} of the whole`);
  return { inputs: [{ name: "upload", bytes }], said, isSound: isSound && !isCut, isFolder: false };
}

let core: Core;

async function check({ inputs, isSound, isFolder }: UploadCase): Promise<void> {
  core ??= await emptyCore();
  core.reset();
  if (isFolder) return checkFolder(inputs);
  await readInputs(
    core,
    inputs.map(({ name, bytes }) => ({ name, source: bytesSource(bytes) })),
  );
  core.endFile();
  checkFacts();
  const samples = core.profiles().reduce((sum, profile) => sum + profile.samples, 0);
  if (isSound && samples !== SAMPLES) throw new Error(`${samples} samples of a sound recording`);
  core.write(null, {}, { format: "otlp" });
}

function checkFacts(): void {
  for (const { code, message, severity } of core.diagnostics()) {
    if (code === "" || message === "" || severity === undefined) throw new Error(`diagnostic ${code}: ${message}`);
    if (/native code|undefined|\[object /.test(message)) throw new Error(message);
  }
  for (const { resource } of core.files()) {
    for (const [key, value] of Object.entries(resource)) {
      if (!/^[a-z_][\w./-]*$/i.test(key) || typeof value !== "string") throw new Error(`fact ${key}: ${typeof value}`);
      if (value.includes("native code")) throw new Error(`fact ${key}: ${value}`);
    }
  }
  if (({} as { a?: unknown }).a !== undefined) throw new Error("a prototype was changed");
}

/** Inputs of a folder are files of it, under names that stay below any folder of outputs. */
function checkFolder(files: FuzzCase["inputs"]): void {
  const around = mkdtempSync(join(tmpdir(), "spanflame-fuzz-"));
  try {
    const folder = join(around, "upload");
    mkdirSync(folder);
    for (const { name, bytes } of files) {
      if (/^[\w.-]+$/.test(name) && name !== ".." && name !== ".") writeFileSync(join(folder, name), bytes);
    }
    for (const { path, name, fault } of inputsOf([folder])) {
      const below = relative(folder, path);
      if (below === ".." || /[/\\:]/.test(below)) throw new Error(`the input ${path} is outside`);
      if (fault === undefined && !readdirSync(folder).includes(below)) throw new Error(`${path} is no file`);
      if (name.split("/").includes("..") || name.startsWith("/")) throw new Error(`the name ${name} leads out`);
    }
    if (readdirSync(around).length !== 1) throw new Error("files beside the folder");
  } finally {
    rmSync(around, { recursive: true });
  }
}

fuzz<UploadCase>({
  of: "uploads",
  cases: 300,
  fresh: 100,
  make,
  check,
  async renew() {
    core = await emptyCore();
  },
});
