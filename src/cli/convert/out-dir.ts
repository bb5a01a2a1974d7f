/**
 * The folder of `convert --out-dir`: names of outputs, and the list of finished ones. The list is a file of JSON lines,
 * one for each output, appended when the output is in place. A later run keeps an output if its line has the same input
 * (name, size and time of modification), the same options and version, and the output has its size.
 */
import { createHash } from "node:crypto";
import { lstatSync, statSync } from "node:fs";
import { join } from "node:path";
import type { OutputRow } from "../../core/tables/formats.ts";
import { VERSION } from "../../core/version.ts";
import { Folder, OutsideError } from "../../node/disk.ts";
import { UsageError } from "../../node/exit.ts";
import type { NamedInput } from "../../node/inputs.ts";
import type { ConvertValues } from "./conversion.ts";

const LIST = ".spanflame-convert.jsonl";

const MOST_LIST_BYTES = 256 << 20;

/** Options that do not change the outputs. */
const ELSEWHERE = new Set<keyof ConvertValues>(["out-dir", "jobs", "json", "quiet", "force"]);

/** A line of the list. */
interface Finished {
  input: string;
  size: string;
  modified: string;
  options: string;
  output: string;
  bytes: number;
  /** A part of the input could not be read. */
  problem: string | null;
}

/** An input and its output, as a path and as a name in the folder. */
export interface Planned {
  input: NamedInput;
  output: string;
  path: string;
  /** The line of an earlier run that is still true. */
  finished: Finished | null;
}

export class OutDir {
  private readonly folder: Folder;
  private readonly options: string;

  constructor(folder: string, values: ConvertValues) {
    this.folder = new Folder(folder);
    this.options = optionsKey(values);
  }

  /** Throws UsageError where two inputs have the same output. */
  plan(inputs: readonly NamedInput[], row: OutputRow, gzip: boolean): Planned[] {
    const taken = new Map<string, string>();
    const finished = this.finished();
    return inputs.map((input) => {
      const output = outputName(input.name, row, gzip);
      const other = taken.get(output);
      if (other !== undefined) {
        throw new UsageError(
          `--out-dir: ${other} and ${input.name} have the same output, ${output}; convert one of them alone`,
        );
      }
      taken.set(output, input.name);
      const path = join(this.folder.path, output);
      const known = finished.get(input.name);
      return { input, output, path, finished: known !== undefined && this.isTrue(known, input, output) ? known : null };
    });
  }

  /** Makes the folder of an output. Throws OutsideError if its name or a link leads out of the folder. */
  prepare({ input, output }: Planned): void {
    if (input.fault !== undefined) throw new Error(input.fault);
    const end = output.lastIndexOf("/");
    if (end > 0) this.folder.makeFolder(output.slice(0, end));
    if (lstatSync(this.folder.at(output), { throwIfNoEntry: false })?.isSymbolicLink() === true)
      throw new OutsideError(`${output} is a link; remove it`);
  }

  /** The output is in place. `before`: the input before it was read. Returns the size of the output. */
  finish({ input, output, path }: Planned, before: InputState | null, problem: string | null): number {
    const bytes = statSync(path).size;
    const after = stateOf(input.path);
    // An input that changed meanwhile, or a pipe, is read again by the next run.
    if (before === null || after === null || before.size !== after.size || before.modified !== after.modified)
      return bytes;
    const line: Finished = { input: input.name, ...before, options: this.options, output, bytes, problem };
    this.folder.append(LIST, `${JSON.stringify(line)}\n`);
    return bytes;
  }

  private isTrue(known: Finished, input: NamedInput, output: string): boolean {
    const state = stateOf(input.path);
    const there = statSync(join(this.folder.path, output), { throwIfNoEntry: false });
    const isSame = state !== null && known.size === state.size && known.modified === state.modified;
    return isSame && known.options === this.options && known.output === output && there?.size === known.bytes;
  }

  private list(): string {
    try {
      return this.folder.read(LIST, MOST_LIST_BYTES) ?? "";
    } catch (error) {
      throw new UsageError(`--out-dir: ${join(this.folder.path, LIST)}: ${(error as Error).message}`);
    }
  }

  /** The latest line of each input. */
  private finished(): Map<string, Finished> {
    const lines = this.list()
      .split("\n")
      .flatMap((line) => {
        try {
          const finished = JSON.parse(line) as Finished | null;
          return typeof finished?.input === "string" ? [finished] : [];
        } catch {
          // The end of a line that an interrupted run began, or another thing than a line of ours.
          return [];
        }
      });
    return new Map(lines.map((line) => [line.input, line]));
  }
}

/** Size and time of modification of a file; null for anything else. */
type InputState = Pick<Finished, "size" | "modified">;

export function stateOf(path: string): InputState | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats?.isFile() === true ? { size: String(stats.size), modified: String(stats.mtimeNs) } : null;
}

/** `host/rec.pb` of `host/rec.jfr`. Other endings stay, so that `a.jfr` and `a.pprof` have different outputs. */
function outputName(name: string, row: OutputRow, gzip: boolean): string {
  const suffix = gzip && row.compressed !== true ? ".gz" : "";
  return `${name.replace(/\.jfr$/i, "")}.${row.endings[0]}${suffix}`;
}

function optionsKey(values: ConvertValues): string {
  const entries = Object.entries(values).filter(([name]) => !ELSEWHERE.has(name as keyof ConvertValues));
  const text = JSON.stringify([VERSION, entries.sort(([a], [b]) => (a < b ? -1 : 1))]);
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
