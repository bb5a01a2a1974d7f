/** `spanflame convert` to outputs for people: the report as one page, the graph as a picture. */

import { rowValues } from "../../core/answers/row-values.ts";
import type { Core } from "../../core/core.ts";
import { outlineOf } from "../../core/outline.ts";
import { usualMeasure } from "../../core/tables/usual-measure.ts";
import type { Filter, TopRow } from "../../core/types.ts";
import { why } from "../../core/why.ts";
import { withExactness } from "../../model/calls/profile-words.ts";
import { SELECTION_KEYS } from "../../model/lists/request-keys.ts";
import { inferredAmong } from "../../model/query/attribute.ts";
import { EMPTY_QUERY } from "../../model/query/query.ts";
import type { Shape } from "../../model/query/shape.ts";
import { nativeWords } from "../../model/recording/native-words.ts";
import { summaryOf } from "../../model/why/summary.ts";
import { formatCounted } from "../../model/words/format.ts";
import { measured } from "../../model/words/measure.ts";
import { type Chosen, chosenProfile, offeredProfiles } from "../../node/read.ts";
import { nativeCountsOf } from "../../node/symbols/native-counts.ts";
import { REPORT_TOP, type ReportContent, type ReportGraph, reportHtml } from "../../report/html.ts";
import { isSelection, overviewOf, type ReportTime } from "../../report/overview.ts";
import { flamePicture } from "../../report/picture.ts";
import { PICTURE_WIDTH } from "../../report/picture-parts.ts";
import { reportFrames, WHOLE_WIDTH } from "../../report/report-frames.ts";
import type { Subject } from "../../report/subject.ts";
import type { ReadTraces } from "../../requests/contexts.ts";
import { type Conversion, isReport, type Writing } from "./conversion.ts";
import { Output } from "./output.ts";

type Values = Conversion["values"];

/** What was written: samples of a profile, bytes of the file. */
interface Shown {
  samples: number;
  type: string;
  size: number;
}

/** Sections of a report beside its graphs, and the time of the requests of a selection. */
interface About extends Pick<ReportContent, "calls" | "traces"> {
  time?: ReportTime | null | undefined;
}

/** What a report has about spans and requests, of trace files or of the recordings. Changes the selection. */
export async function reportedTraces(
  core: Core,
  conversion: Conversion,
  read: ReadTraces | null,
): Promise<Pick<About, "traces" | "time">> {
  if (!isReport(conversion)) return {};
  const { tracesOf } = await import("./report-traces.ts");
  const { values, chipped } = conversion;
  return tracesOf(core, chipped.filter, read, values.inferred === true);
}

/** Writes a report or a picture; null where the recording has no samples at all. `names`: of its files. */
export function writeShown(
  core: Core,
  { values, row, chipped: { filter, shape } }: Conversion,
  names: string[],
  { path, files }: Pick<Writing, "path" | "files">,
  about: About = {},
): Shown | null {
  const isReported = row.name === "html";
  const chosen = isReported ? reportedProfiles(core, values, filter) : [chosenProfile(core, values)];
  const subjects = chosen.flatMap((each) => (each === null ? [] : [subjectOf(core, names, each, filter, shape)]));
  const [subject] = subjects;
  if (subject === undefined) return null;
  core.views.shape(shape);
  const parts = isReported ? report(core, subjects as [Subject, ...Subject[]], about) : picture(core, subject);
  const gzip = values.gzip === true || /\.gz$/i.test(path);
  const output = new Output(files.open(path), { gzip, framed: false });
  let size = 0;
  for (const part of parts) size += output.text(part);
  output.close();
  const samples = subjects.reduce((sum, { totals }) => sum + totals.samples, 0);
  const type = subjects.length === 1 ? subject.profile.type : formatCounted(subjects.length, "profile");
  return { samples, type, size };
}

/** The profile that is named, else every one that has samples of the selection, and of none the first. */
function reportedProfiles(core: Core, values: Values, filter: Filter): (Chosen | null)[] {
  if (values.type !== undefined || values.event !== undefined || values.value !== undefined)
    return [chosenProfile(core, values)];
  const all = offeredProfiles(core).map((profile) => ({ profile, measure: usualMeasure(profile) }));
  const found = all.filter(({ profile }) => core.select(profile.id, filter).samples > 0);
  return found.length === 0 ? all.slice(0, 1) : found;
}

function subjectOf(core: Core, names: string[], { profile, measure }: Chosen, filter: Filter, shape: Shape): Subject {
  const files = core.files();
  const isDump = files.some(({ format }) => format === "cdt");
  return {
    names,
    files,
    profile: measured(isDump ? withExactness(profile) : profile, measure),
    totals: core.select(profile.id, filter, measure),
    filter,
    drawing: { ...EMPTY_QUERY, shape },
    time: core.views.timeBounds(),
    zeros: core.views.timeRows(),
  };
}

function report(core: Core, subjects: [Subject, ...Subject[]], { time = null, ...about }: About): Iterable<string> {
  const [{ profile, filter }] = subjects;
  // A report of one profile without a filter does not read the others (need.ts).
  const isRead = Object.keys(filter).length > 0 || subjects.length >= core.profiles().length;
  const native = isRead ? nativeWords(nativeCountsOf(core)) : "";
  const profiles = core.profiles();
  const outline = outlineOf(core, profiles, filter, SELECTION_KEYS);
  const wanted = { profile: profile.id, filter, measure: profile.measure };
  const context = { profiles, marks: core.views.marks(), whole: new Map() };
  const story = isSelection(filter) ? summaryOf(core, why, wanted, context) : null;
  const { pauses, pausesKnown } = story ?? why(core, wanted, context);
  return reportHtml({
    graphs: subjects.map((subject) => graphOf(core, subject, subjects.length)) as [ReportGraph, ...ReportGraph[]],
    selection: { outline, pauses, pausesKnown },
    overview: story === null ? undefined : overviewOf(story, filter, time),
    ...about,
    native,
    now: new Date(),
  });
}

function graphOf(core: Core, subject: Subject, graphs: number): ReportGraph {
  const { profile, filter, drawing } = subject;
  core.select(profile.id, filter, profile.measure);
  core.views.shape(drawing.shape);
  const answer = reportFrames(core.views.frames({ focus: 0, width: WHOLE_WIDTH }), graphs);
  const top = core.views.top("self", 0, REPORT_TOP);
  const inferred = inferredOf(core, subject, top.rows);
  const marked = { ...subject, inferred: inferred?.samples };
  return { subject: marked, answer, top: { ...top, inferred: inferred?.functions } };
}

/** Samples with inferred context, and their values in the functions of the table. */
function inferredOf(core: Core, { profile, filter }: Subject, rows: readonly TopRow[]) {
  const marked = profile.inferredBy && inferredAmong(filter);
  if (!marked) return null;
  const { samples } = core.select(profile.id, marked, profile.measure);
  return { samples, functions: rowValues(core.views, { names: rows.map(({ name }) => name) }) };
}

function picture(core: Core, subject: Subject): Iterable<string> {
  return flamePicture(subject, core.views.frames({ focus: 0, width: PICTURE_WIDTH }), false).parts;
}
