/** Apart from the waterfall, because the page asks before it loads that. */
import type { FileSummary, Filter } from "../../core/types.ts";
import type { TracePart } from "../query/query.ts";

/** Whether the view of traces shows one, not their list: a root or a span in the filter leads to its trace. */
export function showsTrace({ id }: Pick<TracePart, "id">, { span, localRoot }: Filter, traces: number): boolean {
  if (id === "all") return false;
  return id !== "" || span !== undefined || localRoot !== undefined || traces === 1;
}

/** Whether spans of trace files were made samples, because no recording has any. */
export function areSpansAlone(files: readonly Pick<FileSummary, "format">[]): boolean {
  return files.some(({ format }) => format === "trace");
}
