/**
 * The worker's side of `openInWorker`: recordings by number, and requests about them as data. Every answer is a record,
 * because an error loses its code when it crosses.
 */
import * as Comlink from "comlink";
import { SpanflameError } from "../core/instance/error.ts";
import type { OutputFormat } from "../core/types.ts";
import type { ReadProgress } from "../input/open.ts";
import type { NamedData, OpenData, OpenInput } from "./inputs.ts";
import { open } from "./open.ts";
import type { OpenOptions, SelectOptions, WriteSelectionOptions } from "./options.ts";
import type { Recording } from "./recording.ts";
import { crossingItems } from "./samples.ts";
import type { Selection } from "./selection.ts";
import type { Tables } from "./tables.ts";
import { openUrl } from "./url-source.ts";
import { partsOf, type Write } from "./writing.ts";

/** Iterations of `Selection` that a worker answers. */
export type IterationName = "columns" | "samples" | "stacks" | "links" | "attributes";
/** Functions of `Selection` that write messages in parts. */
export type StreamName = "writeTo" | "writeAsync" | "messages";
/** Requests of `Selection` that a worker answers. */
export type RequestName = Exclude<keyof Selection, "profile" | "measure" | "options" | IterationName | StreamName>;
/** Requests of `Recording` that a worker answers. */
export type WholeName =
  | "marks"
  | "timeRows"
  | "series"
  | "traceRows"
  | "spans"
  | "operations"
  | "timeOf"
  | "why"
  | "waits"
  | "blocked"
  | "calls";
/** Facts of a recording, the properties of `Recording`. */
export type RecordingFacts = Pick<
  Recording,
  "inputs" | "files" | "diagnostics" | "profiles" | "settings" | "eventTypes" | "attributeKeys" | "time" | "traces"
>;

/** Members of `Selection`, by the way in which they cross. */
export const OF_SELECTION = {
  answers: ["total", "top", "children", "search", "rank", "why", "threads", "timeline", "heat", "changed"],
  /** Answers whose arrays, if any, can be transferred. The library keeps the arrays of tables and attributes. */
  transferred: ["flame", "callers", "callees", "diff", "write", "html", "svg"],
  /** In batches. */
  iterations: ["columns", "samples", "stacks", "links", "attributes"],
  /** Their elements cross one by one: each is a part of a message, or a message. */
  streams: ["writeTo", "writeAsync", "messages"],
} as const satisfies Record<string, readonly (RequestName | IterationName | StreamName)[]>;

/** Members of `Recording`: its facts cross once. */
export const OF_RECORDING = {
  facts: ["inputs", "files", "diagnostics", "profiles", "settings", "eventTypes", "attributeKeys", "time", "traces"],
  answers: [
    "marks",
    "timeRows",
    "series",
    "traceRows",
    "spans",
    "operations",
    "timeOf",
    "why",
    "waits",
    "blocked",
    "calls",
  ],
  tables: ["stacks", "frames", "functions", "mappings", "links", "threads", "events", "attributes", "attributeSets"],
} as const satisfies {
  facts: readonly (keyof RecordingFacts)[];
  answers: readonly WholeName[];
  tables: readonly (keyof Tables)[];
};

/** An input that can cross: an address is fetched by the worker. */
export type Sent = Exclude<OpenData, { slice(start: number, end: number): Promise<Uint8Array> }> | NamedData | Address;

export interface Address {
  url: string;
}

/** A selection by what makes it. `key` is the same for the same selection. */
export interface Wanted {
  key: number;
  profile: string | number | null;
  options: SelectOptions | undefined;
}

/** In place of an argument that is a selection. */
export interface Reference {
  selection: Wanted;
}

export interface Asked extends Wanted {
  recording: number;
  request: RequestName | IterationName | StreamName;
  given: unknown[];
}

/** Items of an iteration, whether they are the last, and then the value that the iteration returned. */
export interface Batch {
  items: unknown[];
  done: boolean;
  returned?: unknown;
}

/** An error as data. `code` is null for errors that are no SpanflameError, an abort for example. */
export interface Fault {
  code: SpanflameError["code"] | null;
  name: string;
  message: string;
}

export type Answer<T> = { ok: true; value: T } | { ok: false; error: { code: string; message: string; fault?: Fault } };

export type CrossingOptions = Omit<OpenOptions, "signal" | "onProgress" | "traces" | "symbols"> & {
  traces: Sent[];
  symbols: Sent[];
};

/** Selections that a recording keeps; others are made again. */
const MOST_SELECTIONS = 50;
/** Items that cross at a time. */
const BATCH = 500;
/** Iterations whose items are large enough to cross alone. */
const ALONE: ReadonlySet<string> = new Set(["columns", ...OF_SELECTION.streams]);

/** An iteration of the library, asynchronous or not. */
type Items = Iterator<unknown> | AsyncIterator<unknown>;

interface Held {
  recording: Recording;
  /** In the order of their last use. */
  selections: Map<number, Selection>;
}

export class WorkerHost {
  private readonly held = new Map<number, Held>();
  private readonly readings = new Map<number, AbortController>();
  private readonly iterations = new Map<number, { items: Items; batch: number }>();

  /** Answers at once. */
  ping(): void {}

  /** The page numbers its recordings, so that it can cancel one before it is open. */
  open(
    number: number,
    inputs: Sent[],
    options: CrossingOptions,
    onProgress?: (progress: ReadProgress) => void,
  ): Promise<Answer<RecordingFacts>> {
    return answered(async () => {
      const reading = new AbortController();
      this.readings.set(number, reading);
      const { signal } = reading;
      try {
        const all = (sent: Sent[]) => Promise.all(sent.map((input) => received(input, signal)));
        const [given, traces, symbols] = [await all(inputs), await all(options.traces), await all(options.symbols)];
        const recording = await open(given, { ...options, traces, symbols, signal, ...(onProgress && { onProgress }) });
        this.held.set(number, { recording, selections: new Map() });
        return Object.fromEntries(
          OF_RECORDING.facts.map((name) => [name, recording[name]]),
        ) as unknown as RecordingFacts;
      } finally {
        this.readings.delete(number);
      }
    });
  }

  cancel(number: number): void {
    this.readings.get(number)?.abort();
  }

  ask(asked: Asked): Promise<Answer<unknown>> {
    return answered(() => this.request(asked), TRANSFERRED.has(asked.request));
  }

  /** A request about the recording or, with "tables", about its tables. */
  fact(number: number, of: "recording" | "tables", request: string, given: unknown[] = []): Promise<Answer<unknown>> {
    return answered(() => {
      const held = this.opened(number);
      const { recording } = held;
      const asked = (of === "tables" ? recording.tables : recording) as unknown as Record<string, Request>;
      return asked[request]?.(...argumentsOf(held, given));
    });
  }

  /** Begins an iteration with this number. */
  iterate(iteration: number, asked: Asked): Promise<Answer<void>> {
    return answered(() => {
      const items = this.request(asked) as Items;
      this.iterations.set(iteration, { items, batch: ALONE.has(asked.request) ? 1 : BATCH });
    });
  }

  /** Its next items. After the last ones, or an error, it is forgotten. */
  next(iteration: number): Promise<Answer<Batch>> {
    return answered(async () => {
      const known = this.iterations.get(iteration);
      const batch: Batch = { items: [], done: known === undefined };
      try {
        while (known !== undefined && !batch.done && batch.items.length < known.batch) {
          const next = await known.items.next();
          if (next.done) Object.assign(batch, { done: true, returned: next.value });
          else batch.items.push(next.value);
        }
      } catch (error) {
        this.iterations.delete(iteration);
        throw error;
      }
      if (batch.done) this.iterations.delete(iteration);
      return { ...batch, items: crossingItems(batch.items) };
    }, this.iterations.get(iteration)?.batch === 1);
  }

  /** Ends an iteration early. */
  leave(iteration: number): void {
    void this.iterations.get(iteration)?.items.return?.(undefined);
    this.iterations.delete(iteration);
  }

  private request({ recording, request, given, ...wanted }: Asked): unknown {
    const held = this.opened(recording);
    const selection = selected(held, wanted);
    if (request === "writeTo") return partsFor(selection, given);
    return (selection[request] as Request).apply(selection, argumentsOf(held, given));
  }

  private opened(number: number): Held {
    const held = this.held.get(number);
    if (held === undefined) throw new SpanflameError("recording.closed", "the recording is closed");
    return held;
  }

  close(number: number): void {
    this.held.get(number)?.recording.close();
    this.held.delete(number);
  }
}

function selected({ recording, selections }: Held, { key, profile, options }: Wanted): Selection {
  const selection = selections.get(key) ?? recording.select(profile, options);
  selections.delete(key);
  selections.set(key, selection);
  for (const oldest of selections.keys()) {
    if (selections.size <= MOST_SELECTIONS) break;
    selections.delete(oldest);
  }
  return selection;
}

/** The parts that `writeTo` would give its sink, which stays on the page. */
function partsFor(selection: Selection, [format, options]: unknown[]): Items {
  const write: Write = (sink) => selection.writeTo(format as OutputFormat, sink, options as WriteSelectionOptions);
  return partsOf(write, undefined);
}

type Request = (...given: unknown[]) => unknown;

/** The arguments of a request, with selections in place of references. */
function argumentsOf(held: Held, given: unknown[]): unknown[] {
  return given.map((each) => (isReference(each) ? selected(held, each.selection) : each));
}

function isReference(given: unknown): given is Reference {
  return typeof given === "object" && given !== null && "selection" in given;
}

function received(input: Sent, signal: AbortSignal): OpenInput | Promise<OpenInput> {
  return "url" in input ? openUrl(input.url, { signal }) : input;
}

const TRANSFERRED: ReadonlySet<string> = new Set(OF_SELECTION.transferred);

async function answered<T>(job: () => T | Promise<T>, transfers = false): Promise<Answer<T>> {
  try {
    const value = await job();
    return transfers ? Comlink.transfer({ ok: true, value }, buffersOf(value)) : { ok: true, value };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    const code = error instanceof SpanflameError ? error.code : null;
    return { ok: false, error: { code: code ?? name, message, fault: { code, name, message } } };
  }
}

/** Records nest no deeper than this: a batch has pages, an answer has frames, and both have columns. */
const DEPTH = 3;

/** Buffers of the typed arrays in an answer, except shared ones: several views may be of one buffer. */
function buffersOf(value: unknown): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  const look = (each: unknown, depth: number) => {
    if (ArrayBuffer.isView(each)) {
      if (each.buffer instanceof ArrayBuffer && each.byteLength > 0) buffers.add(each.buffer);
    } else if (depth > 0 && typeof each === "object" && each !== null) {
      for (const part of Object.values(each)) look(part, depth - 1);
    }
  };
  look(value, DEPTH);
  return [...buffers];
}
