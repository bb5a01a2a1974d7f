/** What a report of `convert` has about spans: the sections of the page's report. */
import type { Core } from "../../core/core.ts";
import type { Filter } from "../../core/types.ts";
import { coverageOf, inferredByRule } from "../../model/trace/coverage.ts";
import { isOfRequests } from "../../model/why/sentence.ts";
import { isSelection, type ReportTime } from "../../report/overview.ts";
import { REPORT_OPERATIONS, type ReportTraces } from "../../report/traces.ts";
import { listsRequests, reportTraces } from "../../report/traces-of.ts";
import type { ReadTraces } from "../../requests/contexts.ts";
import { SpanRequests } from "../../requests/traces/span-requests.ts";

/**
 * No traces without spans of trace files and recordings, unless requests are selected; the time of the requests of a
 * selection. Changes the selection.
 */
export async function tracesOf(
  core: Core,
  filter: Filter,
  read: ReadTraces | null,
  isInferred: boolean,
): Promise<{ traces?: ReportTraces; time?: ReportTime | null }> {
  const requests = await SpanRequests.of(core, read?.files ?? []);
  const overview = requests.overview();
  const profiles = core.profiles();
  const hasRoots = profiles.some(({ samplesWithRoot, inferredRoot = 0 }) => samplesWithRoot + inferredRoot > 0);
  const isTimed = (overview !== null || hasRoots) && isSelection(filter) && isOfRequests(filter);
  const time = isTimed ? await requests.ask("choiceTime", [{}, filter]) : null;
  if (overview === null && !(hasRoots && listsRequests({ filter }))) return { time };
  const traces = await reportTraces(
    {
      spans: (trace, ids) => requests.ask("spans", [trace, ids]),
      time: (trace, place, by) => requests.ask("time", [trace, place, by]),
      operations: () => requests.ask("operations", ["p95", false, 0, REPORT_OPERATIONS]),
      requests: (choice, asked) => requests.ask("choiceTime", [choice, asked]),
    },
    {
      ...{ filter, traces: overview?.traces ?? 0, trace: "" },
      coverage: coverageOf(profiles),
      inferredBy: isInferred ? inferredByRule(profiles) : null,
    },
  );
  return { traces, time };
}
