/** The table of output formats: file endings, options, and the outputs that a profile becomes in each. */
import { type Output, outputsOf, type StoredProfile } from "./presets.ts";
import type { OutputFormat, WriteOptions } from "./types.ts";

export interface FormatRow {
  name: OutputFormat;
  /** A few words for a list to choose from. */
  about: string;
  mediaType: string;
  /** What file names end in, the usual one first. */
  endings: [usual: string, ...others: string[]];
  /** Read as gzip by everybody, so written as such. */
  packed?: boolean;
  /** Holds one profile only. */
  single?: boolean;
}

/** The first is the default. */
export const FORMATS: FormatRow[] = [
  { name: "otlp", about: "OTLP profiles, protobuf", mediaType: "application/x-protobuf", endings: ["pb"] },
  { name: "otlp-json", about: "OTLP profiles, JSON", mediaType: "application/json", endings: ["json", "jsonl"] },
  {
    name: "pprof",
    about: "pprof, for go tool pprof and most profile viewers",
    mediaType: "application/octet-stream",
    // Before OTLP's .pb.gz: that is how pprof files are called, and OTLP has --format and plain .pb.
    endings: ["pb.gz", "pprof", "pprof.gz"],
    packed: true,
  },
  {
    name: "collapsed",
    about: "collapsed stacks, for flamegraph.pl: one profile, a line for each stack",
    mediaType: "text/plain",
    endings: ["collapsed", "folded"],
    single: true,
  },
  {
    name: "speedscope",
    about: "speedscope: each thread in the order of time",
    mediaType: "application/json",
    endings: ["speedscope.json"],
  },
  {
    name: "firefox",
    about: "Firefox Profiler: threads along a timeline",
    mediaType: "application/json",
    endings: ["firefox.json"],
  },
];

export function formatRow(name: OutputFormat): FormatRow {
  return FORMATS.find((row) => row.name === name)!;
}

/** The format that a file's name asks for: of the endings that fit, the longest; without one the default. */
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

/** What a format writes of the store's profiles. */
export function outputsFor(
  { format, preset = "default", measure, timestamps }: WriteOptions,
  profiles: readonly StoredProfile[],
): Output[] {
  switch (format) {
    case "otlp":
    case "otlp-json":
      return outputsOf(preset, profiles, measure);
    case "pprof":
      return outputsOf(preset, profiles, measure ?? "all").map((output) => ({
        ...output,
        aggregated: timestamps !== true,
      }));
    default:
      return outputsOf(preset, profiles, measure ?? 0);
  }
}
