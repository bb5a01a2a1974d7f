/**
 * The library, the same in Node, in browsers and in workers:
 *
 *   using recording = await open({ name: "a.jfr", data: bytes });
 *   const cpu = recording.select("cpu", { localRoot: 4657n });
 *   cpu.top({ limit: 10 });
 *   const { bytes } = cpu.write("otlp");
 *   (await validate(bytes)).valid;
 *
 * Only re-exports: bundlers leave out the modules whose names are not imported.
 */
export { type ByteSource, blobSource, bytesSource, type Fault, type FilePlace } from "../bytes/byte-source.ts";
export type { TimeRow } from "../core/answers/time-rows.ts";
export type { Severity } from "../core/diagnostics/wording.ts";
export type { CallTreeState } from "../core/dumps/call-columns.ts";
export { type ErrorCode, SpanflameError } from "../core/instance/error.ts";
export { RANK_SORTS } from "../core/rank-types.ts";
export { type Part, SPLIT_BYTES } from "../core/split.ts";
export type { StandingOut } from "../core/standing-out.ts";
export { formatOfFile, type OutputOption, type OutputRow } from "../core/tables/formats.ts";
export type {
  AttributeFilter,
  AttributeValue,
  ChunkSummary,
  Diagnostic,
  EventMapping,
  EventType,
  ExtraEvent,
  FileFormat,
  FileSummary,
  FrameColumns,
  FrameFilter,
  FramesAnswer,
  InferredBy,
  Loss,
  Meaning,
  Measure,
  MessageSummary,
  OneOrMore,
  OtlpFormat,
  OutputFormat,
  PathFrame,
  PeriodSummary,
  PresetName,
  ProfileKind,
  ProfileSummary,
  RankFind,
  RankHow,
  RankPage,
  RankRow,
  RankSort,
  Requests,
  Resource,
  RootFrameFilter,
  SelectionTotals,
  Setting,
  TimeRange,
  TopRow,
  WriteOptions,
  WriteResult,
  WriteTotals,
} from "../core/types.ts";
export { VERSION } from "../core/version.ts";
export type {
  Changed,
  ChangedRow,
  DiffAnswer,
  Gap,
  HeatMap,
  Marks,
  OpenRun,
  PauseCover,
  Recursion,
  RootLevel,
  RunRule,
  SearchAnswer,
  SeriesSummary,
  SeriesUnit,
  Shape,
  ShownTime,
  Strip,
  ThreadPage,
  ThreadRow,
  Timeline,
  TopHow,
  TopOrder,
  TreeRow,
  Why,
} from "../core/view-types.ts";
export type { Extent, InputSummary, ReadProgress } from "../input/open.ts";
export { FRAME_TYPES, type FrameTypeName } from "../model/flame/frame-types.ts";
export {
  CALL_SORTS,
  type CallSort,
  OPERATION_SORTS,
  type OperationSort,
  TRACE_SORTS,
  type TraceSort,
} from "../model/query/query.ts";
export { BREAKDOWN, type BreakdownName, type BreakdownPart } from "../model/span-time/breakdown.ts";
export type { RequestTime } from "../model/span-time/request-time.ts";
export type { ThreadState } from "../model/span-time/thread-states.ts";
export type { OperationRow } from "../model/trace/operations.ts";
export type { Reason } from "../model/trace/reasons.ts";
export type { Blocked, BlockedBy, Holder, Waited } from "../model/waits/held.ts";
export type { Held, Wait, WaitKind, Work } from "../model/waits/waits.ts";
export { formatValue } from "../model/words/format.ts";
export { decimalId, hexId, isTrace } from "../model/words/ids.ts";
export { type ReadId as ParsedId, readId as parseId } from "../model/words/pasted-ids.ts";
export type { PartialSuccess } from "../push/answer.ts";
export { profilesUrl } from "../push/endpoint.ts";
export { type Outcome, push, type Receiver, type Retry, type World } from "../push/push.ts";
export type { CallPage, CallRow } from "../requests/api/calls-api.ts";
export type {
  OperationPage,
  OperationSource,
  OtherRequest,
  OtherRequests,
  RegionSpan,
  SelectionTime,
} from "../requests/api/operations-api.ts";
export type { SpanSamples, TracePage, TraceRow, TraceSpans, TracesOverview } from "../requests/api/traces-api.ts";
export type {
  BlockedPage,
  WaitPage,
  WaitTotal,
  WhyAnswer,
  WhyFinding,
  WhyPeers,
  WhyPools,
  WhyRequests,
  WhyRequestTime,
  WhyTold,
} from "../requests/api/why-api.ts";
export { RECEIVER_NAMES, type ReceiverName } from "../validate/receiver-names.ts";
export type { Report, RuleDiagnostic } from "../validate/validate.ts";
export {
  type BuilderFunction,
  type BuilderLine,
  type BuilderLink,
  type BuilderLocation,
  type BuilderMapping,
  type BuilderOptions,
  type BuilderProfile,
  type BuilderScope,
  ProfileBuilder,
} from "./builder/builder.ts";
export type { BuilderColumns, BuilderSample, ProfileRows } from "./builder/profile-rows.ts";
export type { BuilderValue, Whole } from "./builder/tables.ts";
export type { ColumnPage } from "./columns.ts";
export { OUTPUT_FORMATS } from "./formats.ts";
export type { NamedData, OpenData, OpenInput } from "./inputs.ts";
export { toJson } from "./json.ts";
export type { CoreSource } from "./load-core.ts";
export { open } from "./open.ts";
export type * from "./options.ts";
export { Recording } from "./recording.ts";
export type * from "./sample-types.ts";
export { type ProfileSelection, Selection, type TablePage } from "./selection.ts";
export type * from "./tables.ts";
export { openUrl, type UrlOptions } from "./url-source.ts";
export { validate } from "./validate.ts";
