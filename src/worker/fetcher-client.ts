/** The page's end of the worker that fetches from other origins: it lives for one file. */
import type { Wanted } from "../parquet/select.ts";
import type { Result } from "./api.ts";
import { Connection } from "./connection.ts";
import type { FetcherWorker } from "./fetcher.ts";
import type { LakeAnswer } from "./lake.ts";

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

/** Samples of the data set at an address. */
export function fetchSelection(address: string, wanted: Wanted, signal: AbortSignal): Promise<Result<LakeAnswer>> {
  return inWorker(signal, (connection) => connection.ask((remote) => remote.select(address, wanted)));
}
