/** `spanflame info`: prints the content of recordings, and their problems. */
import { figuresOf } from "../../core/answers/uploads.ts";
import type { Core } from "../../core/core.ts";
import { type Needed, readOnlyNeeded } from "../../core/reading/read-filter.ts";
import { EVENT_KEY } from "../../core/tables/event-key.ts";
import type { FileSummary, ProfileSummary } from "../../core/types.ts";
import { withExactness } from "../../model/calls/profile-words.ts";
import { fileCounts } from "../../model/recording/about.ts";
import { type Doubt, doubtsOf } from "../../model/recording/doubts.ts";
import { lossSentence } from "../../model/recording/loss-words.ts";
import { counterWords, nativeWords } from "../../model/recording/native-words.ts";
import { tickSentences } from "../../model/recording/setting-words.ts";
import { seriesValue } from "../../model/timeline/series.ts";
import {
  formatBytes,
  formatCount,
  formatCounted,
  formatEstimate,
  formatNanos,
  formatProfileValue,
  formatValue,
} from "../../model/words/format.ts";
import { measured, type Profiled, usually } from "../../model/words/measure.ts";
import { type ExitCode, exitOf, UsageError } from "../../node/exit.ts";
import { inputsOf } from "../../node/inputs.ts";
import { sayLost } from "../../node/losses.ts";
import { chosenProfile, readPaths, valuesOf } from "../../node/read.ts";
import { loadSymbols } from "../../node/symbols/recorded-symbols.ts";
import { sayFindings } from "../../node/symbols/symbol-findings.ts";
import { inputName, print, printFirst, printJson, sayDiagnostics } from "../../node/terminal.ts";
import type { CallOf } from "../../node/usage/commands.ts";
import { HeldCore } from "../../requests/held-core.ts";
import { pausedIn, pausesOfRecordings } from "../../requests/pauses.ts";
import { recordedFacts } from "../../requests/recorded-facts.ts";
import { nativeCountsOf } from "../../requests/symbols.ts";
import type { NativeCounts } from "../../symbols/library-rows.ts";
import { noteInferable } from "../convert/need.ts";
import { sampleCallsOf } from "../convert/sampled-calls.ts";
import { callsOfRuns, runRecords } from "./run-records.ts";

/** Everything: the distances of single samples tell the tick of the kernel. */
const NEED: Needed = { filter: {}, stacks: true, all: true };
/** Options whose answers need stacks, or all damage. */
const NEED_STACKS = ["symbols", "strict", "inferred"] as const;

export async function info({ inputs, values }: CallOf<"info">): Promise<ExitCode> {
  const stacks = values["no-stacks"] !== true;
  const refused = stacks ? undefined : NEED_STACKS.find((name) => values[name] !== undefined);
  if (refused !== undefined) throw new UsageError(`--no-stacks: is not for --${refused}`);
  const { core, ...reading } = await readPaths(inputsOf(inputs), values, {
    need: (core) => {
      if (values.inferred !== true) readOnlyNeeded(core, { ...NEED, stacks });
    },
  });
  await sampleCallsOf(core, reading.runs, {}, {});
  if (values.event !== undefined && reading.readable > 0) chosenProfile(core, values);
  const diagnostics = core.diagnostics();
  const remote = stacks ? await remoteFrames(core, values.symbols ?? []) : null;
  if (values.json) {
    // The store's index of a profile has no meaning outside this process.
    const all = core.profiles().map(({ id: _, ...profile }) => profile);
    const profiles = stacks ? all : all.map((profile) => ({ ...profile, stacks: null }));
    const pauses = pauseSums(core);
    const gcPauses = pauses.count === 0 ? {} : { gcPauses: pauses };
    const series = core.views.seriesSummary();
    const measured = series.length === 0 ? {} : { series };
    const fields = contextFieldsOf(core);
    const context = fields.length === 0 ? {} : { contextFields: fields };
    const runs = reading.runs.length === 0 ? {} : { runs: await runRecords(core, reading.runs) };
    const files = core.files().map((file) => {
      const figures = figuresOf(core.views.uploads, file.name);
      return Object.keys(figures).length === 0 ? file : { ...file, figures };
    });
    const doubts = doubtsOf(await recordedFacts(new HeldCore(core), core.profiles(), stacks));
    const more = { ...(doubts.length > 0 && { doubts }), ...runs, ...gcPauses, ...measured, ...context };
    printJson({ files, profiles, remote: remote && textual(remote), ...more, diagnostics });
  } else {
    // A file that is not there has no line of answer.
    const missing = new Set(diagnostics.filter(({ code }) => code === "source.unreadable").map(({ file }) => file));
    printFiles(core, missing, reading.runs.length === 0 ? null : await callsOfRuns(core), stacks);
    sayLost(core);
    printContextFields(core, values.inferred === true);
    printDoubts(doubtsOf(await recordedFacts(new HeldCore(core), core.profiles(), stacks)));
    const words = remote === null ? "" : nativeWords(remote);
    if (words !== "") print(`native frames by address: ${words}`);
    sayDiagnostics(diagnostics);
  }
  noteInferable(core, values);
  return exitOf(reading, diagnostics, values.strict);
}

function printDoubts(doubts: readonly Doubt[]): void {
  if (doubts.length > 0) print("what this recording cannot show:");
  for (const { words, setting } of doubts) {
    print(`  ${words}`);
    if (setting !== undefined) print(`    record with: ${setting}`);
  }
}

/** Contextual fields (`@Contextual`) of the event types of the recordings. */
function contextFieldsOf(core: Core): { event: string; fields: string[] }[] {
  const types = core.eventTypes().filter(({ contextFields }) => contextFields.length > 0);
  return types.map(({ event, contextFields }) => ({ event, fields: contextFields }));
}

function printContextFields(core: Core, isInferred: boolean): void {
  const types = contextFieldsOf(core);
  if (types.length === 0) return;
  print(`contextual fields${isInferred ? "" : " (--inferred makes them attributes of the samples inside)"}:`);
  printFirst(types, "event type with context", ({ event, fields }) => print(`  ${event}: ${fields.join(", ")}`));
}

/** `calls`: there are dumps among the files. `stacks`: they were decoded. */
function printFiles(
  core: Core,
  missing: ReadonlySet<string>,
  calls: ReadonlyMap<string, number> | null,
  stacks: boolean,
): void {
  const files = core.files().filter(({ name, bytes }) => bytes > 0 || !missing.has(name));
  printFirst(files, "file", (file) => printFile(core, file, calls?.get(file.name)));
  const ofDumps = calls === null ? (profile: ProfileSummary): Profiled => profile : withExactness;
  printFirst(core.profiles().map(ofDumps), "profile", (profile) => printProfile(profile, stacks));
  const { count, nanos, longest, beyond } = pauseSums(core);
  if (count > 0) {
    const more = beyond === 0 ? "" : `; ${formatCounted(beyond, "further event")} not counted`;
    const all = `${formatCounted(count, "pause")}, ${formatNanos(nanos)} in all, the longest ${formatNanos(longest)}`;
    print(`GC: ${all}${more}`);
  }
  printFirst(core.views.seriesSummary(), "series", ({ file, series, unit, values, least, most }) =>
    print(
      `${file}: ${series} ${seriesValue(least, unit)} – ${seriesValue(most, unit)}, ${formatCounted(values, "value")}`,
    ),
  );
  const unread = core.views.measurementsBeyond();
  if (unread > 0) print(`${formatCounted(unread, "further measurement")} not kept`);
  printFirst(files, "file", (file) => printChunks(file, files.length > 1));
}

function printFile(core: Core, file: FileSummary, calls: number | undefined): void {
  print(`${inputName(file.name)}: ${[formatBytes(file.bytes), ...fileCounts(file, calls)].join(", ")}`);
  printFirst(Object.entries(file.resource), "attribute", ([key, value]) => print(`  ${key}: ${value}`));
  const figures = Object.entries(figuresOf(core.views.uploads, file.name));
  printFirst(figures, "figure of metrics.json", ([name, value]) => print(`  ${name}: ${value}`));
  if (file.counters !== undefined) print(`  counters of the profiler: ${counterWords(file.counters)}`);
}

/** Chunks of a recording, with the numbers of their events. */
function printChunks(file: FileSummary, isNamed: boolean): void {
  if (isNamed && file.chunks.length > 0) print(`${inputName(file.name)}: chunks`);
  printFirst(file.chunks, "chunk", ({ version, bytes, startUnixNano, durationNano, events, copy }) => {
    const time = `${timeText(startUnixNano)} + ${formatValue(durationNano, "nanoseconds")}`;
    print(`  JFR ${version}, ${formatBytes(bytes)}, ${time}${copy === true ? ", counts elsewhere" : ""}`);
    const rows = Object.entries(events).sort((a, b) => b[1] - a[1]);
    printFirst(rows, "event type", ([event, count]) => print(`    ${formatCount(count).padStart(12)}  ${event}`));
  });
}

function printProfile(p: Profiled, stacks: boolean): void {
  const counts = [...(stacks ? [formatCounted(p.stacks, "stack")] : []), formatCounted(p.threads, "thread")];
  if (p.exact) {
    print([`${p.type}: ${formatProfileValue(p.value, measured(p, 0))}`, ...counts].join(", "));
    return;
  }
  const usual = usually(p);
  const value = valuesOf({ profile: p, measure: usual.measure })(usual.value);
  const samples = formatCounted(p.samples, "sample");
  const values = [samples, ...(value === samples ? [] : [value]), ...[formatEstimate(usual.value, usual) ?? []].flat()];
  print(`${p.type}: ${[...values, `${formatCount(p.samplesWithSpan)} with a span`, ...counts].join(", ")}`);
  const { inferredSpan = 0, inferredRoot = 0, inferredBy } = p;
  if (inferredBy !== undefined && inferredSpan + inferredRoot > 0) {
    const rules = Object.entries(inferredBy).filter(([, n]) => n > 0);
    const by = rules.map(([rule, n]) => `${formatCount(n)} by ${rule}`).join(", ");
    print(`    inferred: ${formatCount(inferredSpan)} with a span, ${formatCount(inferredRoot)} with a root: ${by}`);
  }
  for (const [i, { name, value }] of p.measures.entries())
    if (i !== usual.measure && (i > 0 || value !== 0n))
      print(`    --value ${name}: ${formatProfileValue(value, measured(p, i))}`);
  const events = Object.entries(p.events).sort((a, b) => b[1] - a[1]);
  if (events.length > 1) print(`    ${events.map(([event, n]) => `${formatCount(n)} of ${event}`).join(", ")}`);
  const keys = Object.entries(p.samplesWithAttribute).filter(([key]) => key !== EVENT_KEY);
  const carried = keys.map(([key, n]) => `${key} ${formatCount(n)}`);
  if (carried.length > 0) print(`    samples with ${carried.join(", ")}`);
  const settings = p.settings.map(({ event, name, value }) => `${event}#${name}=${settingWords(p, name, value)}`);
  if (settings.length > 0) print(`    recorded with ${settings.join(", ")}`);
  for (const sentence of [lossSentence(p) ?? [], tickSentences(p)].flat()) print(`    ${sentence}`);
  for (const { period, samples } of p.periods ?? [])
    print(`    ${periodText(p, period)}: ${formatCounted(samples, "sample")}`);
}

/** An interval without a unit is a number of ns, of allocations of bytes. */
function settingWords({ unit }: Profiled, name: string, value: string): string {
  if (!/interval$/i.test(name) || !/^\d{4,18}$/.test(value)) return value;
  return unit === "bytes" ? formatBytes(BigInt(value)) : formatNanos(BigInt(value));
}

/** `every 5 ms`. */
function periodText({ periodUnit }: ProfileSummary, period: bigint): string {
  return period === 0n ? "no known interval" : `every ${formatValue(period, periodUnit)}`;
}

/** Pauses of the collector over all files; pauses beyond the core's limit are not in the figures. */
function pauseSums(core: Core): { count: number; nanos: number; longest: number; beyond: number } {
  const { count, nanos, longest } = pausedIn(pausesOfRecordings(core));
  return { count, nanos: Number(nanos), longest: Number(longest), beyond: core.views.marks().beyond };
}

function timeText(nanos: bigint): string {
  const date = new Date(Number(nanos / 1_000_000n));
  return Number.isNaN(date.getTime()) ? `${nanos} ns` : date.toISOString();
}

/** Frames of recordings that are known by address only: the counts of all inputs. */
async function remoteFrames(core: Core, paths: readonly string[]): Promise<NativeCounts> {
  if (paths.length > 0) sayFindings((await loadSymbols(core, paths)).diagnostics);
  return nativeCountsOf(new HeldCore(core));
}

/** 64-bit counts as texts. */
function textual({ frames, resolved, ...counts }: NativeCounts): object {
  return { ...counts, frames: String(frames), resolved: { ...resolved, frames: String(resolved.frames) } };
}
