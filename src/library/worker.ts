/**
 * Recordings in a Web Worker, so that reading and requests do not hold the page up: the library with promises.
 *
 *   const recording = await openInWorker(file);
 *   const { rows } = await recording.select("cpu").top({ limit: 10 });
 *   recording.close();
 */
import * as Comlink from "comlink";
import type { OutputFormat, WriteResult, WriteTotals } from "../core/types.ts";
import type { ReadProgress } from "../input/open.ts";
import type { Graphs, Result } from "../worker/api.ts";
import { Connection, endUnlessStarted, failed, Users } from "../worker/connection.ts";
import { isFunction } from "./check.ts";
import { DISPOSE, DISPOSE_ASYNC } from "./dispose.ts";
import type { NamedData, OpenData } from "./inputs.ts";
import type { OpenOptions, SelectOptions, WriteSelectionOptions } from "./options.ts";
import type { Recording } from "./recording.ts";
import type { Selection } from "./selection.ts";
import type { Tables } from "./tables.ts";
import {
  type Answer,
  type Asked,
  type IterationName,
  OF_RECORDING,
  OF_SELECTION,
  type RecordingFacts,
  type RequestName,
  type Sent,
  type StreamName,
  type WholeName,
  type WorkerHost,
} from "./worker-host.ts";
import { drained, iterated, taken, withoutSignal } from "./worker-iteration.ts";

export type { IterationName, RecordingFacts, RequestName, StreamName, WholeName } from "./worker-host.ts";

/** An input that the worker can read: bytes, a `Blob` or `File`, each with a name or without, or an address. */
export type WorkerInput = OpenData | NamedData | URL;

/** Options of `openInWorker`. */
export interface WorkerOptions extends Omit<OpenOptions, "traces" | "symbols"> {
  /** Trace files, as the option `traces` of `open`, or their addresses. */
  traces?: WorkerInput | readonly WorkerInput[];
  /** Files with symbols, as the option `symbols` of `open`, or their addresses. */
  symbols?: WorkerInput | readonly WorkerInput[];
  /**
   * A worker that runs `spanflame/worker-script`. Pass it to read several recordings in one worker, or if the bundler
   * does not find the script. By default each recording has a worker, which ends with `close`.
   */
  worker?: Worker;
}

/** Arguments of a request, with selections in the worker in place of selections. */
export type WorkerArguments<T> = { [Index in keyof T]: T[Index] extends Selection ? WorkerSelection : T[Index] };
/** A function of the library that returns a promise here. */
export type Promised<T> = T extends (...given: infer G) => infer R
  ? (...given: WorkerArguments<G>) => Promise<Awaited<R>>
  : never;
/** An iteration of the library that is asynchronous here. The worker sends its elements in batches. */
export type Iterated<T> = T extends (...given: infer G) => Iterable<infer R>
  ? (...given: G) => AsyncGenerator<R>
  : never;

/** The requests of `Selection`, with promises. */
export type WorkerRequests = { readonly [Name in RequestName]: Promised<Selection[Name]> };
/** The iterations of `Selection`, each asynchronous. */
export type WorkerIterations = { readonly [Name in IterationName]: Iterated<Selection[Name]> };

/** A selection in a worker: the requests of `Selection` give promises, and its iterations are asynchronous. */
export interface WorkerSelection extends WorkerRequests, WorkerIterations {
  /**
   * Writes a message in parts, as `Selection.writeTo` does. The parts belong to `sink`. The promise resolves after the
   * last one; it rejects with the error if `sink` throws, and then there are no further parts.
   */
  writeTo(
    format: OutputFormat,
    sink: (part: Uint8Array) => void,
    options?: WriteSelectionOptions,
  ): Promise<WriteTotals>;
  /** As `Selection.writeAsync`. An abort rejects at once, also while the core of the worker makes the message. */
  writeAsync: Selection["writeAsync"];
  /** As `Selection.messages`. An abort rejects at once, also while the core of the worker makes a message. */
  messages: Selection["messages"];
}

/** The tables that columns refer to. The worker sends a table on request. */
export type WorkerTables = { readonly [Name in keyof Tables]: Promised<Tables[Name]> };

/** The requests of `Recording` about the whole recording, with promises. */
export type WholeRequests = { readonly [Name in WholeName]: Promised<Recording[Name]> };

/** A recording in a worker: its facts, and `select` for its samples. */
export interface WorkerRecording extends RecordingFacts, WholeRequests {
  /** The tables that columns refer to. */
  readonly tables: WorkerTables;
  /** Samples of a profile, as in `Recording.select`. The first request rejects if the options are wrong. */
  select(profile: string | number | null, options?: SelectOptions): WorkerSelection;
  /** Writes all samples of all profiles as one message, as `Recording.write` does. */
  write(format: OutputFormat, options?: WriteSelectionOptions): Promise<WriteResult>;
  /**
   * Releases the memory: ends the worker unless it was given. Later requests reject. Flame graphs that have the
   * recording (docs/embedding.md) keep it until the last of them is removed.
   */
  close(): void;
  /** `close`, for `using`. */
  [DISPOSE](): void;
  /** `close`, for `await using`. */
  [DISPOSE_ASYNC](): Promise<void>;
  /** @internal One more flame graph that shows the recording. */
  forGraphs(): Graphs;
}

/** Counts recordings and selections of this page. */
let last = 0;

const WHAT = "The worker of the recording";
const CLOSED = { code: "recording.closed", message: "the recording is closed" };
/** Given workers that have answered. They may be busy for long, with another recording. */
const started = new WeakSet<Worker>();

/**
 * Reads files in a worker. Rejects as `open` does, and with `worker.failed` if the worker cannot be started or stops.
 */
export async function openInWorker(
  inputs: WorkerInput | readonly WorkerInput[],
  { worker, signal, onProgress, traces = [], symbols = [], ...options }: WorkerOptions = {},
): Promise<WorkerRecording> {
  signal?.throwIfAborted();
  const sent = allSent(inputs);
  const crossing = { ...options, traces: allSent(traces), symbols: allSent(symbols) };
  const number = ++last;
  const connection = new Connection<WorkerHost>(() => worker ?? startWorker(), WHAT);
  if (worker === undefined || !started.has(worker))
    void endUnlessStarted(connection, WHAT).then(() => worker && started.add(worker));
  const users = new Users(() => {
    if (worker === undefined) connection.end(CLOSED);
    else void connection.ask(async (remote) => ({ ok: true, value: await remote.close(number) }));
  });
  const leave = users.join();
  let isClosed = false;
  const close = () => {
    isClosed = true;
    leave();
  };
  const own: Pick<typeof connection, "ask"> = {
    ask: async (call, kind) => (isClosed ? failed(CLOSED) : connection.ask(call, kind)),
  };
  const cancel = () => void connection.ask(async (remote) => ({ ok: true, value: await remote.cancel(number) }));
  signal?.addEventListener("abort", cancel);
  try {
    const progress = onProgress && Comlink.proxy((at: ReadProgress) => onProgress(at));
    const facts = taken(
      await connection.ask(
        (remote) => remote.open(number, sent, crossing, progress) as Promise<Answer<RecordingFacts>>,
      ),
    );
    const recording = recordingOf(facts, close, {
      ask: async (asked) => taken(await own.ask((remote) => remote.ask({ recording: number, ...asked }))),
      fact: async (...asked) => taken(await own.ask((remote) => remote.fact(number, ...asked))),
      iterate: (asked, signal) => iterated(own, ++last, { recording: number, ...asked }, signal),
    });
    const ask = <T>(request: string, given: unknown[]): Promise<Result<T>> =>
      connection.ask((remote) => remote.fact(number, "recording", request, given) as Promise<Answer<T>>);
    const forGraphs = (): Graphs => ({
      leave: users.join(),
      overview: ask("graphOverview", []),
      ask: (name, given) => ask("graph", [name, given]),
    });
    return { ...recording, forGraphs };
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
  return new Worker(new URL("./worker-script.js", import.meta.url), { type: "module", name: "spanflame-library" });
}

function allSent(inputs: WorkerInput | readonly WorkerInput[]): Sent[] {
  return (Array.isArray(inputs) ? (inputs as readonly WorkerInput[]) : [inputs as WorkerInput]).map(sendable);
}

function sendable(input: WorkerInput): Sent {
  return input instanceof URL ? { url: input.href } : (input as Sent);
}

type About = Omit<Asked, "recording">;

/** The ways to the worker for one recording. */
interface Remote {
  ask(asked: About): Promise<unknown>;
  fact(of: "recording" | "tables", request: string, given?: unknown[]): Promise<unknown>;
  iterate(asked: About, signal?: AbortSignal): AsyncGenerator<unknown, unknown, undefined>;
}

/** Profile and options of each selection, to send selections as arguments. */
const wantedOf = new WeakMap<object, Omit<Asked, "recording" | "request" | "given">>();

function recordingOf(facts: RecordingFacts, close: () => void, remote: Remote): Omit<WorkerRecording, "forGraphs"> {
  const known = named(OF_RECORDING.facts, (name) => facts[name]);
  const requests = named(
    OF_RECORDING.answers,
    (name) =>
      (...given: unknown[]) =>
        remote.fact("recording", name, given.map(referenceOf)),
  );
  const tables = named(OF_RECORDING.tables, (name) => () => remote.fact("tables", name));
  const select = (profile: string | number | null, options?: SelectOptions): WorkerSelection => {
    const wanted = { key: ++last, profile, options };
    const asked = (request: Asked["request"], given: unknown[]): About => {
      return { ...wanted, request, given: given.map(referenceOf) };
    };
    const ask =
      (name: RequestName) =>
      (...given: unknown[]) =>
        remote.ask(asked(name, given));
    const iterate =
      (name: IterationName) =>
      (...given: unknown[]) =>
        remote.iterate(asked(name, given));
    const stream = (name: StreamName) => (format: unknown, options: unknown) => {
      const [rest, signal] = withoutSignal(options);
      return remote.iterate(asked(name, [format, rest]), signal) as AsyncGenerator<never, never, undefined>;
    };
    const selection: WorkerSelection = {
      ...named([...OF_SELECTION.answers, ...OF_SELECTION.transferred], ask),
      ...named(OF_SELECTION.iterations, iterate),
      ...named(["writeAsync", "messages"], stream),
      writeTo: async (format: unknown, sink: (part: Uint8Array) => void, options: unknown) => {
        isFunction(sink, "writeTo: sink");
        const parts = remote.iterate(asked("writeTo", [format, options]));
        return drained(parts, sink as (part: unknown) => void) as Promise<WriteTotals>;
      },
    };
    wantedOf.set(selection, wanted);
    return selection;
  };
  const write: WorkerRecording["write"] = (format, options) => select(null).write(format, options);
  const closings = { close, [DISPOSE]: close, [DISPOSE_ASYNC]: async () => close() };
  return { ...known, ...requests, tables, select, write, ...closings };
}

/** An object with these properties. Their types are those of the class, which demands that all of them are there. */
function named<Name extends string>(names: readonly Name[], value: (name: Name) => unknown): Record<Name, never> {
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, never>;
}

function referenceOf(given: unknown): unknown {
  const selection = typeof given === "object" && given !== null ? wantedOf.get(given) : undefined;
  return selection === undefined ? given : { selection };
}
