/** The report and the pictures of the current view. Loaded when first asked for. */
import type { FramesAnswer, SelectionTotals, TopRow } from "../../../core/types.ts";
import { withExactness } from "../../../model/calls/profile-words.ts";
import { SELECTION_KEYS } from "../../../model/lists/request-keys.ts";
import { inferredAmong } from "../../../model/query/attribute.ts";
import { loadPatterns } from "../../../model/query/pattern.ts";
import { filterOf } from "../../../model/query/query.ts";
import { choiceOf } from "../../../model/query/span-choice.ts";
import { nativeWords } from "../../../model/recording/native-words.ts";
import { coverageOf, inferredByRule } from "../../../model/trace/coverage.ts";
import { isOfRequests } from "../../../model/why/sentence.ts";
import { formatBytes, formatCounted } from "../../../model/words/format.ts";
import { type Measured, usually } from "../../../model/words/measure.ts";
import { type ShownFormat, shownRow } from "../../../model/words/shown-formats.ts";
import { REPORT_CALLS, type ReportCalls } from "../../../report/calls.ts";
import { REPORT_TOP, type ReportGraph, reportHtml } from "../../../report/html.ts";
import { isSelection, overviewOf } from "../../../report/overview.ts";
import { flamePicture } from "../../../report/picture.ts";
import { PICTURE_WIDTH } from "../../../report/picture-parts.ts";
import { reportFrames, WHOLE_WIDTH } from "../../../report/report-frames.ts";
import type { Subject } from "../../../report/subject.ts";
import { REPORT_OPERATIONS, type ReportTraces } from "../../../report/traces.ts";
import { listsRequests, reportTraces, type TraceQuestions } from "../../../report/traces-of.ts";
import { libraryRows, nativeCounts } from "../../../symbols/library-rows.ts";
import type {
  ChoiceTime,
  Failure,
  FrameParamsAnswer,
  OperationPage,
  Query,
  Result,
  RowValues,
  SelectedCalls,
  SpanTime,
  TraceSpans,
} from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { symbolState } from "../answers/symbol-store.ts";
import type { ExportJob, WrittenFile } from "./job.ts";
import { pngOf } from "./png.ts";

export async function shownFile(job: ExportJob, format: ShownFormat): Promise<Result<WrittenFile>> {
  return format === "html" ? reportFile(job) : pictureFile(job, format);
}

/** Of the profile on screen, or of every profile that has samples of the selection. */
async function reportFile(job: ExportJob): Promise<Result<WrittenFile>> {
  const { overview, profile, query, choice } = job;
  const filter = filterOf(query);
  const isSelected = isSelection(filter);
  const [outline, why, story] = await Promise.all([
    viewer.outline(filter, SELECTION_KEYS),
    viewer.why(samplesOf(job)),
    isSelected ? viewer.story(samplesOf(job), query.look.own, "") : null,
  ]);
  if (!outline.ok) return outline;
  if (!why.ok) return why;
  if (story?.ok === false) return story;
  const time = isSelected && isOfRequests(filter) ? await viewer.ofTraces("choiceTime", {}, filter) : null;
  if (time?.ok === false) return time;
  const has = new Set(outline.value.split.map((each) => each.profile));
  const others = overview.profiles.filter(({ id }) => choice.all && id !== profile.id && has.has(id));
  const profiles = [profile, ...others.map((other) => usually(overview.calls === null ? other : withExactness(other)))];
  if (profiles.length > 1 && !has.has(profile.id)) profiles.shift();
  const graphs: ReportGraph[] = [];
  for (const each of profiles) {
    const graph = await graphOf({ ...job, profile: each }, profiles.length);
    if (!graph.ok) return graph;
    graphs.push(graph.value);
  }
  const { pauses, pausesKnown } = why.value;
  const calls = await callsOf(job);
  if (calls !== null && !calls.ok) return calls;
  const traces = await tracesOf(job);
  if (traces !== null && !traces.ok) return traces;
  const content = {
    graphs: graphs as [ReportGraph, ...ReportGraph[]],
    selection: { outline: outline.value, pauses, pausesKnown },
    overview: story === null ? undefined : overviewOf(story.value, filter, time?.value ?? null),
    notes: query.notes,
    calls: calls?.value,
    traces: traces?.value,
    native: nativeWordsOf(),
    now: new Date(),
  };
  const parts = await inTurns(reportHtml(content));
  const samples = graphs.reduce((sum, { subject }) => sum + subject.totals.samples, 0);
  const frames = graphs.reduce((sum, { answer }) => sum + answer.frames.node.length, 0);
  const blob = new Blob(parts, { type: shownRow("html")?.mediaType ?? "" });
  return written(blob, `${samplesWords(samples, profile)}${formatCounted(frames, "frame")}`);
}

/** What the page knows of native frames. */
function nativeWordsOf(): string {
  const { native, names, files } = symbolState();
  return native === null ? "" : nativeWords(nativeCounts(libraryRows(native.libraries, names, files)));
}

/** The selected calls of dumps and the parameters of their frames; null where no dump is open. */
async function callsOf({ overview, query }: ExportJob): Promise<Result<ReportCalls> | null> {
  if (overview.calls === null) return null;
  const filter = filterOf(query);
  const selected = (await viewer.ofCalls("selected", filter, REPORT_CALLS)) as Result<SelectedCalls>;
  if (!selected.ok) return selected;
  const params = (await viewer.ofCalls("params", { filter, frames: null })) as Result<FrameParamsAnswer>;
  if (!params.ok) return params;
  const rows = selected.value.rows.map((row) => ({ ...row, title: row.title || row.name }));
  return { ok: true, value: { ...selected.value, rows, params: params.value } };
}

async function graphOf(job: ExportJob, graphs: number): Promise<Result<ReportGraph>> {
  const samples = samplesOf(job);
  const [totals, answer, top] = await Promise.all([
    viewer.totals(samples),
    framesOf(samples, { ...job.query, focus: 0, past: 0, path: [] }, WHOLE_WIDTH),
    viewer.top(samples, "self", 0, REPORT_TOP),
  ]);
  if (!totals.ok) return totals;
  if (!answer.ok) return answer;
  if (!top.ok) return top;
  const inferred = await inferredOf(job.profile, samples, top.value.rows);
  if (!inferred.ok) return inferred;
  const subject = { ...subjectOf(job, totals.value), inferred: inferred.value.samples };
  const rows = { ...top.value, inferred: inferred.value.functions };
  return { ok: true, value: { subject, answer: reportFrames(answer.value, graphs), top: rows } };
}

/** Samples with inferred context, and their values in the functions of the table. */
async function inferredOf(
  { inferredBy }: Measured,
  samples: Query,
  rows: readonly TopRow[],
): Promise<Result<{ samples: number; functions?: RowValues }>> {
  const filter = inferredBy && inferredAmong(samples.filter);
  if (!filter) return { ok: true, value: { samples: 0 } };
  const query = { ...samples, filter };
  const [totals, functions] = await Promise.all([
    viewer.totals(query),
    viewer.valuesOf(query, { names: rows.map(({ name }) => name) }),
  ]);
  if (!totals.ok) return totals;
  if (!functions.ok) return functions;
  return { ok: true, value: { samples: totals.value.samples, functions: functions.value } };
}

async function pictureFile(job: ExportJob, format: "svg" | "png"): Promise<Result<WrittenFile>> {
  const { query, choice } = job;
  const samples = samplesOf(job);
  const [totals, answer] = await Promise.all([viewer.totals(samples), framesOf(samples, query, PICTURE_WIDTH)]);
  if (!totals.ok) return totals;
  if (!answer.ok) return answer;
  await loadPatterns([query.search]);
  const picture = flamePicture(subjectOf(job, totals.value), answer.value, choice.dark);
  const drawn = `${samplesWords(totals.value.samples, job.profile)}${formatCounted(picture.frames, "frame")}`;
  const parts = await inTurns(picture.parts);
  if (format === "svg") return written(new Blob(parts, { type: shownRow(format)?.mediaType ?? "" }), drawn);
  const { blob, width, height } = await pngOf(parts.join(""), picture);
  return written(blob, `${drawn}, ${width} × ${height} pixels`);
}

/** `175 samples, `; "" for calls of dumps, whose values are measured. */
function samplesWords(samples: number, { exact }: Measured): string {
  return exact ? "" : `${formatCounted(samples, "sample")}, `;
}

function samplesOf({ profile, query }: ExportJob): Query {
  return { profile: profile.id, measure: profile.measure, filter: filterOf(query), shape: query.shape };
}

function subjectOf({ names, overview, profile, query }: ExportJob, totals: SelectionTotals): Subject {
  const { files, time, rows: zeros } = overview;
  return { names, files, profile, totals, filter: query.filter, drawing: query, time, zeros };
}

function framesOf(
  samples: Query,
  { grouping, focus, past, path }: ExportJob["query"],
  width: number,
): Promise<Result<FramesAnswer>> {
  if (grouping === "stacks") return viewer.frames(samples, { focus, past, width });
  return viewer.regroup(samples, { grouping: { kind: grouping }, path, width });
}

/** What the page does meanwhile is not to wait for longer than this. */
const TURN_MS = 12;

async function inTurns(parts: Iterable<string>): Promise<string[]> {
  const all: string[] = [];
  let since = performance.now();
  for (const part of parts) {
    all.push(part);
    if (performance.now() - since < TURN_MS) continue;
    await new Promise((resolve) => setTimeout(resolve));
    since = performance.now();
  }
  return all;
}

function written(blob: Blob, words: string): Result<WrittenFile> {
  return { ok: true, value: { blob, words: `${words}, ${formatBytes(blob.size)}` } };
}

/** The failure of a question. */
class Unanswered extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

async function answerOf<T>(asked: Promise<unknown>): Promise<T> {
  const result = (await asked) as Result<T>;
  if (!result.ok) throw new Unanswered(result.error);
  return result.value;
}

const QUESTIONS: TraceQuestions = {
  spans: (trace, ids) => answerOf<TraceSpans | null>(viewer.ofTraces("spans", trace, ids)),
  time: (trace, place, by) => answerOf<SpanTime | null>(viewer.ofTraces("time", trace, place, by)),
  operations: () => answerOf<OperationPage>(viewer.ofTraces("operations", "p95", false, 0, REPORT_OPERATIONS)),
  requests: (choice, filter) => answerOf<ChoiceTime | null>(viewer.ofTraces("choiceTime", choice, filter)),
};

/** The view shows where the time of requests went. */
function isTimed({ view, operations }: ExportJob["query"]): boolean {
  return view === "operations" && operations.shape === "time";
}

/** Null where the files know no spans, and the report has no requests. */
async function tracesOf({ overview, query }: ExportJob): Promise<Result<ReportTraces> | null> {
  const { traces, profiles } = overview;
  const selected = { filter: filterOf(query), choice: isTimed(query) ? choiceOf(query.operations) : undefined };
  const hasRoots = profiles.some(({ samplesWithRoot, inferredRoot = 0 }) => samplesWithRoot + inferredRoot > 0);
  if (traces === null && !(hasRoots && overview.calls === null && listsRequests(selected))) return null;
  try {
    const value = await reportTraces(QUESTIONS, {
      ...selected,
      traces: traces?.traces ?? 0,
      trace: query.trace.id === "all" ? "" : query.trace.id,
      coverage: coverageOf(profiles),
      inferredBy: query.inferred ? inferredByRule(profiles) : null,
    });
    return { ok: true, value };
  } catch (error) {
    if (error instanceof Unanswered) return { ok: false, error: error.failure };
    throw error;
  }
}
