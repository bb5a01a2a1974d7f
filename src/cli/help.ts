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
enough. --no-span: neither a span id nor a local root. --root-frame: samples below a root frame of --root-by, such as thread-pool=http-* or 'endpoint=(no endpoint)'. A TIME is ISO 8601 or ns since 1970; --to is not part of the range. REGEX matches function names. It ignores case \
unless it contains a capital letter. The syntax is that of RE2: no look-around, no back-references. FILTER takes \
--raw-names too. Without it generated names are normalised where they are shown and looked for: Shop$$Lambda$324/0x7f is \
Shop$$Lambda.`,
);

/** What `convert` writes. */
const WRITTEN: OutputRow[] = [...FORMATS, ...SHOWN_FORMATS.filter(({ pageOnly }) => pageOnly !== true)];

/** What MESSAGE stands for. */
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
  `Without --format the name of OUT says it: ${OTHERS.map(({ endings }) => endings.map((e) => `.${e}`).join(", ")).join("; ")}; \
any other is ${DEFAULT?.name}. docs/formats.md says what each format keeps. \
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

PROFILE is --type T [--value MEASURE], or --event NAME [--value FIELD] for any event of the recording.
MESSAGE is --preset default|otel|aggregated|pyroscope (docs/otlp.md), and --resource KEY=VALUE (several times; no VALUE takes
the attribute out), and --normalise-names: names that each run generates anew lose what differs from run to run.
PROFILE takes --strict too: damage in a recording then makes the exit code 3.
${FILTER}

Without a command the viewer is served on a loopback port, with the files in it; the address carries a secret.
IN is a JFR recording, OTLP profiles, a pprof profile or collapsed stacks, packed or not; its bytes tell which.
IN and OUT may be - for standard input and output. An ID is decimal, 0x-hex, or hex with at least one letter.
${BY_NAME}
--root-by puts one or two frames above each stack: endpoint, operation, thread, thread-pool (thread names without the number
at their end) or attr:KEY. --collapse makes one frame of neighbouring frames of a rule (several times): spring, netty, reactive,
jdk or NAME=REGEX. --truncated left-out leaves out stacks that the recorder truncated, at-root shows their known frames without the
frame [truncated] above. Frames are then those of the graph: one for each function, under normalised names without --raw-names.
html is a report to be opened from disk, svg the flame graph as a picture. --timestamps makes a pprof sample of each
observation, with its time.
convert packs OUT with gzip where its name ends in .gz, and pprof always. --framed writes messages as the Collector's file
exporter does: JSON a line each, protobuf behind its length. --split-bytes N makes a message of each profile where one is
larger than N.
--include-payload puts the recording itself into the message, with everything in it.
why explains a selection: hot path in application code, thread states, findings by rules. Without PROFILE it takes wall samples,
else CPU samples. --rules adds rules from a JSON file (docs/findings.md); --own names packages of the application.
push posts to an OpenTelemetry receiver; to /v1development/profiles, when URL names nothing but a host. --json sends
OTLP/JSON. What is larger than N bytes (20 MiB less a little, which is what Collectors take) goes as several messages.
--header-file reads headers from a file, one KEY=VALUE on each line: other users of the machine can read arguments. push does
not use HTTP_PROXY or HTTPS_PROXY, unless Node 24 or newer finds NODE_USE_ENV_PROXY=1.
A type is one that info lists; a measure one of those beside it. An event is counted, or a number of it added up.
validate holds OTLP profiles to the rules of docs/validator.md; --strict makes warnings count as errors.
OUT replaces a former file when it is complete; until then that file stays. OUT cannot be one of IN.
Exit code: 0 everything was read; 1 nothing could be read, OUT could not be written, the receiver refused a message or validate
found an error; 2 wrong usage; 3 some of the inputs, or the rest of one, could not be read.`;
