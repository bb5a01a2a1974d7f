/**
 * The table of input formats, without the detection of a file's format (src/input/formats.ts) and without the messages
 * of diagnostics (words.ts).
 */
import * as Cdt from "../../../assembly/abi/formats/cdt.ts";
import * as Collapsed from "../../../assembly/abi/formats/collapsed.ts";
import * as Jfr from "../../../assembly/abi/formats/jfr.ts";
import * as Otlp from "../../../assembly/abi/formats/otlp.ts";
import * as Pprof from "../../../assembly/abi/formats/pprof.ts";

/** The properties that the core and the page need. */
interface InputFormat {
  /** The core's reader. */
  reader: number;
  /** Prefix of its diagnostics' codes, and the folder of its reader in assembly/read/. */
  room: string;
  /** Name of the unit that is opened, read and closed separately. */
  unit: "chunk" | "message" | "block";
  /** Name of the unit in full, singular and plural, for messages that count them. */
  parts: [one: string, many: string];
  /** File endings, the usual ending first. */
  endings: readonly string[];
}

/** The format of a file inside its wrappers. */
export type FileFormat =
  | "jfr"
  | "pprof"
  | "otlp"
  | "otlp-json"
  | "collapsed"
  | "speedscope"
  | "firefox"
  | "cpuprofile"
  | "perf"
  | "cdt"
  | "trace";

/** A format that becomes messages of OTLP (src/input/others/). */
function converted(name: string, ...endings: string[]): InputFormat {
  return {
    reader: Otlp.Reader,
    room: "otlp",
    unit: "message",
    parts: [`part of a ${name}`, `parts of a ${name}`],
    endings,
  };
}

export const INPUT_FORMATS: Record<FileFormat, InputFormat> = {
  jfr: {
    reader: Jfr.Reader,
    room: "jfr",
    unit: "chunk",
    parts: ["chunk", "chunks"],
    endings: ["jfr"],
  },
  pprof: {
    reader: Pprof.Reader,
    room: "pprof",
    unit: "message",
    parts: ["pprof profile", "pprof profiles"],
    endings: ["pprof", "prof"],
  },
  otlp: {
    reader: Otlp.Reader,
    room: "otlp",
    unit: "message",
    parts: ["OTLP message", "OTLP messages"],
    endings: ["pb", "otlp"],
  },
  "otlp-json": {
    reader: Otlp.Reader,
    room: "otlp",
    unit: "message",
    parts: ["OTLP/JSON message", "OTLP/JSON messages"],
    // A folder may hold many JSON files that are something else.
    endings: [],
  },
  collapsed: {
    reader: Collapsed.Reader,
    room: "collapsed",
    unit: "block",
    parts: ["block of collapsed stacks", "blocks of collapsed stacks"],
    endings: ["collapsed", "folded"],
  },
  speedscope: converted("speedscope file", "speedscope.json"),
  firefox: converted("Firefox profile", "firefox.json", "jslb"),
  cpuprofile: converted("profile of V8", "cpuprofile", "heapprofile"),
  perf: converted("perf script"),
  /** Folders of files whose names say the stream (src/input/dump/stream-names.ts). */
  cdt: {
    reader: Cdt.Reader,
    room: "cdt",
    unit: "chunk",
    parts: ["run", "runs"],
    endings: [],
  },
  /** Spans without a recording (src/requests/span-samples.ts). */
  trace: {
    reader: Otlp.Reader,
    room: "otlp",
    unit: "message",
    parts: ["trace file", "trace files"],
    endings: [],
  },
};

/** Endings after those: a file compressed as a whole. */
export const PACKED_ENDINGS = ["gz", "zst", "lz4"];
/** Archives of several files. */
export const ARCHIVE_ENDINGS = ["zip"];
