/** Converts one recording after the other with the same core. */
import { Core } from "../../core/core.ts";
import type { Diagnostic } from "../../core/types.ts";
import { isShown } from "../../model/words/shown-formats.ts";
import { extraEvents, idNamesOf } from "../../node/arguments.ts";
import { compiledCore } from "../../node/compiled-core.ts";
import { ExitCode, exitOf, isRecorded } from "../../node/exit.ts";
import type { NamedInput } from "../../node/inputs.ts";
import { contextsFor, readInto } from "../../node/read.ts";
import { loadSymbols } from "../../node/symbols/recorded-symbols.ts";
import type { ReadTraces } from "../../requests/contexts.ts";
import { openFiles } from "../../requests/open-files.ts";
import {
  type Conversion,
  type ConvertValues,
  conversionOf,
  formatOf,
  hasEachValue,
  infers,
  isReport,
  type OutputFiles,
  writeMessages,
} from "./conversion.ts";
import { outputNeed, skipUnneeded } from "./need.ts";
import { RecordingPayload } from "./payload.ts";

/** Diagnostics of a recording that are passed on. */
const MOST_DIAGNOSTICS = 1000;

/** The result for one input. `partly`: an output was written, but a part of the input could not be read. */
export interface Converted {
  result: "written" | "partly" | "failed";
  /** Why it failed, or is only a part. */
  problem: string | null;
  /** Errors and warnings. */
  diagnostics: Diagnostic[];
  warnings: string[];
  /** Bytes of the input. */
  read: number;
}

export class Converter {
  private readonly conversion: Conversion;
  private readonly module: WebAssembly.Module;
  private core: Core | null = null;
  private extra: ReturnType<typeof extraEvents> | null = null;

  private constructor(conversion: Conversion, module: WebAssembly.Module) {
    this.conversion = conversion;
    this.module = module;
  }

  /** Throws UsageError. `module`: the compiled core. */
  static async of(values: ConvertValues, module?: WebAssembly.Module): Promise<Converter> {
    const conversion = await conversionOf(values, formatOf(values.format, ""));
    return new Converter(conversion, module ?? (await compiledCore()));
  }

  /** Writes the output of an input, at `path` of the files. Never throws: every problem is in the result. */
  async convert(input: NamedInput, path: string, files: OutputFiles): Promise<Converted> {
    const warnings: string[] = [];
    const done: Converted = { result: "failed", problem: null, diagnostics: [], warnings, read: 0 };
    try {
      const core = await this.emptyCore();
      const values = { ...this.conversion.values, inferred: infers(this.conversion) };
      const { symbols = [] } = values;
      const contexts = await contextsFor({ ...values, spans: isReport(this.conversion) }, false);
      const diagnostics: Diagnostic[] = [];
      const reading = await openFiles(core, {
        normalise: values["normalise-names"],
        ids: idNamesOf(values),
        need: () => skipUnneeded(core, values, outputNeed(this.conversion)),
        contexts,
        recordings: async () => {
          const read = await readInto(core, [input]);
          diagnostics.push(...core.diagnostics());
          done.diagnostics = diagnostics.filter(({ severity }) => severity !== "info").slice(0, MOST_DIAGNOSTICS);
          done.read = core.files().reduce((sum, file) => sum + file.bytes, 0);
          return read;
        },
        symbols: async (_, { readable }) => {
          if (readable === 0 || symbols.length === 0) return;
          for (const { file, message } of (await loadSymbols(core, symbols)).diagnostics)
            warnings.push(`${file}: ${message}`);
        },
      });
      if (reading === null) throw new Error("--trace: a file has no spans");
      const exit = exitOf(reading, diagnostics, values.strict, hasEachValue(this.conversion) && isRecorded(core));
      if (exit !== ExitCode.Done)
        done.problem = diagnostics.find(({ severity }) => severity === "error")?.message ?? "";
      if (exit === ExitCode.Failed) return done;
      const traces = contexts?.traces ?? null;
      await this.write(core, traces, input, path, files, (line) => warnings.push(line));
      return { ...done, result: exit === ExitCode.Done ? "written" : "partly" };
    } catch (error) {
      // A core that trapped is not used again.
      if (error instanceof WebAssembly.RuntimeError) this.core = null;
      return { ...done, problem: error instanceof Error ? error.message : String(error) };
    }
  }

  private async emptyCore(): Promise<Core> {
    this.extra ??= extraEvents(this.conversion.values);
    const extra = await this.extra;
    if (this.core === null) this.core = await Core.instantiate(this.module, extra);
    else this.core.reset(extra);
    return this.core;
  }

  private async write(
    core: Core,
    read: ReadTraces | null,
    input: NamedInput,
    path: string,
    files: OutputFiles,
    warn: (line: string) => void,
  ): Promise<void> {
    const { values, row } = this.conversion;
    if (isShown(row.name)) {
      const { writeShown } = await import("./shown.ts");
      const written = await writeShown(core, this.conversion, [input.path], { path, files }, { traces: read });
      if (written === null) throw new Error("it has no samples");
      return;
    }
    const payload = values["include-payload"] ? await RecordingPayload.of([input.path]) : null;
    const written = await writeMessages(core, this.conversion, { path, files, payload, warn });
    if (written.observations === 0) warn("no samples: the message has a profile without samples");
  }
}
