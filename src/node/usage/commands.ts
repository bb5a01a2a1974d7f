/**
 * The table of commands. Parsing, help and completion are made from it; run.ts has the function of each command.
 */

import { PROFILES } from "../../core/tables/catalogue.ts";
import { CALL_ORDERS } from "../../model/calls/call-orders.ts";
import { PER } from "../../model/diff/comparison.ts";
import { BLOCKED_BY } from "../../model/waits/held.ts";
import { RECEIVER_NAMES } from "../../validate/receiver-names.ts";
import { ARRIVING_COMMANDS } from "./arriving-commands.ts";
import { DATA_SET_COMMANDS } from "./data-set-commands.ts";
import { EXIT_CODES } from "./exit-codes.ts";
import {
  answer,
  CALLS,
  CONTEXT,
  CSV_OPTION,
  FILTER,
  GENERAL,
  JSON_OPTION,
  LIMIT_OPTION,
  MARKDOWN_OPTIONS,
  MESSAGE,
  NO_STACKS,
  OUTPUT,
  PROFILE,
  READING,
  RECEIVER,
  RECORDINGS,
  SERVER,
  SHAPE,
  SYMBOLS,
  VIEWER,
  WHY_TRACE,
  WRITTEN,
} from "./options.ts";
import type { CommandRow, NoteList, OptionGroup, OptionRow, Values } from "./rows.ts";

/** Shells that `completion` knows. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

function formatList(): NoteList {
  const items = WRITTEN.map(({ name, endings, about }): [string, string] => {
    return [`${name}  ${endings.map((each) => `.${each}`).join(" ")}`, about];
  });
  return { title: "Formats, by --format or by the name of OUT", items };
}

const TWO = { value: "A B", count: "two", path: "file" } as const;

/** Options of the commands that select rows of a data set. */
const SELECTION = [
  {
    name: "trace-id",
    value: "ID",
    former: ["trace"],
    about: "samples of this trace or local root: decimal, 0x-hex, 32 hex digits, or a header with one",
  },
  { name: "endpoint", value: "E", about: "samples of this endpoint" },
  {
    name: "since",
    value: "T",
    about: "samples from this time on: a duration before now, such as 1d, or ISO 8601 (UTC without a zone)",
  },
  { name: "until", value: "T", about: "samples before this time" },
] as const satisfies readonly OptionRow[];

const TRACE_CHOICE = {
  title: "Trace",
  options: [
    { name: "trace-id", value: "ID", about: "the trace with this id, in any form" },
    { name: "local-root", value: "ID", about: "the trace of this request" },
    { name: "span", value: "ID", about: "this span, with the spans below it" },
  ],
} as const satisfies OptionGroup;

const COMPARISON = {
  title: "Comparison",
  options: [
    { name: "by", value: "WHAT", choices: ["function", "endpoint"], about: "rows of the answer; function by default" },
    {
      name: "per",
      value: "WHAT",
      choices: PER,
      about: "values per second (default, if the durations are known), per request, or as shares of the total",
    },
    {
      name: "fail-if",
      value: "CONDITION",
      many: true,
      about: "exit with 4 if it holds beyond the sampling error of both sides, such as 'self(com.acme.*) > +5%'",
    },
    { name: "conditions", value: "FILE", path: "file", about: "read conditions from FILE, one per line" },
    { name: "limit", value: "N", about: "print at most N rows; 20 by default" },
    { name: "markdown", about: "print the answer as Markdown for a comment on a pull request" },
    {
      name: "max-tokens",
      value: "N",
      about: "with --markdown: for an assistant instead, in at most N tokens of 4 bytes",
    },
    JSON_OPTION,
  ],
} as const satisfies OptionGroup;

const GATE = {
  title: "Gate",
  options: [{ name: "allow-empty", about: "accept a condition whose names select no function of A or B" }],
} as const satisfies OptionGroup;

const CONDITIONS = [
  "A is the baseline. A and B are recordings or folders of recordings. Without --type or --event, the CPU samples are " +
    "compared, or the wall samples if there are none.",
  "CONDITION is self(NAMES) or total(NAMES), > or <, and a limit. In NAMES, * matches any characters; /REGEX/ is a " +
    "pattern; no NAMES means all functions. A limit with + or - is a change from A to B: +5%, +2pp (share " +
    "of the total), +20ms, +1MiB. A limit without a sign is a value of B: 10% (of the total), 20ms, 300.",
];

const SINGLE = WRITTEN.filter(({ single }) => single === true).map(({ name }) => name);

/** Without a command. */
export const VIEW = {
  about: "Opens recordings in the viewer. Commands print, convert, compare, check and send them",
  operands: { value: "FILE", count: "any", path: "file" },
  examples: [
    { args: "--sample", about: "try the viewer with a sample recording" },
    { args: "recording.jfr", about: "open the viewer with this recording" },
    { args: "recording.jfr --symbols /usr/lib/debug", about: "with names of native frames" },
    { args: "info recording.jfr", about: "print its profiles and problems" },
    { args: "spans recording.jfr --type cpu", about: "list its requests, heaviest first" },
    { args: "convert recording.jfr -o trace.pb", about: "write its samples as OTLP profiles" },
  ],
  groups: [VIEWER, GENERAL],
  notes: [
    "FILE and IN are JFR recordings, OTLP profiles, pprof profiles (also in OTLP logs), collapsed stacks, or files of " +
      "speedscope, Firefox, V8 and perf script, compressed or not; their bytes decide. IN can be - for standard input, OUT for standard output. The address of the viewer contains an access token.",
    `Exit codes: ${EXIT_CODES.map(([code, about]) => `${code} ${about}`).join(". ")}.`,
  ],
} as const satisfies CommandRow;

export const COMMANDS = {
  info: {
    about: "Prints the content of recordings: chunks, events, profiles, settings and problems",
    operands: RECORDINGS,
    examples: [
      { args: "info recording.jfr", about: "for people" },
      { args: "info recording.jfr --json", about: "for scripts, with every diagnostic" },
      { args: "info recording.jfr --no-stacks", about: "in half of the time" },
    ],
    groups: [answer(JSON_OPTION, NO_STACKS), READING, CONTEXT, GENERAL],
  },
  spans: {
    about: "Lists local roots, spans, endpoints or attribute values by weight",
    operands: RECORDINGS,
    examples: [
      { args: "spans recording.jfr --type cpu", about: "local roots by CPU time" },
      { args: "spans recording.jfr --sort duration --limit 10", about: "the ten slowest requests" },
      { args: "spans recording.jfr --type wall --by attr:tenant --limit 10", about: "the ten heaviest tenants" },
    ],
    groups: [
      answer(
        {
          name: "by",
          value: "WHAT",
          known: ["local-root", "span", "endpoint", "operation", "thread", "library", "call", "attr:"],
          about: "local-root (default), span, endpoint, operation, thread, library, call (of dumps) or attr:KEY",
        },
        {
          name: "sort",
          value: "KEY",
          known: ["value", "samples", "duration", "start"],
          about: "value (default), samples, or of requests and spans duration (longest first) or start",
        },
        LIMIT_OPTION,
        JSON_OPTION,
        ...MARKDOWN_OPTIONS,
      ),
      PROFILE,
      CONTEXT,
      CALLS,
      FILTER,
      GENERAL,
    ],
  },
  waits: {
    about: "Lists what requests waited for, and who held it",
    operands: RECORDINGS,
    examples: [
      { args: "waits recording.jfr", about: "the longest waits, with their holders" },
      {
        args: "waits recording.jfr --local-root 0x6f3f8992c17d2bd0 --json",
        about: "those of one request, for scripts",
      },
      { args: "waits recording.jfr --by endpoint", about: "who blocks whom" },
    ],
    groups: [
      answer(
        {
          name: "by",
          value: "WHAT",
          choices: BLOCKED_BY,
          about:
            "who blocks whom, added up over all waits: by endpoint (else operation, else thread pool), thread-pool or thread",
        },
        LIMIT_OPTION,
        JSON_OPTION,
        ...MARKDOWN_OPTIONS,
      ),
      WHY_TRACE,
      READING,
      FILTER,
      GENERAL,
    ],
  },
  events: {
    about: "Lists the events of any type of requests, in order and by type",
    operands: RECORDINGS,
    examples: [
      {
        args: "events recording.jfr --local-root 0x7be50a2852f2bdd2",
        about: "how many events of which type a request has",
      },
      { args: "events recording.jfr --local-root 0x7be50a2852f2bdd2 --json", about: "each of them, for scripts" },
      {
        args: "events recording.jfr --event jdk.JavaMonitorEnter --stacks",
        about: "those of a type with their stacks",
      },
    ],
    groups: [
      answer({ name: "stacks", about: "the events one by one, each with its stack" }, LIMIT_OPTION, JSON_OPTION),
      WHY_TRACE,
      PROFILE,
      FILTER,
      GENERAL,
    ],
    notes: [
      "--stacks prints 20 events, or 1,000 as JSON, if --limit states no other number, and the 200 frames of each that " +
        "are nearest to its leaf.",
    ],
  },
  trace: {
    about: "Lists the spans of a trace in their tree, with self times, the critical path and the samples of each",
    operands: { ...RECORDINGS, value: "IN…", second: "ID" },
    examples: [
      { args: "trace recording.jfr --trace trace.json", about: "the spans of the file, for people" },
      { args: "trace recording.jfr --trace trace.json --json", about: "with the reason of each span without samples" },
      { args: "trace recording.jfr 0x7be50a2852f2bdd2 --limit 20", about: "the first spans of one trace" },
    ],
    groups: [answer(LIMIT_OPTION, JSON_OPTION, ...MARKDOWN_OPTIONS), TRACE_CHOICE, CONTEXT, READING, GENERAL],
    notes: [
      "A last operand that is no file but an id, or a text with one, chooses a trace as --trace-id does.",
      "Without --trace, the spans that the recordings know. Exits with 1 if a file of --trace contains no span " +
        "(docs/cli.md).",
    ],
  },
  top: {
    about: "Lists the functions with the most self time",
    operands: RECORDINGS,
    examples: [
      { args: "top recording.jfr --type cpu", about: "the hottest functions" },
      { args: "top recording.jfr --type cpu --local-root 0x7be50a2852f2bdd2", about: "those of one request" },
    ],
    groups: [answer(LIMIT_OPTION, JSON_OPTION, ...MARKDOWN_OPTIONS), PROFILE, CONTEXT, CALLS, FILTER, GENERAL],
  },
  calls: {
    about: "Lists the calls of a CDT dump by duration, and the frames of single ones",
    operands: RECORDINGS,
    examples: [
      { args: "calls dump/ --limit 10", about: "the ten slowest calls" },
      { args: "calls dump/ --call server1/1643822466534:1:8:0 --tree", about: "the frames of one, in order" },
      { args: "calls dump/ --min-ms 500 --params", about: "SQL and other parameters of slow calls" },
    ],
    groups: [
      answer(
        {
          name: "sort",
          value: "FIGURE",
          known: Object.keys(CALL_ORDERS),
          about: `${Object.keys(CALL_ORDERS).slice(0, -1).join(", ")} or start (default duration)`,
        },
        { name: "tree", about: "with the frames of each call of --call: times, and values of parameters" },
        CSV_OPTION,
        { name: "params", about: "with the parameters of the frames of all calls that pass, by signature" },
        { name: "watch", about: "also list calls that a running agent adds later, until Ctrl+C" },
        LIMIT_OPTION,
        JSON_OPTION,
      ),
      CALLS,
      FILTER,
      GENERAL,
    ],
  },
  pauses: {
    about: "Lists the pauses of the JVM: suspension of CDT dumps, garbage collection of recordings; the longest first",
    operands: RECORDINGS,
    examples: [
      { args: "pauses dump/ --limit 10", about: "the ten longest pauses" },
      { args: "pauses recording.jfr --csv", about: "all pauses of the collector, for a spreadsheet" },
    ],
    groups: [answer(LIMIT_OPTION, JSON_OPTION, CSV_OPTION), GENERAL],
  },
  dictionary: {
    about: "Lists the dictionary of a CDT dump: ids and texts of methods and parameters",
    operands: RECORDINGS,
    examples: [
      { args: "dictionary dump/", about: "ids and texts" },
      { args: "dictionary dump/ --json", about: "with order, index, list and signature of parameters" },
    ],
    groups: [answer(LIMIT_OPTION, JSON_OPTION, CSV_OPTION), GENERAL],
  },
  why: {
    about: "Explains a selection: hot path in application code, thread states, findings of rules, time of its requests",
    operands: RECORDINGS,
    examples: [
      { args: "why recording.jfr --local-root 0x7be50a2852f2bdd2", about: "why this request was slow" },
      {
        args: "why recording.jfr --span 0x1f3a5c7e9b1d3f50 --trace trace.json",
        about: "where the time of a span went",
      },
      {
        args: "why recording.jfr --trace trace.json --operation servlet.request",
        about: "where the time of the requests of an operation went",
      },
    ],
    groups: [
      answer(
        { name: "rules", value: "FILE", path: "file", about: "read more rules from a JSON file (docs/findings.md)" },
        { name: "own", value: "PREFIX", many: true, about: "a package of the application" },
        { name: "operation", value: "NAME", about: "the spans of this operation, with all spans below them" },
        JSON_OPTION,
        ...MARKDOWN_OPTIONS,
      ),
      PROFILE,
      WHY_TRACE,
      FILTER,
      GENERAL,
    ],
    notes: ["Without --type or --event, why uses the wall samples, or the CPU samples if there are none."],
  },
  diff: {
    about: "Compares two recordings: functions or endpoints that changed beyond the sampling error",
    operands: TWO,
    examples: [
      { args: "diff before.jfr after.jfr", about: "functions whose CPU time changed" },
      { args: "diff before.jfr after.jfr --type alloc-samples --per request", about: "allocations of one request" },
      { args: "diff before.jfr after.jfr --fail-if 'total() > +10%' --markdown", about: "for a pull request" },
    ],
    groups: [COMPARISON, PROFILE, FILTER, GENERAL],
    notes: CONDITIONS,
  },
  gate: {
    about: "Compares two recordings as diff does, and exits with 4 if a condition holds",
    operands: TWO,
    examples: [
      { args: "gate before.jfr after.jfr --fail-if 'self(com.acme.*) > +5%'", about: "in a build" },
      { args: "gate before.jfr after.jfr --conditions limits.txt --markdown", about: "conditions of a file" },
    ],
    groups: [COMPARISON, GATE, PROFILE, FILTER, GENERAL],
    notes: CONDITIONS,
  },
  convert: {
    about: "Writes the samples of recordings as OTLP, pprof or another format",
    operands: RECORDINGS,
    examples: [
      { args: "convert recording.jfr -o trace.pb", about: "all profiles as OTLP" },
      { args: "convert recording.jfr -o trace.json --pretty", about: "as JSON to read" },
      { args: "convert recording.jfr -o cpu.pb.gz --type cpu", about: "CPU samples for go tool pprof" },
      { args: "convert recording.jfr -o trace.html --type wall", about: "a report to send to a colleague" },
      { args: "convert recordings --out-dir otlp", about: "each recording of a folder" },
      { args: "convert - -o - --format otlp < in.jfr > out.pb", about: "in a pipe" },
    ],
    groups: [OUTPUT, PROFILE, CONTEXT, CALLS, FILTER, SHAPE, MESSAGE, GENERAL],
    notes: [
      formatList(),
      `${SINGLE.slice(0, -1).join(", ")} and ${SINGLE.at(-1)} contain one profile. docs/formats.md describes the formats.`,
      "An existing OUT is replaced only when the new file is complete. OUT cannot be one of IN.",
    ],
  },
  ...DATA_SET_COMMANDS,
  ...ARRIVING_COMMANDS,
  push: {
    about: "Sends the samples of recordings to a receiver of OpenTelemetry profiles",
    operands: RECORDINGS,
    examples: [
      { args: "push recording.jfr --to http://localhost:4318 --gzip", about: "to a Collector" },
      { args: "push recording.jfr --to https://otlp.example --header-file key.txt", about: "with an API key" },
    ],
    groups: [RECEIVER, PROFILE, CONTEXT, FILTER, MESSAGE, GENERAL],
    notes: ["push does not use HTTP_PROXY or HTTPS_PROXY, unless Node 24 or newer finds NODE_USE_ENV_PROXY=1."],
  },
  query: {
    about: "Asks a data set of many recordings with SQL, by DuckDB (docs/parquet.md)",
    operands: { value: "DIR", second: '"SQL"', count: "some", path: "file" },
    examples: [
      { args: "query profiles --top --endpoint /checkout --since 1d", about: "the hottest functions of an endpoint" },
      { args: "query profiles --trace-id 0x7be50a2852f2bdd2", about: "the profiles of a trace" },
      { args: "query profiles --flame --trace-id 0x7be50a2852f2bdd2 > a.collapsed", about: "its stacks" },
      {
        args: `query profiles "FROM traces('wall') ORDER BY weight DESC LIMIT 5"`,
        about: "the heaviest requests",
      },
    ],
    groups: [
      {
        title: "Answer",
        options: [
          { name: "top", about: "functions with the most self time" },
          { name: "flame", about: "collapsed stacks" },
          { name: "traces", about: "requests, the heaviest first" },
          { name: "operations", about: "endpoints with their requests and the weight of a request" },
          { name: "fail-if-rows", about: "exit with 4 if the answer has rows, for a check in a build" },
          JSON_OPTION,
          CSV_OPTION,
        ],
      },
      {
        title: "Selection, for answers without SQL",
        options: [
          {
            name: "type",
            value: "T",
            known: [...new Set(PROFILES.map(({ type }) => type))],
            about: "profile type; cpu by default",
          },
          ...SELECTION,
          { name: "service", value: "S", about: "samples of this service" },
          { name: "limit", value: "N", about: "print at most N rows; 25 by default" },
        ],
      },
      {
        title: "Engine",
        options: [
          { name: "jobs", value: "N", about: "use N threads; all cores by default" },
          {
            name: "external",
            about: "let the SQL read and write other files and load extensions; without it, it can only read DIR",
          },
        ],
      },
      GENERAL,
    ],
    notes: [
      "DuckDB is a separate package: npm install @duckdb/node-api. Views: samples, stacks, functions, recordings, spans, calls. " +
        "Macros: top, flame, traces, operations, function_history, function_versions, diff, diff_versions, rollup.",
    ],
  },
  open: {
    about: "Opens a trace or an endpoint of a data set in the viewer",
    operands: { value: "DIR", count: "one", path: "file" },
    examples: [
      { args: "open profiles --trace-id 0x7be50a2852f2bdd2", about: "a trace, by any of its ids" },
      { args: "open profiles --endpoint /checkout --since 1h", about: "an endpoint" },
    ],
    groups: [
      {
        title: "Selection",
        options: [
          ...SELECTION,
          { name: "local-root", value: "ID", about: "samples of this request" },
          {
            name: "output",
            short: "o",
            value: "OUT",
            path: "file",
            isOutput: true,
            about: "write the samples as OTLP, without a viewer",
          },
        ],
      },
      { title: "Viewer", options: SERVER },
      GENERAL,
    ],
  },
  symbols: {
    about: "Lists the native libraries whose frames have no names, and the files that can name them",
    operands: RECORDINGS,
    examples: [
      { args: "symbols recording.jfr", about: "the libraries, their build ids and their share" },
      { args: "symbols recording.jfr --symbols /usr/lib/debug", about: "what a folder of debug files can name" },
      {
        args: "symbols a.jfr --fetch https://debuginfod.debian.net --pack debug",
        about: "fetches debug files, and keeps those that the recording needs",
      },
    ],
    groups: [
      answer(
        {
          name: "fetch",
          value: "URL",
          about: "ask this debuginfod server for the files of libraries without any; it learns their build ids",
        },
        { name: "pack", value: "DIR", path: "folder", about: "copy the files that the recording needs to DIR" },
        JSON_OPTION,
      ),
      PROFILE,
      FILTER,
      GENERAL,
    ],
    notes: [
      "Nothing is downloaded without --fetch, which keeps the files in $XDG_CACHE_HOME/spanflame, or ~/.cache. Exits with 1 " +
        "if no file names anything (docs/symbols.md).",
    ],
  },
  symbolize: {
    about: "Prints functions, files and lines of addresses in a native library",
    operands: { value: "ADDR", count: "some" },
    examples: [
      { args: "symbolize --symbols libkiosk.so.debug 0x1123", about: "an address of the file" },
      {
        args: "symbolize --symbols debug/ --module a0fc6535 --offsets 0x116a",
        about: "by build id",
      },
      { args: "symbolize --module libfoo.so --return - < addresses.txt", about: "return addresses of a list" },
    ],
    groups: [
      answer(
        SYMBOLS,
        {
          name: "module",
          value: "M",
          path: "file",
          about: "the library: its whole build id, or one of its files; needed if the files have several build ids",
        },
        { name: "offsets", about: "ADDR counts from the start of the loaded library, as recordings do" },
        { name: "return", about: "ADDR is a return address: the call before it is looked up" },
        JSON_OPTION,
      ),
      GENERAL,
    ],
    notes: [
      "ADDR is a number, hexadecimal with 0x. A - reads addresses from standard input. Nothing is downloaded. Exits with 1 " +
        "if no address has a name (docs/symbols.md).",
    ],
  },
  validate: {
    about: "Checks whether receivers accept a file as OTLP profiles (docs/validator.md)",
    operands: { value: "IN", count: "one", path: "file" },
    examples: [
      { args: "validate trace.pb", about: "errors, warnings and remarks" },
      { args: "validate trace.pb --for parca", about: "also the rules of Parca" },
    ],
    groups: [
      answer(
        {
          name: "for",
          value: "RECEIVER",
          many: true,
          choices: RECEIVER_NAMES,
          about: "add the rules of a receiver",
        },
        { name: "strict", about: "treat warnings as errors" },
        JSON_OPTION,
      ),
      GENERAL,
    ],
  },
  guide: {
    about: "Says which command answers which question",
    operands: { value: "", count: "none" },
    examples: [{ args: "guide", about: "for people, and for programs that use the command line" }],
    groups: [GENERAL],
  },
  schemas: {
    about: "Lists the JSON Schemas of answers with --json, or prints one",
    operands: { value: "NAME", count: "any" },
    examples: [
      { args: "schemas", about: "their names" },
      { args: "schemas top", about: "that of spanflame top --json" },
    ],
    groups: [GENERAL],
  },
  completion: {
    about: "Prints a script that completes commands, options and values in a shell",
    operands: { value: "SHELL", count: "one", choices: SHELLS },
    examples: [
      { args: "completion bash > ~/.bash_completion", about: "bash" },
      { args: "completion zsh > ~/.zfunc/_spanflame", about: "zsh" },
      { args: "completion fish > ~/.config/fish/completions/spanflame.fish", about: "fish" },
    ],
    groups: [GENERAL],
  },
  help: {
    about: "Prints the help of a command",
    operands: { value: "COMMAND", count: "any" },
    examples: [{ args: "help convert", about: "the same as spanflame convert --help" }],
    groups: [GENERAL],
  },
} as const satisfies Record<string, CommandRow>;

export type CommandName = keyof typeof COMMANDS;

/** A parsed invocation of a command. */
export interface Call<Row extends CommandRow> {
  inputs: string[];
  values: Values<Row["groups"]>;
  /** Lines about the arguments. */
  notes?: readonly string[];
}

export type CallOf<Name extends CommandName> = Call<(typeof COMMANDS)[Name]>;
