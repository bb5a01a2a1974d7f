/** Reading of the files of the page, and the overview of the recording that was read. */

import { loadAnswers } from "../core/answers/views.ts";
import type { Core } from "../core/core.ts";
import { isDumpPath } from "../core/inputs/bundle-paths.ts";
import { messageResource } from "../core/instance/resource.ts";
import type { FileKind } from "../input/classify.ts";
import type { OpenRun } from "../input/dump/read-dumps.ts";
import { type Input, type ReadHooks, readInputs } from "../input/open.ts";
import { tellsOfAbsence } from "../model/recording/offered-profiles.ts";
import { canInfer } from "../model/trace/coverage.ts";
import type { InputFile, Overview } from "./api/api.ts";
import type { LibraryNames } from "./api/symbols-api.ts";
import type { TakenFile } from "./coming-file.ts";
import type { Contexts } from "./contexts.ts";
import type { Grouped } from "./dump-files.ts";
import type { PageSource } from "./file-source.ts";
import { HeldCore } from "./held-core.ts";
import { openFiles } from "./open-files.ts";
import type { ReadFiles } from "./open-recording.ts";
import { OpenedFiles } from "./opened-files.ts";
import { Refusal } from "./refusal.ts";
import { profilesOf } from "./traces/sample-facts.ts";

/** Whether two files are one: names of the page's files are unique. */
function isSame(a: InputFile, b: InputFile): boolean {
  return a.name === b.name && a.blob.size === b.blob.size;
}

/** The reason why nothing was read, and advice. */
function changedWords(files: readonly InputFile[]): string {
  const names = files.map(({ name }) => name).join(", ");
  const [they, were, them] = files.length === 1 ? ["it", "was", "it"] : ["they", "were", "them"];
  return (
    `${names} could not be read: ${they} changed or ${were} removed after you chose ${them}, and browsers do not read such a ` +
    `file. Choose ${them} again, or drop ${them} on the page.`
  );
}

/** Files of the page as inputs, and the dumps among them. */
interface Sources {
  inputs: PageInput[];
  dumps: Grouped | null;
  /** Trace files, which are read before the recordings. */
  traces: PageInput[];
  /** All sources, with the file that each belongs to. */
  all: { file: InputFile; source: PageSource }[];
}

export interface PageInput extends TakenFile {
  name: string;
  file: InputFile;
  around: Input["around"];
}

// Most files are no dumps: the code for dumps is fetched when the name of a file is that of a dump.
const dumpFiles = () => import("./dump-files.ts");

async function sourcesOf(
  files: readonly InputFile[],
  { known = new OpenedFiles(), stopped = new Promise(() => {}), narrow = (all) => all }: Choice,
): Promise<Sources> {
  const mayBeDump = files.some(({ name, parts }) => parts !== undefined || isDumpPath(name));
  const dumps = mayBeDump ? await (await dumpFiles()).groupDumps(files) : null;
  const rest = dumps?.rest ?? files;
  const inputs = await Promise.all(
    rest.map(async (file) => ({
      name: file.name,
      file,
      around: file.upload?.resource,
      ...(await known.take(file, stopped)),
    })),
  );
  const isTrace = ({ kind }: PageInput) => kind.kind === "trace";
  const recordings = inputs.filter((input) => !isTrace(input));
  const all = [...recordings, ...(dumps?.sources ?? [])];
  return { inputs: await narrow(recordings), dumps, traces: inputs.filter(isTrace), all };
}

interface Choice {
  hooks?: ReadHooks;
  /** Files that are open. */
  known?: OpenedFiles;
  /** Ends files that are still being fetched. */
  stopped?: Promise<void>;
  /** The context of events without ids is inferred. */
  inferred: boolean;
  normalise?: boolean;
  /** Names of symbols that are shown, by build id. */
  names?: ReadonlyMap<string, LibraryNames> | undefined;
  /** What has been read is asked about between two chunks. */
  grow?: ((kinds: FileKind[]) => Promise<NonNullable<ReadHooks["between"]>>) | undefined;
  /** The recordings that are read. */
  narrow?: (recordings: PageInput[]) => PageInput[] | Promise<PageInput[]>;
  /** In place of those of the whole time. */
  contexts?: Contexts | null;
  /** As of `openFiles`. */
  need?: (core: Core) => void;
}

/** Trace files, or context that is inferred; null for neither. */
async function contextsOf(core: Core, traces: PageInput[], inferred: boolean) {
  if (traces.length === 0) return inferred ? lateContexts(core) : null;
  const [{ Contexts }, { tracesInto }] = await Promise.all([import("./contexts.ts"), import("./trace-reading.ts")]);
  return new Contexts({ traces, readTrace: tracesInto(core), inferred });
}

/**
 * Context that is inferred when a recording ends, by code that is loaded then, once the recording is on screen. One
 * that states no context costs the facts of its events only.
 */
function lateContexts(core: Core): Pick<Contexts, "begin" | "end" | "traces"> {
  let firstSpan = 0;
  const inferring = () => import("./contexts.ts");
  return {
    traces: null,
    begin: async () => {
      core.noteContexts({
        isNeeded: () => {
          const isPossible = statesContext(core);
          if (!isPossible) firstSpan = core.instance.wasm.spanCount.value;
          return isPossible;
        },
        fetch: inferring,
        load: async () => (await inferring()).inferContexts(core, null, { firstSpan }),
      });
      return true;
    },
    end: async () => {
      if (core.contexts !== null) await (await inferring()).nameStatedTraces(core, null);
    },
  };
}

function statesContext(core: Core): boolean {
  core.pauseReading(true);
  try {
    return canInfer({ profiles: profilesOf(core), files: core.files(), eventTypes: core.eventTypes() });
  } finally {
    core.pauseReading(false);
  }
}

/** Reads files into a core. */
async function readInto(core: Core, files: readonly InputFile[], choice: Choice) {
  const { hooks = {}, inferred, normalise, names, grow, need } = choice;
  const sources = await sourcesOf(files, choice);
  const { traces } = sources;
  const contexts = choice.contexts ?? (await contextsOf(core, traces, inferred));
  const faulty = () =>
    files.filter((file) => sources.all.some((each) => each.file === file && each.source.fault !== null));
  const kinds = kindsOf(files, sources);
  // Traces and dumps are there at the end only; inferred context is added then.
  const canGrow = grow !== undefined && traces.length === 0 && sources.dumps === null;
  const between = canGrow ? { between: await grow(kinds) } : {};
  const [first] = sources.inputs.flatMap(({ coming = [] }) => coming);
  await first?.begin(core, sources.inputs, hooks, canGrow);
  const runs = await openFiles(core, {
    normalise,
    ...(need && { need }),
    contexts,
    spanSamples: true,
    recordings: async () => {
      const later = Promise.all([core.loadLosses(), loadAnswers()]);
      const read = await readAll(core, sources, { ...hooks, ...between }).catch((error) => {
        refuse(faulty());
        throw error;
      });
      await later;
      if (files.some(({ upload }) => upload !== undefined)) {
        await (await import("./uploads.ts")).noteUploads(core, files);
      }
      return read;
    },
    symbols: async () => {
      if (names === undefined || names.size === 0) return;
      await core.complete();
      (await import("./symbols.ts")).showNames(new HeldCore(core), names);
    },
  }).finally(() => choice.known?.clear());
  return { kinds, faulty, runs: runs ?? [], traces: contexts?.traces?.files ?? [] };
}

function refuse(changed: readonly InputFile[]): void {
  if (changed.length > 0) throw new Refusal("file.changed", changedWords(changed));
}

interface FilesReading extends Choice {
  /** Files without which nothing is to be opened. */
  needed: readonly InputFile[];
  /** False if other files were opened meanwhile. */
  isWanted: () => boolean;
  /** The samples of calls have changed: answers about samples are void. */
  onSamples: () => void;
}

/** Reads files into a core: their formats, and the calls of the dumps among them. Throws Refusal. */
export async function readFiles(
  core: Core,
  files: readonly InputFile[],
  { needed, isWanted, onSamples, ...choice }: FilesReading,
): Promise<Pick<ReadFiles, "held" | "kinds" | "calls" | "spans">> {
  const { kinds, faulty, runs, traces } = await readInto(core, files, choice);
  for (const { name: file, findings = [] } of files) {
    for (const finding of findings) core.note({ ...finding, file, chunk: null, offset: null });
  }
  const unread = faulty();
  if (!isWanted()) throw new Refusal("superseded", "Other files were opened meanwhile.");
  refuse(unread.filter((file) => needed.some((other) => isSame(other, file))));
  // With samples of those calls that a page begins with.
  const calls = runs.length === 0 ? null : await (await import("./calls/calls.ts")).Calls.of(core, runs, onSamples);
  const { SpanRequests } = await import("./traces/span-requests.ts");
  const held = new HeldCore(core);
  return { held, kinds, calls, spans: await SpanRequests.of(held, traces) };
}

/** Reads the files of the page into another core. Throws Refusal. */
export async function readAgain(core: Core, files: readonly InputFile[], choice: Choice): Promise<Core> {
  const { faulty } = await readInto(core, files, choice);
  refuse(faulty());
  return core;
}

/** Reads all files into a core. The answer is the runs of the dumps among them. */
async function readAll(core: Core, { inputs, dumps }: Sources, hooks: ReadHooks): Promise<OpenRun[]> {
  const { runs } = await readInputs(core, inputs, hooks);
  if (dumps === null || dumps.runs.length === 0 || hooks.cancelled?.() === true) return runs;
  return [...runs, ...(await (await dumpFiles()).readGrouped(core, dumps, hooks))];
}

/** What the files of the page are: dumps are of several. */
function kindsOf(files: readonly InputFile[], { inputs, traces }: Sources): FileKind[] {
  const all = [...inputs, ...traces];
  return files.map((file) => {
    return all.find((each) => each.file === file)?.kind ?? { kind: "cdt", packed: false };
  });
}

/** Facts of a reading, without those of dumps and traces. */
type Read = Omit<Overview, "open" | "calls" | "traces">;

export function overviewOf(core: Core, inputs: FileKind[], cancelled: boolean): Read {
  return {
    inputs,
    files: core.files(),
    profiles: profilesOf(core),
    attributeKeys: core.attributeKeys(),
    diagnostics: core.diagnostics(),
    eventTypes: core.eventTypes().filter(({ stack, contextFields }) => stack || contextFields.length > 0),
    settings: core.settings().filter(tellsOfAbsence),
    resource: messageResource(core.files(), {}),
    time: core.views.timeBounds(),
    rows: core.views.timeRows(),
    cancelled,
    bytesHeld: core.bytesHeld(),
    hasAddresses: core.views.hasAddressed(),
    uploads: [...core.views.uploads].map(([{ figures }, [file = ""]]) => ({ file, figures })),
  };
}

/** No event in any file, and errors: only the errors can be shown. */
export function isUnreadable({ files, profiles, diagnostics, cancelled }: Read): boolean {
  const anyEvent = files.some(({ chunks }) => chunks.some(({ events }) => Object.keys(events).length > 0));
  return profiles.length === 0 && !anyEvent && !cancelled && diagnostics.some(({ severity }) => severity === "error");
}
