/**
 * Names of the files of a CDT dump, which say the stream and the number of a file.
 *
 *   directory, zip   SERVER/YYYY/MM/DD/MS/STREAM/000001.gz      numbers from 1; `.gz` may be absent
 *   stream files     PREFIX.STREAM.0.protocol                   numbers from 0; streams of one file have none
 *
 * A file of any other name is no part of a dump: `calls[100ms-500ms]` has copies of calls, `gc` is a log of the JVM.
 */
import { STREAMS, Stream } from "../../core/tables/dump-streams.ts";

/** What a path says of a file of a dump. */
export interface StreamPath {
  /** Folder of the run: above that of the stream, or that of the stream files. */
  folder: string;
  /** Beginning of the names of stream files; null in a directory. */
  prefix: string | null;
  stream: number;
  /** Number of the file in references and keys, from 1. */
  index: number;
}

/** What the path, with `/` between its parts, says; null if it is that of no stream. */
export function streamPath(path: string): StreamPath | null {
  const parts = path.split("/");
  const file = parts.at(-1) ?? "";
  const number = /^(\d{1,9})(\.gz)?$/.exec(file);
  const inFolder = STREAMS.get(parts.at(-2) ?? "");
  if (number !== null && inFolder !== undefined) {
    return { folder: parts.slice(0, -2).join("/"), prefix: null, stream: inFolder, index: Number(number[1]) };
  }
  return besidePath(parts.slice(0, -1).join("/"), file);
}

/** `PREFIX.STREAM[.SEQ].EXT`; the prefix may have dots. */
function besidePath(folder: string, file: string): StreamPath | null {
  const parts = file.split(".");
  if (parts.length < 3 || !/^[A-Za-z0-9]+$/.test(parts.at(-1) ?? "")) return null;
  const sequence = /^\d{1,9}$/.test(parts.at(-2) ?? "") ? Number(parts.at(-2)) : null;
  const at = parts.length - (sequence === null ? 2 : 3);
  const name = parts[at] ?? "";
  const stream = name === "traces" ? Stream.Trace : STREAMS.get(name);
  const prefix = parts.slice(0, at).join(".");
  if (stream === undefined || prefix === "") return null;
  return { folder, prefix, stream, index: (sequence ?? 0) + 1 };
}
