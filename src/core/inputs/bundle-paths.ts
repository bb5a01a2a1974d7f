/** Paths of files that are read together: of dumps of Cloud Profiler, and of uploads of Datadog's profilers. */

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

export function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Whether a file is named as the description of an upload is (src/input/upload-event.ts). */
export function isEventName(name: string): boolean {
  return /^event(\.json)?$/.test(fileName(name));
}

/** Whether a file is named as that with the figures of an upload's profiler is. */
export function isFigures(name: string): boolean {
  return fileName(name) === "metrics.json";
}
