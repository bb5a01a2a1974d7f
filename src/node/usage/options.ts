/** The table of options, in groups that commands share. */
import { PROFILES } from "../../core/tables/catalogue.ts";
import { FORMATS, OUTPUT_OPTIONS, type OutputOption, type OutputRow } from "../../core/tables/formats.ts";
import { PRESETS } from "../../core/tables/presets.ts";
import { FILTER_KINDS, filterRow } from "../../model/query/filters.ts";
import { ROOT_CHOICES } from "../../model/query/root-by.ts";
import { PRESET_NAMES } from "../../model/query/run-rules.ts";
import { TRUNCATED_CHOICES } from "../../model/query/truncated.ts";
import { SHOWN_FORMATS } from "../../model/words/shown-formats.ts";
import type { OptionGroup, OptionRow } from "./rows.ts";

/** Formats that `convert` writes. */
export const WRITTEN: readonly OutputRow[] = [...FORMATS, ...SHOWN_FORMATS.filter(({ pageOnly }) => pageOnly !== true)];

/** Of every command. */
export const GENERAL = {
  title: "General",
  options: [
    { name: "quiet", short: "q", about: "print no totals and no progress; errors and warnings are still printed" },
    { name: "help", short: "h", about: "print this help" },
    { name: "version", short: "V", about: "print the version" },
  ],
} as const satisfies OptionGroup;

export const JSON_OPTION = {
  name: "json",
  about: "print the answer as JSON, 64-bit numbers as strings",
} as const satisfies OptionRow;

/** Of the commands that an assistant asks. */
export const MARKDOWN_OPTIONS = [
  { name: "markdown", about: "print the answer as Markdown for an assistant, names as code" },
  {
    name: "max-tokens",
    value: "N",
    about: "of --markdown: at most N tokens of 4 bytes, 2000 by default; says what is cut",
  },
] as const satisfies readonly OptionRow[];

export const CSV_OPTION = {
  name: "csv",
  about: "print the answer as CSV",
} as const satisfies OptionRow;

export const LIMIT_OPTION = {
  name: "limit",
  value: "N",
  about: "print at most N rows",
} as const satisfies OptionRow;

export const NO_STACKS = {
  name: "no-stacks",
  about: "decode no stacks: their number, libraries, remote frames and damage in them are not in the answer",
} as const satisfies OptionRow;

const EVENT = {
  name: "event",
  value: "NAME",
  about: "make a profile of any event of the recording, such as jdk.ClassLoad; events are counted",
} as const satisfies OptionRow;

const EVENTS = {
  name: "events",
  value: "FILE",
  path: "file",
  about: "make profiles of the events that a JSON file maps (docs/cli.md); their types are for --type",
} as const satisfies OptionRow;

const STRICT = {
  name: "strict",
  about: "exit with 3 if a part of the input is damaged",
} as const satisfies OptionRow;

export const SYMBOLS = {
  name: "symbols",
  value: "PATH",
  many: true,
  path: "file",
  about: "a library, a debug file, or a zip or folder of them, that names native frames; recognised by build id",
} as const satisfies OptionRow;

const TRACE = {
  name: "trace",
  value: "T",
  many: true,
  path: "file",
  about: "a trace beside the recordings: a file of OTLP, Jaeger, Zipkin or Datadog; recognised by its content",
} as const satisfies OptionRow;

/** Of `why`, which infers context always. */
export const WHY_TRACE = { title: "Traces", options: [TRACE] } as const satisfies OptionGroup;

/** Traces beside recordings, and the context of events that carry none (docs/context.md). */
export const CONTEXT = {
  title: "Traces and context",
  options: [
    TRACE,
    {
      name: "inferred",
      about: "give events without a span id the span or request that their thread worked for, as far as it is certain",
    },
  ],
} as const satisfies OptionGroup;

const JOBS = {
  name: "jobs",
  value: "N",
  about: "use N threads (default 1; with --out-dir by the sizes of inputs)",
} as const satisfies OptionRow;

/** Labels with ids under names of one's own. */
const ID_LABELS = [
  { name: "trace-label", value: "KEY", many: true, about: "a label of pprof or a context field with the trace id" },
  { name: "span-label", value: "KEY", many: true, about: "the same with the span id" },
] as const satisfies readonly OptionRow[];

/** Of commands that answer about whole recordings. */
export const READING = {
  title: "Reading",
  options: [
    EVENT,
    EVENTS,
    { name: "value", value: "FIELD", about: "add up this field of --event" },
    ...ID_LABELS,
    SYMBOLS,
    STRICT,
    JOBS,
  ],
} as const satisfies OptionGroup;

/** Of commands that select a profile. */
export const PROFILE = {
  title: "Profile",
  options: [
    {
      name: "type",
      value: "T",
      known: [...new Set(PROFILES.map(({ type }) => type))],
      about: "profile type, such as cpu, wall or alloc-samples; info lists those of a recording",
    },
    EVENT,
    EVENTS,
    { name: "value", value: "MEASURE", about: "another measure of --type, or the field of --event to add up" },
    ...ID_LABELS,
    SYMBOLS,
    STRICT,
    JOBS,
  ],
} as const satisfies OptionGroup;

/** The options of the filters, in the order of their rows. */
function filterRows(): OptionRow[] {
  return FILTER_KINDS.flatMap((kind) =>
    Object.entries(filterRow(kind).options).map(([name, { read: _, single, ...facts }]): OptionRow => {
      return { name, ...facts, ...(facts.value !== undefined && single !== true && { many: true }) };
    }),
  );
}

/** Only `parseFilter` reads the values of the filters, so they have no separate types. */
export const FILTER = {
  title: "Filters (a sample must match all of them, but only one of several ids or of several values of a key)",
  options: [
    ...(filterRows() as readonly OptionRow[] as readonly never[]),
    {
      name: "raw-names",
      about: "keep names as they were recorded, such as Shop$$Lambda$324/0x7f or Ljava/util/Map;::get",
    },
  ],
} as const satisfies OptionGroup;

/** The formats that have an option, where not all have it. */
function formatsWith(option: OutputOption): string {
  const isLenient = OUTPUT_OPTIONS.some(({ name, lenient }) => name === option && lenient === true);
  const names = WRITTEN.filter(({ options }) => options.includes(option)).map(({ name }) => name);
  return names.length === WRITTEN.length || isLenient ? "" : ` (${names.join(", ")})`;
}

/** Which calls of CDT dumps count; the filters --thread, --attr, --since and --until select calls, too. */
export const CALLS = {
  title: "Calls of dumps (a call must match all of them; they select whole calls)",
  options: [
    { name: "call", value: "ID", many: true, about: "the call with this id; spanflame calls lists them" },
    { name: "min-ms", value: "N", about: "calls of at least N ms" },
    { name: "max-ms", value: "N", about: "calls below N ms" },
    {
      name: "query",
      value: "TEXT",
      about: "calls whose method, title, thread or parameters have each word, and no -word",
    },
    {
      name: "roots",
      value: "WHICH",
      known: ["recorded", "unrecorded", "all"],
      about: "recorded calls, roots of the trace without a record, or all",
    },
  ],
} as const satisfies OptionGroup;

/** Content of an OTLP message, for the commands that write one. */
export const MESSAGE = {
  title: "Message",
  options: [
    {
      name: "preset",
      value: "P",
      choices: PRESETS.map(({ name }) => name),
      about: "names, units and shape of profiles for a group of backends (docs/otlp.md)",
    },
    {
      name: "resource",
      value: "KEY=VALUE",
      many: true,
      about: "set an attribute of the Resource; an empty VALUE removes it",
    },
    {
      name: "normalise-names",
      about: "one notation for methods of the JVM, and no part of a generated name that differs from run to run",
    },
  ],
} as const satisfies OptionGroup;

/** Transforms of the call tree, for formats that contain stacks. */
export const SHAPE = {
  title: "Stacks",
  options: [
    {
      name: "root-by",
      value: "LEVEL[,LEVEL]",
      about: `one or two frames above each stack: ${ROOT_CHOICES.join(", ")}${formatsWith("root-by")}`,
    },
    {
      name: "collapse",
      value: "RULE",
      many: true,
      about: `join neighbouring frames that match a rule into one: ${PRESET_NAMES.join(", ")} (left out) or NAME=REGEX`,
    },
    {
      name: "truncated",
      value: "HOW",
      choices: TRUNCATED_CHOICES,
      about: "stacks that the recorder truncated: below a frame [truncated], left out, or without that frame",
    },
  ],
} as const satisfies OptionGroup;

export const OUTPUT = {
  title: "Output",
  options: [
    {
      name: "output",
      short: "o",
      value: "OUT",
      path: "file",
      isOutput: true,
      about: "the file to write; - is standard output",
    },
    {
      name: "out-dir",
      value: "DIR",
      path: "folder",
      about: "write a file into DIR for each input; a later run keeps the files that are up to date",
    },
    JSON_OPTION,
    {
      name: "format",
      value: "F",
      choices: WRITTEN.map(({ name }) => name),
      about: "the format, if the ending of OUT does not determine it",
    },
    { name: "pretty", about: `JSON with line breaks${formatsWith("pretty")}` },
    { name: "timestamps", about: `write a sample for each observation, with its time${formatsWith("timestamps")}` },
    { name: "gzip", about: "compress OUT; pprof and names that end in .gz are always compressed" },
    { name: "force", about: "write binary output to a terminal" },
    {
      name: "framed",
      about: `write messages as the Collector's file exporter does: one JSON message per line, protobuf after its length${formatsWith("framed")}`,
    },
    {
      name: "split-bytes",
      value: "N",
      about: `write messages of at most N bytes, by profile and by time${formatsWith("split-bytes")}`,
    },
    {
      name: "include-payload",
      about: `attach the whole recording, unfiltered${formatsWith("include-payload")}`,
    },
  ],
} as const satisfies OptionGroup;

/** Every option of a format is an option of `convert`: the compiler demands a row. */
type ConvertOption = (typeof OUTPUT | typeof MESSAGE | typeof SHAPE)["options"][number]["name"];
type Missing = Exclude<Exclude<OutputOption, "dark">, ConvertOption>;
const NONE_IS_MISSING: [Missing] extends [never] ? true : Missing = true;
void NONE_IS_MISSING;

export const ENCODINGS = ["protobuf", "json"] as const;

export const RECEIVER = {
  title: "Receiver",
  options: [
    {
      name: "to",
      value: "URL",
      about: "address of the receiver; without a path, /v1development/profiles is appended",
    },
    { name: "header", value: "KEY=VALUE", many: true, about: "a header of every request" },
    {
      name: "header-file",
      value: "FILE",
      path: "file",
      about: "read headers from FILE, one KEY=VALUE per line, because other users can read the arguments of a command",
    },
    {
      name: "datadog",
      about:
        "send an upload of pprof files, as Datadog's profilers do, to an agent (by default DD_TRACE_AGENT_URL or port 8126)",
    },
    { name: "encoding", value: "E", choices: ENCODINGS, about: "of the messages; protobuf by default" },
    // Its former name.
    { name: "json", about: "send OTLP/JSON instead of protobuf", hidden: true },
    { name: "gzip", about: "compress each message" },
    { name: "split-bytes", value: "N", about: "split messages above N bytes; a little less than 20 MiB by default" },
    { name: "timeout", value: "S", about: "seconds for one request; 30 by default" },
  ],
} as const satisfies OptionGroup;

/** Of commands that open the viewer. */
export const SERVER = [
  { name: "port", value: "N", about: "port of the loopback server; a free one by default" },
  { name: "no-open", about: "print the address and do not open a browser" },
] as const satisfies readonly OptionRow[];

export const VIEWER = {
  title: "Viewer",
  options: [
    SYMBOLS,
    ...SERVER,
    { name: "watch", about: "open new and grown files of FILE, which may be folders, while the page is open" },
    { name: "sample", about: "open a recording of a small shop that comes with Spanflame" },
  ],
} as const satisfies OptionGroup;

/** Operands that are recordings or folders of them. */
export const RECORDINGS = { value: "IN", count: "some", path: "file" } as const;

/** A group of the options that only one command has. */
export function answer<const Options extends readonly OptionRow[]>(...options: Options) {
  return { title: "Answer", options } satisfies OptionGroup;
}

/** What `record` records a JVM with. */
const RECORDERS = ["async-profiler", "jfr"] as const;

/** Of `record`. */
export const JVM_RECORDING = {
  title: "Recording",
  options: [
    { name: "for", value: "TIME", about: "how long: 30s by default, or minutes as 2m" },
    {
      name: "with",
      value: "RECORDER",
      choices: RECORDERS,
      about: `${RECORDERS.join(" or ")}; async-profiler by default if asprof is on the PATH`,
    },
    {
      name: "output",
      short: "o",
      value: "OUT",
      path: "file",
      isOutput: true,
      about: "keep the recording as this file",
    },
  ],
} as const satisfies OptionGroup;
