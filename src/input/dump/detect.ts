/** Detection of CDT dumps: what the page needs before it loads their reader. */

/** Whether a file begins like a capture: a handshake, and the version of an agent. */
export function isCapture(head: Uint8Array): boolean {
  if (head.length < 9 || (head[0] !== 0x14 && head[0] !== 0x08)) return false;
  const version = new DataView(head.buffer, head.byteOffset, head.length).getBigInt64(1);
  return version > 100_000n && version < 200_000n;
}

/** Whether a path in an archive is that of a file of a dump. */
export function isStreamEntry(path: string): boolean {
  const parts = path.split(/[\\/]/);
  if (parts.at(-1) === "filelist.blst") return true;
  if (STREAM_FILE.test(parts.at(-1) ?? "")) return true;
  return /^\d{1,9}(\.gz)?$/.test(parts.at(-1) ?? "") && STREAM_FOLDERS.test(parts.at(-2) ?? "");
}

/** `PREFIX.STREAM[.SEQ].protocol`; archives may contain files with other endings for other reasons. */
const STREAM_FILE =
  /^.+\.(dictionary|posDictionary|callsDictionary|params|suspend|calls|traces?|sql|xml)(\.\d{1,9})?\.protocol$/;

/** Of streams, of copies of calls by their duration, and of logs of the collector of garbage. */
const STREAM_FOLDERS = /^(dictionary|posDictionary|callsDictionary|params|suspend|calls(\[.*\])?|trace|sql|xml|gc)$/;

/**
 * Whether the bytes may be those of a file of the stream that the path names. Calls and traces begin with a time; the
 * names of stream files may also be those of other files, such as `shop.trace.json`.
 */
export function isStreamHead(path: string, head: Uint8Array): boolean {
  if (/\/\d+(\.gz)?$/.test(path) || head.length === 0 || (head[0] === 0x1f && head[1] === 0x8b)) return true;
  if (!/\.(calls|traces?)(\.\d+)?\.[^.]*$/.test(path)) return true;
  // Milliseconds since 1970 as a long: two bytes of 0, or the mark of a format.
  return (head[0] === 0 && head[1] === 0) || (head[0] === 0xff && head[1] === 0xfe);
}
