/**
 * Ways to give the samples of one recording: each must have its answers. What a format cannot hold is a row with the
 * reason, and is taken out of both answers.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { ARCHIVE_ENDINGS, PACKED_ENDINGS } from "../../src/core/inputs/formats.ts";
import { PRESETS } from "../../src/core/tables/presets.ts";
import type { PresetName } from "../../src/core/types.ts";
import { MESSAGES, WITH_ALL } from "../kit/formats.ts";
import { callCli } from "../kit/run-cli.ts";
import type { Facts } from "./questions.ts";

/** What a format cannot hold: facts of a question that are left out, all of them without names. */
export interface Lacks {
  question: string;
  facts?: readonly (string | RegExp)[];
  because: string;
}

export interface Way {
  name: string;
  /** Makes the inputs in a folder; none where this way does not exist here. */
  make(recording: string, folder: string): Promise<string[]> | string[];
  lacks?: readonly Lacks[];
  /** Whether its profiles have names of their own. */
  isRenamed?: boolean;
  /** Whether samples have no attributes but their thread: only whole profiles are asked about. */
  hasThreadsOnly?: boolean;
}

async function converted(recording: string, out: string, ...options: string[]): Promise<string[]> {
  const { code, err } = await callCli(["convert", recording, "-o", out, "-q", ...options]);
  if (code !== 0) throw new Error(`convert to ${out}: exit ${code}: ${err}`);
  return [out];
}

const NO_SPANS: Lacks = { question: "trace", because: "messages have samples of spans, not spans (docs/formats.md)" };
const NO_EVENTS: Lacks = {
  question: "why",
  facts: ["findings"],
  because: "findings also use pauses and settings, which messages lack (docs/formats.md)",
};
const OPERATIONS: Lacks = { question: "spans", facts: ["operation"], because: "spans of events are not in messages" };

const LABELS: Lacks = {
  question: "top",
  facts: [/\+0x[0-9a-f]+$/],
  because: "a frame without a name has the return address that the recording states, in messages that of the call",
};

/** Of formats with stacks as the page shows them (docs/formats.md). */
const SHOWN: readonly Lacks[] = [
  NO_SPANS,
  { question: "info", facts: ["samplesWithSpan", "samplesWithRoot"], because: "no attributes" },
  { question: "info", facts: ["stacks", "threads"], because: "those of one name are one" },
  { question: "spans", because: "no attributes, and threads of one name are one" },
  { question: "why", because: "states and causes are told by attributes" },
  { question: "symbols", because: "no libraries" },
];

/** What each output format lacks; a format that is added is compared as a whole. */
const LACKS: Readonly<Record<string, readonly Lacks[]>> = {
  otlp: [NO_SPANS, NO_EVENTS, OPERATIONS, LABELS],
  "otlp-json": [NO_SPANS, NO_EVENTS, OPERATIONS, LABELS],
  pprof: [
    NO_SPANS,
    NO_EVENTS,
    OPERATIONS,
    LABELS,
    {
      question: "why",
      facts: ["states", "cpu"],
      because: "pprof has one period for all types, and no type of a frame",
    },
    { question: "symbols", because: "pprof has no address of a frame below an inlined one" },
  ],
  speedscope: [...SHOWN, { question: "info", facts: ["samples"], because: "neighbours with one stack are one sample" }],
  firefox: SHOWN,
};

const formats: Way[] = WITH_ALL.map((format) => ({
  name: `as ${format}`,
  make: (recording, folder) =>
    converted(
      recording,
      join(folder, `as.${format}`),
      "--format",
      format,
      ...(format === "pprof" ? ["--timestamps"] : []),
    ),
  lacks: LACKS[format] ?? [],
  hasThreadsOnly: !MESSAGES.includes(format),
}));

/** Presets differ in names and units on purpose (docs/otlp.md); the default preset is a format above. */
const UNITS = "values have the units of the preset (docs/otlp.md)";
const AGGREGATED: Lacks = {
  question: "info",
  facts: ["samples", "samplesWithSpan", "samplesWithRoot"],
  because: "one value for each stack and context: no observations (docs/otlp.md)",
};

const presets: Way[] = PRESETS.map(({ name }) => name)
  .filter((name) => name !== "default")
  .map((name: PresetName) => ({
    name: `as OTLP with the preset ${name}`,
    make: (recording, folder) => converted(recording, join(folder, `${name}.pb`), "--preset", name),
    isRenamed: true,
    lacks: [
      NO_SPANS,
      NO_EVENTS,
      OPERATIONS,
      { question: "info", facts: ["unit", "value"], because: UNITS },
      { question: "top", because: UNITS },
      { question: "spans", because: UNITS },
      { question: "symbols", because: UNITS },
      { question: "why", facts: ["value", "samples"], because: UNITS },
      ...(name === "otel"
        ? []
        : [AGGREGATED, { question: "why", because: "samples without times have no span of time (docs/otlp.md)" }]),
    ],
  }));

const PACKED: Readonly<Record<string, (recording: string, out: string) => void>> = {
  gz: (recording, out) => writeFileSync(out, gzipSync(readFileSync(recording))),
  zst: (recording, out) => void execFileSync("zstd", ["-q", "-f", "-o", out, recording]),
  lz4: (recording, out) => void execFileSync("lz4", ["-q", "-f", recording, out]),
  zip: (recording, out) => writeFileSync(out, zipSync({ "in.jfr": readFileSync(recording) })),
};

function exists(program: string): boolean {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const PROGRAMS: Readonly<Record<string, string>> = { zst: "zstd", lz4: "lz4" };

const packings: Way[] = [...PACKED_ENDINGS, ...ARCHIVE_ENDINGS].map((ending) => ({
  name: `as .${ending}`,
  make(recording, folder) {
    const pack = PACKED[ending];
    if (pack === undefined) throw new Error(`no way to pack as .${ending}: add one`);
    const program = PROGRAMS[ending];
    if (program !== undefined && !exists(program)) return [];
    const out = join(folder, `packed.jfr.${ending}`);
    pack(recording, out);
    return [out];
  },
}));

/** Chunks of a recording; each begins with its size at byte 8. */
export function chunksOf(bytes: Uint8Array): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = Number(new DataView(bytes.buffer, bytes.byteOffset + at, 16).getBigUint64(8));
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

function asFiles(chunks: readonly Uint8Array[], folder: string, name: string): string[] {
  return chunks.map((chunk, i) => {
    const out = join(folder, `${name}-${i}.jfr`);
    writeFileSync(out, chunk);
    return out;
  });
}

const read = (recording: string) => new Uint8Array(readFileSync(recording));
const SNAPSHOTS: Lacks = {
  question: "info",
  facts: ["threads"],
  because: "a thread that was renamed between files has the name of the file",
};

const parts: Way[] = [
  { name: "in a file for each chunk", make: (recording, folder) => asFiles(chunksOf(read(recording)), folder, "part") },
  {
    name: "in files of chunks, the last one first",
    make: (recording, folder) => asFiles(chunksOf(read(recording)).reverse(), folder, "back"),
    lacks: [SNAPSHOTS],
  },
  {
    name: "twice",
    make(recording, folder) {
      const copy = join(folder, "copy.jfr");
      copyFileSync(recording, copy);
      return [recording, copy];
    },
  },
  {
    name: "behind itself in one file",
    make(recording, folder) {
      const out = join(folder, "doubled.jfr");
      writeFileSync(out, Buffer.concat([read(recording), read(recording)]));
      return [out];
    },
  },
  {
    name: "beside a copy that was cut",
    make(recording, folder) {
      const bytes = read(recording);
      const cut = join(folder, "cut.jfr");
      writeFileSync(cut, bytes.subarray(0, Math.floor(bytes.length * 0.6)));
      return [cut, recording];
    },
  },
  { name: "with two threads", make: (recording) => [recording, "--jobs", "2"] },
];

export const WAYS: readonly Way[] = [...formats, ...presets, ...packings, ...parts];

/** The facts that a way can hold; null where it holds none of the question. */
export function held(facts: Facts, question: string, { lacks = [] }: Way): Facts | null {
  const missing = lacks.filter((each) => each.question === question);
  if (missing.some((each) => each.facts === undefined)) return null;
  const names = missing.flatMap((each) => each.facts ?? []);
  const isMissing = (fact: string) =>
    names.some((name) => (typeof name === "string" ? name === fact : name.test(fact)));
  return Object.fromEntries(Object.entries(facts).filter(([fact]) => !isMissing(fact)));
}
