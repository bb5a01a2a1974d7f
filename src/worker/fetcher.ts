/**
 * Entry of the worker that fetches from other origins, which the policy of the page does not allow: the file of
 * `?url=`, which is read while it comes, and a selection of the data set of `#lake=`.
 */
import * as Comlink from "comlink";
import { startsWith } from "../bytes/byte-order-mark.ts";
import { limited } from "../bytes/limited.ts";
import type { LakeAnswer, LakeQuestion } from "../fleet/lake.ts";
import { HEADER_BYTES, hasMagic } from "../input/chunk-header.ts";
import { formatBytes } from "../model/words/format.ts";
import { URL_FILES } from "../model/words/outward.ts";
import { crossOriginFetch } from "../push/cross-origin.ts";
import { answered, errorWords } from "./answered.ts";
import type { Arrived, Coming, Result } from "./api.ts";

export interface FetcherWorker {
  /** `onComing` is called with the first bytes of a recording, which arrive at the port from then on. */
  fetch(url: string, port: MessagePort, onComing: (coming: Coming) => void): Promise<Result<Blob>>;
  size(url: string): Promise<Result<number | null>>;
  select(address: string, ask: LakeQuestion): Promise<Result<LakeAnswer>>;
}

/** An answer whose status says that it is one. */
async function fetched(url: string, how: RequestInit = {}): Promise<Response> {
  const credentials = isOwn(url) ? "same-origin" : "omit";
  const response = await crossOriginFetch(url, { credentials, referrerPolicy: "no-referrer", ...how });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`.trim());
  return response;
}

/** Bytes arrive in parts of so many, or after these times: while more come, and when the line rests. */
const PART_BYTES = 1 << 20;
const PART_MS = 250;
const REST_MS = 50;
/** Bytes of a compressed file in which the beginning of a recording is searched. */
const LOOK_BYTES = 1 << 16;

const after = (ms: number) => new Promise<null>((resolve) => setTimeout(() => resolve(null), ms));

/** The whole body. Before it is there, its parts are given to `add`. */
async function readBody(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  add: (blob: Blob) => Promise<void>,
): Promise<void> {
  const reader = body.getReader();
  let blob = new Blob();
  let parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  let last = performance.now();
  const pass = async () => {
    blob = new Blob([blob, ...parts]);
    parts = [];
    bytes = 0;
    last = performance.now();
    await add(blob);
  };
  try {
    for (;;) {
      const next = reader.read();
      if (bytes > 0 && (await Promise.race([next, after(REST_MS)])) === null) await pass();
      const { done, value } = await next;
      if (done) return;
      parts.push(value);
      bytes += value.length;
      if (bytes >= PART_BYTES || performance.now() - last >= PART_MS) await pass();
    }
  } finally {
    await pass();
  }
}

/** Whether a recording begins here, also compressed. False if that is not known yet. */
async function isRecording(blob: Blob): Promise<boolean> {
  const head = new Uint8Array(await blob.slice(0, HEADER_BYTES).arrayBuffer());
  if (!startsWith(head, [0x1f, 0x8b])) return hasMagic(head);
  const unpacked = blob.slice(0, LOOK_BYTES).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const first = await unpacked.read().catch(() => null);
  await unpacked.cancel().catch(() => {});
  return first?.value !== undefined && hasMagic(first.value);
}

async function fetchBody(url: string, port: MessagePort, onComing: (coming: Coming) => void): Promise<Blob> {
  const { body, headers } = await fetched(url);
  const isStated = isOwn(url) && statedSize(headers) !== null;
  const most = isStated ? Number.POSITIVE_INFINITY : URL_FILES.most;
  let all = new Blob();
  let isComing = false;
  const tell = (arrived: Arrived) => port.postMessage(arrived);
  try {
    if (body !== null) {
      await readBody(limited(body, most, tooLong), async (blob) => {
        all = blob;
        if (!isComing && (await isRecording(blob))) {
          isComing = true;
          onComing({ address: url, bytes: statedSize(headers), isSure: isOwn(url), port: null });
        }
        if (isComing) tell({ blob });
      });
    }
    tell({ blob: all, end: null });
    return all;
  } catch (error) {
    tell({ blob: all, end: errorWords(error) });
    throw error;
  }
}

const tooLong = () => new Error(`more than ${formatBytes(URL_FILES.most)}; download it and open the file`);

const isOwn = (url: string) => new URL(url).origin === location.origin;

/** The size of the body; of a compressed answer it would be that of the compressed bytes. */
function statedSize(headers: Headers): number | null {
  const stated = headers.has("content-encoding") ? null : headers.get("content-length");
  return stated === null ? null : Number(stated);
}

const fetcher: FetcherWorker = {
  fetch: (url, port, onComing) => answered("fetch", () => fetchBody(url, port, onComing), onComing),
  size: (url) => answered("fetch", async () => statedSize((await fetched(url, { method: "HEAD" })).headers)),
  select: (address, ask) =>
    answered("fetch", async () => (await import("../fleet/lake.ts")).selectFromHost(address, ask)),
};

Comlink.expose(fetcher);
