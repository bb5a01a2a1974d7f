/** Samples of selected calls of dumps, whose code is loaded only for inputs that are dumps. */
import type { Core } from "../../core/core.ts";
import type { Filter } from "../../core/types.ts";
import type { OpenRun } from "../../input/dump/read-dumps.ts";
import type { CallValues } from "../calls/dump-calls.ts";

/** `sampleCalls` of dump-calls.ts; without dumps the filter stays as it is. */
export async function sampleCallsOf(
  core: Core,
  runs: readonly OpenRun[],
  values: CallValues,
  filter: Filter,
): Promise<Filter> {
  if (runs.length === 0) return filter;
  return (await import("../calls/dump-calls.ts")).sampleCalls(core, runs, values, filter);
}
