/** `spanflame convert`: recordings to one OTLP message, and what was done on standard error. */
import { closeSync, openSync, writeSync } from "node:fs";
import type { OutputFormat, WriteTotals } from "../core/types.ts";
import { formatBytes, formatCount } from "../model/format.ts";
import { extraEvents, FILTER_OPTIONS, parse, parseFilter, someInputs } from "./arguments.ts";
import { ExitCode, UsageError } from "./exit.ts";
import { chosenProfile, readPaths } from "./read.ts";
import { say, sayDiagnostics } from "./terminal.ts";

const FORMATS: OutputFormat[] = ["otlp", "otlp-json"];

function formatOf(format: string | undefined, output: string): OutputFormat {
  if (format === undefined) return /\.json$/i.test(output) ? "otlp-json" : "otlp";
  const known = FORMATS.find((name) => name === format);
  if (known === undefined) throw new UsageError(`--format: ${JSON.stringify(format)} is none of ${FORMATS.join(", ")}`);
  return known;
}

export async function convert(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parse(args, {
    ...FILTER_OPTIONS,
    output: { type: "string", short: "o" },
    format: { type: "string" },
    pretty: { type: "boolean" },
  });
  const inputs = someInputs(positionals);
  const output = values.output;
  if (output === undefined) throw new UsageError("-o OUT is missing (- for standard output)");
  const format = formatOf(values.format, output);
  const filter = parseFilter(values);
  const start = performance.now();
  const { core, readable } = await readPaths(inputs, extraEvents(values));
  sayDiagnostics(core);
  if (readable === 0) return ExitCode.Failed;
  const all = values.type === undefined && values.event === undefined;
  if (all && values.value !== undefined) throw new UsageError("--value is of a --type or an --event");
  const chosen = all ? null : chosenProfile(core, values);
  // A known type without samples: a filter that leaves none.
  const profile = all ? null : (chosen?.profile.id ?? NO_PROFILE);
  const options = { format, pretty: values.pretty === true, measure: chosen?.measure ?? 0 };
  const written = writeOut(output, (sink) => core.writeTo(profile, filter, options, sink));
  if (written.observations === 0) say("spanflame: no samples: the message has no profiles");
  const read = core.files().reduce((sum, file) => sum + file.bytes, 0);
  const events = core
    .files()
    .flatMap((file) => file.chunks.flatMap((chunk) => Object.values(chunk.events)))
    .reduce((sum, count) => sum + count, 0);
  say(
    `spanflame: ${formatBytes(read)}, ${formatCount(events)} events → ${formatCount(written.observations)} observations ` +
      `in ${formatCount(written.samples)} samples of ${written.profiles} profiles, ${formatBytes(written.size)} ` +
      `in ${Math.round(performance.now() - start)} ms`,
  );
  return ExitCode.Done;
}

/** Hands the parts of a message to a file or to standard output. */
function writeOut(path: string, write: (sink: (part: Uint8Array) => void) => WriteTotals): WriteTotals {
  // Standard output takes its time: it needs a copy.
  if (path === "-") return write((part) => process.stdout.write(part.slice()));
  const file = openSync(path, "w");
  try {
    return write((part) => {
      for (let at = 0; at < part.length; ) at += writeSync(file, part, at);
    });
  } finally {
    closeSync(file);
  }
}

/** No profile of the core: selects nothing. */
const NO_PROFILE = 0x7fff_ffff;
