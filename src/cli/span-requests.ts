/** Requests about spans as the page has them, for reports and `why`. */
import type { Core } from "../core/core.ts";
import { SpanRequests } from "../requests/span-requests.ts";
import { Traces } from "../requests/traces.ts";
import type { Traces as ReadTraces } from "./trace-files.ts";

/** Of the spans of trace files, else of those that the recordings know. */
export async function spanRequests(core: Core, read: ReadTraces | null): Promise<SpanRequests> {
  const files = read === null ? [] : [{ name: "", format: null, spans: read.columns.count }];
  return new SpanRequests(await Traces.of(core, files, () => core), () => core);
}
