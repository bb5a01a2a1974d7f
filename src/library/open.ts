/** Opening of recordings. */
import { Core } from "../core/core.ts";
import { SpanflameError } from "../core/instance/error.ts";
import { readOnlyNeeded } from "../core/reading/read-filter.ts";
import type { ExtraEvent } from "../core/types.ts";
import type { OpenRun } from "../input/dump/read-dumps.ts";
import { type Input, readInputs } from "../input/open.ts";
import type { OtherCores } from "../input/other-cores.ts";
import { Slices } from "../input/turn.ts";
import { loadPatterns } from "../pattern/pattern.ts";
import type { Calls } from "../requests/calls/calls.ts";
import type { Contexts } from "../requests/contexts.ts";
import { eventsOf } from "../requests/events.ts";
import { openFiles } from "../requests/open-files.ts";
import { checked } from "./check.ts";
import { inputsOf, type OpenInput } from "./inputs.ts";
import { loadModule } from "./load-core.ts";
import { OPEN } from "./option-checks.ts";
import type { OnlyOptions, OpenOptions } from "./options.ts";
import { Recording } from "./recording.ts";
import { filterOf } from "./selection-checks.ts";

/**
 * Reads files into a recording. A damaged file is not an error: `recording.diagnostics` lists its problems.
 *
 * @throws `input.unknown`, `option.unknown`, `option.value`, `core.load`; after an abort, the reason of the signal
 */
export function open(inputs: OpenInput | readonly OpenInput[], options?: OpenOptions): Promise<Recording> {
  return openWith(() => loadModule(options?.wasm), inputs, options);
}

/** Compiles the core's WebAssembly. */
export type LoadCore = () => Promise<WebAssembly.Module>;

/** Cores of other threads, which read chunks beside this one and share its module. */
export interface Beside extends OtherCores {
  use(module: WebAssembly.Module): void;
}

/** `open` with a way of loading the core, and with other threads. `now` is the clock of the reading, for tests. */
export async function openWith(
  load: LoadCore,
  inputs: OpenInput | readonly OpenInput[],
  options?: OpenOptions,
  now?: () => number,
  others?: Beside,
): Promise<Recording> {
  const { signal, onProgress, events = {}, names, only, ...rest } = checked("open", options, OPEN);
  const { traceLabel, spanLabel, traces = [], symbols = [], infer = false, spans = false } = rest;
  const files = inputsOf(inputs);
  const traceFiles = inputsOf(traces, "trace");
  const symbolFiles = inputsOf(symbols, "symbols");
  const isSpanned = traceFiles.length > 0 || infer || spans;
  if (isSpanned && only !== undefined) {
    const text = "open: only leaves samples out, which traces, spans and infer need; select after reading";
    throw new SpanflameError("option.value", text);
  }
  signal?.throwIfAborted();
  const { core, module } = await coreOf(load, eventsOf(events));
  others?.use(module);
  const contexts = isSpanned ? await contextsOf(core, { traceFiles, infer, spans, signal, now }) : null;
  const summary = await openFiles(core, {
    normalise: names === "normalised",
    ids: { trace: traceLabel, span: spanLabel },
    contexts,
    need: () => {
      if (only !== undefined) skipOthers(core, only);
      signal?.throwIfAborted();
    },
    recordings: () =>
      readInputs(core, files, {
        ...(onProgress === undefined ? {} : { onProgress }),
        ...(now === undefined ? {} : { now }),
        others,
        signal,
      }),
    symbols: async () => {
      if (symbolFiles.length > 0) await (await import("./beside/symbols.ts")).nameFrames(core, symbolFiles);
    },
  });
  signal?.throwIfAborted();
  const { inputs: read = [], runs = [] } = summary ?? {};
  const calls = runs.length === 0 ? null : await callsOf(core, runs);
  const recording = Recording.of(core, read, calls, only === undefined);
  if (contexts !== null) await recording.openSpans(contexts.traces?.files ?? [], infer);
  return recording;
}

interface Spanned {
  traceFiles: readonly Input[];
  infer: boolean;
  spans: boolean;
  signal: AbortSignal | undefined;
  now: (() => number) | undefined;
}

/** Reads trace files before the recordings, and infers context. */
async function contextsOf(core: Core, { traceFiles, infer, spans, signal, now }: Spanned): Promise<Contexts<Input>> {
  const [{ Contexts }, { tracesInto }] = await Promise.all([
    import("../requests/contexts.ts"),
    import("../requests/trace-reading.ts"),
  ]);
  const slices = new Slices(now);
  const rest = async () => {
    await slices.rest();
    signal?.throwIfAborted();
  };
  return new Contexts({ traces: traceFiles, readTrace: tracesInto(core, rest), inferred: infer, spans });
}

/** The calls of dumps. Their frames become samples while the files are open. */
async function callsOf(core: Core, runs: readonly OpenRun[]): Promise<Calls> {
  return (await import("../requests/calls/calls.ts")).Calls.of(core, runs, () => {});
}

/** A new core. Throws `core.load`. */
export async function coreOf(load: LoadCore, events: readonly ExtraEvent[] = []) {
  const [module] = await Promise.all([loaded(load), loadPatterns()]);
  return { module, core: await loaded(() => Core.instantiate(module, events)) };
}

/** Has the core skip samples that cannot match. Pauses, measurements and other facts are read. */
function skipOthers(core: Core, { profiles, ...conditions }: OnlyOptions): void {
  const types = profiles === undefined ? {} : { types: [profiles].flat() };
  readOnlyNeeded(core, { ...types, filter: filterOf(conditions), stacks: true, all: true });
}

async function loaded<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    if (cause instanceof SpanflameError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SpanflameError("core.load", `the core's WebAssembly cannot be loaded: ${reason}`, { cause });
  }
}
