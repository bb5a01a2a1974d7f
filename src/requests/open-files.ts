/** The order in which everyone reads files into a core: page, command line and library. */
import type { Core } from "../core/core.ts";
import type { IdNames } from "../core/instance/id-names.ts";
import type { Contexts } from "./contexts.ts";

interface Steps<Read> {
  /** Names are shown without the parts that differ from run to run. */
  normalise?: boolean | undefined;
  /** Attributes that samples carry ids in. */
  ids?: IdNames | undefined;
  /** Prepares the core before any file: it may skip samples. */
  need?(core: Core): void;
  /** Trace files precede the recordings, whose context may be inferred from them. */
  contexts?: Pick<Contexts, "begin" | "end" | "traces"> | null;
  /** Without a sample in the recordings, spans of trace files become samples. */
  spanSamples?: boolean;
  recordings(core: Core): Promise<Read>;
  /** Names native frames of the recordings. */
  symbols?(core: Core, read: Read): Promise<void> | void;
  /** They are of one of several processes: the caller marks the sources of its samples. */
  isMore?: boolean;
}

/** What `recordings` has read; null if the trace files were such that no recording was to be read. */
export async function openFiles<Read>(
  core: Core,
  { normalise = false, ids = {}, need, contexts = null, spanSamples, recordings, symbols, isMore = false }: Steps<Read>,
): Promise<Read | null> {
  core.normaliseNames(normalise);
  core.idNames(ids);
  need?.(core);
  const before = core.instance.files.length;
  if (contexts !== null && !(await contexts.begin(core))) return null;
  const read = await recordings(core);
  const traces = contexts?.traces ?? null;
  if (spanSamples === true && traces !== null && core.samples() === 0)
    await (await import("./span-samples.ts")).addSpanSamples(core, traces);
  await contexts?.end(core);
  await symbols?.(core, read);
  if (core.instance.wasm.labelThreads()) await joinThreads(core, isMore ? before : 0);
  if (!isMore) await markSources(core);
  return read;
}

/** A thread is its id in a process. `first`: of the files that may be of one. */
async function joinThreads(core: Core, first: number): Promise<void> {
  await core.complete();
  const { files, wasm } = core.instance;
  const isOneFile = files.length - first < 2;
  const isOneProcess = isOneFile || (await import("./one-process.ts")).isOneProcess(core, first);
  wasm.joinThreads(isOneProcess, isOneFile);
  wasm.labelThreads();
}

/** Gives samples the libraries of their functions; also after frames of other calls are read. */
export async function markSources(core: Core): Promise<void> {
  const count = core.views.libraries.size + core.instance.wasm.sourceCount();
  if (count > 1) (await import("./library-marks.ts")).markLibraries(core);
}
