/** What a report of the page has about spans. */
import { coverageOf, inferredByRule } from "../../model/context/coverage.ts";
import { operationWords } from "../../model/trace/span-words.ts";
import { REPORT_OPERATIONS, type ReportSpanTime, type ReportTraces } from "../../report/traces.ts";
import type { OperationPage, Result, SpanTime, TraceSpans } from "../../worker/api.ts";
import { viewer } from "../../worker/client.ts";
import type { ExportJob } from "./job.ts";

/** Null where the files know no spans. */
export async function tracesOf({ overview, query }: ExportJob): Promise<Result<ReportTraces> | null> {
  if (overview.traces === null) return null;
  const { span, localRoot } = query.filter;
  const ids = [span, localRoot].flatMap((each) => each ?? []);
  const id = query.trace.id === "all" ? "" : query.trace.id;
  const asked = (await viewer.ofTraces("spans", id, ids)) as Result<TraceSpans | null>;
  if (!asked.ok) return asked;
  const found = asked.value;
  // Without an id the answer is the trace with the most samples.
  const isChosen = found !== null && (id === found.trace || ids.some((each) => found.id.includes(each)));
  const trace = isChosen || overview.traces.traces === 1 ? found : null;
  const time = trace === null ? null : await timeOf(trace, ids);
  if (time !== null && !time.ok) return time;
  const page = (await viewer.ofTraces("operations", "p95", false, 0, REPORT_OPERATIONS)) as Result<OperationPage>;
  if (!page.ok) return page;
  const { profiles } = overview;
  const coverage = coverageOf(profiles);
  const inferredBy = query.inferred ? inferredByRule(profiles) : null;
  return { ok: true, value: { trace, time: time?.value ?? null, operations: page.value, coverage, inferredBy } };
}

/** Of the selected span, else of the first root with its request. */
async function timeOf(trace: TraceSpans, ids: readonly bigint[]): Promise<Result<ReportSpanTime | null>> {
  const place = Math.max(
    0,
    trace.id.findIndex((each) => ids.includes(each)),
  );
  const of = (by: "span" | "root") =>
    viewer.ofTraces("time", trace.trace, place, by) as Promise<Result<SpanTime | null>>;
  const alone = await of("span");
  const time = alone.ok && alone.value?.isRoot === true ? await of("root") : alone;
  if (!time.ok || time.value === null) return time.ok ? { ok: true, value: null } : time;
  const text = (column: Uint32Array) => trace.texts[column[place] ?? 0] ?? "";
  const name = operationWords(text(trace.nameOf), text(trace.resourceOf));
  const { duration, breakdown } = time.value;
  return { ok: true, value: { name, duration, breakdown } };
}
