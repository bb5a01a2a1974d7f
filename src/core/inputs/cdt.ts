/** Dumps of Cloud Profiler: facts of the format, and the paths of their files. */
import * as Fault from "../../../assembly/abi/formats/cdt.ts";
import type { InputFormat } from "./input-format.ts";

/** Dumps are folders of files whose names say the stream (src/input/dump/stream-names.ts). */
export const CDT: InputFormat = {
  reader: Fault.Reader,
  room: "cdt",
  unit: "chunk",
  parts: ["run", "runs"],
  endings: [],
};

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
