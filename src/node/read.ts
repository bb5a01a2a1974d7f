/** Reads the inputs named on the command line into a core. */
import { statSync } from "node:fs";
import { Core } from "../core/core.ts";
import type { Beginning } from "../core/reading/contents.ts";
import { PROFILES, wireType } from "../core/tables/catalogue.ts";
import { DUMP_TYPES } from "../core/tables/dump-streams.ts";
import { extraType } from "../core/tables/extra-events.ts";
import { profileNamed, profileOfKind } from "../core/tables/kinds.ts";
import { usualMeasure } from "../core/tables/usual-measure.ts";
import type { Diagnostic, ExtraEvent, ProfileKind, ProfileSummary, WriteOptions } from "../core/types.ts";
import type { Begun } from "../input/beginnings.ts";
import { closePackings, opened } from "../input/classify.ts";
import type { OpenRun } from "../input/dump/read-dumps.ts";
import { type InputSummary, type ReadHooks, type ReadProgress, type ReadSummary, readInputs } from "../input/open.ts";
import { isProfileName } from "../model/recording/folder-files.ts";
import { formatBytes, formatEstimate, formatProfileValue, formatValue } from "../model/words/format.ts";
import { measured, unitOf } from "../model/words/measure.ts";
import type { Contexts, ReadTraces } from "../requests/contexts.ts";
import { openFiles } from "../requests/open-files.ts";
import { extraEvents, type IdLabels, idNamesOf, jobsOf, type ProfileChoice } from "./arguments.ts";
import { areBrief, compiledCore, compileSimply } from "./compiled-core.ts";
import { type ExitCode, exitOf, isRecorded, UsageError } from "./exit.ts";
import { isWithin, type NamedInput, noSuchInput } from "./inputs.ts";
import { RoomAhead } from "./memory-warning.ts";
import { type OpenInput, openInput } from "./node-source.ts";
import { sayFindings } from "./symbols/symbol-findings.ts";
import { systemWords } from "./system-error.ts";
import { inputName, isForPeople, note, noteOnce, progress, say, sayDiagnostics } from "./terminal.ts";
import type { ContextChoice } from "./trace-files.ts";
import { didYouMean } from "./usage/suggest.ts";

/** The built chunk-thread.ts of the library (scripts/vite.package.config.ts). */
const ENTRY = "chunk-thread";
const THREAD = new URL(`../dist-lib/${ENTRY}.js`, import.meta.url);

/** What `readPaths` has read: nothing if a trace file has no span. */
export interface InputsRead extends ReadSummary {
  core: Core;
  traces: ReadTraces | null;
}

/** A core with the inputs in it, and how much of them could be read. An input is named by its path. */
export async function readPaths(
  sources: readonly NamedInput[],
  choice: ReadChoice,
  { need, onRead, symbols, open }: ReadSteps = {},
): Promise<InputsRead> {
  if (choice.takesTraces === true) {
    const traces = await traceInputs(sources);
    const { takesTraces: _, ...rest } = choice;
    const recordings = sources.filter((each) => !traces.includes(each));
    const spanSamples = choice.spanSamples === true && recordings.length === 0;
    if (spanSamples) note("spanflame: no recording: values are self times of spans");
    const trace = [...(choice.trace ?? []), ...traces.map(({ path }) => path)];
    if (traces.length > 0) return readPaths(recordings, { ...rest, trace, spanSamples }, { onRead, symbols, open });
  }
  const paths = sources.map(({ path }) => path);
  checkTraceInputs(paths, choice.trace);
  const extra = [...(await extraEvents(choice)), ...(choice.extra ?? [])];
  const threads = await threadsOf(jobsOf(choice.jobs), paths);
  compileSimply(areBrief(paths));
  const module = await compiledCore();
  threads?.use(module);
  const core = await Core.instantiate(module, extra);
  const room = new RoomAhead(say);
  const onProgress = (read: ReadProgress, i: number) => {
    room.look(core.bytesHeld(), read);
    const place = sources.length === 1 ? "" : ` (${i + 1} of ${sources.length})`;
    progress.show(() => `reading ${inputName(sources[i]?.name ?? "")}${place}${partOf(read)}`);
  };
  const contexts = await contextsFor(choice);
  try {
    const read = await openFiles(core, {
      normalise: choice["normalise-names"],
      ids: idNamesOf(choice),
      contexts,
      ...(choice.spanSamples !== undefined && { spanSamples: choice.spanSamples }),
      ...(need !== undefined && { need }),
      recordings: async () => {
        const summary = await readInto(core, sources, {
          onProgress,
          others: threads ?? undefined,
          ...(open && { open }),
        });
        onRead?.(core, summary);
        return summary;
      },
      ...(symbols !== undefined && { symbols }),
    });
    const traces = contexts?.traces ?? null;
    if (sources.length > 0) return { core, traces, ...(read ?? NOTHING) };
    const inputs = (traces?.files ?? []).map(({ name }): InputSummary => ({ name, read: "wholly" }));
    return { core, traces, inputs, runs: [], readable: inputs.length };
  } finally {
    threads?.close();
  }
}

/** The inputs that are trace files. Pipes are no such: they are read once. */
async function traceInputs(sources: readonly NamedInput[]): Promise<NamedInput[]> {
  const found: NamedInput[] = [];
  for (const each of sources) {
    if (each.dump !== undefined || each.fault !== undefined || each.path === "-") continue;
    if (statSync(each.path, { throwIfNoEntry: false })?.isFile() !== true) continue;
    const input = await openInput(each.path);
    const file = await opened(input.source);
    if (file.sniffed.kind === "trace") found.push(each);
    await closePackings(file);
    await input.close();
  }
  return found;
}

const NOTHING: ReadSummary = { inputs: [], runs: [], readable: 0 };

/** Threads for so many jobs, which start for the largest of the files. One job needs neither threads nor their code. */
async function threadsOf(jobs: number, paths: readonly string[]) {
  if (jobs <= 1) return null;
  const { ChunkThreads } = await import("./chunk-threads.ts");
  const threads = new ChunkThreads(THREAD, jobs);
  threads.start(Math.max(0, ...paths.map(sizeOf)));
  return threads;
}

/** Bytes of an input that is a file. */
function sizeOf(path: string): number {
  try {
    return path === "-" ? 0 : statSync(path).size;
  } catch {
    // Opening it says why.
    return 0;
  }
}

/** Options about what is read. */
interface ReadChoice extends ContextChoice, ProfileChoice, IdLabels {
  jobs?: string | undefined;
  /** Events that are profiled beside those of the options. */
  extra?: readonly ExtraEvent[] | undefined;
  "normalise-names"?: boolean | undefined;
  /** Inputs may be trace files. */
  takesTraces?: boolean;
  /** Trace files without a recording beside them become samples. */
  spanSamples?: boolean;
}

interface ReadSteps {
  need?: ((core: Core) => void) | undefined;
  onRead?: ((core: Core, read: ReadSummary) => void) | undefined;
  symbols?: ((core: Core) => Promise<void>) | undefined;
  open?: InputHooks["open"];
}

/** Code for trace files and for spans, which most commands do not need; null without such options. */
export async function contextsFor(choice: ContextChoice, counts = true): Promise<Contexts<string> | null> {
  const { trace = [], inferred, spans } = choice;
  if (trace.length === 0 && inferred !== true && spans !== true) return null;
  return (await import("./trace-files.ts")).contextsOf(choice, counts);
}

/** Standard input is read once. */
function checkTraceInputs(inputs: readonly string[], traces: readonly string[] = []): void {
  if (traces.includes("-") && [...inputs, ...traces].filter((path) => path === "-").length > 1) {
    throw new UsageError("--trace: standard input can only be read once");
  }
}

interface InputHooks extends Pick<ReadHooks, "others"> {
  /** Also has the index of the input. */
  onProgress?: (read: ReadProgress, i: number) => void;
  /** Opens a path. */
  open?: ((path: string) => Promise<OpenInput>) | undefined;
}

/** Reads inputs into a core, beside those that are in it. */
export async function readInto(
  core: Core,
  sources: readonly NamedInput[],
  { onProgress, others, open = openInput }: InputHooks = {},
): Promise<ReadSummary> {
  const inputs: InputSummary[] = [];
  const runs: OpenRun[] = [];
  const left = new Set(sources);
  let side: string | undefined;
  const pipes: Pipes = { current: null, read: new Set(), ahead: new Map() };
  let begins = beginsOf(sources, side, open, pipes);
  for (const each of left) {
    if (each.side !== side) {
      side = each.side;
      core.contents.forget();
      begins = beginsOf(sources, side, open, pipes);
    }
    if (each.dump !== undefined) {
      const { folder } = each.dump;
      const beside = [...left].filter(({ dump }) => dump !== undefined && dump.folder === folder);
      const { hasRecordings, NO_RUN, readDumpInputs } = await import("./dump-inputs.ts");
      const dumps = await readDumpInputs(core, beside);
      runs.push(...dumps.runs);
      for (const input of beside) left.delete(input);
      if (dumps.runs.length > 0) inputs.push({ name: folder ?? each.path, read: dumps.isRead ? "wholly" : "not" });
      // The others are read as recordings, where their names are those of recordings.
      const others = dumps.rest.filter(({ path }) => folder === null || isProfileName(path));
      for (const { dump: _, ...input } of others) left.add(input);
      if (folder === null || dumps.runs.length > 0 || others.length > 0 || hasRecordings(folder, sources)) continue;
      noteUnreadable(core, folder, NO_RUN);
      inputs.push({ name: folder, read: "not" });
      continue;
    }
    const { path, name, fault } = each;
    let input: OpenInput;
    try {
      if (fault !== undefined) throw new Error(fault);
      input = pipes.ahead.get(each) ?? (await open(path));
    } catch (error) {
      noteUnreadable(core, path, systemWords(error));
      inputs.push({ name: path, read: "not" });
      continue;
    }
    pipes.current = { source: each, input };
    pipes.read.add(each);
    try {
      const hooks: ReadHooks = { others, begins, onProgress: (read) => onProgress?.(read, inputs.length) };
      const around = each.upload?.resource;
      const { inputs: one, runs: opened } = await readInputs(core, [{ name, source: input.source, around }], hooks);
      runs.push(...opened);
      inputs.push(...one.map(({ read }) => ({ name: path, read })));
    } finally {
      await input.close();
    }
  }
  for (const { name, upload } of sources)
    if (upload !== undefined) {
      const { uploads } = core.views;
      uploads.set(upload.facts, [...(uploads.get(upload.facts) ?? []), name]);
    }
  if (sources.some(({ upload }) => upload?.libraries !== undefined))
    await (await import("./symbols/upload-libraries.ts")).addLibraries(core, sources);
  return { inputs, runs, readable: inputs.filter(({ read }) => read !== "not").length };
}

/** Pipes can be read once. */
interface Pipes {
  current: { source: NamedInput; input: OpenInput } | null;
  read: Set<NamedInput>;
  /** Those that were opened before their turn. */
  ahead: Map<NamedInput, OpenInput>;
}

/** Beginnings of the chunks in all files of a side, and in its pipes that are not read yet. */
function beginsOf(
  sources: readonly NamedInput[],
  side: string | undefined,
  open: (path: string) => Promise<OpenInput>,
  pipes: Pipes,
) {
  let begins: Promise<ReadonlyMap<string, Beginning>> | undefined;
  const opening = async (each: NamedInput): Promise<Begun | null> => {
    const stats = each.path === "-" ? null : statSync(each.path, { throwIfNoEntry: false });
    if (stats?.isFile() === true) return open(each.path);
    if (each === pipes.current?.source) return { ...pipes.current.input, isBegun: true, close: async () => {} };
    if (pipes.read.has(each) || (each.path !== "-" && stats?.isFIFO() !== true)) return null;
    const input = await open(each.path);
    pipes.ahead.set(each, input);
    return { ...input, close: async () => {} };
  };
  const read = async () => {
    const inputs = sources.filter((each) => each.side === side && each.dump === undefined);
    return (await import("../input/beginnings.ts")).beginsIn(inputs.map((each) => () => opening(each)));
  };
  return () => (begins ??= read());
}

function noteUnreadable(core: Core, file: string, message: string): void {
  core.beginFile(file, 0);
  core.note({ code: "source.unreadable", severity: "error", message, file, chunk: null, offset: null });
}

/** The size of what arrives through a pipe is not known. */
export function partOf({ bytes, total }: ReadProgress): string {
  return total > 0 ? `: ${Math.floor((100 * bytes) / total)} % of ${formatBytes(total)}` : `: ${formatBytes(bytes)}`;
}

/**
 * Reads inputs into a core, prints the diagnostics on standard error, and returns the exit code of the readable part.
 * `need` is called before anything is read.
 */
export async function readSaid(
  inputs: readonly NamedInput[],
  choice: ReadChoice & {
    json?: boolean | undefined;
    strict?: boolean | undefined;
    file?: string | undefined;
    symbols?: readonly string[] | undefined;
    isOutput?: boolean;
  },
  need?: (core: Core) => void,
): Promise<InputsRead & { exit: ExitCode }> {
  const { symbols = [] } = choice;
  let diagnostics: Diagnostic[] = [];
  const read = await readPaths(inputs, choice, {
    need,
    onRead: (core, { readable }) => {
      diagnostics = core.diagnostics();
      sayDiagnostics(diagnostics);
      progress.show(() => "computing the answer");
      if (readable > 0) checkFile(core, choice.file);
    },
    symbols:
      symbols.length === 0
        ? undefined
        : async (core) => {
            const { loadSymbols } = await import("./symbols/recorded-symbols.ts");
            sayFindings((await loadSymbols(core, symbols)).diagnostics);
          },
  });
  return { ...read, exit: exitOf(read, diagnostics, choice.strict, choice.isOutput === true && isRecorded(read.core)) };
}

/** The name of `--file` must be that of an input, or of a folder or an archive of several. */
function checkFile(core: Core, wanted: string | undefined): void {
  if (wanted === undefined) return;
  const names = core.files().map(({ name }) => name);
  if (!names.some((name) => isWithin(name, wanted))) throw new UsageError(noSuchInput(wanted, names));
}

/** A profile and the index of its measure to weigh by. */
export interface Chosen {
  profile: ProfileSummary;
  measure: number;
}

/**
 * The profile that the options select; null if the inputs have no samples of it. An unknown type, event, field or
 * measure is wrong usage.
 */
export function chosenProfile(core: Core, choice: ProfileChoice): Chosen | null {
  const profiles = core.profiles();
  const { type, event, value } = choice;
  if (event !== undefined) return chosenEvent(core, profiles, event, value);
  if (type === undefined) {
    const usual = usualProfile(core);
    if (usual === undefined) return null;
    const others = offeredProfiles(core).filter(({ id }) => id !== usual.id);
    const has = others.map((p) => p.type).join(", ");
    if (others.length > 0) noteOnce(`spanflame: --type ${usual.type}; the recording also has ${has}`);
    return chosenProfile(core, { ...choice, type: usual.type });
  }
  const profile = profileNamed(profiles, type);
  if (profile === undefined) {
    const isDump = core.files().some(({ format }) => format === "cdt");
    if (isDump && DUMP_TYPES.has(type)) return null;
    if (PROFILES.some((kind, i) => kind.type === type || wireType(PROFILES, i) === type)) return null;
    if (core.instance.setup.extra.some((extra) => extraType(extra) === type)) return null;
    const types = profiles.map((p) => p.type);
    const has = types.length === 0 ? "" : `; the recording has ${types.join(", ")}`;
    const all = [...types, ...PROFILES.map((kind) => kind.type)];
    throw new UsageError(`--type: there is no profile type ${JSON.stringify(type)}${has}${didYouMean(type, all)}`);
  }
  if (value === undefined) return { profile, measure: usualMeasure(profile) };
  const measure = profile.measures.findIndex((m) => m.name === value || m.type === value);
  if (measure >= 0) return { profile, measure };
  const names = profile.measures.map((m) => m.name);
  throw new UsageError(
    `--value: ${JSON.stringify(value)} is not a measure of ${profile.type}; it has ${names.join(", ")}${didYouMean(value, names)}`,
  );
}

/** For people: the time that a number of samples represents, as a column; none in a pipe, or of other values. */
export function timesOf(chosen: Chosen | null): (value: bigint) => string[] {
  const profile = chosen !== null && isForPeople() ? measured(chosen.profile, chosen.measure) : null;
  return (value) => {
    const estimate = profile && formatEstimate(value, profile);
    return estimate === null ? [] : [estimate];
  };
}

/** Values of a chosen profile as people read them: a number of nothing known is no number of samples. */
export function valuesOf(chosen: Chosen | null): (value: bigint) => string {
  const profile = chosen && measured(chosen.profile, chosen.measure);
  const unit = profile === null ? "" : unitOf(profile, profile.measure);
  return (value) =>
    profile !== null && unit === "count" ? formatProfileValue(value, profile) : formatValue(value, unit);
}

/** Profiles to choose from where none is named. */
export function offeredProfiles(core: Core): ProfileSummary[] {
  return core.profiles().filter(({ empty }) => empty !== true);
}

/** The profile that is meant where none is named: that of the first of these kinds, else the first of all. */
function usualProfile(core: Core, kinds: readonly ProfileKind[] = ["cpu", "wall"]): ProfileSummary | undefined {
  const profiles = offeredProfiles(core);
  const of = (kind: ProfileKind) => profileOfKind(profiles, kind);
  const others = profiles[0] && of(profiles[0].meaning.kind);
  return kinds.map(of).find((found) => found !== undefined) ?? others;
}

/** The profile that is named, else the usual one of these kinds by its usual measure. */
export function namedOrUsual(core: Core, choice: ProfileChoice, kinds?: readonly ProfileKind[]): Chosen | null {
  if (choice.type !== undefined || choice.event !== undefined) return chosenProfile(core, choice);
  const profile = usualProfile(core, kinds);
  return profile === undefined ? null : { profile, measure: usualMeasure(profile) };
}

/** Id of a profile that the inputs have nothing of: of the catalogue's type, or after it of the event. */
function idWithoutSamples({ type }: ProfileChoice): number {
  const id = PROFILES.findIndex((kind, i) => kind.type === type || wireType(PROFILES, i) === type);
  return id < 0 ? PROFILES.length : id;
}

/** The output: the profile that the options select or, without such options, all profiles (null) with their values. */
export function chosenProfiles(
  core: Core,
  choice: ProfileChoice,
): Pick<WriteOptions, "measure"> & { profile: number | null } {
  if (choice.type === undefined && choice.event === undefined) {
    if (choice.value !== undefined) throw new UsageError("--value needs --type or --event");
    return { profile: null };
  }
  // A known type without samples selects nothing, as a filter may.
  const chosen = chosenProfile(core, choice);
  const profile = chosen?.profile.id ?? idWithoutSamples(choice);
  return chosen === null || (choice.value === undefined && chosen.measure === 0)
    ? { profile }
    : { profile, measure: chosen.measure };
}

/** The profile of a file that holds one. */
export function onlyProfile(core: Core, choice: ProfileChoice): ReturnType<typeof chosenProfiles> {
  const isNamed = choice.type !== undefined || choice.event !== undefined;
  const usual = isNamed ? null : chosenProfile(core, choice);
  return chosenProfiles(core, usual === null ? choice : { ...choice, type: usual.profile.type });
}

function chosenEvent(core: Core, profiles: ProfileSummary[], event: string, value: string | undefined): Chosen | null {
  const eventType = core.eventTypes().find((known) => known.event === event);
  if (eventType === undefined) {
    const names = core.eventTypes().filter((known) => known.stack);
    const has = names.length === 0 ? "" : `; those with a stack trace are ${names.map((k) => k.event).join(", ")}`;
    const like = didYouMean(
      event,
      core.eventTypes().map((known) => known.event),
    );
    throw new UsageError(`--event: the recording has no event ${JSON.stringify(event)}${has}${like}`);
  }
  if (value !== undefined && !eventType.fields.includes(value)) {
    const has = eventType.fields.length === 0 ? "none" : eventType.fields.join(", ");
    throw new UsageError(
      `--value: ${JSON.stringify(value)} is not a numeric field of ${event}; its numeric fields are ${has}${didYouMean(value, eventType.fields)}`,
    );
  }
  const type = extraType(value === undefined ? { event } : { event, value });
  const profile = profiles.find((p) => p.otlpType === type);
  if (profile === undefined && core.diagnostics().some(({ code }) => code === "jfr.value.level")) {
    throw new UsageError(
      `--value: ${value} of ${event} is a level, and levels are not added up; without --value the events are counted`,
    );
  }
  return profile === undefined ? null : { profile, measure: usualMeasure(profile) };
}
