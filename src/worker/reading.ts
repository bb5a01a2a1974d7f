/** Reading of the files of the page, and the overview of the recording that was read. */

import type { Core } from "../core/core.ts";
import { isDumpPath } from "../core/input-formats.ts";
import { messageResource } from "../core/resource.ts";
import type { OpenRun } from "../input/dump/read-dumps.ts";
import { type InputKind, inputKind, isTraceFile } from "../input/input-kind.ts";
import { type Input, type ReadHooks, readInputs } from "../input/open.ts";
import { tellsOfAbsence } from "../model/recording/setting-words.ts";
import type { Beside, InputFile, Overview } from "./api.ts";
import type { Calls } from "./calls-session.ts";
import type { Grouped } from "./dump-files.ts";
import { FileSource } from "./file-source.ts";
import { Refusal } from "./refusal.ts";
import { profilesOf } from "./sample-facts.ts";
import type { SpanRequests } from "./span-requests.ts";
import type { TraceFiles } from "./trace-reading.ts";
import type { Traces } from "./traces-session.ts";

/** Bytes of a core's memory. */
export const MEMORY = {
  all: 2 ** 32,
  /** A recording in more than this is forgotten before another one is read: two at once might not fit. */
  kept: 2 ** 30,
  /** A core needs so much for its tables before it reads anything. */
  least: 2 ** 22,
};

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

/** Why files were not opened beside the recording on the page. */
export function roomWords(files: readonly InputFile[], beside: Beside): string {
  const names = (list: readonly InputFile[]) => list.map(({ name }) => name).join(", ");
  const [verb, them] = files.length === 1 ? ["does", "it"] : ["do", "them"];
  return `${names(files)} ${verb} not fit into memory beside ${names(beside.files)}. Close the open recording to read ${them}.`;
}

/** Files of the page as inputs, and the dumps among them. */
interface Sources {
  inputs: (Input & { file: InputFile; source: FileSource })[];
  dumps: Grouped | null;
  /** Trace files, which are read before the recordings. */
  traces: InputFile[];
  /** All sources, with the file that each belongs to. */
  all: { file: InputFile; source: FileSource }[];
}

// Most files are no dumps: the code for dumps is fetched when the name of a file is that of a dump.
const dumpFiles = () => import("./dump-files.ts");

async function sourcesOf(files: readonly InputFile[]): Promise<Sources> {
  const mayBeDump = files.some(({ name, parts }) => parts !== undefined || isDumpPath(name));
  const dumps = mayBeDump ? await (await dumpFiles()).groupDumps(files) : null;
  const rest = dumps?.rest ?? files;
  const traces = await tracesAmong(rest);
  const inputs = rest
    .filter((file) => !traces.includes(file))
    .map((file) => ({ name: file.name, file, source: new FileSource(file.blob), around: file.upload?.resource }));
  return { inputs, dumps, traces, all: [...inputs, ...(dumps?.sources ?? [])] };
}

async function tracesAmong(files: readonly InputFile[]): Promise<InputFile[]> {
  const are = await Promise.all(files.map(({ blob }) => isTraceFile(new FileSource(blob)).catch(() => false)));
  return files.filter((_, i) => are[i]);
}

interface FilesReading {
  hooks: ReadHooks;
  /** The context of events without ids is inferred. */
  inferred: boolean;
  /** Files without which nothing is to be opened. */
  needed: readonly InputFile[];
  /** False if other files were opened meanwhile. */
  isWanted: () => boolean;
  /** The samples of calls have changed: answers about samples are void. */
  onSamples: () => void;
  /** The core, for requests that select by themselves. */
  select: () => Core;
}

/** Reads files into a core: their formats, and the calls of the dumps among them. Throws Refusal. */
export async function readFiles(
  core: Core,
  files: readonly InputFile[],
  { hooks, inferred, needed, isWanted, onSamples, select }: FilesReading,
): Promise<{ kinds: InputKind[]; calls: Calls | null; spans: SpanRequests }> {
  const sources = await sourcesOf(files);
  const faulty = () =>
    files.filter((file) => sources.all.some((each) => each.file === file && each.source.fault !== null));
  const refuse = (changed: InputFile[]) => {
    if (changed.length > 0) throw new Refusal("file.changed", changedWords(changed));
  };
  const spans = await spansOf(core, sources.traces, inferred);
  const runs = await readAll(core, sources, hooks).catch((error) => {
    refuse(faulty());
    throw error;
  });
  await nameScopes(core, spans, inferred);
  for (const { name: file, findings = [] } of files) {
    for (const finding of findings) core.note({ ...finding, file, chunk: null, offset: null });
  }
  if (files.some(({ upload }) => upload !== undefined)) await (await import("./uploads.ts")).noteUploads(core, files);
  const unread = faulty();
  const kinds = await kindsOf(files, sources);
  if (!isWanted()) throw new Refusal("superseded", "Other files were opened meanwhile.");
  refuse(unread.filter((file) => needed.some((other) => isSame(other, file))));
  // With samples of those calls that a page begins with.
  const calls = runs.length === 0 ? null : await (await import("./calls-session.ts")).Calls.of(core, runs, onSamples);
  const { SpanRequests } = await import("./span-requests.ts");
  return { kinds, calls, spans: new SpanRequests(await tracesOf(core, spans, select), select) };
}

/** Spans of trace files precede the recordings, whose context may be inferred from them. */
async function spansOf(core: Core, files: readonly InputFile[], inferred: boolean): Promise<TraceFiles | null> {
  if (files.length === 0 && !inferred) return null;
  const { inferContexts, readTraces } = await import("./trace-reading.ts");
  const spans = files.length === 0 ? null : await readTraces(core, files);
  if (inferred) await inferContexts(core, spans);
  return spans;
}

/** Scopes state trace ids, too, which messages contain with inferred context. */
async function nameScopes(core: Core, spans: TraceFiles | null, inferred: boolean): Promise<void> {
  if (inferred) await (await import("./trace-reading.ts")).nameScopeTraces(core, spans);
}

/** The spans of trace files, or of recordings that know some. */
async function tracesOf(core: Core, spans: TraceFiles | null, select: () => Core): Promise<Traces | null> {
  if (core.instance.wasm.spanCount.value === 0) return null;
  return await (await import("./traces-session.ts")).Traces.of(core, spans?.files ?? [], select);
}

/** Reads the files of the page into another core, under normalised names. */
export async function readNormalised(core: Core, files: readonly InputFile[], inferred: boolean): Promise<Core> {
  core.normaliseNames(true);
  const traces = await tracesAmong(files);
  const spans = await spansOf(core, traces, inferred);
  const recordings = files.filter((file) => !traces.includes(file));
  const inputs = recordings.map(({ name, blob, upload }) => {
    return { name, source: new FileSource(blob), around: upload?.resource };
  });
  await readInputs(core, inputs);
  await nameScopes(core, spans, inferred);
  const changed = recordings.filter((_, i) => inputs[i]?.source.fault);
  if (changed.length > 0) throw new Refusal("file.changed", changedWords(changed));
  return core;
}

/** Reads all files into a core. The answer is the runs of the dumps among them. */
async function readAll(core: Core, { inputs, dumps }: Sources, hooks: ReadHooks): Promise<OpenRun[]> {
  const { runs } = await readInputs(core, inputs, hooks);
  if (dumps === null || dumps.runs.length === 0 || hooks.cancelled?.() === true) return runs;
  return [...runs, ...(await (await dumpFiles()).readGrouped(core, dumps, hooks))];
}

/** Formats of the files. One that cannot be read at all has none. */
function kindsOf(files: readonly InputFile[], { inputs, traces }: Sources): Promise<InputKind[]> {
  const unknown: InputKind = { kind: "foreign", packed: false };
  return Promise.all(
    files.map(async (file) => {
      const input = inputs.find((each) => each.file === file);
      if (input === undefined) return traces.includes(file) ? unknown : DUMP;
      return inputKind(input.source).catch(() => unknown);
    }),
  );
}

const DUMP: InputKind = { kind: "cdt", packed: false };

/** Facts of a reading, without those of dumps and traces. */
type Read = Omit<Overview, "open" | "calls" | "traces">;

export function overviewOf(core: Core, inputs: InputKind[], cancelled: boolean): Read {
  return {
    inputs,
    files: core.files(),
    profiles: profilesOf(core),
    attributeKeys: core.attributeKeys(),
    diagnostics: core.diagnostics(),
    eventTypes: core.eventTypes().filter(({ stack, contextual }) => stack || contextual),
    settings: core.settings().filter(tellsOfAbsence),
    resource: messageResource(core.files(), {}),
    time: core.views.timeBounds(),
    rows: core.views.timeRows(),
    cancelled,
    bytesHeld: core.bytesHeld(),
    hasAddresses: core.views.hasAddressed(),
  };
}

/** No event in any file, and errors: only the errors can be shown. */
export function isUnreadable({ files, profiles, diagnostics, cancelled }: Read): boolean {
  const anyEvent = files.some(({ chunks }) => chunks.some(({ events }) => Object.keys(events).length > 0));
  return profiles.length === 0 && !anyEvent && !cancelled && diagnostics.some(({ severity }) => severity === "error");
}
