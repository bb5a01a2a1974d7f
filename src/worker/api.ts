/**
 * Questions and answers that cross between the page and its workers. Every answer is a `Result`: an error does not
 * survive comlink's throw with its code, a record does. Answers are plain records and transferred typed arrays.
 */
import type { TimeRow } from "../core/time-rows.ts";
import type {
  Diagnostic,
  EventType,
  FileSummary,
  Filter,
  ProfileSummary,
  Resource,
  Selection,
  SelectionTotals,
  Setting,
  TimeRange,
  TopRow,
  WriteOptions,
  WriteTotals,
} from "../core/types.ts";
import type { ChangedRow, DiffAnswer } from "../core/view-types.ts";
import type { InputKind } from "../input/input-kind.ts";
import type { Shape } from "../model/query/shape.ts";
import type { RuleDiagnostic } from "../validate/diagnostics.ts";

export interface TopPage {
  /** Rows in all. */
  count: number;
  offset: number;
  rows: TopRow[];
}

export interface DiffPage extends DiffAnswer {
  totals: SelectionTotals;
  baseTotals: SelectionTotals;
}

/** What two selections have in common to compare: functions [offset, offset + limit). */
export interface ChangedPage {
  count: number;
  rows: ChangedRow[];
  totals: SelectionTotals;
  baseTotals: SelectionTotals;
}

export interface Failure {
  code: string;
  message: string;
  /** The worker has no recording any more: only opening files helps. */
  lost?: boolean;
}

export type Result<T> = { ok: true; value: T } | { ok: false; error: Failure };

/** What is known once the files are read (completely, or up to a cancel). */
export interface Overview {
  /**
   * What is open now. Files that gave not one event take the place of no recording: the former one remains if there was
   * one, and if it was small enough to be kept meanwhile.
   */
  open: "these" | "former" | "nothing";
  /** What each file of the page is, in the order given. `files` are the recordings in them. */
  inputs: InputKind[];
  files: FileSummary[];
  profiles: ProfileSummary[];
  /** Keys of all context attributes, for the ranking tabs. */
  attributeKeys: string[];
  diagnostics: Diagnostic[];
  /** The event types read, as far as a profile can be made of them: those with a stack trace. */
  eventTypes: EventType[];
  /** What the recorders were set to for events that have no samples here; a profile has those of its own. */
  settings: Setting[];
  /** What a message written of these files says of the process, unless told otherwise. */
  resource: Resource;
  /** First and last moment of any sample. */
  time: TimeRange | null;
  /** The time of each file, in the order of time. */
  rows: TimeRow[];
  /** The user cancelled: what was read until then is kept. */
  cancelled: boolean;
  /** Memory of the core after reading. */
  bytesHeld: number;
}

/** A recording in another worker, which stays until the files that are read beside it are there. */
export interface Beside {
  files: InputFile[];
  /** Bytes of memory that it leaves. */
  room: number;
}

export interface Progress {
  /** Bytes read of `total` over all files. */
  bytes: number;
  total: number;
  /** Observations so far. */
  samples: number;
}

/** A file of the page: a File, or a fetched Blob with the name to show. */
export interface InputFile {
  name: string;
  blob: Blob;
}

/** Everything that decides which samples are looked at, and as what tree. */
export interface Query extends Selection {
  /** For the questions about frames; without it the whole tree. */
  shape?: Shape;
}

/** What is to be written: the samples of a profile (null: of all) that pass the filter. */
export interface WriteRequest {
  profile: number | null;
  filter: Filter;
  options: Omit<WriteOptions, "payload">;
  /** Generated names lose what differs from run to run: the files are read once more for it. */
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
}

/** One of the messages that it takes to stay below a receiver's limit. */
export interface Message extends Download {
  /** Of its only profile; null where it may hold several. */
  type: string | null;
  /** A single Profile that is larger than it should be. */
  oversized: boolean;
}

/** A diagnostic of the validator, and what the rule says has to hold. */
export interface OtlpDiagnostic extends RuleDiagnostic {
  holds: string;
}

export interface OtlpReport {
  /** Whether nothing is an error. */
  valid: boolean;
  /** Errors first. */
  findings: OtlpDiagnostic[];
}
