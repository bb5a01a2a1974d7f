/**
 * Entry of the worker that fetches from other origins, which the policy of the page does not allow: the file of
 * `?url=`, and a selection of the data set of `#lake=`.
 */
import * as Comlink from "comlink";
import type { LakeAnswer, LakeQuestion } from "../fleet/lake.ts";
import { crossOriginFetch } from "../push/cross-origin.ts";
import { answered } from "./answered.ts";
import type { Result } from "./api.ts";

export interface FetcherWorker {
  fetch(url: string): Promise<Result<Blob>>;
  size(url: string): Promise<Result<number | null>>;
  select(address: string, ask: LakeQuestion): Promise<Result<LakeAnswer>>;
}

/** An answer whose status says that it is one. */
async function fetched(url: string, how: RequestInit = {}): Promise<Response> {
  const response = await crossOriginFetch(url, { credentials: "omit", referrerPolicy: "no-referrer", ...how });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`.trim());
  return response;
}

const fetcher: FetcherWorker = {
  fetch: (url) => answered("fetch", async () => (await fetched(url)).blob()),
  size: (url) =>
    answered("fetch", async () => {
      const { headers } = await fetched(url, { method: "HEAD" });
      // Of a packed answer it is the size of the packed bytes.
      const stated = headers.has("content-encoding") ? null : headers.get("content-length");
      return stated === null ? null : Number(stated);
    }),
  select: (address, ask) =>
    answered("fetch", async () => (await import("../fleet/lake.ts")).selectFromHost(address, ask)),
};

Comlink.expose(fetcher);
