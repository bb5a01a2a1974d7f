/**
 * What a report and a picture of the selected samples are made of: the same requests from the page, the command line
 * and the library. Loaded when it is used.
 */
import type { RowValues } from "../core/answers/row-values.ts";
import type {
  FileSummary,
  Filter,
  FramesAnswer,
  FramesRequest,
  ProfileSummary,
  Selection,
  SelectionTotals,
  TimeRange,
  TopRow,
} from "../core/types.ts";
import type { Outline, OutlineKeys, RegroupRequest, Why } from "../core/view-types.ts";
import { withExactness } from "../model/calls/profile-words.ts";
import { leastShown, widestFrames } from "../model/flame/widest-frames.ts";
import { SELECTION_KEYS } from "../model/lists/request-keys.ts";
import { inferredAmong } from "../model/query/attribute.ts";
import { loadPatterns } from "../model/query/pattern.ts";
import { filterOf, type QueryState } from "../model/query/query.ts";
import type { Shape } from "../model/query/shape.ts";
import { choiceOf } from "../model/query/span-choice.ts";
import { coverageOf, inferredByRule } from "../model/trace/coverage.ts";
import { isOfRequests } from "../model/why/sentence.ts";
import type { WhySummary } from "../model/why/summary.ts";
import type { Measured } from "../model/words/measure.ts";
import type { Zeros } from "../model/words/moments.ts";
import type { ReportCalls } from "./calls.ts";
import { REPORT_TOP, type ReportContent, type ReportGraph, reportHtml } from "./html.ts";
import { isSelection, overviewOf, type ReportTime } from "./overview.ts";
import { flamePicture, type Picture } from "./picture.ts";
import { PICTURE_WIDTH } from "./picture-parts.ts";
import type { Subject } from "./subject.ts";
import { listsRequests, reportTraces, type TraceQuestions } from "./traces-of.ts";

/** Frames of a report; many more would make a file that mail and chat refuse. */
const REPORT_FRAMES = 20_000;
/** A drawing so wide shows every frame. */
const WHOLE_WIDTH = Number.MAX_SAFE_INTEGER;

interface Query extends Selection {
  shape: Shape;
}

type Answer<T> = T | Promise<T>;

/** Requests about an open recording. Each is about its own samples. */
export interface ShownQuestions extends TraceQuestions {
  totals(query: Query): Answer<SelectionTotals>;
  frames(query: Query, request: FramesRequest): Answer<FramesAnswer>;
  regroup(query: Query, request: RegroupRequest): Answer<FramesAnswer>;
  top(query: Query, order: "self", offset: number, limit: number): Answer<{ count: number; rows: TopRow[] }>;
  valuesOf(query: Query, rows: { names: readonly string[] }): Answer<RowValues>;
  outline(filter: Filter, keys: OutlineKeys): Answer<Outline>;
  why(query: Query): Answer<Why>;
  story(query: Query, own: string): Answer<WhySummary>;
  /** Where the time of the requests of a filter went. */
  requests(...given: Parameters<TraceQuestions["requests"]>): Promise<(RequestTime & ReportTime) | null>;
  /** Null where no dump is open. */
  calls(filter: Filter): Answer<ReportCalls | null>;
  /** Native frames that are known by address, in words. `isPart`: the report is of a part of the samples. */
  native(isPart: boolean): Answer<string>;
}

type RequestTime = NonNullable<Awaited<ReturnType<TraceQuestions["requests"]>>>;

export interface ShownJob {
  /** Of the files, as their user knows them. */
  names: readonly string[];
  /** Facts of the recording. */
  overview: {
    files: readonly FileSummary[];
    profiles: readonly ProfileSummary[];
    time: TimeRange | null;
    rows: Zeros;
    traces: { traces: number } | null;
  };
  /** A report has those with samples of the selection, or else the first; a picture has the first. */
  profiles: readonly [Measured, ...Measured[]];
  query: QueryState;
}

/** A finished file. */
export interface Shown {
  /** The text in parts, in their order: a page rests between them. */
  parts: Iterable<string>;
  profiles: readonly Measured[];
  samples: number;
  frames: number;
}

export async function reportOf(ask: ShownQuestions, job: ShownJob, now: Date): Promise<Shown> {
  const { overview, query } = job;
  const filter = filterOf(query);
  const isSelected = isSelection(filter);
  const outline = await ask.outline(filter, SELECTION_KEYS);
  const has = new Set(outline.split.map(({ profile }) => profile));
  const found = job.profiles.filter(({ id }) => has.has(id));
  const profiles = found.length === 0 ? job.profiles.slice(0, 1) : found;
  const [first = job.profiles[0]] = profiles;
  const samples = samplesOf(job, first);
  const story = isSelected ? await ask.story(samples, query.look.own) : null;
  const { pauses, pausesKnown } = story ?? (await ask.why(samples));
  const time = isSelected && isOfRequests(filter) && hasRequests(job) ? await ask.requests({}, filter) : null;
  const graphs: ReportGraph[] = [];
  for (const profile of profiles) graphs.push(await graphOf(ask, job, profile, profiles.length));
  const isPart = Object.keys(filter).length === 0 && profiles.length < overview.profiles.length;
  const content: ReportContent = {
    graphs: graphs as [ReportGraph, ...ReportGraph[]],
    selection: { outline, pauses, pausesKnown },
    overview: story === null ? undefined : overviewOf(story, filter, time),
    notes: query.notes,
    calls: (await ask.calls(filter)) ?? undefined,
    traces: await tracesOf(ask, job, filter),
    native: await ask.native(isPart),
    now,
  };
  return {
    parts: reportHtml(content),
    profiles,
    samples: graphs.reduce((sum, { subject }) => sum + subject.totals.samples, 0),
    frames: graphs.reduce((sum, { answer }) => sum + answer.frames.node.length, 0),
  };
}

export async function pictureOf(ask: ShownQuestions, job: ShownJob, dark: boolean): Promise<Shown & Picture> {
  const { profiles, query } = job;
  const samples = samplesOf(job, profiles[0]);
  const [totals, answer] = await Promise.all([ask.totals(samples), framesOf(ask, samples, query, PICTURE_WIDTH)]);
  await loadPatterns([query.search]);
  const subject = subjectOf(job, profiles[0], totals);
  return { ...flamePicture(subject, answer, dark), profiles: [subject.profile], samples: totals.samples };
}

function samplesOf({ query }: ShownJob, { id, measure }: Measured): Query {
  return { profile: id, measure, filter: filterOf(query), shape: query.shape };
}

function subjectOf({ names, overview, query }: ShownJob, profile: Measured, totals: SelectionTotals): Subject {
  const { files, time, rows: zeros } = overview;
  const known = isDump(overview) ? withExactness(profile) : profile;
  return { names, files, profile: known, totals, filter: query.filter, drawing: query, time, zeros };
}

async function framesOf(
  ask: ShownQuestions,
  samples: Query,
  { grouping, focus, past, path }: Pick<QueryState, "grouping" | "focus" | "past" | "path">,
  width: number,
): Promise<FramesAnswer> {
  if (grouping === "stacks") return ask.frames(samples, { focus, past, width });
  return ask.regroup(samples, { grouping: { kind: grouping }, path, width });
}

async function graphOf(ask: ShownQuestions, job: ShownJob, profile: Measured, graphs: number): Promise<ReportGraph> {
  const samples = samplesOf(job, profile);
  const totals = await ask.totals(samples);
  const whole = await framesOf(ask, samples, { ...job.query, focus: 0, past: 0, path: [] }, WHOLE_WIDTH);
  const answer = reportFrames(whole, graphs);
  const top = await ask.top(samples, "self", 0, REPORT_TOP);
  const inferred = await inferredOf(ask, profile, samples, top.rows);
  const subject = { ...subjectOf(job, profile, totals), inferred: inferred?.samples };
  return { subject, answer, top: { ...top, inferred: inferred?.functions } };
}

/**
 * The widest of all frames, and every one that is half a pixel wide on a screen. The graphs of a report share
 * REPORT_FRAMES.
 */
function reportFrames(whole: FramesAnswer, graphs: number): FramesAnswer {
  const { total } = whole.frames;
  const least = leastShown(total[0], PICTURE_WIDTH);
  const wide = total.reduce((count, value) => count + (value >= least ? 1 : 0), 0);
  return widestFrames(whole, 0, { width: WHOLE_WIDTH, budget: Math.max(Math.floor(REPORT_FRAMES / graphs), wide) });
}

/** Samples with inferred context, and their values in the functions of the table. */
async function inferredOf(ask: ShownQuestions, { inferredBy }: Measured, samples: Query, rows: readonly TopRow[]) {
  const filter = inferredBy && inferredAmong(samples.filter);
  if (!filter) return null;
  const query = { ...samples, filter };
  const functions = await ask.valuesOf(query, { names: rows.map(({ name }) => name) });
  return { samples: (await ask.totals(query)).samples, functions };
}

function isDump({ files }: ShownJob["overview"]): boolean {
  return files.some(({ format }) => format === "cdt");
}

function hasRequests({ overview: { profiles, traces } }: ShownJob): boolean {
  const hasRoots = profiles.some(({ samplesWithRoot, inferredRoot = 0 }) => samplesWithRoot + inferredRoot > 0);
  return traces !== null || hasRoots;
}

/** Nothing where neither spans are known nor requests are selected. */
async function tracesOf(ask: ShownQuestions, job: ShownJob, filter: Filter) {
  const { view, operations, trace, inferred } = job.query;
  const { traces, profiles } = job.overview;
  // The page shows where the time of requests went.
  const isTimed = view === "operations" && operations.shape === "time";
  const selected = { filter, choice: isTimed ? choiceOf(operations) : undefined };
  const isOfSelected = hasRequests(job) && !isDump(job.overview) && listsRequests(selected);
  if (traces === null && !isOfSelected) return undefined;
  return reportTraces(ask, {
    ...selected,
    traces: traces?.traces ?? 0,
    trace: trace.id === "all" ? "" : trace.id,
    coverage: coverageOf(profiles),
    inferredBy: inferred ? inferredByRule(profiles) : null,
  });
}
