/** `spanflame convert`: writes recordings as OTLP and other formats, and reports the result on standard error. */
import type { Core } from "../../core/core.ts";
import type { WriteTotals } from "../../core/types.ts";
import type { OpenRun } from "../../input/dump/read-dumps.ts";
import { countedChunks } from "../../model/recording/about.ts";
import { formatBytes, formatCounted } from "../../model/words/format.ts";
import { isShown } from "../../model/words/shown-formats.ts";
import { meantBy } from "../../node/asked-ids.ts";
import { ExitCode, UsageError } from "../../node/exit.ts";
import { inputsOf, type NamedInput } from "../../node/inputs.ts";
import { noEndpoint, nothingWritten } from "../../node/nothing.ts";
import { replacing } from "../../node/replacement.ts";
import { existingParts, refuseInputs } from "../../node/same-file.ts";
import { note, say } from "../../node/terminal.ts";
import { type CallOf, COMMANDS } from "../../node/usage/commands.ts";
import { WRITTEN } from "../../node/usage/options.ts";
import { didYouMean } from "../../node/usage/suggest.ts";
import type { ReadTraces } from "../../requests/contexts.ts";
import {
  type Conversion,
  conversionOf,
  formatOf,
  hasEachValue,
  infers,
  isReport,
  truncatedBefore,
  writeMessages,
} from "./conversion.ts";
import { allProfiles, noteInferable, outputNeed, readNeeded } from "./need.ts";
import { RecordingPayload } from "./payload.ts";
import { sampleCallsOf } from "./sampled-calls.ts";

/** Of a name such as `trace.parquet` another format is expected. Names without an ending are OTLP. */
function refuseUnknownEnding(path: string): void {
  const [, ending] = /[^/\\](\.[a-z][\w-]*)$/i.exec(path.replace(/\.gz$/i, "")) ?? [];
  const known = WRITTEN.flatMap(({ endings }) => endings.map((each) => `.${each}`));
  if (ending === undefined || known.some((each) => path.toLowerCase().replace(/\.gz$/, "").endsWith(each))) return;
  const like = didYouMean(ending, known);
  throw new UsageError(`-o: no format ends in ${ending}; use ${known.join(", ")}, or name one with --format${like}`);
}

/** Bytes that are no text upset a terminal. */
function refuseTerminal(path: string, binary: boolean): void {
  if (path !== "-" || !binary || process.stdout.isTTY !== true) return;
  throw new UsageError("-o -: binary output is not written to a terminal; redirect it, or add --force");
}

/** Node decodes arguments as UTF-8: of a name that is not, only part is left, and the file would get another name. */
function refuseUnreadableName(path: string): void {
  if (path.includes("\ufffd"))
    throw new UsageError(`-o: ${JSON.stringify(path)} is not a name in UTF-8; choose another`);
}

export async function convert({ inputs, values }: CallOf<"convert">): Promise<ExitCode> {
  if (values["out-dir"] !== undefined) return (await import("./convert-all.ts")).convertAll(inputs, values);
  if (values.json !== undefined) throw new UsageError("--json: is for --out-dir");
  const path = values.output;
  if (path === undefined) throw new UsageError("-o OUT is missing (- for standard output)");
  const row = formatOf(values.format, path);
  refuseUnreadableName(path);
  const conversion = await conversionOf(values, row);
  const { framed, limit } = conversion;
  const isBinary = row.name === "otlp" || row.compressed === true || values.gzip === true;
  if (values.force !== true) refuseTerminal(path, isBinary);
  const sources = inputsOf(inputs);
  const paths = sources.map((source) => source.path);
  const further = limit > 0 && !framed ? existingParts(path) : [];
  refuseInputs(
    COMMANDS.convert,
    () => paths,
    values,
    further.map((part) => ["-o", part] as const),
  );
  if (values.format === undefined) refuseUnknownEnding(path);
  if (isShown(row.name)) return convertShown(sources, path, conversion);
  if (limit > 0 && path === "-" && !framed) throw new UsageError("--split-bytes: standard output needs --framed");
  const payload = values["include-payload"] ? await RecordingPayload.of(paths) : null;
  const start = performance.now();
  const need = outputNeed(conversion);
  const { core, runs, traces, exit } = await readNeeded(
    sources,
    { ...values, isOutput: hasEachValue(conversion) },
    need,
  );
  if (exit === ExitCode.Failed) return exit;
  if (runs.length > 0) {
    const { writeCalls } = await import("./call-files.ts");
    const written = await replacing((files) => writeCalls(core, runs, conversion, { path, files }));
    if (written !== null) {
      note(`spanflame: ${written}`);
      return exit;
    }
  }
  const sampled = await withCalls(core, runs, meantIn(core, traces, conversion));
  sayTruncated(core, sampled);
  const warn = (line: string) => say(`spanflame: ${line}`);
  const { filter } = sampled.chipped;
  const noSuch = noEndpoint(core, null, filter);
  const written = await replacing((files) => writeMessages(core, sampled, { path, files, payload, warn }));
  if (written.observations === 0) {
    const profiles = await allProfiles(core, sources, values, need);
    const why = noSuch ?? nothingWritten(values.type, { core: null, profiles, filter, inputs });
    say(`spanflame: ${why}: the message has a profile without samples`);
  }
  sayTotals(core, written, performance.now() - start);
  noteInferable(core, values);
  return exit;
}

/** The conversion with the ids that the samples carry. */
function meantIn(core: Core, traces: ReadTraces | null, conversion: Conversion): Conversion {
  const { chipped } = conversion;
  return { ...conversion, chipped: { ...chipped, filter: meantBy(core, traces, chipped.filter) } };
}

/** The conversion with samples of the selected calls of dumps. */
async function withCalls(core: Core, runs: readonly OpenRun[], conversion: Conversion): Promise<Conversion> {
  const { chipped, values } = conversion;
  return { ...conversion, chipped: { ...chipped, filter: await sampleCallsOf(core, runs, values, chipped.filter) } };
}

async function convertShown(sources: readonly NamedInput[], path: string, conversion: Conversion): Promise<ExitCode> {
  const choice = { ...conversion.values, inferred: infers(conversion), spans: isReport(conversion) };
  const { core, runs, traces, exit } = await readNeeded(sources, choice, outputNeed(conversion));
  if (exit === ExitCode.Failed) return exit;
  const sampled = await withCalls(core, runs, meantIn(core, traces, conversion));
  const { writeShown } = await import("./shown.ts");
  const names = sources.map((source) => source.path);
  const beside = { traces, calls: await reportedCalls(core, runs, conversion) };
  const written = await replacing((files) => writeShown(core, sampled, names, { path, files }, beside));
  if (written === null) {
    say("spanflame: no samples: nothing to show");
    return ExitCode.Failed;
  }
  const { samples, type, size } = written;
  if (samples === 0) say("spanflame: no samples pass the filter");
  sayTruncated(core, sampled);
  note(`spanflame: ${formatCounted(samples, "sample")} of ${type}, ${formatBytes(size)}`);
  return exit;
}

/** The calls of a report of dumps. */
async function reportedCalls(core: Core, runs: readonly OpenRun[], conversion: Conversion) {
  if (runs.length === 0 || !isReport(conversion)) return null;
  const { chipped, values } = conversion;
  const { selectedCalls } = await import("../calls/dump-calls.ts");
  const { reportCalls } = await import("./report-calls.ts");
  return reportCalls(core, runs, await selectedCalls(core, values, chipped.filter));
}

function sayTruncated(core: Core, conversion: Conversion): void {
  const truncated = truncatedBefore(core, conversion);
  if (truncated !== null) note(`spanflame: ${truncated}`);
}

function sayTotals(core: Core, written: WriteTotals, ms: number): void {
  const files = core.files();
  const read = files.reduce((sum, file) => sum + file.bytes, 0);
  const events = files
    .flatMap((file) => countedChunks(file).flatMap((chunk) => Object.values(chunk.events)))
    .reduce((sum, count) => sum + count, 0);
  const samples = files.flatMap((file) => file.messages).reduce((sum, message) => sum + message.samples, 0);
  const counts = [formatCounted(events, "event"), formatCounted(samples, "sample")];
  const from = counts.filter((_, i) => (i === 0 ? events > 0 || samples === 0 : samples > 0)).join(" and ");
  note(
    `spanflame: ${formatBytes(read)}, ${from} → ${formatCounted(written.observations, "observation")} ` +
      `in ${formatCounted(written.samples, "sample")} of ${formatCounted(written.profiles, "profile")}, ${formatBytes(written.size)} ` +
      `in ${Math.round(ms)} ms`,
  );
}
