/** The inputs of `open`: bytes in the forms that platforms have them, each with a name. */
import { type ByteSource, blobSource, bytesSource } from "../bytes/byte-source.ts";
import { SpanflameError } from "../core/instance/error.ts";
import type { Input } from "../input/open.ts";
import { shown } from "./check.ts";

/**
 * Bytes of a file, compressed or not: an array, an `ArrayBuffer`, a `Blob` or `File`, or a source that is read piece by
 * piece. Arrays are not copied, so they must not change while `open` runs.
 */
export type OpenData = Uint8Array | ArrayBuffer | Blob | ByteSource;

/** Data with the name that messages, `files` and the filter `file` use. */
export interface NamedData {
  /** Name of the file, or a path: `host1/app.jfr`. */
  name: string;
  /** The bytes of the file. */
  data: OpenData;
}

/** An input of `open`. Data without a name is called by its `File` name, or `input 1`, `input 2`, …. */
export type OpenInput = OpenData | NamedData;

/** The inputs as the reader takes them. Throws `input.unknown` for anything else than bytes. */
export function inputsOf(given: OpenInput | readonly OpenInput[], word = "input"): Input[] {
  const all = Array.isArray(given) ? (given as readonly OpenInput[]) : [given as OpenInput];
  return all.map((input, i) => {
    if (isNamed(input)) return { name: input.name, source: sourceOf(input.data, input.name) };
    const name = input instanceof Blob && "name" in input ? String(input.name) : `${word} ${i + 1}`;
    return { name, source: sourceOf(input, name) };
  });
}

function isNamed(input: unknown): input is NamedData {
  if (typeof input !== "object" || input === null || input instanceof Blob) return false;
  return "data" in input && "name" in input && typeof input.name === "string";
}

export function sourceOf(data: unknown, name: string): ByteSource {
  if (data instanceof Uint8Array) return bytesSource(data);
  if (data instanceof ArrayBuffer) return bytesSource(new Uint8Array(data));
  if (data instanceof Blob) return blobSource(data);
  if (isSource(data)) return data;
  throw new SpanflameError(
    "input.unknown",
    `${name}: an input is a Uint8Array, an ArrayBuffer, a Blob, a ByteSource, or { name, data } with one of them, not ${shown(data)}`,
  );
}

function isSource(data: unknown): data is ByteSource {
  if (typeof data !== "object" || data === null || ArrayBuffer.isView(data)) return false;
  // Shared memory has the members of a source, too, but answers at once and may change.
  if (Object.prototype.toString.call(data) === "[object SharedArrayBuffer]") return false;
  return (
    "byteLength" in data && typeof data.byteLength === "number" && "slice" in data && typeof data.slice === "function"
  );
}
