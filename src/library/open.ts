/** Opening of recordings. */
import { Core } from "../core/core.ts";
import { SpanflameError } from "../core/instance/error.ts";
import { readOnlyNeeded } from "../core/reading/read-filter.ts";
import type { ExtraEvent } from "../core/types.ts";
import { readInputs } from "../input/open.ts";
import type { OtherCores } from "../input/other-cores.ts";
import { loadPatterns } from "../pattern/pattern.ts";
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
  const { signal, onProgress, events = {}, names, traceLabel, spanLabel, only } = checked("open", options, OPEN);
  const files = inputsOf(inputs);
  signal?.throwIfAborted();
  const { core, module } = await coreOf(load, eventsOf(events));
  others?.use(module);
  const summary = await openFiles(core, {
    normalise: names === "normalised",
    ids: { trace: traceLabel, span: spanLabel },
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
  });
  signal?.throwIfAborted();
  return Recording.of(core, summary?.inputs ?? []);
}

/** A new core. Throws `core.load`. */
export async function coreOf(load: LoadCore, events: readonly ExtraEvent[] = []) {
  const [module] = await Promise.all([loaded(load), loadPatterns()]);
  return { module, core: await Core.instantiate(module, events) };
}

/** Has the core skip samples that cannot match. Pauses, measurements and other facts are read. */
function skipOthers(core: Core, { profiles, ...conditions }: OnlyOptions): void {
  const types = profiles === undefined ? {} : { types: [profiles].flat() };
  readOnlyNeeded(core, { ...types, filter: filterOf(conditions), stacks: true, all: true });
}

async function loaded(load: LoadCore): Promise<WebAssembly.Module> {
  try {
    return await load();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SpanflameError("core.load", `the core's WebAssembly cannot be loaded: ${reason}`, { cause });
  }
}
