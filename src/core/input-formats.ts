/** The formats that are read, a row each: what the core and the page need of them. How a file is known: src/input/formats.ts. */
import * as Reader from "../../assembly/abi/format.ts";

interface InputFormat {
  /** The core's reader. */
  reader: number;
  /** What the codes of its diagnostics begin with, and the reader's room in assembly/read/. */
  room: string;
  /** What a file consists of: each is opened, read and closed by itself. */
  part: string;
  /** What names of such files end in, the usual ending first. */
  endings: readonly string[];
}

export const INPUT_FORMATS = {
  jfr: { reader: Reader.Jfr, room: "jfr", part: "chunk", endings: ["jfr"] },
  pprof: { reader: Reader.Pprof, room: "pprof", part: "pprof profile", endings: ["pprof", "prof"] },
  otlp: { reader: Reader.Otlp, room: "otlp", part: "OTLP message", endings: ["pb", "otlp"] },
  // A folder may hold many JSON files that are something else.
  "otlp-json": { reader: Reader.Otlp, room: "otlp", part: "OTLP/JSON message", endings: [] },
} as const satisfies Record<string, InputFormat>;

/** What a file is inside its wrappers. */
export type FileFormat = keyof typeof INPUT_FORMATS;

/** Endings behind those: a file packed as a whole. */
export const PACKED_ENDINGS = ["gz", "zst", "lz4"];
/** Archives of several files. */
export const ARCHIVE_ENDINGS = ["zip"];
