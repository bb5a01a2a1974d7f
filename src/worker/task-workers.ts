/**
 * The page's end of the workers that live for one task: a file, a batch of files, a sending. Each of them can be ended
 * while a recording is open in another worker.
 */
import * as Comlink from "comlink";
import type { Result } from "./api.ts";
import { Connection } from "./connection.ts";
import type { DebuginfodWorker } from "./debuginfod.ts";
import type { FactsWorker } from "./facts.ts";
import type { FetcherWorker } from "./fetcher.ts";
import type { SenderWorker } from "./sender.ts";
import type { SymbolizerWorker } from "./symbolizer.ts";
import type { ValidatorWorker } from "./validator.ts";

/** The methods of a worker, by its type. `end` ends it: questions without an answer fail with `stopped`. */
type Task<T> = T & { end: () => void };

type Ask = (...given: unknown[]) => Promise<Result<unknown>>;

/** `stopped`: the message of `end`. `isReplaced`: after a question that ended the worker, the next starts another. */
function task<T>(start: () => Worker, what: string, stopped = "Stopped.", isReplaced = false): Task<T> {
  let isEnded = false;
  let connection: Connection<T> | null = null;
  const connected = () => {
    connection ??= new Connection<T>(start, what, () => {
      if (isReplaced && !isEnded) connection = null;
    });
    return connection;
  };
  connected();
  const end = () => {
    isEnded = true;
    connected().end({ code: "stopped", message: stopped });
  };
  const given = (each: unknown) => {
    if (each instanceof MessagePort) return Comlink.transfer(each, [each]);
    return typeof each === "function" ? Comlink.proxy(each) : each;
  };
  return new Proxy({ end } as Task<T> & object, {
    get: (own, name) =>
      own[name as keyof T] ??
      ((...all: unknown[]) =>
        connected().ask((remote) => (remote[name as keyof T] as unknown as Ask)(...all.map(given)))),
  });
}

export type Debuginfod = Task<DebuginfodWorker>;
export type FactsReader = Task<FactsWorker>;
export type Sender = Task<SenderWorker>;
export type Symbolizer = Task<SymbolizerWorker>;

/** Asks debuginfod servers, for one batch of build ids. */
export const startDebuginfod = (): Debuginfod =>
  task(
    () => new Worker(new URL("./debuginfod.ts", import.meta.url), { type: "module", name: "spanflame debuginfod" }),
    "The worker that asks debuginfod",
  );

/** Reads the facts of files, for one collection. */
export const startFactsReader = (): FactsReader =>
  task(
    () => new Worker(new URL("./facts.ts", import.meta.url), { type: "module", name: "spanflame facts" }),
    "The worker that reads files",
    undefined,
    true,
  );

/** Sends messages, for one sending. */
export const startSender = (): Sender =>
  task(
    () => new Worker(new URL("./sender.ts", import.meta.url), { type: "module", name: "spanflame sender" }),
    "The worker that sends",
    "Stopped: the message that was being sent may have arrived.",
  );

/** Reads symbols, for one batch of files. */
export const startSymbolizer = (): Symbolizer =>
  task(
    () => new Worker(new URL("./symbolizer.ts", import.meta.url), { type: "module", name: "spanflame symbols" }),
    "The worker that reads symbols",
  );

/** Validates one file. */
export const startValidator = (): Task<ValidatorWorker> =>
  task(
    () => new Worker(new URL("./validator.ts", import.meta.url), { type: "module", name: "spanflame validator" }),
    "The validator's worker",
  );

/** Asks the worker that fetches from other origins, which lives for one file. */
export async function fromElsewhere<T>(
  signal: AbortSignal,
  ask: (fetcher: FetcherWorker) => Promise<Result<T>>,
): Promise<Result<T>> {
  const fetcher = task<FetcherWorker>(
    () => new Worker(new URL("./fetcher.ts", import.meta.url), { type: "module", name: "spanflame fetcher" }),
    "The worker that fetches",
  );
  signal.addEventListener("abort", fetcher.end, { once: true });
  const answer = await ask(fetcher);
  signal.removeEventListener("abort", fetcher.end);
  fetcher.end();
  return answer;
}
