/**
 * Recordings in a Web Worker, so that reading and requests do not hold the page up: the library with promises.
 *
 *   const recording = await openInWorker(file);
 *   const { rows } = await recording.select("cpu").top({ limit: 10 });
 *   recording.close();
 */
import * as Comlink from "comlink";
import { type ErrorCode, SpanflameError } from "../core/error.ts";
import type { ReadProgress } from "../input/open.ts";
import { Connection } from "../worker/connection.ts";
import { DISPOSE } from "./dispose.ts";
import type { NamedData, OpenData } from "./inputs.ts";
import type { OpenOptions, SelectOptions } from "./options.ts";
import type { Selection } from "./selection.ts";
import { type Answer, type Asked, FACTS, type Facts, REQUESTS, type Sent, type WorkerHost } from "./worker-host.ts";

/** An input that the worker can read: bytes, a `Blob` or `File`, each with a name or without, or an address. */
export type WorkerInput = OpenData | NamedData | URL;

/** Options of `openInWorker`. */
export interface WorkerOptions extends OpenOptions {
  /**
   * A worker with `spanflame/worker-script`, for several recordings in one worker or a place of the script that the
   * bundler does not find. Without it each recording has a worker, which ends with `close`.
   */
  worker?: Worker;
}

type Named = (typeof REQUESTS)[number];
type Given<T> = { [Index in keyof T]: T[Index] extends Selection ? WorkerSelection : T[Index] };
type Promised<T> = T extends (...given: infer G) => infer R ? (...given: Given<G>) => Promise<R> : never;

/** A selection of a recording in a worker: the requests of `Selection`, answered by promises. */
export type WorkerSelection = { readonly [Name in Named]: Promised<Selection[Name]> } & {
  /** Number of observations, and the sum of their values. */
  total(): Promise<Selection["total"]>;
};

/** A recording in a worker: its facts, and the way to selections of its samples. */
export interface WorkerRecording extends Facts {
  /** Samples of a profile, as `Recording.select`. Wrong options are reported by the first request. */
  select(profile: string | number | null, options?: SelectOptions): WorkerSelection;
  /** Releases the memory: ends the worker unless it was given. Later requests reject. */
  close(): void;
  [DISPOSE](): void;
}

/** Counts recordings and selections of this page. */
let last = 0;

/**
 * Reads files in a worker. Rejects as `open` does, and with `worker.failed` if the worker cannot be started or stops.
 */
export async function openInWorker(
  inputs: WorkerInput | readonly WorkerInput[],
  { worker, signal, onProgress, ...options }: WorkerOptions = {},
): Promise<WorkerRecording> {
  signal?.throwIfAborted();
  const sent = (Array.isArray(inputs) ? (inputs as readonly WorkerInput[]) : [inputs as WorkerInput]).map(sendable);
  const number = ++last;
  const connection = new Connection<WorkerHost>(() => worker ?? startWorker(), "The worker of the recording");
  const close = () => {
    if (worker === undefined) connection.end({ code: "recording.closed", message: "the recording is closed" });
    else void connection.ask(async (remote) => ({ ok: true, value: await remote.close(number) }));
  };
  const cancel = () => void connection.ask(async (remote) => ({ ok: true, value: await remote.cancel(number) }));
  signal?.addEventListener("abort", cancel);
  try {
    const progress = onProgress && Comlink.proxy((at: ReadProgress) => onProgress(at));
    const facts = taken(
      await connection.ask((remote) => remote.open(number, sent, options, progress) as Promise<Answer<Facts>>),
    );
    return recordingOf(facts, close, async (asked) =>
      taken(await connection.ask((remote) => remote.ask({ recording: number, ...asked }))),
    );
  } catch (error) {
    if (worker === undefined) close();
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener("abort", cancel);
  }
}

/** A worker with the script of this package, for the option `worker`. */
export function startWorker(): Worker {
  return new Worker(new URL("./worker-script.js", import.meta.url), { type: "module", name: "spanflame" });
}

function sendable(input: WorkerInput): Sent {
  return input instanceof URL ? { url: input.href } : (input as Sent);
}

type Ask = (asked: Omit<Asked, "recording">) => Promise<unknown>;

/** What makes each selection, for those that are arguments. */
const wantedOf = new WeakMap<object, Omit<Asked, "recording" | "request" | "given">>();

function recordingOf(facts: Facts, close: () => void, ask: Ask): WorkerRecording {
  const known = Object.fromEntries(FACTS.map((name) => [name, facts[name]])) as unknown as Facts;
  const select = (profile: string | number | null, options?: SelectOptions): WorkerSelection => {
    const wanted = { key: ++last, profile, options };
    const request =
      (name: Asked["request"]) =>
      (...given: unknown[]) =>
        ask({ ...wanted, request: name, given: given.map(referenceOf) });
    const selection = Object.fromEntries([...REQUESTS, "total" as const].map((name) => [name, request(name)]));
    wantedOf.set(selection, wanted);
    return selection as unknown as WorkerSelection;
  };
  return { ...known, select, close, [DISPOSE]: close };
}

function referenceOf(given: unknown): unknown {
  const selection = typeof given === "object" && given !== null ? wantedOf.get(given) : undefined;
  return selection === undefined ? given : { selection };
}

function taken<T>(answer: Answer<T>): T {
  if (answer.ok) return answer.value;
  const { fault, code, message } = answer.error;
  if (fault?.code === null) throw Object.assign(new Error(message), { name: fault.name });
  throw new SpanflameError(code as ErrorCode, message);
}
