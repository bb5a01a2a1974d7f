/** Reads the trace files of the page and of the library into the table of spans; the core has their diagnostics. */
import type { Core } from "../core/core.ts";
import type { Spans } from "../core/samples/spans.ts";
import type { Input } from "../input/open.ts";
import { readTraceFile, type TraceFile } from "../traces/read.ts";

/** `rest` is called between pieces. */
export function tracesInto(core: Core, rest?: () => Promise<void>) {
  return async ({ name, source, opened }: Input, table: Spans, number: number): Promise<TraceFile> => {
    const file = await readTraceFile(name, opened ?? source, table, number, rest);
    for (const diagnostic of file.diagnostics) core.note(diagnostic);
    return file;
  };
}
