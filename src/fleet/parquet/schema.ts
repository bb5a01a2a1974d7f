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
  /** Parts of earlier versions do not have it: it is a text that is missing there. */
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

const PART: Column = {
  name: "part",
  type: "text",
  about: "Name of the part. Ids of stacks, functions and recordings count in it.",
};
const RECORDING: Column = { name: "recording_id", type: "int32", about: "Row of `recordings` in the same part." };
const SERVICE: Column = { name: "service", type: "text", nullable: true, about: "`service.name` of the recording." };
const INSTANCE: Column = {
  name: "instance",
  type: "text",
  nullable: true,
  about: "`service.instance.id`, or else `host.name`.",
};
const DEPLOYMENT = (
  [
    ["environment", "`deployment.environment.name` of the process."],
    ["version", "`service.version` of the process."],
    ["host", "`host.name` of the process."],
    ["pod", "`k8s.pod.name` of the process."],
  ] as const
).map(([name, about]): Column => ({ name, type: "text", nullable: true, isLater: true, about }));
const TRACE: Column = {
  name: "trace_id",
  type: "bytes16",
  nullable: true,
  about: "W3C trace id, big-endian, of the recording, or of a trace file in the same batch.",
};

export const TABLES: readonly Table[] = [
  {
    name: "samples",
    about: "A row for each observation.",
    sort: "service, first time of the local root, local_root_span_id, profile_type, time",
    columns: [
      PART,
      RECORDING,
      {
        name: "time",
        type: "timestamp",
        nullable: true,
        forEngines: true,
        about: "Time of the observation, for people and engines.",
      },
      { name: "time_unix_nano", type: "int64", about: "The same in nanoseconds since 1970; 0 if it is unknown." },
      { name: "profile_type", type: "text", about: "Type of the profile, such as `cpu` (docs/events.md)." },
      { name: "unit", type: "text", about: "Unit of `value`, such as `nanoseconds`." },
      { name: "value", type: "int64", about: "Weight of the observation." },
      {
        name: "period",
        type: "int64",
        nullable: true,
        about: "Nanoseconds between two samples, where `unit` is `samples` and the recording states them.",
      },
      { name: "unit2", type: "text", nullable: true, about: "Unit of `value2`." },
      { name: "value2", type: "int64", nullable: true, about: "Second measure, where the profile has one." },
      { name: "event", type: "text", nullable: true, about: "Event type, such as `jdk.ExecutionSample`." },
      { name: "local_root_span_id", type: "int64", bloom: true, about: "Two's complement; 0 for none." },
      { name: "span_id", type: "int64", bloom: true, about: "Two's complement; 0 for none." },
      TRACE,
      SERVICE,
      INSTANCE,
      ...DEPLOYMENT,
      { name: "operation", type: "text", nullable: true, about: "Operation of the span or request." },
      {
        name: "endpoint",
        type: "text",
        nullable: true,
        about: "Endpoint: of the attributes that name one, the first that samples of the profile have.",
      },
      { name: "thread", type: "text", nullable: true, about: "Name of the thread." },
      {
        name: "thread_id",
        type: "int64",
        nullable: true,
        about: "Its id in the JVM, or else in the system: unique with `thread`.",
      },
      { name: "leaf", type: "text", nullable: true, forEngines: true, about: "`display_name` of the leaf frame." },
      {
        name: "stack_id",
        type: "int32",
        nullable: true,
        about: "Row of `stacks` in the same part; null without a stack.",
      },
      { name: "attributes", type: "map<text,text>", about: "Attributes that have no column." },
    ],
  },
  {
    name: "stacks",
    about: "A row for each stack of a part.",
    sort: "frames from the root",
    columns: [
      PART,
      { name: "stack_id", type: "int32", forEngines: true, about: "Number of the row in the part's file." },
      {
        name: "stack_hash",
        type: "bytes16",
        forEngines: true,
        about: "Hash of the display names: equal in every part and data set.",
      },
      { name: "frames", type: "list<int32>", about: "`function_id` of each frame, leaf first." },
      {
        name: "lines",
        type: "list<int32>",
        nullable: true,
        about: "Line of each frame; 0 if it is unknown. Null if all are.",
      },
    ],
  },
  {
    name: "functions",
    about: "A row for each function of a part.",
    sort: "display_name",
    columns: [
      PART,
      { name: "function_id", type: "int32", forEngines: true, about: "Number of the row in the part's file." },
      { name: "function_name", type: "text", about: "Name as recorded." },
      {
        name: "display_name",
        type: "text",
        forEngines: true,
        about: "Name without the parts that differ from run to run.",
      },
      { name: "class_name", type: "text", nullable: true, forEngines: true, about: "Class of a JVM frame." },
      { name: "file", type: "text", nullable: true, about: "Source file." },
      { name: "frame_type", type: "text", nullable: true, about: "Kind of code, such as `jvm`, `native` or `kernel`." },
    ],
  },
  {
    name: "recordings",
    about: "A row for each recording, trace file and dump, and each date of it; of a folder of dumps for each run.",
    sort: "recording_id",
    columns: [
      PART,
      { name: "recording_id", type: "int32", about: "Number of the row in the part's file." },
      {
        name: "sha256",
        type: "text",
        about: "SHA-256 of the file, in hex; of a run in a folder, of the hashes of its files.",
      },
      { name: "file", type: "text", about: "Name of the file, without its folders; of a run in a folder its label." },
      { name: "bytes", type: "int64", about: "Size of the file." },
      SERVICE,
      INSTANCE,
      ...DEPLOYMENT,
      {
        name: "start",
        type: "timestamp",
        nullable: true,
        about: "First observation of the recording on this date, or its begin if no observation has a time.",
      },
      {
        name: "end",
        type: "timestamp",
        nullable: true,
        about: "Last observation of the recording on this date, or its begin if no observation has a time.",
      },
      { name: "samples", type: "int64", about: "Observations of the recording on this date." },
      { name: "resource", type: "map<text,text>", about: "Resource attributes of the process." },
      { name: "diagnostics", type: "list<text>", about: "Errors and warnings of the reading." },
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
      { name: "span_id", type: "int64", bloom: true, about: "Two's complement." },
      { name: "parent_span_id", type: "int64", about: "Two's complement; 0 for none." },
      { ...SERVICE, about: "Service of the span." },
      { name: "name", type: "text", nullable: true, about: "Operation of the span." },
      {
        name: "kind",
        type: "text",
        nullable: true,
        about: "`server`, `client`, `internal`, `producer` or `consumer`.",
      },
      { name: "status", type: "text", nullable: true, about: "`ok` or `error`, if it is known." },
      { name: "thread", type: "text", nullable: true, about: "Name of the thread, if it is known." },
      { name: "start", type: "timestamp", nullable: true, about: "Start of the span." },
      { name: "end", type: "timestamp", nullable: true, about: "End of the span." },
      { name: "start_unix_nano", type: "int64", about: "Start in nanoseconds since 1970; 0 if it is unknown." },
      { name: "duration_nano", type: "int64", about: "Duration in nanoseconds." },
      { name: "origin", type: "text", about: "Where the span is from: `recording` or `trace`." },
    ],
  },
  {
    name: "calls",
    about: "A row for each call of a Cloud Profiler dump.",
    sort: "service, start",
    columns: [
      PART,
      { ...RECORDING, about: "Row of the dump in `recordings` of the same part." },
      { name: "call_id", type: "text", about: "Id of the call, as `spanflame calls` prints it." },
      {
        ...SERVICE,
        about: "Service or server of the run, if it is known, or else `--service`.",
      },
      { name: "instance", type: "text", about: "Label of the run: one JVM." },
      { name: "name", type: "text", about: "Root method of the call, such as `a.B.run`." },
      { name: "method", type: "text", about: "The same with arguments, file and archive, as the dump has it." },
      { name: "title", type: "text", nullable: true, about: "Title that the agent gave the call." },
      { name: "thread", type: "text", nullable: true, about: "Name of the thread." },
      { name: "thread_id", type: "int64", nullable: true, about: "Id of the thread, if the trace has the tree." },
      { name: "start", type: "timestamp", nullable: true, about: "Start of the call; dumps have milliseconds." },
      { name: "start_unix_nano", type: "int64", about: "The same in nanoseconds since 1970; 0 if it is unknown." },
      { name: "duration_nano", type: "int64", about: "Duration in nanoseconds." },
      { name: "suspension_nano", type: "int64", about: "Part of the duration in which the JVM made no progress." },
      { name: "cpu_nano", type: "int64", nullable: true, about: "CPU time in nanoseconds." },
      { name: "wait_nano", type: "int64", nullable: true, about: "Time that the call waited, in nanoseconds." },
      { name: "queue_nano", type: "int64", nullable: true, about: "Time in a queue before the start, in nanoseconds." },
      { name: "allocated_bytes", type: "int64", nullable: true, about: "Memory that the call allocated." },
      { name: "file_read_bytes", type: "int64", nullable: true, about: "Bytes read from files." },
      { name: "file_written_bytes", type: "int64", nullable: true, about: "Bytes written to files." },
      { name: "net_read_bytes", type: "int64", nullable: true, about: "Bytes read from the network." },
      { name: "net_written_bytes", type: "int64", nullable: true, about: "Bytes written to the network." },
      { name: "logs_generated_bytes", type: "int64", nullable: true, about: "Bytes of log lines that it made." },
      { name: "logs_written_bytes", type: "int64", nullable: true, about: "Bytes of log lines that were written." },
      { name: "transactions", type: "int64", nullable: true, about: "Number of transactions." },
      { name: "invocations", type: "int64", about: "Invocations of methods in the call, with the root." },
      { name: "tree_nano", type: "int64", nullable: true, about: "Wall time of the tree, if the trace has it." },
      { name: "tree", type: "text", about: "What the trace has of the tree: `whole`, `active`, `cut` or `none`." },
      { name: "origin", type: "text", about: "`record`, or `trace` for a root of the trace without a record." },
      { name: "status", type: "text", nullable: true, about: "`error` if the agent marked the call as failed." },
      { ...TRACE, about: "Its `brave.trace_id`." },
      { name: "span_id", type: "int64", bloom: true, about: "Its `brave.span_id`, two's complement; 0 for none." },
      { name: "params", type: "map<text,text>", about: "Parameters of the call; several values are lines." },
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
    {
      name: "key",
      type: "int64",
      about: "The id, or the lower half of a trace id, times 0x9E3779B97F4A7C15 modulo 2⁶⁴, two's complement.",
    },
    { ...PART, about: "Part with the rows." },
    { name: "in_table", type: "text", about: "Their table: `samples` or `spans`." },
    { name: "first_row", type: "int32", about: "The first of the rows." },
    { name: "rows", type: "int32", about: "Number of the rows." },
  ],
};

export const ALL_TABLES: readonly Table[] = [...TABLES, IDS];

export function tableOf(name: TableName): Table {
  return ALL_TABLES.find((table) => table.name === name)!;
}
