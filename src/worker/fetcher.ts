/**
 * Entry of the worker that fetches from other origins, which the policy of the page does not allow: the file of
 * `?url=`, and a selection of the data set of `#lake=`.
 */
import * as Comlink from "comlink";
import { crossOriginFetch } from "../push/cross-origin.ts";
import type { Result } from "./api.ts";
import type { LakeAnswer, LakeQuestion } from "./lake.ts";

export interface FetcherWorker {
  fetch(url: string): Promise<Result<Blob>>;
  size(url: string): Promise<Result<number | null>>;
  select(address: string, ask: LakeQuestion): Promise<Result<LakeAnswer>>;
}

const failed = (message: string) => ({ ok: false, error: { code: "fetch", message } }) as const;

const fetcher: FetcherWorker = {
  async fetch(url) {
    try {
      const response = await crossOriginFetch(url, PLAIN);
      if (!response.ok) return failed(`${response.status} ${response.statusText}`.trim());
      return { ok: true, value: await response.blob() };
    } catch (error) {
      return failed(wordsOf(error));
    }
  },
  async size(url) {
    try {
      const { ok, status, statusText, headers } = await crossOriginFetch(url, { ...PLAIN, method: "HEAD" });
      if (!ok) return failed(`${status} ${statusText}`.trim());
      // Of a packed answer it is the size of the packed bytes.
      const stated = headers.has("content-encoding") ? null : headers.get("content-length");
      return { ok: true, value: stated === null ? null : Number(stated) };
    } catch (error) {
      return failed(wordsOf(error));
    }
  },
  async select(address, ask) {
    try {
      const { selectFromHost } = await import("./lake.ts");
      return { ok: true, value: await selectFromHost(address, ask) };
    } catch (error) {
      return failed(wordsOf(error));
    }
  },
};

const PLAIN = { credentials: "omit", referrerPolicy: "no-referrer" } as const;
const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

Comlink.expose(fetcher);
