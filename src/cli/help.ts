import { FORMATS, OUTPUT_OPTIONS, type OutputOption, type OutputRow } from "../core/formats.ts";
import { FILTER_KINDS, filterRow } from "../model/query/filters.ts";

import { SHOWN_FORMATS } from "../model/words/shown-formats.ts";

const WIDTH = 125;

/** The text in lines of at most WIDTH. */
function wrapped(text: string): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line !== "" && `${line} ${word}`.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.join("\n");
}

const FILTER_OPTIONS = FILTER_KINDS.flatMap((kind) =>
  Object.entries(filterRow(kind).options).flatMap(([name, values]) =>
    values.length === 0 ? [`--${name}`] : values.map((value) => `--${name} ${value}`),
  ),
);

const FILTER = wrapped(
  `FILTER is any of ${FILTER_OPTIONS.join(", ")}. All must hold; of several ids, and of several values of one key, one is \
enough. --no-span selects samples with neither a span id nor a local root. --root-frame selects samples below a root \
frame of --root-by, such as thread-pool=http-* or 'endpoint=(no endpoint)'. A TIME is ISO 8601 or ns since 1970; --to is not \
part of the range. REGEX matches function names; it ignores case unless it contains a capital letter. Its syntax is that of \
RE2: no look-around, no back-references. Generated names are normalised in answers and filters (Shop$$Lambda$324/0x7f is \
Shop$$Lambda), unless --raw-names is given.`,
);

/** What `convert` writes. */
const WRITTEN: OutputRow[] = [...FORMATS, ...SHOWN_FORMATS.filter(({ pageOnly }) => pageOnly !== true)];

/** Meaning of MESSAGE. */
const IN_MESSAGE = new Set<OutputOption>(["preset", "resource", "normalise-names"]);

/** The options of a format as its line has them. */
function optionsOf({ options, packed }: OutputRow): string {
  const hasMessage = options.includes("resource");
  const words = OUTPUT_OPTIONS.filter(
    ({ name, pageOnly }) =>
      options.includes(name) &&
      pageOnly !== true &&
      !(name === "gzip" && packed === true) &&
      !(hasMessage && IN_MESSAGE.has(name)),
  ).map(({ name, value }) => (value === undefined ? `[--${name}]` : `[--${name} ${value}]`));
  return [...words, ...(hasMessage ? ["[MESSAGE]"] : []), "[PROFILE] [FILTER]"].join(" ");
}

/** A line for all formats with the same options. */
function convertLines(): string {
  const lines = new Map<string, string[]>();
  for (const row of WRITTEN) lines.set(optionsOf(row), [...(lines.get(optionsOf(row)) ?? []), row.name]);
  return [...lines]
    .map(([options, names], i) => {
      const format = `--format ${names.join("|")}`;
      return `spanflame convert IN… -o OUT ${i === 0 ? `[${format}]` : format} ${options}`;
    })
    .join("\n");
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

const CONVERT = convertLines();
const [DEFAULT, ...OTHERS] = WRITTEN;
const BY_NAME = wrapped(
  `Without --format the name of OUT chooses the format: ${OTHERS.map(({ endings }) => endings.map((e) => `.${e}`).join(", ")).join("; ")}; \
any other name is ${DEFAULT?.name}. docs/formats.md describes the formats. \
${listed(WRITTEN.filter(({ single }) => single === true).map(({ name }) => name))} hold one profile.`,
);

export const HELP = `spanflame [FILE…] [--port N] [--no-open]
${CONVERT}
spanflame push IN… --endpoint URL [--header KEY=VALUE] [--header-file FILE] [--json] [--gzip] [--split-bytes N] [--timeout S] [MESSAGE] [PROFILE] [FILTER]
spanflame info IN… [--event NAME [--value FIELD]] [--strict] [--json]
spanflame top IN… PROFILE [FILTER] [--limit N] [--json]
spanflame why IN… [PROFILE] [FILTER] [--rules FILE] [--own PREFIX] [--json]
spanflame spans IN… PROFILE [FILTER] [--by local-root|span|attr:KEY] [--limit N] [--json]
spanflame validate IN [--strict] [--json]

PROFILE is --type T [--value MEASURE], or --event NAME [--value FIELD] for any event of the recording. info lists the types and
their measures. An event is counted; with --value, its field is added up. With --strict, damage in a recording makes the exit
code 3.
MESSAGE is --preset default|otel|aggregated|pyroscope (docs/otlp.md), --resource KEY=VALUE (several times; without VALUE it removes
the attribute), and --normalise-names (generated names lose the part that differs from run to run).
${FILTER}

Without a command, spanflame opens the files in the viewer, served on a loopback port. The URL contains an access token.
IN is a JFR recording, OTLP profiles, a pprof profile or collapsed stacks, packed or not; the bytes decide.
IN and OUT may be - for standard input and output. An ID is decimal, 0x-hex, or hex with at least one letter.
${BY_NAME}
--root-by puts one or two frames above each stack: endpoint, operation, thread, thread-pool (thread names without the number
at their end) or attr:KEY. --collapse joins neighbouring frames of a rule into one (several times): spring, netty, reactive, jdk
or NAME=REGEX. --truncated left-out omits stacks that the recorder truncated; at-root shows their known frames without the frame
[truncated] above. Frames are then those of the graph: one for each function, under normalised names unless --raw-names is given.
html is a report to open from disk, svg a picture of the flame graph. --timestamps writes a pprof sample for each observation,
with its time.
convert packs OUT with gzip if its name ends in .gz, and pprof always. --framed writes messages as the Collector's file
exporter does: JSON one message a line, protobuf with a length before each message. --split-bytes N writes a message for each
profile if one message would be larger than N.
--include-payload attaches the whole recording, unfiltered, to the message.
why explains a selection: hot path in application code, thread states, findings by rules. Without PROFILE it takes wall samples,
else CPU samples. --rules adds rules from a JSON file (docs/findings.md); --own names packages of the application.
push posts to an OpenTelemetry receiver, to /v1development/profiles if URL has no path. --json sends OTLP/JSON. A message larger
than N bytes (a little less than the 20 MiB that Collectors take) is sent as several.
--header-file reads headers from a file, one KEY=VALUE on each line, because other users of the machine can read arguments. push
does not use HTTP_PROXY or HTTPS_PROXY, unless Node 24 or newer finds NODE_USE_ENV_PROXY=1.
validate checks OTLP profiles against the rules of docs/validator.md; with --strict, warnings are errors.
OUT replaces a former file when it is complete; until then the former file stays. OUT cannot be one of IN.
Exit code: 0 everything was read; 1 nothing could be read, OUT could not be written, the receiver refused a message or validate
found an error; 2 wrong usage; 3 an input, or the rest of one, could not be read.`;
