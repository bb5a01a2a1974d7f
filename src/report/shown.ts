/**
 * What a report and a picture of the selected samples are made of: the same requests from the page, the command line
 * and the library. Loaded when it is used.
 */

import type {
  FileSummary,
  Filter,
  FramesAnswer,
  ProfileSummary,
  Selection,
  SelectionTotals,
  TimeRange,
  TopRow,
} from "../core/types.ts";
import type { Outline } from "../core/view-types.ts";
import { withExactness } from "../model/calls/profile-words.ts";
import { forgetRoots } from "../model/flame/package-roots.ts";
import { prefixesOf } from "../model/flame/prefix.ts";
import { leastShown, widestFrames } from "../model/flame/widest-frames.ts";
import { ENDPOINTS_SHOWN, listedEndpoints, MOST_FIRST } from "../model/lists/endpoints.ts";
import { SELECTION_KEYS } from "../model/lists/request-keys.ts";
import { inferredAmong } from "../model/query/attribute.ts";
import { hasThreadId } from "../model/query/chip-words.ts";
import { loadPatterns } from "../model/query/pattern.ts";
import { filterOf, type QueryState } from "../model/query/query.ts";
import { foldOf } from "../model/query/run-rules.ts";
import type { Shape } from "../model/query/shape.ts";
import { choiceOf } from "../model/query/span-choice.ts";
import { contentionOf, wholeContention } from "../model/recording/contention.ts";
import { kindsWith } from "../model/recording/other-events.ts";
import { profileTabs } from "../model/recording/profile-tabs.ts";
import { coverageOf, hasInferred, inferredByRule } from "../model/trace/coverage.ts";
import { durationWords } from "../model/trace/operation-words.ts";
import { toldTime } from "../model/why/sentence.ts";
import { isOfRequests } from "../model/why/story.ts";
import type { WhySummary } from "../model/why/summary.ts";
import { listsSlowest, SLOWEST, slowWords, whyWords } from "../model/why/why-text.ts";
import { figureName, formatCount, formatFigure, formatPercent } from "../model/words/format.ts";
import type { Measured } from "../model/words/measure.ts";
import type { Zeros } from "../model/words/moments.ts";
import { visible } from "../model/words/text.ts";
import type { CallRequests } from "../requests/calls/calls.ts";
import type { PAGE } from "../requests/questions/page.ts";
import type { TraceAnswer, TraceRequests } from "../requests/traces/span-requests.ts";
import { REPORT_CALLS, type ReportCalls } from "./calls.ts";
import { REPORT_TOP, type ReportContent, type ReportGraph, reportHtml } from "./html.ts";
import { isSelection, type ReportEndpoints, type ReportOverview, type ReportTime } from "./overview.ts";
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

type Page = typeof PAGE;
type Given<Question> = Question extends (asked: never, ...given: infer All) => unknown ? All : never;

/** Asks the page's questions about an open recording by their names. Each names its samples. */
export type Ask = <Name extends keyof Page>(
  name: Name,
  ...given: Given<Page[Name]>
) => Promise<Awaited<ReturnType<Page[Name]>>>;

/** The calls of the dumps of a report. */
export async function callsOf(ask: Ask, filter: Filter): Promise<ReportCalls> {
  const about = <Name extends "selected" | "params">(name: Name, ...given: Parameters<CallRequests[Name]>) =>
    ask("ofCalls", name, ...given) as Promise<Awaited<ReturnType<CallRequests[Name]>>>;
  return {
    ...(await about("selected", filter, REPORT_CALLS)),
    params: await about("params", { filter, frames: null }),
  };
}

function ofTraces(
  ask: Ask,
): TraceQuestions & { slowest: TraceRequests["slowRequests"]; endpoints: TraceRequests["endpointTimes"] } {
  const about =
    <Name extends keyof TraceRequests>(name: Name) =>
    (...given: Parameters<TraceRequests[Name]>) =>
      ask("ofTraces", name, ...given) as Promise<TraceAnswer<Name>>;
  const operations = about("operations");
  return {
    spans: about("spans"),
    time: about("time"),
    requests: about("choiceTime"),
    slowest: about("slowRequests"),
    endpoints: about("endpointTimes"),
    operations: (most) => operations("p95", false, 0, most),
  };
}

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
  /** Null where no dump is open. */
  calls(filter: Filter): Promise<ReportCalls | null>;
  /** Native frames that are known by address, in words. */
  native(): string;
  /** No page shows the recording: packages have the colours that this drawing gives them. */
  alone?: true;
  /** A report has those with samples of the selection, or else the first; a picture has the first. */
  profiles: readonly [Measured, ...Measured[]];
  query: QueryState;
  /** Names of threads by number. */
  threads?: Outline["threadNames"];
}

/** A finished file. */
export interface Shown {
  /** The text in parts, in their order: a page rests between them. */
  parts: Iterable<string>;
  profiles: readonly Measured[];
  samples: number;
  frames: number;
}

export async function reportOf(ask: Ask, job: ShownJob, now: Date): Promise<Shown> {
  const { overview, query } = job;
  const filter = filterOf(query);
  const isSelected = isSelection(filter);
  const outline = await ask("outline", filter, SELECTION_KEYS);
  const { threadNames: threads } = outline;
  const has = new Set(outline.split.map(({ profile }) => profile));
  const found = job.profiles.filter(({ id }) => has.has(id));
  const profiles = found.length === 0 ? job.profiles.slice(0, 1) : found;
  const [first = job.profiles[0]] = profiles;
  const samples = samplesOf(job, first);
  // Calls of dumps have a section.
  const story = isSelected || !isDump(overview) ? await ask("story", samples, query.look.own, "", true) : null;
  const { pauses, pausesKnown } = story ?? (await ask("why", samples));
  const time = isSelected && isOfRequests(filter) && hasRequests(job) ? await ofTraces(ask).requests({}, filter) : null;
  const graphs: ReportGraph[] = [];
  for (const profile of profiles) graphs.push(await graphOf(ask, { ...job, threads }, profile, profiles.length));
  const isPart = Object.keys(filter).length === 0 && profiles.length < overview.profiles.length;
  const content: ReportContent = {
    graphs: graphs as [ReportGraph, ...ReportGraph[]],
    selection: { outline, pauses, pausesKnown },
    overview: story === null ? undefined : await overviewOf(ask, job, first, story, time),
    notes: query.notes,
    calls: (await job.calls(filter)) ?? undefined,
    traces: await tracesOf(ask, job, filter),
    native: isPart ? "" : job.native(),
    now,
  };
  return {
    parts: coloured(job, reportHtml(content)),
    profiles,
    samples: graphs.reduce((sum, { subject }) => sum + subject.totals.samples, 0),
    frames: graphs.reduce((sum, { answer }) => sum + answer.frames.node.length, 0),
  };
}

export async function pictureOf(ask: Ask, job: ShownJob, dark: boolean): Promise<Shown & Picture> {
  const { profiles, query } = job;
  const samples = samplesOf(job, profiles[0]);
  const [totals, answer] = await Promise.all([ask("totals", samples), framesOf(ask, samples, query, PICTURE_WIDTH)]);
  await loadPatterns([query.search]);
  const filter = filterOf(query);
  const outline = hasThreadId(filter) ? await ask("outline", filter, SELECTION_KEYS) : null;
  const named = outline === null ? job : { ...job, threads: outline.threadNames };
  const subject = subjectOf(named, await sharedOf(ask, job, profiles[0]), totals);
  if (job.alone) forgetRoots();
  return { ...flamePicture(subject, answer, dark), profiles: [subject.profile], samples: totals.samples };
}

function* coloured({ alone }: ShownJob, parts: Iterable<string>): Generator<string> {
  if (alone) forgetRoots();
  yield* parts;
}

/** What the page's Overview tells of the same samples. */
async function overviewOf(
  ask: Ask,
  job: ShownJob,
  profile: Measured,
  story: WhySummary,
  time: ReportTime | null,
): Promise<ReportOverview> {
  const filter = filterOf(job.query);
  const tabs = profileTabs(kindsWith([]), [...job.overview.profiles]);
  const hasList = hasRequests(job) && listsSlowest(time);
  const slowest = hasList ? await ofTraces(ask).slowest(filter, SLOWEST, job.query.look.own) : [];
  const words = whyWords(story, profile, tabs, toldTime(filter, time));
  const endpoints = story.everything ? await endpointsOf(ask, job, profile) : null;
  return { words, time: isOfRequests(filter) ? time : null, slowest: slowest.map(slowWords), endpoints };
}

async function endpointsOf(ask: Ask, job: ShownJob, current: Measured): Promise<ReportEndpoints | null> {
  const { profile, key, title } = listedEndpoints(job.overview.profiles, current);
  if (key === undefined) return null;
  const { rows } = await ask(
    "rank",
    samplesOf(job, profile),
    { kind: "attribute", key },
    0,
    ENDPOINTS_SHOWN,
    MOST_FIRST,
  );
  const times = hasRequests(job) ? await ofTraces(ask).endpoints() : [];
  const figures = rows.map(({ label, value }) => {
    const of = times.find(({ endpoint }) => endpoint === label);
    const durations = of === undefined ? [] : [of.p50, of.p95, of.max].map((nano) => durationWords(nano, of.source));
    const requests = of === undefined ? "" : formatCount(of.requests);
    return [
      visible(label, 120),
      formatFigure(value, profile),
      formatPercent(value, profile.value),
      requests,
      ...durations,
    ];
  });
  return rows.length === 0 ? null : { title, about: figureName(profile), rows: figures };
}

function samplesOf({ query }: ShownJob, profile: Measured): Query {
  const { id, measure } = profile;
  return {
    profile: id,
    measure,
    filter: contentionOf(profile, filterOf(query)),
    shape: query.shape,
    ...foldOf(query.look),
  };
}

/** The profile with the totals that shares are of. */
async function sharedOf(ask: Ask, { query }: ShownJob, profile: Measured): Promise<Measured> {
  const { id, measure } = profile;
  const filter = wholeContention(profile, filterOf(query));
  return filter === null ? profile : { ...profile, ...(await ask("totals", { profile: id, measure, filter })) };
}

function subjectOf(
  { names, overview, query, threads = new Map() }: ShownJob,
  profile: Measured,
  totals: SelectionTotals,
): Subject {
  const { files, time, rows: zeros } = overview;
  const known = isDump(overview) ? withExactness(profile) : profile;
  return { names, files, profile: known, totals, filter: query.filter, drawing: query, time, zeros, threads };
}

async function framesOf(
  ask: Ask,
  samples: Query,
  { grouping, focus, past, path }: Pick<QueryState, "grouping" | "focus" | "past" | "path">,
  width: number,
): Promise<FramesAnswer> {
  if (grouping === "stacks") return ask("frames", samples, { focus, past, width });
  return ask("regroup", samples, { grouping: { kind: grouping }, path, width });
}

async function graphOf(ask: Ask, job: ShownJob, profile: Measured, graphs: number): Promise<ReportGraph> {
  const samples = samplesOf(job, profile);
  const totals = await ask("totals", samples);
  const whole = await framesOf(ask, samples, { ...job.query, focus: 0, past: 0, path: [] }, WHOLE_WIDTH);
  const answer = reportFrames(whole, graphs);
  const top = await ask("top", samples, "self", 0, REPORT_TOP);
  const inferred = await inferredOf(ask, profile, samples, top.rows);
  const shared = await sharedOf(ask, job, profile);
  const subject = { ...subjectOf(job, shared, totals), inferred: inferred?.samples };
  const { look, grouping } = job.query;
  const chains = look.folded
    ? prefixesOf(answer.frames, [answer.frames.total], { upward: grouping === "callers" })
    : [];
  return { subject, answer, chains, top: { ...top, inferred: inferred?.functions } };
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
async function inferredOf(ask: Ask, { inferredBy }: Measured, samples: Query, rows: readonly TopRow[]) {
  const filter = inferredBy && inferredAmong(samples.filter);
  if (!filter) return null;
  const query = { ...samples, filter };
  const functions = await ask("valuesOf", query, { names: rows.map(({ name }) => name) });
  return { samples: (await ask("totals", query)).samples, functions };
}

function isDump({ files }: ShownJob["overview"]): boolean {
  return files.some(({ format }) => format === "cdt");
}

function hasRequests({ overview: { profiles, traces } }: ShownJob): boolean {
  const hasRoots = profiles.some(({ samplesWithRoot, inferredRoot = 0 }) => samplesWithRoot + inferredRoot > 0);
  return traces !== null || hasRoots;
}

/** Nothing where neither spans are known nor requests are selected. */
async function tracesOf(ask: Ask, job: ShownJob, filter: Filter) {
  const { view, operations, trace, inferred } = job.query;
  const { traces, profiles } = job.overview;
  // The page shows where the time of requests went.
  const isTimed = view === "operations" && operations.shape === "time";
  const selected = { filter, choice: isTimed ? choiceOf(operations) : undefined };
  const isOfSelected = hasRequests(job) && !isDump(job.overview) && listsRequests(selected);
  if (traces === null && !isOfSelected) return undefined;
  return reportTraces(ofTraces(ask), {
    ...selected,
    traces: traces?.traces ?? 0,
    trace: trace.id === "all" ? "" : trace.id,
    coverage: coverageOf(profiles),
    inferredBy: inferred && hasInferred(profiles) ? inferredByRule(profiles) : null,
  });
}
