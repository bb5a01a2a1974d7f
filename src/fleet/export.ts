/** The command `export`: writes recordings into a data set of Parquet files. */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { momentOf } from "../model/query/filters.ts";
import { formatBytes, formatCounted, formatNanos } from "../model/words/format.ts";
import { jobsOf, resourceOf } from "../node/arguments.ts";
import { ExitCode, UsageError } from "../node/exit.ts";
import { note, printJson, progress, say, sayDiagnostics } from "../node/terminal.ts";
import type { CallOf } from "../node/usage/commands.ts";
import { mergeMany } from "./compact.ts";
import { DataSet } from "./data-set.ts";
import { pathFacts } from "./deployment.ts";
import { byDay, bytesOf, type ExportInput, exportInputs, faultOf, isSince, pathsOf } from "./export-inputs.ts";
import { type Lane, newLanes } from "./export-lanes.ts";
import { type ExportChoice, type Exported, Exporter, type Result } from "./exporter.ts";
import { completeFacts } from "./late-facts.ts";
import { removeFrom } from "./remove.ts";
import { StatusFile, type Watch, watch } from "./watch.ts";

/** Bytes of inputs for which another thread pays off. */
const BYTES_OF_JOB = 64 * 2 ** 20;
const MOST_JOBS = 16;
const NANOS_OF_DAY = 86_400_000_000_000n;
/** How often other writers are shown that this one is alive. */
const ALIVE_MS = 60_000;

export async function exportRecordings({ inputs: operands, values }: CallOf<"export">): Promise<ExitCode> {
  const { parquet: folder } = values;
  if (folder === undefined) throw new UsageError("export needs --parquet DIR");
  if ([...operands, ...(values.trace ?? [])].includes("-"))
    throw new UsageError("export: standard input is no file; name a file or a folder");
  const since = values.since === undefined ? 0n : momentOf(values.since, "--since");
  const keptSince = () => (values.keep === undefined ? 0n : momentOf(values.keep, "--keep"));
  if (values.status !== undefined && values.watch !== true) throw new UsageError("--status is for --watch");
  const traces = (values.trace ?? []).map((path): ExportInput => ({ path, name: path, isTrace: true }));
  const factsOf = values["path-pattern"] === undefined ? null : pathFacts(values["path-pattern"], operands);
  const list = async () => {
    const found = (await exportInputs(operands, folder)).map((input): ExportInput => {
      const facts = factsOf?.(pathsOf(input)[0] ?? input.path) ?? null;
      return facts === null ? input : { ...input, facts };
    });
    const all = [...found, ...traces];
    const least = keptSince() > since ? keptSince() : since;
    return least === 0n ? all : all.filter((input) => isSince(input, least));
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
  const set = DataSet.open(folder);
  const alive = setInterval(() => set.touch(), ALIVE_MS);
  const choice = { service: values.service ?? "", spans: values.spans === true, resource: resourceOf(values.resource) };
  try {
    const forget = async () => {
      if (values.keep === undefined) return;
      set.checkUnregistered("--keep: ");
      // Older files are left out, so that their recordings need not be known.
      await removeFrom(set, { before: keptSince() - (keptSince() % NANOS_OF_DAY) }, true);
    };
    if (values.keep !== undefined) set.checkUnregistered("--keep: ");
    if (values.watch === true) {
      const write: Watch["write"] = (own, after) => exportAll(set, own, jobs, choice, report, after);
      const status = new StatusFile(values.status ?? null, () => report.counts());
      const left = new Map<string, number>();
      const merge = async () => (values["no-compact"] === true ? undefined : mergeMany(set, left));
      await watch({ list, write, merge, forget, status });
    } else {
      await exportAll(set, inputs, jobs, choice, report);
      await forget();
    }
  } finally {
    clearInterval(alive);
    set.close();
  }
  return report.end(LATE.filter((option) => values[option] !== undefined));
}

/** `after` each input of `--watch`, which gets those that another writer is reading. */
async function exportAll(
  set: DataSet,
  given: readonly ExportInput[],
  jobs: number,
  choice: ExportChoice,
  report: Report,
  after?: (input: ExportInput, isWhole: boolean) => void,
): Promise<string[]> {
  const busy: string[] = [];
  if (given.length === 0) return busy;
  // A batch has few dates then, so its parts are large, and have each stack once.
  const inputs = byDay(given);
  const lanes = await newLanes(set, choice, jobs || jobsFor(inputs));
  report.total += inputs.length;
  const cut: { input: ExportInput; bytes: number }[] = [];
  const run = async (lane: Lane, queue: Iterator<ExportInput>, isLast: boolean) => {
    for (let each = queue.next(); each.done !== true; each = queue.next()) {
      const input = each.value;
      const exported = await lane.add({ ...input, isLast });
      if (exported.result === "cut") {
        cut.push({ input, bytes: exported.bytes });
        continue;
      }
      // It is tried again; nothing has come to it since.
      if (after !== undefined && exported.result === "busy") busy.push(input.path);
      else if (input.isGrowing !== true || exported.result !== "known") report.add(exported);
      after?.(input, exported.isLeft !== true && exported.result !== "busy");
    }
    return lane.finish();
  };
  try {
    const queue = inputs.values();
    const written = await Promise.all(lanes.map((lane) => run(lane, queue, inputs.length === 1)));
    // What is cut counts if no other input has more of it, so the longest comes first.
    const left = cut.sort((a, b) => b.bytes - a.bytes).map(({ input }) => input);
    if (left.length > 0) written[0] = await run(lanes[0]!, left.values(), true);
    for (const { parts, bytes } of written) {
      report.parts += parts;
      report.bytes += bytes;
    }
  } finally {
    await Promise.all(lanes.map((lane) => lane.close()));
  }
  await completeFacts(set);
  return busy;
}

function jobsFor(inputs: readonly ExportInput[]): number {
  const bytes = inputs.reduce((sum, input) => sum + bytesOf(input), 0);
  return Math.max(1, Math.min(MOST_JOBS, availableParallelism(), Math.ceil(bytes / BYTES_OF_JOB)));
}

/** Inputs that the answer as JSON lists. */
const MOST_LISTED = 100_000;
/** Options that say something of recordings, which those of earlier exports do not get. */
const LATE = ["service", "resource", "path-pattern", "spans"] as const;
const UNREAD: readonly Result[] = ["known", "busy", "unreadable"];
const RESULTS: readonly Result[] = ["written", "partly", "failed", ...UNREAD];

class Report {
  total = 0;
  parts = 0;
  bytes = 0;
  private readonly isJson: boolean;
  private readonly start = performance.now();
  /** Without those of inputs that came later: a watcher runs for weeks. */
  private readonly all: Omit<Exported, "diagnostics" | "isLeft">[] = [];
  private readonly results = new Map<Result, number>();
  private readonly sums = { samples: 0, calls: 0, read: 0 };

  constructor(isJson: boolean) {
    this.isJson = isJson;
  }

  add(exported: Exported): void {
    const { diagnostics, isLeft: _, ...told } = exported;
    const { input, result, problem } = told;
    if (this.isJson && this.all.length < MOST_LISTED) this.all.push(told);
    this.results.set(result, (this.results.get(result) ?? 0) + 1);
    this.sums.samples += exported.samples;
    this.sums.calls += exported.calls;
    if (!UNREAD.includes(result)) this.sums.read += exported.bytes;
    sayDiagnostics(diagnostics);
    const isTold = diagnostics.some(({ message }) => message === problem);
    if (problem !== null && !isTold) say(`spanflame: error: ${input}: ${problem}`);
    if (result === "busy") say(`spanflame: ${input}: another writer is reading it`);
    progress.show(() => `exported ${this.count(...RESULTS)} of ${formatCounted(this.total, "recording")}`);
  }

  private count(...results: Result[]): number {
    return results.reduce((sum, result) => sum + (this.results.get(result) ?? 0), 0);
  }

  counts() {
    const { samples, calls } = this.sums;
    return {
      written: this.count("written", "partly"),
      known: this.count("known"),
      failed: this.count("failed", "unreadable"),
      busy: this.count("busy"),
      ...{ samples, calls, parts: this.parts, bytes: this.bytes },
    };
  }

  /** `late`: options that known recordings do not get. */
  end(late: readonly string[] = []): ExitCode {
    const counted = this.counts();
    const { written, known, failed, busy, samples, calls } = counted;
    if (this.isJson) printJson({ recordings: this.all, ...counted });
    const ms = performance.now() - this.start;
    const counts = [`${formatCounted(written, "recording")} written`, `${known} known`, `${failed} failed`];
    const read = formatBytes(this.sums.read);
    const rows = calls === 0 ? "" : ` and ${formatCounted(calls, "call")}`;
    const made = `${formatCounted(samples, "sample")}${rows} in ${formatCounted(this.parts, "part")}`;
    note(`spanflame: ${counts.join(", ")}; ${made}, ${read} → ${formatBytes(this.bytes)} in ${formatNanos(ms * 1e6)}`);
    if (late.length > 0 && known > 0)
      say(
        `spanflame: ${late.map((option) => `--${option}`).join(", ")} changed nothing of ${formatCounted(known, "known recording")}; remove them and export again`,
      );
    if (failed > 0 && failed === this.count(...RESULTS)) return ExitCode.Failed;
    return failed + busy + this.count("partly") > 0 ? ExitCode.Partly : ExitCode.Done;
  }
}
