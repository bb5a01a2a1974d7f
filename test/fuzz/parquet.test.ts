/**
 * The fuzzer of data sets (docs/fuzzing.md): two small parts, of which one file is damaged. With checksums, the answer
 * is that of the sound set, or that of the other part with a word about the file; with checksums that are right again
 * after the damage, or with none, any answer, but no fault of the reader. The merge of parts reads the same files.
 */
import { checksum, MARK, packed } from "../../src/fleet/parquet/checks.ts";
import type { Codec } from "../../src/fleet/parquet/column-chunk.ts";
import { Damaged } from "../../src/fleet/parquet/damage.ts";
import { footerOf, readFile } from "../../src/fleet/parquet/read-file.ts";
import { tableOf } from "../../src/fleet/parquet/schema.ts";
import { checkedPart, mergedTables, type PartRows } from "../../src/fleet/tables/merge.ts";
import { selectSamples } from "../../src/fleet/tables/select.ts";
import type { Wanted } from "../../src/fleet/tables/selectors.ts";
import {
  DATE,
  ENDPOINT,
  filesIn,
  GZIP,
  newKernels,
  PART_TABLES,
  PLAIN,
  partFiles,
  pathsOf,
  rootOf,
  SINCE,
  TRACE,
  type Written,
} from "../kit/parquet-parts.ts";
import { Random } from "../kit/random.ts";
import { damageBlindly } from "./damage.ts";
import { type FuzzCase, fuzz } from "./runner.ts";

const PARTS = [`${DATE}-0000000000000001`, `${DATE}-0000000000000002`] as const;
const QUESTIONS: Wanted[] = [
  { root: rootOf(5) },
  { trace: TRACE },
  { endpoint: ENDPOINT },
  { since: SINCE },
  { since: 0n },
];
const TAIL = 8;

const kernels = await newKernels();
const FORMS: Written[] = [
  { codec: PLAIN, how: () => "packed" },
  { codec: GZIP, how: (column) => (column.endsWith("_id") ? "near" : "aligned") },
  { codec: GZIP, how: (column) => (column.startsWith("time") || column === "function_id" ? "delta" : "packed") },
  { codec: PLAIN, how: () => "plain" },
];
const SOUND = FORMS.map((form) =>
  pathsOf(new Map(PARTS.map((part, i) => [part, partFiles(kernels, part, 3 + 4 * i, form)]))),
);

type Files = ReadonlyMap<string, Uint8Array>;

interface SetCase extends FuzzCase {
  files: Files;
  /** The sound set. */
  sound: Files;
  /** The file that is damaged. */
  path: string;
  /** Whether the damage has to be noticed. */
  strict: boolean;
}

/** The checksum of a footer is right again. */
function sealed(bytes: Uint8Array): Uint8Array {
  const out = bytes.slice();
  const end = out.length - TAIL;
  if (end < 5) return out;
  const size = new DataView(out.buffer).getUint32(end, true);
  out.set(packed([checksum(out.subarray(Math.max(0, end - size), end - 5))]), end - 5);
  return out;
}

function unmarked(bytes: Uint8Array): Uint8Array {
  const end = bytes.length - TAIL - 5;
  return bytes.slice().fill(0, end - MARK.length, end);
}

/** Damage in one of the regions of a file: pages, bloom filters and indexes, footer, tail. */
function inRegion(bytes: Uint8Array, random: Random): [string, Uint8Array] {
  const end = bytes.length - TAIL;
  const footer = end - new DataView(bytes.buffer, bytes.byteOffset).getUint32(end, true);
  const chunks = footerOf(bytes).groups.flatMap(({ chunks: own }) => own);
  const pages = chunks.reduce((most, { whole }) => Math.max(most, whole.to), 4);
  const chunk = random.pick(chunks).whole;
  const [from, to] = random.pick([
    [4, pages],
    [chunk.from, Math.min(chunk.to, chunk.from + 24)],
    [pages, footer],
    [footer, end],
    [end, bytes.length],
  ]) as [number, number];
  const out = bytes.slice();
  const place = from + random.below(Math.max(1, to - from));
  const kind = random.pick(["flip", "byte", "varint", "noise"] as const);
  if (kind === "flip") out[place]! ^= 1 << random.below(8);
  if (kind === "byte") out[place] = random.pick([0, 1, 0x7f, 0x80, 0xff]);
  if (kind === "varint") out.fill(0xff, place, Math.min(to, place + 1 + random.below(9)));
  if (kind === "noise") for (let i = place; i < Math.min(to, place + 1 + random.below(40)); i++) out[i] = random.next();
  return [`${kind} at ${place} of ${from} to ${to}`, out];
}

/** Thrift that is nested, or claims to be long, in place of the footer. */
function bomb(bytes: Uint8Array, random: Random): [string, Uint8Array] {
  const count = random.small(100_000);
  const body = new Uint8Array(20 + count).fill(random.pick([0x1c, 0x19, 0xfc, 0x9c, 0x15, 0x18]));
  if (random.one(2)) body.set([0x29, 0xf0 | random.below(13), 0xff, 0xff, 0xff, 0xff, random.below(16)]);
  const footer = new Uint8Array(body.length + MARK.length + 5);
  footer.set(body);
  footer.set(MARK, body.length);
  const out = new Uint8Array(4 + footer.length + TAIL);
  out.set(bytes.subarray(0, 4));
  out.set(footer, 4);
  out.set(bytes.subarray(bytes.length - TAIL), out.length - TAIL);
  new DataView(out.buffer).setUint32(out.length - TAIL, footer.length, true);
  return [`bomb of ${count}`, out];
}

/** Pages that are damaged before they are packed, so that their checksums are right. */
function underChecksums({ codec, how }: Written, random: Random): Written {
  const odds = 1 + random.below(40);
  const own: Codec = {
    id: codec.id === 0 ? 2 : codec.id,
    compress(bytes) {
      if (!random.one(odds)) return GZIP.compress(bytes);
      const [, damaged] = damageBlindly(bytes, random, bytes);
      return random.one(4) ? damageBlindly(GZIP.compress(damaged), random, bytes)[1] : GZIP.compress(damaged);
    },
  };
  return { codec: own, how };
}

function make(seed: number, index: number): SetCase {
  const random = new Random(seed, index);
  const which = random.below(FORMS.length);
  const sound = SOUND[which]!;
  const part = random.below(2);
  const table = random.pick(["samples", "samples", ...PART_TABLES] as const);
  const path = [...sound.keys()].find((each) => each.startsWith(table) && each.includes(PARTS[part]!))!;
  const bytes = sound.get(path)!;
  const noise = Uint8Array.from({ length: 300 }, () => random.next());
  const kinds: (() => [string, Uint8Array, boolean])[] = [
    () => [...inRegion(bytes, random), true],
    () => [...damageBlindly(bytes, random, noise), true],
    () => {
      const [said, damaged] = inRegion(bytes, random);
      return [`sealed ${said}`, sealed(damaged), false];
    },
    () => {
      const [said, damaged] = inRegion(unmarked(bytes), random);
      return [`without checksums: ${said}`, damaged, false];
    },
    () => {
      const [said, damaged] = bomb(bytes, random);
      return [said, sealed(damaged), false];
    },
    () => {
      const files = partFiles(kernels, PARTS[part]!, 3 + 4 * part, underChecksums(FORMS[which]!, random), table);
      return ["pages below their checksums", files.get(table)!, false];
    },
  ];
  const [said, damaged, strict] = random.pick(kinds)();
  const files = new Map(sound).set(path, damaged);
  return {
    inputs: [{ name: path.replaceAll("/", "_"), bytes: damaged }],
    said: [path, said],
    files,
    sound,
    path,
    strict,
  };
}

/** Words of the reader itself, not about the data. */
const RAW = /undefined|not a function|not iterable|Cannot|out of bounds|Invalid (array|typed)|BigInt|stack size|NaN/;

async function answer(files: Files, wanted: Wanted) {
  try {
    const { message, damaged } = await selectSamples(filesIn(files), wanted);
    return { text: Buffer.from(message).toString("latin1"), damaged };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { text: "", damaged: [error.message] };
  }
}

const answers = new Map<string, Promise<string>>();

/** Of a sound set, without a part. */
function soundAnswer(sound: Files, without: string, question: number): Promise<string> {
  const key = `${SOUND.indexOf(sound as Map<string, Uint8Array>)} ${without} ${question}`;
  let known = answers.get(key);
  if (known === undefined) {
    const left = new Map([...sound].filter(([path]) => without === "" || !path.includes(without)));
    known = answer(left, QUESTIONS[question]!).then(({ text, damaged }) => {
      if (damaged.length > 0) throw new Error(`a sound set is damaged: ${damaged}`);
      return text;
    });
    answers.set(key, known);
  }
  return known;
}

async function checkSelections({ files, sound, path, strict }: SetCase): Promise<void> {
  const part = PARTS.find((each) => path.includes(each))!;
  for (const [question, wanted] of QUESTIONS.entries()) {
    const { text, damaged } = await answer(files, wanted);
    if (damaged.some((words) => RAW.test(words) || !words.includes(path))) throw new Error(`said: ${damaged}`);
    if (damaged.length === 0 && !strict) continue;
    const right = await soundAnswer(sound, damaged.length === 0 ? "" : part, question);
    if (text !== right) throw new Error(`question ${question}: another answer, ${damaged.join() || "in silence"}`);
  }
}

function partRows(files: Files, part: string): PartRows {
  const [samples, stacks, functions, recordings] = PART_TABLES.map((table) => {
    const bytes = files.get(`${table}/date=${DATE}/${part}.parquet`)!;
    return readFile(kernels, tableOf(table), bytes, {});
  });
  const rows = {
    samples: samples!,
    stacks: stacks!,
    functions: functions!,
    recordings: recordings!,
    spans: null,
    calls: null,
  };
  return checkedPart(rows, (_, read) => read());
}

function merged(files: Files): string {
  const rows = PARTS.map((part) => partRows(files, part));
  const tables = mergedTables(kernels, "merged", rows).map(({ name, rows, count }) => {
    const columns = tableOf(name).columns.map((column) => [
      column.name,
      typeof rows === "function" ? rows(column.name) : rows[column.name],
    ]);
    return { name, count, columns };
  });
  return JSON.stringify(tables, (_, value) =>
    ArrayBuffer.isView(value)
      ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64")
      : value,
  );
}

const soundMerges = new Map<Files, string>();

function checkMerge({ files, sound, strict }: SetCase): void {
  let text: string;
  try {
    text = merged(files);
  } catch (error) {
    if (error instanceof Damaged) return;
    throw error;
  }
  if (!strict) return;
  if (!soundMerges.has(sound)) soundMerges.set(sound, merged(sound));
  if (text !== soundMerges.get(sound)) throw new Error("another merge in silence");
}

fuzz<SetCase>({
  of: "parquet",
  cases: 250,
  fresh: 75,
  make,
  async check(one) {
    await checkSelections(one);
    checkMerge(one);
  },
  async renew() {},
});
