/** The page's end of the worker that fetches from other origins: it lives for one file. */

import type { LakeAnswer, LakeQuestion } from "../fleet/lake.ts";
import type { Result } from "./api.ts";
import { Connection } from "./connection.ts";
import type { FetcherWorker } from "./fetcher.ts";

type Connected = Connection<FetcherWorker>;

async function inWorker<Answer>(signal: AbortSignal, ask: (connection: Connected) => Promise<Answer>): Promise<Answer> {
  const connection: Connected = new Connection(
    () => new Worker(new URL("./fetcher.ts", import.meta.url), { type: "module", name: "spanflame fetcher" }),
    "The worker that fetches",
  );
  const end = () => connection.end({ code: "stopped", message: "Stopped." });
  signal.addEventListener("abort", end, { once: true });
  const answer = await ask(connection);
  signal.removeEventListener("abort", end);
  end();
  return answer;
}

export function fetchElsewhere(url: string, signal: AbortSignal): Promise<Result<Blob>> {
  return inWorker(signal, (connection) => connection.ask((remote) => remote.fetch(url)));
}

/** Bytes of the file at an address, as its host states them without sending it. */
export function fetchSize(url: string, signal: AbortSignal): Promise<Result<number | null>> {
  return inWorker(signal, (connection) => connection.ask((remote) => remote.size(url)));
}

/** Samples of the data set at an address. */
export function fetchSelection(address: string, ask: LakeQuestion, signal: AbortSignal): Promise<Result<LakeAnswer>> {
  return inWorker(signal, (connection) => connection.ask((remote) => remote.select(address, ask)));
}
