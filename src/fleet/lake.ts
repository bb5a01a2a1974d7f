/**
 * A selection of a data set on a static host: `parts.json`, footers, bloom filters and the ranges of the wanted rows.
 * The worker that fetches loads this script for an address with `lake=`.
 */

import { joined } from "../bytes/joined.ts";
import { iterate } from "../bytes/stream-source.ts";
import { PARTS_FILE } from "../core/tables/data-sets.ts";
import type { FilterChip } from "../model/query/filters.ts";
import { crossOriginFetch } from "../push/cross-origin.ts";
import { Refused } from "./parquet/damage.ts";
import { inboxWords, readLists } from "./parquet/part-lists.ts";
import { type DataSetFiles, pathOf } from "./parquet/parts.ts";
import { type Selected, selectSamples } from "./tables/select.ts";
import { wantedOf } from "./tables/selectors.ts";

export interface LakeAnswer extends Selected {
  /** What there is to say of the data set's version. */
  older: string | null;
  /** Whose inbox it is, if a catalogue has the rows. */
  inbox: string | null;
  /** Bytes and requests that the selection took. */
  bytes: number;
  requests: number;
}

export interface LakeQuestion {
  conditions: readonly FilterChip[];
  /** UTC date of the parts that are read. */
  date: string | null;
  /** Bytes that the selection may take. */
  mostBytes: number;
}

class Host {
  private readonly place: URL;
  private readonly mostBytes: number;
  /** The first refusal ends all other requests. */
  private readonly stop = new AbortController();
  bytes = 0;
  requests = 0;

  constructor(address: string, mostBytes: number) {
    this.place = new URL(address.endsWith("/") ? address : `${address}/`);
    this.mostBytes = mostBytes;
  }

  private async fetch(path: string, headers: Record<string, string>): Promise<Response> {
    const url = new URL(path.split("/").map(encodeURIComponent).join("/"), this.place);
    this.requests++;
    const response = await crossOriginFetch(url, {
      credentials: "omit",
      referrerPolicy: "no-referrer",
      // Browsers lock a file in their cache, so that ranges of it would come one after the other.
      cache: "range" in headers ? "no-store" : "no-cache",
      headers,
      signal: this.stop.signal,
    });
    if (response.ok) return response;
    const message = `${url.href}: ${response.status} ${response.statusText}`.trim();
    // A file that is missing or shorter: its rows would be missing in the answer.
    const isIncomplete = path !== PARTS_FILE && [404, 410, 416].includes(response.status);
    // An index only repeats the tables.
    if (isIncomplete && path.startsWith("ids/")) throw new Error(message);
    throw this.refusal(isIncomplete ? `${message}: the copy of the data set is not complete` : message);
  }

  /** Ends what is on its way: nothing more is downloaded. */
  private refusal(message: string): Error {
    if (!this.stop.signal.aborted) this.stop.abort(new Refused(message));
    return this.stop.signal.reason;
  }

  /** The body, as far as there is room for it. */
  private async bodyOf(path: string, { body }: Response): Promise<ArrayBuffer> {
    const pieces: Uint8Array[] = [];
    for await (const piece of iterate(body ?? new Blob().stream())) {
      this.bytes += piece.length;
      if (this.bytes > this.mostBytes)
        throw this.refusal(
          `${path}: the selection takes more than ${this.mostBytes} bytes; name a date, or use the command line`,
        );
      pieces.push(piece);
    }
    return joined(pieces).buffer as ArrayBuffer;
  }

  async text(path: string): Promise<string> {
    return new TextDecoder().decode(await this.bodyOf(path, await this.fetch(path, {})));
  }

  async range(path: string, from: number, to: number): Promise<ArrayBuffer> {
    if (from >= to) return new ArrayBuffer(0);
    const response = await this.fetch(path, { range: `bytes=${from}-${to - 1}` });
    // A server without ranges sends the whole file, which may be the range.
    const isWhole = from === 0 && response.headers.get("content-length") === String(to);
    if (response.status !== 206 && !isWhole)
      throw this.refusal(
        `${path}: the server answers ${response.status} to a request for a part of the file and sends all of it; data sets need a server with ranges (206)`,
      );
    const part = await this.bodyOf(path, response);
    if (part.byteLength !== to - from) throw new Error(`${path} changed while it was read; reload the page`);
    return part;
  }
}

export async function selectFromHost(
  address: string,
  { conditions, date, mostBytes }: LakeQuestion,
): Promise<LakeAnswer> {
  const host = new Host(address, mostBytes);
  const wanted = { ...wantedOf(conditions), ...(date !== null && { date }) };
  const { parts, older, registered } = await readLists((path) => host.text(path), wanted);
  const files: DataSetFiles = {
    parts,
    open: (part) => ({
      byteLength: part.bytes,
      slice: (from, to) => host.range(pathOf(part), from, to),
    }),
  };
  const selected = await selectSamples(files, wanted);
  const inbox = registered === undefined ? null : inboxWords(registered);
  return { ...selected, older, inbox, bytes: host.bytes, requests: host.requests };
}
