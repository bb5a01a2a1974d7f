/** The command `export`: writes recordings into a data set of Parquet files. */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { formatBytes, formatCounted, formatNanos } from "../model/words/format.ts";
import { jobsOf, resourceOf } from "../node/arguments.ts";
import { ExitCode, UsageError } from "../node/exit.ts";
import { note, printJson, progress, say, sayDiagnostics } from "../node/terminal.ts";
import type { CallOf } from "../node/usage/commands.ts";
import { DataSet } from "./data-set.ts";
import { writePartsFile } from "./data-set-files.ts";
import { killedAt } from "./data-set-steps.ts";
import { pathFacts } from "./deployment.ts";
import {
  byDay,
  bytesOf,
  type ExportInput,
  exportInputs,
  faultOf,
  isSince,
  isUnfinished,
  pathsOf,
  stateOf,
} from "./export-inputs.ts";
import { type Lane, newLanes } from "./export-lanes.ts";
import { type ExportChoice, type Exported, Exporter } from "./exporter.ts";
import { sinceOf } from "./since.ts";

/** Bytes of inputs for which another thread pays off. */
const BYTES_OF_JOB = 64 * 2 ** 20;
const MOST_JOBS = 16;
/** How often other writers are shown that this one is alive. */
const ALIVE_MS = 60_000;
const WATCH_MS = 2_000;
/** Looks at a recording that is not complete: a minute. */
const PATIENT_LOOKS = 30;

export async function exportRecordings({ inputs: operands, values }: CallOf<"export">): Promise<ExitCode> {
  const { parquet: folder } = values;
  if (folder === undefined) throw new UsageError("export needs --parquet DIR");
  if ([...operands, ...(values.trace ?? [])].includes("-"))
    throw new UsageError("export: standard input is no file; name a file or a folder");
  const since = values.since === undefined ? null : sinceOf("--since", values.since, Date.now());
  const traces = (values.trace ?? []).map((path): ExportInput => ({ path, name: path, isTrace: true }));
  const factsOf = values["path-pattern"] === undefined ? null : pathFacts(values["path-pattern"], operands);
  const list = async () => {
    const found = (await exportInputs(operands, folder)).map((input): ExportInput => {
      const facts = factsOf?.(pathsOf(input)[0] ?? input.path) ?? null;
      return facts === null ? input : { ...input, facts };
    });
    const all = [...found, ...traces];
    return since === null ? all : all.filter((input) => isSince(input, since));
  };
  const jobs = values.jobs === undefined ? 0 : jobsOf(values.jobs);
  const inputs = await list();
  const unfit = inputs.filter(({ facts, isTrace }) => facts === undefined && isTrace !== true);
  if (factsOf !== null && unfit.length > 0)
    say(`spanflame: --path-pattern does not fit ${formatCounted(unfit.length, "path")}, such as ${unfit[0]!.path}`);
  const report = new Report(values.json === true);
  const faults = inputs.map(faultOf);
  // A mistyped name leaves no data set behind.
  if (inputs.length > 0 && !faults.includes(null) && values.watch !== true && !existsSync(folder)) {
    for (const [i, input] of inputs.entries()) report.add(Exporter.failed(input, faults[i] ?? null));
    return report.end();
  }
  const set = DataSet.open(folder, killedAt());
  const alive = setInterval(() => set.touch(), ALIVE_MS);
  const choice = { service: values.service ?? "", spans: values.spans === true, resource: resourceOf(values.resource) };
  try {
    await exportAll(set, inputs, jobs, choice, report);
    writePartsFile(folder);
    if (values.watch === true) await watch(set, list, jobs, choice, report);
  } finally {
    clearInterval(alive);
    set.close();
  }
  return report.end();
}

async function exportAll(
  set: DataSet,
  given: readonly ExportInput[],
  jobs: number,
  choice: ExportChoice,
  report: Report,
): Promise<void> {
  if (given.length === 0) return;
  // A batch has few dates then, so its parts are large, and have each stack once.
  const inputs = byDay(given);
  const lanes = await newLanes(set, choice, jobs || jobsFor(inputs));
  report.total += inputs.length;
  let next = 0;
  try {
    const run = async (lane: Lane) => {
      for (let input = inputs[next++]; input !== undefined; input = inputs[next++]) {
        const exported = await lane.add(input);
        // Nothing has come to it since.
        if (input.isGrowing !== true || exported.result !== "known") report.add(exported);
      }
      const { parts, bytes } = await lane.finish();
      report.parts += parts;
      report.bytes += bytes;
    };
    await Promise.all(lanes.map(run));
  } finally {
    await Promise.all(lanes.map((lane) => lane.close()));
  }
}

function jobsFor(inputs: readonly ExportInput[]): number {
  const bytes = inputs.reduce((sum, input) => sum + bytesOf(input), 0);
  return Math.max(1, Math.min(MOST_JOBS, availableParallelism(), Math.ceil(bytes / BYTES_OF_JOB)));
}

/**
 * Exports new files whose size and time did not change between two looks, until SIGINT or SIGTERM. A recording that its
 * profiler is still writing is exported up to its last whole chunk; the rest follows when it is complete, or after a
 * minute without a change.
 */
async function watch(
  set: DataSet,
  list: () => Promise<ExportInput[]>,
  jobs: number,
  choice: ExportChoice,
  report: Report,
): Promise<void> {
  let isEnded = false;
  let wake = () => {};
  const end = () => {
    isEnded = true;
    wake();
  };
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.once(signal, end);
  const done = new Map<string, string>((await list()).map((input) => [input.path, stateOf(input)]));
  const grown = new Map<string, string>();
  let before = new Map<string, { state: string; looks: number }>();
  note("spanflame: watching for new recordings; Ctrl+C ends it");
  try {
    while (!isEnded) {
      const inputs = await list();
      const now = new Map(
        inputs.map((input) => {
          const [state, former] = [stateOf(input), before.get(input.path)];
          return [input.path, { state, looks: former?.state === state ? former.looks + 1 : 0 }];
        }),
      );
      const ready = inputs.flatMap((input) => {
        const { state, looks } = now.get(input.path)!;
        if (looks === 0 || state === "" || state === done.get(input.path)) return [];
        const isGrowing = looks < PATIENT_LOOKS && isUnfinished(input);
        // Its whole chunks once for each state.
        if (isGrowing && grown.get(input.path) === state) return [];
        (isGrowing ? grown : done).set(input.path, state);
        return [{ ...input, isGrowing }];
      });
      await exportAll(set, ready, jobs, choice, report);
      if (ready.length > 0) writePartsFile(set.folder);
      before = now;
      if (isEnded) break;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, WATCH_MS);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
}

class Report {
  total = 0;
  parts = 0;
  bytes = 0;
  private readonly isJson: boolean;
  private readonly start = performance.now();
  private readonly all: Exported[] = [];

  constructor(isJson: boolean) {
    this.isJson = isJson;
  }

  add(exported: Exported): void {
    this.all.push(exported);
    const { input, result, problem, diagnostics } = exported;
    sayDiagnostics(diagnostics);
    const isTold = diagnostics.some(({ message }) => message === problem);
    if ((result === "failed" || result === "unreadable") && !isTold) say(`spanflame: error: ${input}: ${problem}`);
    if (result === "busy") say(`spanflame: ${input}: another writer is reading it`);
    progress.show(() => `exported ${this.all.length} of ${formatCounted(this.total, "recording")}`);
  }

  end(): ExitCode {
    const count = (...results: Exported["result"][]) =>
      this.all.filter(({ result }) => results.includes(result)).length;
    const sum = (of: (each: Exported) => number) => this.all.reduce((total, each) => total + of(each), 0);
    const [written, failed] = [count("written", "partly"), count("failed", "unreadable")];
    const [known, busy] = [count("known"), count("busy")];
    const [samples, calls] = [sum((each) => each.samples), sum((each) => each.calls)];
    if (this.isJson) {
      const recordings = this.all.map(({ diagnostics: _, ...each }) => each);
      printJson({ recordings, written, known, failed, busy, samples, calls, parts: this.parts, bytes: this.bytes });
    }
    const ms = performance.now() - this.start;
    const counts = [`${formatCounted(written, "recording")} written`, `${known} known`, `${failed} failed`];
    const unread: readonly Exported["result"][] = ["known", "busy", "unreadable"];
    const read = formatBytes(sum(({ result, bytes }) => (unread.includes(result) ? 0 : bytes)));
    const rows = calls === 0 ? "" : ` and ${formatCounted(calls, "call")}`;
    const made = `${formatCounted(samples, "sample")}${rows} in ${formatCounted(this.parts, "part")}`;
    note(`spanflame: ${counts.join(", ")}; ${made}, ${read} → ${formatBytes(this.bytes)} in ${formatNanos(ms * 1e6)}`);
    if (this.all.length > 0 && failed === this.all.length) return ExitCode.Failed;
    return failed + busy + count("partly") > 0 ? ExitCode.Partly : ExitCode.Done;
  }
}
