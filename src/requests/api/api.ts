/** Types of requests about an open recording, and of their answers: plain records and typed arrays. */

import type { TimeRow } from "../../core/answers/time-rows.ts";
import type { UploadFacts } from "../../core/answers/uploads.ts";
import type {
  Diagnostic,
  EventType,
  FileSummary,
  Filter,
  FramesAnswer,
  ProfileSummary,
  Resource,
  Selection,
  SelectionTotals,
  Setting,
  TimeRange,
  WriteOptions,
  WriteTotals,
} from "../../core/types.ts";
import type { Changed, DiffAnswer } from "../../core/view-types.ts";
import type { FileKind } from "../../input/classify.ts";
import type { RunRule } from "../../model/query/run-rules.ts";
import type { Shape } from "../../model/query/shape.ts";
import type { BreakdownName } from "../../model/span-time/breakdown.ts";
import type { CallsOverview } from "./calls-api.ts";
import type { TracesOverview } from "./traces-api.ts";

export type { RowValue, RowValues, TableRows } from "../../core/answers/row-values.ts";
export type * from "./calls-api.ts";
export type * from "./events-api.ts";
export type * from "./operations-api.ts";
export type * from "./symbols-api.ts";
export type * from "./traces-api.ts";

/** The two graphs of a function. */
export interface SandwichAnswer {
  /** Name of the function. */
  name: string;
  "callers-of": FramesAnswer;
  "callees-of": FramesAnswer;
}

/** A time in which a JVM made no progress. */
export interface Pause {
  startUnixNano: bigint;
  durationNano: bigint;
  /** Label of the run of a dump, or name of the recording. */
  source: string;
  /** Of a recording, as its collector names it; "" for dumps, which do not state it. */
  cause: string;
}

export interface DiffPage extends DiffAnswer {
  totals: SelectionTotals;
  baseTotals: SelectionTotals;
}

/** Request for a comparison of two selections: functions [offset, offset + limit). */
export interface ChangedPage extends Changed {
  totals: SelectionTotals;
  baseTotals: SelectionTotals;
}

/** Facts that are known once the files are read (completely, or up to a cancel). */
export interface Overview {
  /**
   * The open recording. If the new files contain no event, they do not replace a recording: the former one remains if
   * it was small enough to be kept meanwhile.
   */
  open: "these" | "former" | "nothing";
  /** Format of each file of the page, in the order given. `files` are the recordings in them. */
  inputs: FileKind[];
  files: FileSummary[];
  profiles: ProfileSummary[];
  /** Keys of all context attributes, for the ranking tabs. */
  attributeKeys: string[];
  diagnostics: Diagnostic[];
  /** Event types with a stack trace, from which a profile can be made, and contextual ones. */
  eventTypes: EventType[];
  /** Settings of the recorders for events that have no samples here; a profile has its settings separately. */
  settings: Setting[];
  /** Resource attributes in a message made of these files, unless overridden. */
  resource: Resource;
  /** First and last moment of any sample. */
  time: TimeRange | null;
  /** The time of each file, in the order of time. */
  rows: TimeRow[];
  /** The files are still being read: everything is about what has been read. */
  isPart?: true;
  /** The user cancelled: all data read before is kept. */
  cancelled: boolean;
  /** Memory of the core after reading. */
  bytesHeld: number;
  /** Whether any native frame is known by its address only: symbols can name it. */
  hasAddresses: boolean;
  /** Figures that the profilers of uploads state about themselves (metrics.json). */
  uploads: { file: string; figures: Readonly<Record<string, number>> }[];
  /** Calls of the dumps among the files; null if there are none. */
  calls: CallsOverview | null;
  /** Spans of trace files, or those that the recordings know; null if there are none. */
  traces: TracesOverview | null;
}

export interface Progress {
  /** Bytes read of `total` over all files. */
  bytes: number;
  total: number;
  /** Observations so far. */
  samples: number;
}

/** A file that was classified; `id` is that of the open file (`opened-files.ts`). */
export interface KnownKind extends FileKind {
  id: string;
}

/** A file of the page: a File, or a fetched Blob with the name to show. */
export interface InputFile {
  name: string;
  blob: Blob;
  /** It is still being fetched, and the blob is empty. */
  coming?: Coming;
  /** What it is, where a worker has looked. */
  known?: KnownKind;
  /** In a folder, with the name of no recording: it is read if it has symbols. */
  onlySymbols?: true;
  /** Files of a CDT dump in a folder; `name` is that of the folder, and the blob is empty. */
  parts?: DumpPart[];
  /** The upload that it is an attachment of. Files of one upload have the same object. */
  upload?: Upload;
  /** What the file does not have, as the page knows since it made it: diagnostics of the file. */
  findings?: { code: string; severity: Diagnostic["severity"]; message: string }[];
}

/** A recording that is read while it is fetched. */
export interface Coming {
  address: string;
  /** Size that the host states; null if it states none. */
  bytes: number | null;
  /** Another host may state the size of the compressed bytes, and hide that it does. */
  isSure: boolean;
  /** What came arrives here, as `Arrived`; null once a worker has it. */
  port: MessagePort | null;
}

/** All bytes that came so far, and why no more come: all are there (null), or an error. */
export interface Arrived {
  blob: Blob;
  end?: string | null;
}

/** What event.json and code-provenance.json beside a file state. */
export interface Upload {
  /** Resource attributes of its process. */
  resource: Record<string, string>;
  /** Attachments that are not there. */
  missing: string[];
  libraries: Blob | undefined;
  /** Requests by endpoint, and figures of the profiler. */
  facts: UploadFacts;
  /** Beginning of its time, ISO 8601; "" if it is not stated. */
  start: string;
}

/** A file in the folder of a dump. */
export interface DumpPart {
  /** With `/` between its parts, the first of them the name of the folder. */
  path: string;
  blob: Blob;
}

/** All choices that decide which samples are displayed, and as which tree. */
export interface Query extends Selection {
  /** For the questions about frames; without it the whole tree. */
  shape?: Shape;
  /** Frames that graphs and trees draw as one, beside those of the shape (`drawn`). */
  fold?: RunRule;
  /** Changes with the names of symbols, so that a question is asked again. */
  named?: number;
}

/** The output: the samples of a profile (null: of all) that pass the filter. */
export interface WriteRequest {
  profile: number | null;
  filter: Filter;
  options: Omit<WriteOptions, "payload">;
  /** Generated names lose the parts that differ from run to run: this needs reading the files once more. */
  normaliseNames?: boolean;
}

export interface DownloadRequest extends WriteRequest {
  gzip: boolean;
  /** The recordings themselves go along as `original_payload`: OTLP protobuf only, of plain recordings only. */
  withRecordings: boolean;
}

/** Made in the worker: a Blob crosses as a handle, bytes would be copied on the main thread. */
export interface Download extends WriteTotals {
  blob: Blob;
  /** In files of calls: every invocation, in place of samples. `profiles` are the calls then. */
  invocations?: number;
}

/** One of the messages that it takes to stay below a receiver's limit. */
export interface Message extends Download {
  /** Of its only profile; null where it may hold several. */
  type: string | null;
  /** A single Profile that is larger than it should be. */
  oversized: boolean;
}

/** Parts of the value of a frame by what the threads did. */
export type FrameStates = { part: BreakdownName; value: number }[];

/** Pixels of the lanes of threads. */
export interface StateLanes extends TimeRange {
  lanes: StateLane[];
  /** Requests, by what they asked for; the first is none. */
  names: string[];
  /** That lanes have, in the order of their table. */
  parts: BreakdownName[];
}

export interface StateLane {
  /** Row of the store. */
  thread: number;
  /** As in `Pixels`. */
  part: Uint8Array;
  density: Float32Array;
  /** Index in `names`. */
  request: Uint32Array;
  /** 1 where the selection has a state. */
  own: Uint8Array;
}
