/**
 * Entry of the worker that fetches the file of `?url=` from another origin, which the policy of the page does not
 * allow.
 */
import * as Comlink from "comlink";
import { crossOriginFetch } from "../push/cross-origin.ts";
import type { Result } from "./api.ts";

export interface FetcherWorker {
  fetch(url: string): Promise<Result<Blob>>;
}

const fetcher: FetcherWorker = {
  async fetch(url) {
    const failed = (message: string) => ({ ok: false, error: { code: "fetch", message } }) as const;
    try {
      const response = await crossOriginFetch(url, { credentials: "omit", referrerPolicy: "no-referrer" });
      if (!response.ok) return failed(`${response.status} ${response.statusText}`.trim());
      return { ok: true, value: await response.blob() };
    } catch (error) {
      return failed(error instanceof Error ? error.message : String(error));
    }
  },
};

Comlink.expose(fetcher);
