/** `spanflame convert`: writes recordings as OTLP and other formats, and reports the result on standard error. */
import type { Core } from "../core/core.ts";
import { FORMATS, type FormatRow, formatOfFile, formatRow, OUTPUT_OPTIONS, type OutputRow } from "../core/formats.ts";
import { splitByProfile } from "../core/split.ts";
import type { Filter, WriteOptions, WriteTotals } from "../core/types.ts";
import { shapeKey } from "../model/query/shape.ts";
import { formatBytes, formatCounted } from "../model/words/format.ts";
import { isShown, type ShownRow, shownRow } from "../model/words/shown-formats.ts";
import { countOf, parseFilter, presetOf, resourceOf, shapeOf, truncatedAs } from "./arguments.ts";
import { ExitCode, UsageError } from "./exit.ts";
import { inputsOf } from "./inputs.ts";
import { Output, type OutputOptions } from "./output.ts";
import { RecordingPayload } from "./payload.ts";
import { chosenProfiles, onlyProfile, readSaid } from "./read.ts";
import { type Replacements, replacing, signalsServed } from "./replacement.ts";
import { existingParts, numbered, refuseInputs } from "./same-file.ts";
import { note, say } from "./terminal.ts";
import type { CallOf } from "./usage/commands.ts";
import { WRITTEN } from "./usage/options.ts";
import { didYouMean, notOneOf } from "./usage/suggest.ts";

function formatOf(name: string | undefined, output: string): FormatRow | ShownRow {
  const ending = /\.(\w+)(?:\.gz)?$/i.exec(output)?.[1]?.toLowerCase() ?? "";
  if (name === undefined) return shownRow(ending) ?? formatRow(formatOfFile(output));
  const known = FORMATS.find((row) => row.name === name) ?? shownRow(name);
  if (known !== undefined) return known;
  const names = WRITTEN.map((row) => row.name);
  throw new UsageError(notOneOf("--format", name, names));
}

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

/** Refuses options that the format's row does not have. */
function checkOptions(row: OutputRow, values: Record<string, unknown>): void {
  for (const { name, lenient } of OUTPUT_OPTIONS) {
    const isTaken = row.options.includes(name) || (lenient === true && !isShown(row.name));
    if (!isTaken && values[name] !== undefined) throw new UsageError(`--${name}: is not for --format ${row.name}`);
  }
}

/** Node decodes arguments as UTF-8: of a name that is not, only part is left, and the file would get another name. */
function refuseUnreadableName(path: string): void {
  if (path.includes("\ufffd"))
    throw new UsageError(`-o: ${JSON.stringify(path)} is not a name in UTF-8; choose another`);
}

/** The output's content, and its destination. */
interface Job extends OutputOptions {
  core: Core;
  path: string;
  profile: number | null;
  filter: Filter;
  options: WriteOptions;
}

export async function convert({ inputs, values }: CallOf<"convert">): Promise<ExitCode> {
  const path = values.output;
  if (path === undefined) throw new UsageError("-o OUT is missing (- for standard output)");
  const row = formatOf(values.format, path);
  checkOptions(row, values);
  const framed = values.framed === true;
  const limit = countOf("--split-bytes", values["split-bytes"], 0);
  refuseUnreadableName(path);
  const isBinary = row.name === "otlp" || row.packed === true || values.gzip === true;
  if (values.force !== true) refuseTerminal(path, isBinary);
  const sources = inputsOf(inputs);
  const paths = sources.map((source) => source.path);
  refuseInputs(paths, [path, ...(limit > 0 && !framed ? existingParts(path) : [])]);
  if (values.format === undefined) refuseUnknownEnding(path);
  const chosen = { filter: await parseFilter(values), shape: await shapeOf(values) };
  const { filter, shape } = truncatedAs(chosen, values.truncated);
  if (isShown(row.name))
    return (await import("./shown.ts")).convertShown(sources, path, row.name, { filter, shape }, values);
  const { name: format, packed, single } = formatRow(row.name);
  if (framed && values.pretty) throw new UsageError("--framed: each message is one line, --pretty writes several");
  if (limit > 0 && values["include-payload"]) throw new UsageError("--include-payload: cannot be split");
  if (limit > 0 && path === "-" && !framed) throw new UsageError("--split-bytes: standard output needs --framed");
  const preset = presetOf(values.preset);
  const resource = resourceOf(values.resource);
  const payload = values["include-payload"] ? await RecordingPayload.of(paths) : null;
  const start = performance.now();
  const { core, exit } = await readSaid(sources, values);
  if (exit === ExitCode.Failed) return exit;
  const { profile, ...measure } = single ? onlyProfile(core, values) : chosenProfiles(core, values);
  const timestamps = values.timestamps === true;
  const options = {
    format,
    pretty: values.pretty === true,
    preset,
    resource,
    timestamps,
    ...measure,
    ...(shapeKey(shape) !== "" && { shape }),
  };
  const gzip = values.gzip === true || packed === true || /\.gz$/i.test(path);
  const job = { core, path, profile, filter, options, gzip, quick: packed === true, framed };
  const written = await replacing((files) =>
    limit > 0 ? writeParts(files, job, limit) : writeWhole(files, job, payload),
  );
  if (written.observations === 0) say("spanflame: no samples: the message has a profile without samples");
  sayTotals(core, written, performance.now() - start);
  return exit;
}

function writeWhole(
  files: Replacements,
  { core, path, profile, filter, options, ...how }: Job,
  payload: RecordingPayload | null,
): WriteTotals {
  if (payload !== null) {
    say(
      `spanflame: warning: the message holds the whole recording (${formatBytes(payload.bytes)}), whatever the filter:`,
    );
    say("spanflame: host and thread names, and system properties and environment if the recorder wrote them");
  }
  // A frame says its size first: only then is the message written twice.
  const size = () =>
    core.writeTo(
      profile,
      filter,
      withPayload(options, payload, () => {}),
      () => {},
    ).size;
  const output = new Output(files.open(path), how);
  const written = output.message(options.format, size, (sink) =>
    core.writeTo(profile, filter, withPayload(options, payload, sink), sink),
  );
  output.close();
  return written;
}

function withPayload(
  options: WriteOptions,
  payload: RecordingPayload | null,
  sink: (part: Uint8Array) => void,
): WriteOptions {
  if (payload === null) return options;
  const put = () => {
    for (const piece of options.format === "otlp" ? payload.pieces() : payload.base64()) sink(piece);
  };
  return { ...options, payload: { format: payload.format, bytes: payload.bytes, put } };
}

/** As many messages as it takes: framed in one file, else in a file each. */
async function writeParts(
  files: Replacements,
  { core, path, profile, filter, options, ...how }: Job,
  limit: number,
): Promise<WriteTotals> {
  const totals: WriteTotals = { size: 0, profiles: 0, samples: 0, observations: 0 };
  const one = how.framed ? new Output(files.open(path), how) : null;
  let i = 0;
  for (const part of splitByProfile(core, profile, filter, options, limit)) {
    const output = one ?? new Output(files.open(numbered(path, i++)), how);
    output.message(
      options.format,
      () => part.size,
      (sink) => sink(part.bytes),
    );
    if (one === null) output.close();
    if (part.oversized) say(`spanflame: warning: ${part.type}: ${formatBytes(part.size)}: one profile cannot be split`);
    for (const key of ["size", "profiles", "samples", "observations"] as const) totals[key] += part[key];
    await signalsServed();
  }
  one?.close();
  return totals;
}

function sayTotals(core: Core, written: WriteTotals, ms: number): void {
  const files = core.files();
  const read = files.reduce((sum, file) => sum + file.bytes, 0);
  const events = files
    .flatMap((file) => file.chunks.flatMap((chunk) => Object.values(chunk.events)))
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
