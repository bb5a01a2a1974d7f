/**
 * The table of output formats made of samples: file endings, options, and the outputs that each makes of a profile.
 * message-writing.ts has the functions of the wasm module that write them.
 */

import type { OutputFormat, WriteOptions } from "../types.ts";
import { type Output, outputsOf, type StoredProfile } from "./presets.ts";

/** Options of an output format, in `convert` and in the export dialog. */
export type OutputOption =
  | "framed"
  | "split-bytes"
  | "include-payload"
  | "resource"
  | "timestamps"
  | "pretty"
  | "preset"
  | "normalise-names"
  | "root-by"
  | "collapse"
  | "truncated"
  | "gzip"
  | "dark";

export interface OptionRow {
  name: OutputOption;
  /** The name of its value on the command line. */
  value?: string;
  /** Accepted without effect by sample formats that do not have it, because the format may be chosen by a file name. */
  lenient?: boolean;
  /** Has no option on the command line. */
  pageOnly?: boolean;
}

export const OUTPUT_OPTIONS: readonly OptionRow[] = [
  { name: "framed" },
  { name: "split-bytes", value: "N" },
  { name: "include-payload" },
  { name: "resource", value: "KEY=VALUE" },
  { name: "timestamps" },
  { name: "pretty", lenient: true },
  { name: "preset", value: "P" },
  { name: "normalise-names" },
  { name: "root-by", value: "LEVEL[,LEVEL]" },
  { name: "collapse", value: "RULE" },
  { name: "truncated", value: "HOW" },
  { name: "gzip" },
  { name: "dark", pageOnly: true },
];

/** Properties of an output format. src/model/words/shown-formats.ts has the formats for people. */
export interface OutputRow<Name extends string = string> {
  name: Name;
  /** Its name for people. */
  label: string;
  /** A few words for a list to choose from. */
  about: string;
  mediaType: string;
  /** File endings, the usual one first. */
  endings: [usual: string, ...others: string[]];
  /** Its options. */
  options: readonly OutputOption[];
  /** Always compressed with gzip, because tools expect that. */
  compressed?: boolean;
  /** Holds one profile only. */
  single?: boolean;
}

export interface FormatRow extends OutputRow<OutputFormat> {
  /** The outputs of the store's profiles. */
  outputs(options: WriteOptions, profiles: readonly StoredProfile[]): Output[];
}

/** Of an OTLP message. */
const MESSAGE_OPTIONS = [
  "preset",
  "resource",
  "normalise-names",
  "gzip",
  "framed",
  "split-bytes",
  "include-payload",
] as const;

const byPreset: FormatRow["outputs"] = ({ preset = "default", measure }, profiles) =>
  outputsOf(preset, profiles, measure);
/** The value only, unless a measure is requested. */
const oneMeasure: FormatRow["outputs"] = ({ preset = "default", measure = 0 }, profiles) =>
  outputsOf(preset, profiles, measure);

/** The first is the default. */
const ROWS: { readonly [Name in OutputFormat]: Omit<FormatRow, "name"> } = {
  otlp: {
    label: "Protobuf",
    about: "OTLP profiles, protobuf",
    mediaType: "application/x-protobuf",
    endings: ["pb"],
    options: MESSAGE_OPTIONS,
    outputs: byPreset,
  },
  "otlp-json": {
    label: "JSON",
    about: "OTLP profiles, JSON",
    mediaType: "application/json",
    endings: ["json", "jsonl"],
    options: ["pretty", ...MESSAGE_OPTIONS],
    outputs: byPreset,
  },
  pprof: {
    label: "pprof",
    about: "pprof, for go tool pprof and most profile viewers",
    mediaType: "application/octet-stream",
    // Before OTLP's .pb.gz: that is how pprof files are called, and OTLP has --format and plain .pb.
    endings: ["pb.gz", "pprof", "pprof.gz"],
    options: ["timestamps", "preset", "normalise-names", "gzip"],
    compressed: true,
    outputs: ({ preset = "default", measure, timestamps }, profiles) =>
      outputsOf(preset, profiles, measure ?? "all").map((output) => ({ ...output, aggregated: timestamps !== true })),
  },
  collapsed: {
    label: "Collapsed stacks",
    about: "collapsed stacks, for flamegraph.pl: one profile, a line for each stack",
    mediaType: "text/plain",
    endings: ["collapsed", "folded"],
    options: ["preset", "normalise-names", "root-by", "collapse", "truncated", "gzip"],
    single: true,
    outputs: oneMeasure,
  },
  speedscope: {
    label: "speedscope",
    about: "speedscope: each thread in the order of time",
    mediaType: "application/json",
    endings: ["speedscope.json"],
    options: ["pretty", "preset", "normalise-names", "root-by", "collapse", "truncated", "gzip"],
    outputs: oneMeasure,
  },
  firefox: {
    label: "Firefox Profiler",
    about: "Firefox Profiler: threads along a timeline",
    mediaType: "application/json",
    endings: ["firefox.json"],
    options: ["pretty", "preset", "normalise-names", "root-by", "collapse", "truncated", "gzip"],
    outputs: oneMeasure,
  },
};

export const FORMATS: FormatRow[] = Object.entries(ROWS).map(([name, row]) => ({ name: name as OutputFormat, ...row }));

export function formatRow(name: OutputFormat): FormatRow {
  return FORMATS.find((row) => row.name === name)!;
}

/** The format for a file name: that with the longest matching ending, or the default. */
export function formatOfFile(path: string): OutputFormat {
  const name = path.toLowerCase();
  let best: { length: number; format: OutputFormat } = { length: 0, format: "otlp" };
  for (const { name: format, endings } of FORMATS) {
    for (const ending of endings) {
      if (ending.length <= best.length) continue;
      if (name.endsWith(`.${ending}`) || name.endsWith(`.${ending}.gz`)) best = { length: ending.length, format };
    }
  }
  return best.format;
}
