/** What a report of the page has about spans. */
import { coverageOf, inferredByRule } from "../../model/context/coverage.ts";
import { choiceOf } from "../../model/query/operations-choice.ts";
import { filterOf } from "../../model/query/query.ts";
import { REPORT_OPERATIONS, type ReportTraces } from "../../report/traces.ts";
import { listsRequests, reportTraces, type TraceQuestions } from "../../report/traces-of.ts";
import type { ChoiceTime, Failure, OperationPage, Result, SpanTime, TraceSpans } from "../../worker/api.ts";
import { viewer } from "../../worker/client.ts";
import type { ExportJob } from "./job.ts";

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
export async function tracesOf({ overview, query }: ExportJob): Promise<Result<ReportTraces> | null> {
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
