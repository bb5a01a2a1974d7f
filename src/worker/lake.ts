/**
 * A selection of a data set on a static host: `parts.json`, footers, bloom filters and the ranges of the wanted rows.
 * The worker that fetches loads this script for an address with `lake=`.
 */
import { PARTS_FILE, parseParts, pathOf } from "../parquet/parts.ts";
import { type DataSetFiles, type Selected, selectSamples, type Wanted } from "../parquet/select.ts";
import { crossOriginFetch } from "../push/cross-origin.ts";

export interface LakeAnswer extends Selected {
  /** Bytes and requests that the selection took. */
  bytes: number;
  requests: number;
}

class Host {
  private readonly place: URL;
  bytes = 0;
  requests = 0;

  constructor(address: string) {
    this.place = new URL(address.endsWith("/") ? address : `${address}/`);
  }

  private async fetch(path: string, headers: Record<string, string>): Promise<Response> {
    const url = new URL(path.split("/").map(encodeURIComponent).join("/"), this.place);
    const response = await crossOriginFetch(url, {
      credentials: "omit",
      referrerPolicy: "no-referrer",
      // Browsers lock a file in their cache, so that ranges of it would come one after the other.
      cache: "range" in headers ? "no-store" : "default",
      headers,
    });
    if (!response.ok) throw new Error(`${url.href}: ${response.status} ${response.statusText}`.trim());
    return response;
  }

  async text(path: string): Promise<string> {
    this.requests++;
    const text = await (await this.fetch(path, {})).text();
    this.bytes += text.length;
    return text;
  }

  async range(path: string, from: number, to: number): Promise<ArrayBuffer> {
    if (from >= to) return new ArrayBuffer(0);
    this.requests++;
    const response = await this.fetch(path, { range: `bytes=${from}-${to - 1}` });
    const body = await response.arrayBuffer();
    this.bytes += body.byteLength;
    // A server without ranges sends the whole file.
    const part = response.status === 206 ? body : body.slice(from, to);
    if (part.byteLength !== to - from) throw new Error(`${path} changed while it was read; reload the page`);
    return part;
  }
}

export async function selectFromHost(address: string, wanted: Wanted): Promise<LakeAnswer> {
  const host = new Host(address);
  const parts = parseParts(await host.text(PARTS_FILE));
  const files: DataSetFiles = {
    parts,
    open: (part) => ({
      byteLength: part.bytes,
      slice: (from, to) => host.range(pathOf(part), from, to),
    }),
  };
  const selected = await selectSamples(files, wanted);
  return { ...selected, bytes: host.bytes, requests: host.requests };
}
