/**
 * A file on a web server as a byte source. If the server answers ranges, only the parts that are needed are fetched,
 * and the file never has to fit into memory. Otherwise its bytes are read once, as a stream.
 */
import type { ByteSource } from "../bytes/byte-source.ts";
import { StreamSource } from "../bytes/stream-source.ts";
import type { NamedData } from "./inputs.ts";

/** Bytes of a request: headers of chunks are read one by one and would take a request each. */
const BLOCK = 1 << 20;

/** What `fetch` accepts besides the method: headers, credentials, a signal. */
export type UrlOptions = Omit<RequestInit, "method" | "body">;

/** An input with the last part of the address as its name. Throws if the server does not answer with the file. */
export async function openUrl(url: string | URL, options: UrlOptions = {}): Promise<NamedData> {
  const { href } = new URL(url, globalThis.location?.href);
  return { name: nameOf(href), data: await urlSource(href, options) };
}

function nameOf(href: string): string {
  const last = new URL(href).pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last) || href;
  } catch {
    return last;
  }
}

async function urlSource(href: string, options: UrlOptions): Promise<ByteSource> {
  const first = await get(href, options, { start: 0, end: BLOCK });
  const range = rangeOf(first);
  if (range !== null && range.start === 0) return new RangeSource(href, options, range.total, first);
  // Without a range that can be read: another origin may hide it. A part is no use then.
  if (first.status !== 206 && first.ok) return streamOf(first);
  await first.body?.cancel();
  return streamOf(await get(href, options));
}

function streamOf(response: Response): StreamSource {
  if (!response.ok) throw refused(response);
  return new StreamSource(partsOf(response));
}

/** Not every browser iterates over streams. */
async function* partsOf({ body }: Response): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    await reader.cancel();
  }
}

function get(href: string, options: UrlOptions, range?: { start: number; end: number }): Promise<Response> {
  const headers = new Headers(options.headers);
  if (range !== undefined) headers.set("range", `bytes=${range.start}-${range.end - 1}`);
  return fetch(href, { ...options, headers });
}

/** The range that a response contains, and the size of the file; null for a response without a range. */
function rangeOf(response: Response): { start: number; total: number } | null {
  if (response.status !== 206 || response.headers.has("content-encoding")) return null;
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers.get("content-range") ?? "") ?? [];
  return start === undefined ? null : { start: Number(start), total: Number(total) };
}

function refused({ status, statusText }: Response): Error {
  return new Error(`the server answered ${`${status} ${statusText}`.trim()}`);
}

/** Equal for all parts of an unchanged file. */
function versionOf({ headers }: Response): string {
  return `${headers.get("etag")} ${headers.get("last-modified")}`;
}

class RangeSource implements ByteSource {
  readonly byteLength: number;
  private readonly href: string;
  private readonly options: UrlOptions;
  private readonly version: string;
  /** The bytes fetched last, from `from` on. */
  private block: Promise<Uint8Array>;
  private from = 0;

  constructor(href: string, options: UrlOptions, byteLength: number, first: Response) {
    this.href = href;
    this.options = options;
    this.byteLength = byteLength;
    this.version = versionOf(first);
    this.block = bytesOf(first, Math.min(BLOCK, byteLength));
    // Reported by the first read.
    this.block.catch(() => {});
  }

  async slice(start: number, end: number): Promise<Uint8Array> {
    const stop = Math.min(end, this.byteLength);
    if (start >= stop) return new Uint8Array(0);
    const there = await this.block;
    if (start >= this.from && stop <= this.from + there.length)
      return there.subarray(start - this.from, stop - this.from);
    this.block = this.fetch(start, Math.min(this.byteLength, Math.max(stop, start + BLOCK)));
    this.from = start;
    return (await this.block).subarray(0, stop - start);
  }

  private async fetch(start: number, end: number): Promise<Uint8Array> {
    const response = await get(this.href, this.options, { start, end });
    if (!response.ok) throw refused(response);
    const range = rangeOf(response);
    if (range?.start !== start || range.total !== this.byteLength || versionOf(response) !== this.version) {
      await response.body?.cancel();
      throw new Error("the file on the server changed while it was read");
    }
    return bytesOf(response, end - start);
  }
}

/** At most `size` bytes: a server may send more than it is asked for, without an end. */
async function bytesOf(response: Response, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let count = 0;
  for await (const part of partsOf(response)) {
    bytes.set(part.subarray(0, size - count), count);
    count = Math.min(size, count + part.length);
    if (count === size) break;
  }
  return bytes.subarray(0, count);
}
