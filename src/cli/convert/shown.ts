/** `spanflame convert` to outputs for people: the report as one page, the graph as a picture. */

import { rowValues } from "../../core/answers/row-values.ts";
import type { Core } from "../../core/core.ts";
import { outlineOf } from "../../core/outline.ts";
import type { Filter, TopRow } from "../../core/types.ts";
import { why } from "../../core/why.ts";
import { withExactness } from "../../model/calls/profile-words.ts";
import { SELECTION_KEYS } from "../../model/lists/explorer.ts";
import { inferredAmong } from "../../model/query/attribute.ts";
import { EMPTY_QUERY } from "../../model/query/query.ts";
import type { Shape } from "../../model/query/shape.ts";
import { measured } from "../../model/words/measure.ts";
import { type Chosen, chosenProfile, offeredProfiles } from "../../node/read.ts";
import { REPORT_TOP, type ReportContent, reportHtml } from "../../report/html.ts";
import { flamePicture } from "../../report/picture.ts";
import { PICTURE_WIDTH } from "../../report/picture-parts.ts";
import { reportFrames, WHOLE_WIDTH } from "../../report/report-frames.ts";
import type { Subject } from "../../report/subject.ts";
import type { ReportTraces } from "../../report/traces.ts";
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

/** Sections of a report beside its graph. */
type About = Pick<ReportContent, "calls" | "traces">;

/** What a report has about spans, of trace files or of the recordings. Changes the selection. */
export async function reportedTraces(
  core: Core,
  conversion: Conversion,
  read: ReadTraces | null,
): Promise<ReportTraces | undefined> {
  if (!isReport(conversion)) return undefined;
  const { tracesOf } = await import("./report-traces.ts");
  const { values, chipped } = conversion;
  return (await tracesOf(core, chipped.filter, read, values.inferred === true)) ?? undefined;
}

/** Writes a report or a picture; null where the recording has no samples at all. `names`: of its files. */
export function writeShown(
  core: Core,
  { values, row, chipped: { filter, shape } }: Conversion,
  names: string[],
  { path, files }: Pick<Writing, "path" | "files">,
  about: About = {},
): Shown | null {
  const chosen = onlyProfile(core, values);
  if (chosen === null) return null;
  const subject = subjectOf(core, names, chosen, filter, shape);
  core.views.shape(shape);
  const parts = row.name === "html" ? report(core, subject, about) : picture(core, subject);
  const gzip = values.gzip === true || /\.gz$/i.test(path);
  const output = new Output(files.open(path), { gzip, framed: false });
  let size = 0;
  for (const part of parts) size += output.text(part);
  output.close();
  return { samples: subject.totals.samples, type: chosen.profile.type, size };
}

/** The profile that is named; where the recording has but one, that. */
function onlyProfile(core: Core, values: Values): Chosen | null {
  const [first, ...others] = offeredProfiles(core);
  const named = values.type !== undefined || values.event !== undefined;
  if (named || others.length > 0) return chosenProfile(core, values);
  return first === undefined ? null : chosenProfile(core, { ...values, type: first.type });
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

function report(core: Core, subject: Subject, about: About): Iterable<string> {
  const { profile, filter, drawing } = subject;
  const outline = outlineOf(core, core.profiles(), filter, SELECTION_KEYS);
  // Ends with the samples of the report selected.
  const { pauses, pausesKnown } = why(core, { profile: profile.id, filter, measure: profile.measure });
  core.views.shape(drawing.shape);
  const answer = reportFrames(core.views.frames({ focus: 0, width: WHOLE_WIDTH }));
  const top = core.views.top("self", 0, REPORT_TOP);
  const inferred = inferredOf(core, subject, top.rows);
  const marked = { ...subject, inferred: inferred?.samples };
  return reportHtml({
    graphs: [{ subject: marked, answer, top: { ...top, inferred: inferred?.functions } }],
    selection: { outline, pauses, pausesKnown },
    ...about,
    now: new Date(),
  });
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
