/** The report and the pictures of the current view. Loaded when first asked for. */
import type { FramesAnswer } from "../../core/types.ts";
import { loadPatterns } from "../../model/query/pattern.ts";
import { filterOf } from "../../model/query/query.ts";
import { formatBytes, formatCounted } from "../../model/words/format.ts";
import { type ShownFormat, shownRow } from "../../model/words/shown-formats.ts";
import { REPORT_TOP, reportHtml } from "../../report/html.ts";
import { flamePicture, PICTURE_WIDTH } from "../../report/picture.ts";
import { reportFrames, WHOLE_WIDTH } from "../../report/report-frames.ts";
import type { Subject } from "../../report/subject.ts";
import type { Query, Result } from "../../worker/api.ts";
import { viewer } from "../../worker/client.ts";
import type { ExportJob, WrittenFile } from "./job.ts";
import { pngOf } from "./png.ts";

export async function shownFile(job: ExportJob, format: ShownFormat): Promise<Result<WrittenFile>> {
  const { names, overview, profile, query, choice } = job;
  const samples: Query = { profile: profile.id, measure: profile.measure, filter: filterOf(query), shape: query.shape };
  const [totals, answer] = await Promise.all([
    viewer.totals(samples),
    format === "html"
      ? framesOf(samples, { ...job.query, focus: 0, past: 0, path: [] }, WHOLE_WIDTH)
      : framesOf(samples, query, PICTURE_WIDTH),
  ]);
  if (!totals.ok) return totals;
  if (!answer.ok) return answer;
  const { files, time, rows: zeros } = overview;
  const { filter } = query;
  const subject: Subject = { names, files, profile, totals: totals.value, filter, drawing: query, time, zeros };
  const counted = formatCounted(totals.value.samples, "sample");
  const type = shownRow(format)?.mediaType ?? "";
  if (format === "html") {
    const top = await viewer.top(samples, "self", 0, REPORT_TOP);
    if (!top.ok) return top;
    const shown = reportFrames(answer.value);
    const parts = await inTurns(reportHtml({ subject, answer: shown, top: top.value, now: new Date() }));
    const blob = new Blob(parts, { type });
    return written(blob, `${counted}, ${formatCounted(shown.frames.node.length, "frame")}`);
  }
  await loadPatterns([query.search]);
  const picture = flamePicture(subject, answer.value, choice.dark);
  const drawn = `${counted}, ${formatCounted(picture.frames, "frame")}`;
  const parts = await inTurns(picture.parts);
  if (format === "svg") return written(new Blob(parts, { type }), drawn);
  const { blob, width, height } = await pngOf(parts.join(""), picture);
  return written(blob, `${drawn}, ${width} × ${height} pixels`);
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
