/**
 * What the page may ask of the worker. Every answer is a `Result`: an error does not survive comlink's throw with
 * its code and offset, a record does. Answers are plain records and transferred typed arrays.
 */
import type {
  Diagnostic,
  EventKind,
  ExtraEvent,
  FileSummary,
  Filter,
  FramesAnswer,
  FramesRequest,
  ProfileSummary,
  RankBy,
  RankHow,
  RankPage,
  Resource,
  SelectionTotals,
  Setting,
  TimeRange,
  TopRow,
  WriteOptions,
  WriteTotals,
} from "../core/types.ts";
import type {
  ChangedRow,
  DiffAnswer,
  HeatMap,
  Marks,
  RegroupRequest,
  SearchAnswer,
  Shape,
  ThreadPage,
  Timeline,
  TopHow,
  TopOrder,
  TreeRow,
} from "../core/view-types.ts";
import type { InputKind } from "../input/input-kind.ts";
import type { Why } from "../model/words/why-text.ts";

export interface TopPage {
  /** Rows in all. */
  count: number;
  offset: number;
  rows: TopRow[];
}

/** What a selection is compared with. */
export interface Baseline {
  filter: Filter;
  /** Only what the selection, a part of it, leaves over. */
  rest: boolean;
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
  eventKinds: EventKind[];
  /** What the recorders were set to for events that have no samples here; a profile has those of its own. */
  settings: Setting[];
  /** What a message written of these files says of the process, unless told otherwise. */
  resource: Resource;
  /** First and last moment of any sample. */
  time: TimeRange | null;
  /** The user cancelled: what was read until then stands. */
  cancelled: boolean;
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
export interface Query {
  profile: number;
  /** Index of the profile's measure: what the samples weigh. */
  measure: number;
  filter: Filter;
  /** For the questions about frames; without it the whole tree. */
  shape?: Shape;
}

/** What is to be written: the samples of a profile (null: of all) that pass the filter. */
export interface WriteRequest {
  profile: number | null;
  filter: Filter;
  options: Omit<WriteOptions, "payload">;
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

export interface ViewerWorker {
  /** Answers at once, unless the worker is stuck. */
  ping(): void;
  /**
   * Reads these files in place of the former ones, with profiles of `extra` events beside those of the catalogue. The former
   * ones stay open until it succeeds, unless they take too much memory for that. Progress is throttled to about ten calls a
   * second.
   */
  open(files: InputFile[], extra: ExtraEvent[], onProgress: (p: Progress) => void): Promise<Result<Overview>>;
  /** Ends a running `open` at the next slice; its answer says `cancelled`. */
  cancel(): void;
  totals(query: Query): Promise<Result<SelectionTotals>>;
  frames(query: Query, request: FramesRequest): Promise<Result<FramesAnswer>>;
  /** The frames of `query`, grouped anew. */
  regroup(query: Query, request: RegroupRequest): Promise<Result<FramesAnswer>>;
  /** Rows of the call tree below a node, heaviest first. */
  children(query: Query, node: number): Promise<Result<TreeRow[]>>;
  /** Functions [offset, offset + limit). */
  top(query: Query, order: TopOrder, offset: number, limit: number, how?: TopHow): Promise<Result<TopPage>>;
  /** The frames of `query` and of a baseline. */
  diff(query: Query, baseline: Baseline, request: FramesRequest & { normalised: boolean }): Promise<Result<DiffPage>>;
  /** Functions of both, those that differ most first. */
  changed(
    query: Query,
    baseline: Baseline,
    normalised: boolean,
    offset: number,
    limit: number,
  ): Promise<Result<ChangedPage>>;
  why(query: Query): Promise<Result<Why>>;
  /** File of the functions of a name of the frames answered (`nameIds`); "" where none is known. */
  fileOf(name: number): Promise<Result<string>>;
  search(query: Query, pattern: string): Promise<Result<SearchAnswer>>;
  /** When the samples were taken, in the whole recording or in a part of it, and those of some threads. */
  timeline(query: Query, bins: number, threads: number[], range: TimeRange | null): Promise<Result<Timeline>>;
  /** The same as a heat map of at most so many columns. */
  heat(query: Query, columns: number, range: TimeRange | null): Promise<Result<HeatMap>>;
  /** Pauses, gaps and losses: of the recordings, whatever is selected. */
  marks(): Promise<Result<Marks>>;
  threads(query: Query): Promise<Result<ThreadPage>>;
  /** Rows [offset, offset + limit) of the ranking, heaviest first unless asked otherwise. */
  rank(query: Query, by: RankBy, offset: number, limit: number, how?: RankHow): Promise<Result<RankPage>>;
  download(request: DownloadRequest): Promise<Result<Download>>;
  /** The same for a receiver, each below what a Collector takes at once; none where no sample passes. */
  messages(request: WriteRequest): Promise<Result<Message[]>>;
}
