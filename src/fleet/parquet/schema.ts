/**
 * Tables of a data set and their columns: the only description of them. The writer, the views for engines and
 * docs/parquet/layout.md are made from it.
 *
 *   DIR/spanflame.json                          {"format": "spanflame-parquet", "version": 2}
 *   DIR/TABLE/date=YYYY-MM-DD/PART.parquet      rows of one UTC date
 *   DIR/_spanflame/                             state of the writers, which no engine reads
 */
import type { TableName } from "../../core/tables/data-sets.ts";

export const FORMAT_NAME = "spanflame-parquet";
/** In version 1 `stack_hash` had 64 bits, of a hash for which anybody can find two stacks. */
export const FORMAT_VERSION = 2;

/** What a reader says of a data set of an earlier version; null if there is nothing to say. Throws for another one. */
export function olderVersion(file: string, version: unknown): string | null {
  if (version === FORMAT_VERSION) return null;
  if (version !== 1) {
    const given = version === undefined ? "no version" : `version ${JSON.stringify(version)}`;
    throw new Error(`${file}: the data set has ${given}; this reader knows 1 to ${FORMAT_VERSION}`);
  }
  return "the data set has version 1: different stacks may have one stack_hash, and answers by function may be wrong then; export the recordings into a new folder";
}
/** Types of columns. `bytes16`: 16 bytes. `timestamp`: microseconds since 1970, UTC. */
export type ColumnType =
  | "text"
  | "int32"
  | "int64"
  | "timestamp"
  | "bytes16"
  | "list<int32>"
  | "list<text>"
  | "map<text,text>";

export interface Column {
  name: string;
  type: ColumnType;
  /** Values may be missing. */
  nullable?: true;
  /** Parts of earlier versions do not have it: it is a text or a time that is missing there. */
  isLater?: true;
  /** The column has a bloom filter in each row group. */
  bloom?: true;
  /** A reader of a trace does not read it. */
  forEngines?: true;
  about: string;
}

export interface Table {
  name: TableName;
  about: string;
  /** Order of the rows in a part. */
  sort: string;
  columns: readonly Column[];
}

/** A type with `?` has missing values. */
function column(
  name: string,
  type: ColumnType | `${ColumnType}?`,
  about: string,
  facts: Pick<Column, "isLater" | "bloom" | "forEngines"> = {},
): Column {
  const isNullable = type.endsWith("?") && { nullable: true as const };
  return { name, type: type.replace("?", "") as ColumnType, ...isNullable, ...facts, about };
}

const PART = column("part", "text", "Name of the part. Ids of stacks, functions and recordings count in it.");
const RECORDING = column("recording_id", "int32", "Row of `recordings` in the same part.");
const SERVICE = column("service", "text?", "`service.name` of the recording.");
const INSTANCE = column("instance", "text?", "`service.instance.id`, or else `host.name`.");
const DEPLOYMENT = [
  column("environment", "text?", "`deployment.environment.name` of the process.", { isLater: true }),
  column("version", "text?", "`service.version` of the process.", { isLater: true }),
  column("host", "text?", "`host.name` of the process.", { isLater: true }),
  column("pod", "text?", "`k8s.pod.name` of the process.", { isLater: true }),
];
const TRACE = column(
  "trace_id",
  "bytes16?",
  "W3C trace id, big-endian, of the recording, or of a trace file in the same batch.",
);

export const TABLES: readonly Table[] = [
  {
    name: "samples",
    about: "A row for each observation.",
    sort: "service, first time of the local root, local_root_span_id, profile_type, time",
    columns: [
      PART,
      RECORDING,
      column("time", "timestamp?", "Time of the observation; without one, the begin of its window.", {
        forEngines: true,
      }),
      column("time_end", "timestamp?", "End of the window of an observation without a time, exclusive; else null.", {
        isLater: true,
        forEngines: true,
      }),
      column("time_unix_nano", "int64", "Time in nanoseconds since 1970; 0 if it is unknown."),
      column("profile_type", "text", "Type of the profile, such as `cpu` (docs/events.md)."),
      column("unit", "text", "Unit of `value`, such as `nanoseconds`."),
      column("value", "int64", "Weight of the observation."),
      column(
        "period",
        "int64?",
        "Nanoseconds between two samples, where `unit` is `samples` and the recording states them.",
      ),
      column("unit2", "text?", "Unit of `value2`."),
      column("value2", "int64?", "Second measure, where the profile has one."),
      column("event", "text?", "Event type, such as `jdk.ExecutionSample`."),
      column("local_root_span_id", "int64", "Two's complement; 0 for none.", { bloom: true }),
      column("span_id", "int64", "Two's complement; 0 for none.", { bloom: true }),
      TRACE,
      SERVICE,
      INSTANCE,
      ...DEPLOYMENT,
      column("operation", "text?", "Operation of the span or request."),
      column(
        "endpoint",
        "text?",
        "Endpoint: of the attributes that name one, the first that samples of the profile have.",
      ),
      column("thread", "text?", "Name of the thread."),
      column("thread_id", "int64?", "Its id in the JVM, or else in the system: unique with `thread`."),
      column("leaf", "text?", "`display_name` of the leaf frame.", { forEngines: true }),
      column("stack_id", "int32?", "Row of `stacks` in the same part; null without a stack."),
      column("attributes", "map<text,text>", "Attributes that have no column."),
    ],
  },
  {
    name: "stacks",
    about: "A row for each stack of a part.",
    sort: "frames from the root",
    columns: [
      PART,
      column("stack_id", "int32", "Number of the row in the part's file.", { forEngines: true }),
      column("stack_hash", "bytes16", "Hash of the display names: equal in every part and data set.", {
        forEngines: true,
      }),
      column("frames", "list<int32>", "`function_id` of each frame, leaf first."),
      column("lines", "list<int32>?", "Line of each frame; 0 if it is unknown. Null if all are."),
    ],
  },
  {
    name: "functions",
    about: "A row for each function of a part.",
    sort: "display_name",
    columns: [
      PART,
      column("function_id", "int32", "Number of the row in the part's file.", { forEngines: true }),
      column("function_name", "text", "Name as recorded."),
      column("display_name", "text", "Name without the parts that differ from run to run.", { forEngines: true }),
      column("class_name", "text?", "Class of a JVM frame.", { forEngines: true }),
      column("file", "text?", "Source file."),
      column("frame_type", "text?", "Kind of code, such as `jvm`, `native` or `kernel`."),
    ],
  },
  {
    name: "recordings",
    about: "A row for each recording, trace file and dump, and each date of it; of a folder of dumps for each run.",
    sort: "recording_id",
    columns: [
      PART,
      column("recording_id", "int32", "Number of the row in the part's file."),
      column("sha256", "text", "SHA-256 of the file, in hex; of a run in a folder, of the hashes of its files."),
      column("file", "text", "Name of the file, without its folders; of a run in a folder its label."),
      column("bytes", "int64", "Size of the file."),
      SERVICE,
      INSTANCE,
      ...DEPLOYMENT,
      column(
        "start",
        "timestamp?",
        "First observation of the recording on this date, or begin of the first window of those without a time.",
      ),
      column(
        "end",
        "timestamp?",
        "Last observation of the recording on this date, or end of the last window of those without a time.",
      ),
      column("samples", "int64", "Observations of the recording on this date."),
      column("resource", "map<text,text>", "Resource attributes of the process."),
      column("diagnostics", "list<text>", "Errors and warnings of the reading."),
    ],
  },
  {
    name: "spans",
    about: "A row for each span of a trace file (`--trace`), and for each that a recording knows (`--spans`).",
    sort: "trace_id, start",
    columns: [
      PART,
      { ...RECORDING, about: "Row of the recording or trace file in `recordings` of the same part." },
      {
        ...TRACE,
        about: "W3C trace id. If a recording has none: eight zero bytes and the local root.",
      },
      column("span_id", "int64", "Two's complement.", { bloom: true }),
      column("parent_span_id", "int64", "Two's complement; 0 for none."),
      { ...SERVICE, about: "Service of the span." },
      column("name", "text?", "Operation of the span."),
      column("kind", "text?", "`server`, `client`, `internal`, `producer` or `consumer`."),
      column("status", "text?", "`ok` or `error`, if it is known."),
      column("thread", "text?", "Name of the thread, if it is known."),
      column("start", "timestamp?", "Start of the span."),
      column("end", "timestamp?", "End of the span."),
      column("start_unix_nano", "int64", "Start in nanoseconds since 1970; 0 if it is unknown."),
      column("duration_nano", "int64", "Duration in nanoseconds."),
      column("origin", "text", "Where the span is from: `recording` or `trace`."),
    ],
  },
  {
    name: "calls",
    about: "A row for each call of a Cloud Profiler dump.",
    sort: "service, start",
    columns: [
      PART,
      { ...RECORDING, about: "Row of the dump in `recordings` of the same part." },
      column("call_id", "text", "Id of the call, as `spanflame calls` prints it."),
      {
        ...SERVICE,
        about: "Service or server of the run, if it is known, or else `--service`.",
      },
      column("instance", "text", "Label of the run: one JVM."),
      column("name", "text", "Root method of the call, such as `a.B.run`."),
      column("method", "text", "The same with arguments, file and archive, as the dump has it."),
      column("title", "text?", "Title that the agent gave the call."),
      column("thread", "text?", "Name of the thread."),
      column("thread_id", "int64?", "Id of the thread, if the trace has the tree."),
      column("start", "timestamp?", "Start of the call; dumps have milliseconds."),
      column("start_unix_nano", "int64", "The same in nanoseconds since 1970; 0 if it is unknown."),
      column("duration_nano", "int64", "Duration in nanoseconds."),
      column("suspension_nano", "int64", "Part of the duration in which the JVM made no progress."),
      column("cpu_nano", "int64?", "CPU time in nanoseconds."),
      column("wait_nano", "int64?", "Time that the call waited, in nanoseconds."),
      column("queue_nano", "int64?", "Time in a queue before the start, in nanoseconds."),
      column("allocated_bytes", "int64?", "Memory that the call allocated."),
      column("file_read_bytes", "int64?", "Bytes read from files."),
      column("file_written_bytes", "int64?", "Bytes written to files."),
      column("net_read_bytes", "int64?", "Bytes read from the network."),
      column("net_written_bytes", "int64?", "Bytes written to the network."),
      column("logs_generated_bytes", "int64?", "Bytes of log lines that it made."),
      column("logs_written_bytes", "int64?", "Bytes of log lines that were written."),
      column("transactions", "int64?", "Number of transactions."),
      column("invocations", "int64", "Invocations of methods in the call, with the root."),
      column("tree_nano", "int64?", "Wall time of the tree, if the trace has it."),
      column("tree", "text", "What the trace has of the tree: `whole`, `active`, `cut` or `none`."),
      column("origin", "text", "`record`, or `trace` for a root of the trace without a record."),
      column("status", "text?", "`error` if the agent marked the call as failed."),
      { ...TRACE, about: "Its `brave.trace_id`." },
      column("span_id", "int64", "Its `brave.span_id`, two's complement; 0 for none.", { bloom: true }),
      column("params", "map<text,text>", "Parameters of the call; several values are lines."),
    ],
  },
];

/**
 * Where samples and spans are, by the ids that they have (ids.ts). It says nothing that the tables do not say, so
 * engines have no view of it.
 */
export const IDS: Table = {
  name: "ids",
  about:
    "A row for each run of rows with the same local root, trace or span, in a part of the date. No engine needs it.",
  sort: "key",
  columns: [
    column(
      "key",
      "int64",
      "The id, or the lower half of a trace id, times 0x9E3779B97F4A7C15 modulo 2⁶⁴, two's complement.",
    ),
    { ...PART, about: "Part with the rows." },
    column("in_table", "text", "Their table: `samples` or `spans`."),
    column("first_row", "int32", "The first of the rows."),
    column("rows", "int32", "Number of the rows."),
  ],
};

export const ALL_TABLES: readonly Table[] = [...TABLES, IDS];

export function tableOf(name: TableName): Table {
  return ALL_TABLES.find((table) => table.name === name)!;
}
