/** What a report of `convert` has about spans: the sections of the page's report. */
import type { Core } from "../core/core.ts";
import type { Filter } from "../core/types.ts";
import { coverageOf, inferredByRule } from "../model/context/coverage.ts";
import { REPORT_OPERATIONS, type ReportTraces } from "../report/traces.ts";
import { reportTraces } from "../report/traces-of.ts";
import { SpanRequests } from "../worker/span-requests.ts";
import { Traces } from "../worker/traces-session.ts";
import type { Traces as ReadTraces } from "./trace-files.ts";

/** Null where neither trace files nor the recordings know a span. Changes the selection. */
export async function tracesOf(
  core: Core,
  { span, localRoot }: Filter,
  read: ReadTraces | null,
  isInferred: boolean,
): Promise<ReportTraces | null> {
  const files = read === null ? [] : [{ name: "", format: null, spans: read.columns.count }];
  const requests = new SpanRequests(await Traces.of(core, files, () => core), () => core);
  const overview = requests.overview();
  if (overview === null) return null;
  const profiles = core.profiles();
  return reportTraces(
    {
      spans: (trace, ids) => requests.ask("spans", [trace, ids]),
      time: (trace, place, by) => requests.ask("time", [trace, place, by]),
      operations: () => requests.ask("operations", ["p95", false, 0, REPORT_OPERATIONS]),
    },
    {
      ...{ span, localRoot, traces: overview.traces, trace: "" },
      coverage: coverageOf(profiles),
      inferredBy: isInferred ? inferredByRule(profiles) : null,
    },
  );
}
