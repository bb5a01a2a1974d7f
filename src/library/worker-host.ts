/**
 * The worker's side of `openInWorker`: recordings by number, and requests about them as data. Every answer is a record,
 * because an error loses its code when it crosses; typed arrays are transferred.
 */
import * as Comlink from "comlink";
import { SpanflameError } from "../core/error.ts";
import type { ReadProgress } from "../input/open.ts";
import type { NamedData, OpenData, OpenInput } from "./inputs.ts";
import { open } from "./open.ts";
import type { OpenOptions, SelectOptions } from "./options.ts";
import type { Recording } from "./recording.ts";
import type { Selection } from "./selection.ts";
import { openUrl } from "./url-source.ts";

/** Requests about a selection that cross to a worker: those with data as arguments and answer. */
export const REQUESTS = [
  "top",
  "flame",
  "callers",
  "callees",
  "children",
  "search",
  "rank",
  "why",
  "threads",
  "timeline",
  "heat",
  "diff",
  "changed",
  "write",
] as const satisfies readonly (keyof Selection)[];

/** Properties of a recording, which cross once. */
export const FACTS = [
  "inputs",
  "files",
  "diagnostics",
  "profiles",
  "settings",
  "eventTypes",
  "attributeKeys",
  "time",
] as const satisfies readonly (keyof Recording)[];

export type Facts = Pick<Recording, (typeof FACTS)[number]>;

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
  request: (typeof REQUESTS)[number] | "total";
  given: unknown[];
}

/** An error as data. `code` is null for errors that are no SpanflameError, an abort for example. */
export interface Fault {
  code: SpanflameError["code"] | null;
  name: string;
  message: string;
}

export type Answer<T> = { ok: true; value: T } | { ok: false; error: { code: string; message: string; fault?: Fault } };

export type CrossingOptions = Omit<OpenOptions, "signal" | "onProgress">;

/** Selections that a recording keeps; others are made again. */
const MOST_SELECTIONS = 50;

interface Held {
  recording: Recording;
  /** In the order of their last use. */
  selections: Map<number, Selection>;
}

export class WorkerHost {
  private readonly held = new Map<number, Held>();
  private readonly readings = new Map<number, AbortController>();

  /** The page numbers its recordings, so that it can cancel one before it is open. */
  open(
    number: number,
    inputs: Sent[],
    options: CrossingOptions,
    onProgress?: (progress: ReadProgress) => void,
  ): Promise<Answer<Facts>> {
    return answered(async () => {
      const reading = new AbortController();
      this.readings.set(number, reading);
      const { signal } = reading;
      try {
        const given = await Promise.all(inputs.map((input) => received(input, signal)));
        const recording = await open(given, { ...options, signal, ...(onProgress && { onProgress }) });
        this.held.set(number, { recording, selections: new Map() });
        return Object.fromEntries(FACTS.map((name) => [name, recording[name]])) as unknown as Facts;
      } finally {
        this.readings.delete(number);
      }
    });
  }

  cancel(number: number): void {
    this.readings.get(number)?.abort();
  }

  ask({ recording, request, given, ...wanted }: Asked): Promise<Answer<unknown>> {
    return answered(() => {
      const held = this.held.get(recording);
      if (held === undefined) throw new SpanflameError("recording.closed", "the recording is closed");
      const selection = selected(held, wanted);
      if (request === "total") return selection.total;
      const args = given.map((each) => (isReference(each) ? selected(held, each.selection) : each));
      return (selection[request] as (...args: unknown[]) => unknown)(...args);
    });
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

function isReference(given: unknown): given is Reference {
  return typeof given === "object" && given !== null && "selection" in given;
}

function received(input: Sent, signal: AbortSignal): OpenInput | Promise<OpenInput> {
  return "url" in input ? openUrl(input.url, { signal }) : input;
}

async function answered<T>(job: () => T | Promise<T>): Promise<Answer<T>> {
  try {
    const value = await job();
    return Comlink.transfer({ ok: true, value }, buffersOf(value));
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    const code = error instanceof SpanflameError ? error.code : null;
    return { ok: false, error: { code: code ?? name, message, fault: { code, name, message } } };
  }
}

/** Records nest no deeper than this: an answer has frames, and frames have columns. */
const DEPTH = 2;

/** Buffers of the typed arrays in an answer, except shared ones: several views may be of one buffer. */
function buffersOf(value: unknown): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  const look = (each: unknown, depth: number) => {
    if (ArrayBuffer.isView(each)) {
      if (each.buffer instanceof ArrayBuffer && each.byteLength > 0) buffers.add(each.buffer);
    } else if (depth > 0 && typeof each === "object" && each !== null && !Array.isArray(each)) {
      for (const part of Object.values(each)) look(part, depth - 1);
    }
  };
  look(value, DEPTH);
  return [...buffers];
}
