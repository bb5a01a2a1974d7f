/**
 * Files that are known and not read, with what to record or convert instead. docs/inputs.md has the table
 * (instead-doc.test.ts). Loaded for files that no other row knows.
 */
import { startsWith } from "../../bytes/byte-order-mark.ts";

export interface NotRead {
  /** Completes "the file is …". */
  what: string;
  /** What to do, in the imperative. */
  instead: string;
  isIn(head: Uint8Array, text: string): boolean;
}

const ENCODER = new TextEncoder();

function begins(magic: string | readonly number[]): NotRead["isIn"] {
  const bytes = typeof magic === "string" ? [...ENCODER.encode(magic)] : [...magic];
  return (head) => startsWith(head, bytes);
}

function matches(pattern: RegExp): NotRead["isIn"] {
  return (_, text) => pattern.test(text);
}

/** Marker of the first event of a trace of Windows, after the head of a buffer. */
const ETL_AT = 72;

export const NOT_READ: readonly NotRead[] = [
  {
    what: "Linux perf data",
    instead: "convert it with `perf script -i FILE > profile.txt`",
    isIn: (head) =>
      startsWith(head, [...ENCODER.encode("PERFILE2")]) || startsWith(head, [...ENCODER.encode("2ELIFREP")]),
  },
  {
    what: "simpleperf data in protobuf",
    instead: "convert the perf.data with simpleperf's generator of Gecko profiles",
    isIn: begins("SIMPLEPERF"),
  },
  {
    what: "a .NET trace (nettrace)",
    instead: "convert it with `dotnet-trace convert FILE --format Speedscope`",
    isIn: begins("Nettrace"),
  },
  {
    what: "a trace of Windows (ETL)",
    instead: "convert it with `samply import FILE --save-only -o profile.json`",
    isIn: (head) =>
      startsWith(head.subarray(ETL_AT + 2), [0x02, 0xc0]) || startsWith(head.subarray(ETL_AT + 2), [0x01, 0xc0]),
  },
  {
    what: "a binary property list, as Instruments has them",
    instead: "record with `samply record`, whose profiles are read",
    isIn: begins("bplist00"),
  },
  {
    what: "a Java heap dump (hprof)",
    instead: "record allocations with JFR: `jcmd PID JFR.start settings=profile`",
    isIn: begins("JAVA PROFILE"),
  },
  {
    what: "a heap snapshot of V8",
    instead: "record with `node --heap-prof`, whose .heapprofile is read",
    isIn: matches(/^\{\s*"snapshot"\s*:/),
  },
  {
    what: "a thread dump of a JVM",
    instead: "record for some seconds: `jcmd PID JFR.start duration=30s filename=rec.jfr`",
    isIn: matches(/^[\s\S]{0,400}?Full thread dump /),
  },
  {
    what: "a Chrome trace",
    instead: "save the CPU profile of DevTools' Performance panel, or record with `node --cpu-prof`",
    isIn: matches(/^\{\s*"traceEvents"|^\[?\s*\{[^{}]*"(?:ph|cat)"\s*:\s*"|^\{[\s\S]*"traceEvents"\s*:\s*\[/),
  },
  {
    what: "a Git LFS pointer instead of its file",
    instead: "fetch the file with `git lfs pull`",
    isIn: begins("version https://git-lfs.github.com/spec/"),
  },
  {
    what: "a flame graph of async-profiler as HTML",
    instead: "record as JFR: `asprof -o jfr -f rec.jfr PID`",
    isIn: matches(/^<!DOCTYPE html>[\s\S]*(?:async-profiler|<title>Flame Graph|jfr-converter)/i),
  },
  {
    what: "a flame graph as SVG",
    instead: "open the collapsed stacks that it was made from",
    isIn: matches(/^(?:<\?xml[\s\S]*?)?<svg[\s\S]*?(?:flame|fg_title|FlameGraph)/i),
  },
  {
    what: "HTML or XML",
    instead: "open the recording that it was made from",
    // A first line that ends with a number is one of collapsed stacks: `<frozen importlib>;load 1`.
    isIn: matches(/^<(?!.* \d+\r?(?:\n|$))/),
  },
  {
    what: "an execution trace of Go",
    instead: "record with `runtime/pprof` or `/debug/pprof/profile`",
    isIn: matches(/^go 1\.\d+ trace\0/),
  },
  {
    what: "a log of V8's profiler",
    instead: "record with `node --cpu-prof`",
    isIn: begins("v8-version,"),
  },
  {
    what: "a profile of Valgrind or Xdebug (callgrind)",
    instead: "record with a sampling profiler, such as `perf record -g`",
    isIn: matches(/^(?:# callgrind format|version: 1\ncreator: (?:callgrind|xdebug))/),
  },
  {
    what: "a profile of stackprof",
    instead: "record with `raw: true`, and convert it: `stackprof --stackcollapse FILE > profile.collapsed`",
    // Ruby's Marshal, or JSON.
    isIn: (head, text) =>
      (startsWith(head, [0x04, 0x08, 0x7b]) && text.slice(0, 16).includes("version")) ||
      /^\{"version":[\d.]+,"mode":"\w+","interval":/.test(text),
  },
  {
    what: "an old text profile of pprof",
    instead: "convert it with `go tool pprof -proto FILE`",
    isIn: matches(/^(?:heap profile: |goroutine profile: |--- \w+\nsampling|%warn )/),
  },
  {
    what: "a database of SQLite",
    instead: "export the profile from the program that wrote it",
    isIn: begins("SQLite format 3\0"),
  },
  {
    what: "a Parquet file",
    instead: "open its folder, if it is a data set of `spanflame export`",
    isIn: begins("PAR1"),
  },
  {
    what: "bzip2-compressed",
    instead: "unpack it with `bunzip2`",
    isIn: begins("BZh"),
  },
  {
    what: "xz-compressed",
    instead: "unpack it with `unxz`",
    isIn: begins([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]),
  },
  {
    what: "a PNG image",
    instead: "open the recording that it shows",
    isIn: begins([0x89, 0x50, 0x4e, 0x47]),
  },
  {
    what: "a Java class file",
    instead: "open a recording of the program",
    isIn: begins([0xca, 0xfe, 0xba, 0xbe]),
  },
  {
    what: "a PDF document",
    instead: "open the recording that it shows",
    isIn: begins("%PDF"),
  },
];

export function notRead(head: Uint8Array, text: string): NotRead | null {
  return NOT_READ.find(({ isIn }) => isIn(head, text)) ?? null;
}
