/**
 * The table of input formats: the properties that the core and the page need. Detection of a file's format is in
 * src/input/formats.ts.
 */
import * as Reader from "../../assembly/abi/format.ts";

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
export type FileFormat = "jfr" | "pprof" | "otlp" | "otlp-json" | "collapsed" | "cdt";

export const INPUT_FORMATS: Record<FileFormat, InputFormat> = {
  jfr: { reader: Reader.Jfr, room: "jfr", unit: "chunk", parts: ["chunk", "chunks"], endings: ["jfr"] },
  pprof: {
    reader: Reader.Pprof,
    room: "pprof",
    unit: "message",
    parts: ["pprof profile", "pprof profiles"],
    endings: ["pprof", "prof"],
  },
  otlp: {
    reader: Reader.Otlp,
    room: "otlp",
    unit: "message",
    parts: ["OTLP message", "OTLP messages"],
    endings: ["pb", "otlp"],
  },
  "otlp-json": {
    reader: Reader.Otlp,
    room: "otlp",
    unit: "message",
    parts: ["OTLP/JSON message", "OTLP/JSON messages"],
    // A folder may hold many JSON files that are something else.
    endings: [],
  },
  collapsed: {
    reader: Reader.Collapsed,
    room: "collapsed",
    unit: "block",
    parts: ["block of collapsed stacks", "blocks of collapsed stacks"],
    endings: ["collapsed", "folded"],
  },
  // Dumps are folders of files whose names say the stream (src/input/dump/stream-names.ts).
  cdt: { reader: Reader.Cdt, room: "cdt", unit: "chunk", parts: ["run", "runs"], endings: [] },
};

/** Endings after those: a file compressed as a whole. */
export const PACKED_ENDINGS = ["gz", "zst", "lz4"];
/** Archives of several files. */
export const ARCHIVE_ENDINGS = ["zip"];

/** Streams of CDT dumps, as folders and files are named after them. */
const STREAM_FOLDER =
  /(^|\/)(dictionary|posDictionary|callsDictionary|params|suspend|calls|trace|sql|xml)\/\d{1,9}(\.gz)?$/;
const STREAM_FILE =
  /[^/]\.(dictionary|posDictionary|callsDictionary|params|suspend|calls|traces?|sql|xml)(\.\d{1,9})?\.[A-Za-z0-9]+$/;

/** `PREFIX` of a stream file `PREFIX.STREAM.0.protocol`; null for other names. */
export function streamFilePrefix(path: string): string | null {
  const at = path.search(STREAM_FILE);
  return at < 0 ? null : path.slice(0, at + 1);
}

/**
 * Whether a path, with `/` between its parts, may be that of a file of a CDT dump (src/input/dump/stream-names.ts):
 * `STREAM/000001.gz`, or `PREFIX.STREAM.0.protocol`.
 */
export function isDumpPath(path: string): boolean {
  return STREAM_FOLDER.test(path) || STREAM_FILE.test(path);
}

/** Whether such a file makes a run: a run has calls or a trace. */
export function isRunPath(path: string): boolean {
  return isDumpPath(path) && /[./](calls|traces?)[./]/.test(path);
}
