/** `spanflame convert --out-dir`: an output for each input, several at a time, and a list of those that failed. */
import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { formatBytes, formatCount, formatCounted, formatNanos } from "../../model/words/format.ts";
import { extraEvents, jobsOf } from "../../node/arguments.ts";
import { Folder } from "../../node/disk.ts";
import { ExitCode, UsageError } from "../../node/exit.ts";
import { inputsOf, isWithin, type NamedInput, noSuchInput } from "../../node/inputs.ts";
import { replacing } from "../../node/replacement.ts";
import { isSameFile, refuseInputs } from "../../node/same-file.ts";
import { note, printJson, progress, say, sayDiagnostics } from "../../node/terminal.ts";
import { COMMANDS } from "../../node/usage/commands.ts";
import { type ConvertValues, conversionOf, formatOf } from "./conversion.ts";
import type { Converted } from "./converter.ts";
import { type InputConverter, newConverters } from "./converters.ts";
import { OutDir, type Planned, stateOf } from "./out-dir.ts";

/** Bytes of inputs for which another thread pays off: its start takes as long as reading some of them. */
const BYTES_OF_JOB = 32 * 2 ** 20;
const MOST_JOBS = 8;
/** Failed inputs that the last line names. */
const MOST_NAMES = 100;

/** The result for an input. `kept`: an earlier run wrote its output. */
interface Outcome {
  input: string;
  path: string;
  outputs: string[];
  result: Converted["result"] | "kept";
  bytes: number;
  problem: string | null;
}

export async function convertAll(operands: string[], values: ConvertValues): Promise<ExitCode> {
  const folder = values["out-dir"] ?? "";
  refuse(operands, values);
  if (values.trace?.includes("-")) throw new UsageError("--trace: standard input cannot be read for each input");
  const row = formatOf(values.format, "");
  const { limit, framed } = await conversionOf(values, row);
  await extraEvents(values);
  if (limit > 0 && !framed) throw new UsageError("--split-bytes: with --out-dir needs --framed");
  new Folder(folder).make();
  refuseSameFolder(operands, folder);
  const inputs = chosen(inputsOf(operands, folder), (values as { file?: string }).file);
  const outDir = new OutDir(folder, values);
  const planned = outDir.plan(inputs, row, values.gzip === true);
  const outputs = planned.map(({ path }) => ["--out-dir", path] as const);
  refuseInputs(COMMANDS.convert, () => inputs.map(({ path }) => path), values, outputs);
  const start = performance.now();
  const work = planned.filter(({ finished }) => finished === null);
  const jobs = Math.max(1, Math.min(work.length, jobsFor(values.jobs, work)));
  const converters = work.length === 0 ? [] : await newConverters(values, jobs);
  const report = new Report(planned);
  try {
    let next = 0;
    const lane = async (converter: InputConverter) => {
      for (let each = work[next++]; each !== undefined; each = work[next++]) {
        report.add(each, ...(await convertOne(converter, outDir, each)));
      }
    };
    await Promise.all(converters.map(lane));
  } finally {
    await Promise.all(converters.map((converter) => converter.close()));
  }
  return report.end(values.json === true, performance.now() - start);
}

function refuse(operands: readonly string[], values: ConvertValues): void {
  if (values.output !== undefined) throw new UsageError("--out-dir and -o exclude each other");
  if (operands.includes("-")) throw new UsageError("--out-dir: standard input has no name; use -o");
}

/** Outputs among the inputs would be inputs of the next run. */
function refuseSameFolder(operands: readonly string[], folder: string): void {
  const own = statSync(folder, { bigint: true });
  for (const operand of operands) {
    const stats = statSync(operand, { bigint: true, throwIfNoEntry: false });
    if (stats?.isDirectory() === true && isSameFile(stats, own))
      throw new UsageError(`--out-dir: ${folder} is a folder of inputs; choose another, such as ${folder}/otlp`);
  }
}

/** The inputs that `--file` names; all without it. */
function chosen(inputs: NamedInput[], wanted: string | undefined): NamedInput[] {
  if (wanted === undefined) return inputs;
  const found = inputs.filter(({ name }) => isWithin(name, wanted));
  if (found.length === 0)
    throw new UsageError(
      noSuchInput(
        wanted,
        inputs.map(({ name }) => name),
      ),
    );
  return found;
}

function jobsFor(text: string | undefined, work: readonly Planned[]): number {
  if (text !== undefined) return jobsOf(text);
  const bytes = work.reduce((sum, { input }) => sum + Number(stateOf(input.path)?.size ?? 0), 0);
  return Math.min(MOST_JOBS, availableParallelism(), Math.ceil(bytes / BYTES_OF_JOB));
}

/** Thrown to leave the former output in place. */
class NothingWritten extends Error {
  readonly converted: Converted;
  constructor(converted: Converted) {
    super();
    this.converted = converted;
  }
}

/** The result, and the size of the output. */
async function convertOne(converter: InputConverter, outDir: OutDir, planned: Planned): Promise<[Converted, number]> {
  const { input, path } = planned;
  try {
    outDir.prepare(planned);
    const before = stateOf(input.path);
    const converted = await replacing(async (files) => {
      const target = files.open(path);
      const done = await converter.convert(input, target);
      if (done.result === "failed") throw new NothingWritten(done);
      target.close();
      return done;
    });
    return [converted, outDir.finish(planned, before, converted.problem)];
  } catch (error) {
    if (error instanceof NothingWritten) return [error.converted, 0];
    const problem = error instanceof Error ? error.message : String(error);
    return [{ result: "failed", problem, diagnostics: [], warnings: [], read: 0 }, 0];
  }
}

/** Names of the inputs that failed. */
function listed(outcomes: readonly Outcome[]): string {
  const names = outcomes.flatMap(({ result, input }) => (result === "failed" ? [input] : []));
  const more =
    names.length > MOST_NAMES ? `, and ${formatCount(names.length - MOST_NAMES)} more (--json lists all)` : "";
  return `${names.slice(0, MOST_NAMES).join(", ")}${more}`;
}

/** Messages about inputs, in the order of the inputs, and the totals. */
class Report {
  private readonly planned: readonly Planned[];
  private readonly places: Map<Planned, number>;
  private readonly outcomes: (Outcome | undefined)[];
  /** Messages of inputs that are finished before one that precedes them. */
  private readonly waiting = new Map<number, Converted>();
  private told = 0;
  private read = 0;
  /** Inputs that were converted, kept or failed. */
  private done = 0;

  constructor(planned: readonly Planned[]) {
    this.planned = planned;
    this.places = new Map(planned.map((each, i) => [each, i]));
    this.outcomes = planned.map(({ input, path, finished }) => {
      if (finished === null) return undefined;
      const { bytes, problem } = finished;
      return { input: input.name, path: input.path, outputs: [path], result: "kept", bytes, problem };
    });
    this.done = this.outcomes.filter((outcome) => outcome !== undefined).length;
    this.tell();
  }

  add(planned: Planned, converted: Converted, bytes: number): void {
    const { input, path } = planned;
    const { result, problem } = converted;
    const i = this.places.get(planned)!;
    const outputs = result === "failed" ? [] : [path];
    this.outcomes[i] = { input: input.name, path: input.path, outputs, result, bytes, problem };
    this.waiting.set(i, converted);
    this.read += converted.read;
    this.done++;
    progress.show(() => `converted ${this.done} of ${formatCounted(this.planned.length, "input")}`);
    this.tell();
  }

  /** Tells of the inputs up to the first that is not finished. */
  private tell(): void {
    for (let outcome = this.outcomes[this.told]; outcome !== undefined; outcome = this.outcomes[++this.told]) {
      const converted = this.waiting.get(this.told);
      this.waiting.delete(this.told);
      if (converted === undefined) continue;
      sayDiagnostics(converted.diagnostics);
      for (const line of converted.warnings) say(`spanflame: ${outcome.input}: ${line}`);
      // The diagnostics have the reason of an input that cannot be read.
      const isTold = converted.diagnostics.some(({ message }) => message === outcome.problem);
      if (outcome.result === "failed" && !isTold) say(`spanflame: error: ${outcome.input}: ${outcome.problem}`);
    }
  }

  end(json: boolean, ms: number): ExitCode {
    const outcomes = this.outcomes.filter((outcome) => outcome !== undefined);
    const count = (...results: Outcome["result"][]) => outcomes.filter(({ result }) => results.includes(result)).length;
    const [written, kept, failed] = [count("written", "partly"), count("kept"), count("failed")];
    if (json) printJson({ outputs: outcomes, written, kept, failed });
    const bytes = outcomes.reduce((sum, { result, bytes: size }) => sum + (result === "kept" ? 0 : size), 0);
    if (failed > 0) say(`spanflame: no output for ${listed(outcomes)}`);
    const counts = [`${formatCounted(written, "output")} written`, `${kept} kept`, `${failed} failed`];
    const sizes = `${formatBytes(this.read)} → ${formatBytes(bytes)}`;
    note(`spanflame: ${counts.join(", ")}; ${sizes} in ${formatNanos(ms * 1e6)}`);
    if (failed === outcomes.length) return ExitCode.Failed;
    // A part that is missing is missing in an output of an earlier run, too.
    return outcomes.some(({ problem }) => problem !== null) ? ExitCode.Partly : ExitCode.Done;
  }
}
