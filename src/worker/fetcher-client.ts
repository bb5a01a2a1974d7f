/** The page's end of the worker that fetches from other origins: it lives for one file. */
import type { Result } from "./api.ts";
import { Connection } from "./connection.ts";
import type { FetcherWorker } from "./fetcher.ts";

export async function fetchElsewhere(url: string, signal: AbortSignal): Promise<Result<Blob>> {
  const connection = new Connection<FetcherWorker>(
    () => new Worker(new URL("./fetcher.ts", import.meta.url), { type: "module", name: "spanflame fetcher" }),
    "The worker that fetches",
  );
  const end = () => connection.end({ code: "stopped", message: "Stopped." });
  signal.addEventListener("abort", end, { once: true });
  const answer = await connection.ask((remote) => remote.fetch(url));
  signal.removeEventListener("abort", end);
  end();
  return answer;
}
