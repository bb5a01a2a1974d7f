/**
 * Entry of the worker that fetches from other origins, which the policy of the page does not allow: the file of
 * `?url=`, and a selection of the data set of `#lake=`.
 */
import * as Comlink from "comlink";
import type { Wanted } from "../parquet/select.ts";
import { crossOriginFetch } from "../push/cross-origin.ts";
import type { Result } from "./api.ts";
import type { LakeAnswer } from "./lake.ts";

export interface FetcherWorker {
  fetch(url: string): Promise<Result<Blob>>;
  select(address: string, wanted: Wanted): Promise<Result<LakeAnswer>>;
}

const failed = (message: string) => ({ ok: false, error: { code: "fetch", message } }) as const;

const fetcher: FetcherWorker = {
  async fetch(url) {
    try {
      const response = await crossOriginFetch(url, { credentials: "omit", referrerPolicy: "no-referrer" });
      if (!response.ok) return failed(`${response.status} ${response.statusText}`.trim());
      return { ok: true, value: await response.blob() };
    } catch (error) {
      return failed(error instanceof Error ? error.message : String(error));
    }
  },
  async select(address, wanted) {
    try {
      const { selectFromHost } = await import("./lake.ts");
      return { ok: true, value: await selectFromHost(address, wanted) };
    } catch (error) {
      return failed(error instanceof Error ? error.message : String(error));
    }
  },
};

Comlink.expose(fetcher);
