import { FILTER_KINDS, filterRow } from "../model/query/filters.ts";

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
enough. A TIME is ISO 8601 or ns since 1970; --to is not part of the range. REGEX matches function names. It ignores case \
unless it contains a capital letter. The syntax is that of RE2: no look-around, no back-references.`,
);

export const HELP = `spanflame [FILE…] [--port N] [--no-open]
spanflame convert IN… -o OUT [--format otlp|otlp-json] [--pretty] [--gzip] [--framed] [--split-bytes N]
    [--include-payload] [MESSAGE] [PROFILE] [FILTER]
spanflame convert IN… -o OUT --format pprof [--timestamps] [--preset P] [PROFILE] [FILTER]
spanflame convert IN… -o OUT --format collapsed|speedscope|firefox [--pretty] [--gzip] [--preset P] [PROFILE] [FILTER]
spanflame convert IN… -o OUT --format html|svg [--gzip] [PROFILE] [FILTER]
spanflame push IN… --endpoint URL [--header KEY=VALUE] [--header-file FILE] [--json] [--gzip] [--split-bytes N] [--timeout S] [MESSAGE] [PROFILE] [FILTER]
spanflame info IN… [--event NAME [--value FIELD]] [--strict] [--json]
spanflame top IN… PROFILE [FILTER] [--limit N] [--json]
spanflame spans IN… PROFILE [FILTER] [--by local-root|span|attr:KEY] [--limit N] [--json]
spanflame validate IN [--strict] [--json]

PROFILE is --type T [--value MEASURE], or --event NAME [--value FIELD] for any event of the recording.
MESSAGE is --preset default|otel|aggregated|pyroscope (docs/otlp.md), and --resource KEY=VALUE (several times; no VALUE takes
the attribute out).
PROFILE takes --strict too: damage in a recording then makes the exit code 3.
${FILTER}

Without a command the viewer is served on a loopback port, with the files in it; the address carries a secret.
IN is a JFR recording, OTLP profiles, a pprof profile or collapsed stacks, packed or not; its bytes tell which.
IN and OUT may be - for standard input and output. An ID is decimal, 0x-hex, or hex with at least one letter.
Without --format the name of OUT says it: .json, .jsonl; .pb.gz, .pprof; .collapsed, .folded; .speedscope.json; .firefox.json;
.html, .svg; any other is OTLP protobuf. docs/formats.md says what each format keeps. collapsed, html and svg hold one profile.
html is a report to be opened from disk, svg the flame graph as a picture. --timestamps makes a pprof sample of each
observation, with its time.
convert packs OUT with gzip where its name ends in .gz, and pprof always. --framed writes messages as the Collector's file
exporter does: JSON a line each, protobuf behind its length. --split-bytes N makes a message of each profile where one is
larger than N.
--include-payload puts the recording itself into the message, with everything in it.
push posts to an OpenTelemetry receiver; to /v1development/profiles, when URL names nothing but a host. --json sends
OTLP/JSON. What is larger than N bytes (20 MiB less a little, which is what Collectors take) goes as several messages.
--header-file reads headers from a file, one KEY=VALUE on each line: other users of the machine can read arguments. push does
not use HTTP_PROXY or HTTPS_PROXY, unless Node 24 or newer finds NODE_USE_ENV_PROXY=1.
A type is one that info lists; a measure one of those beside it. An event is counted, or a number of it added up.
validate holds OTLP profiles to the rules of docs/validator.md; --strict makes warnings count as errors.
OUT replaces a former file when it is complete; until then that file stays. OUT cannot be one of IN.
Exit code: 0 everything was read; 1 nothing could be read, OUT could not be written, the receiver refused a message or validate
found an error; 2 wrong usage; 3 some of the inputs, or the rest of one, could not be read.`;
