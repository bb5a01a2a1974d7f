/** --trace: reads trace files, and says what is in them. Loaded when spans or context are asked for. */
import { existsSync } from "node:fs";
import type { Core } from "../core/core.ts";
import { openSpans, type Spans } from "../core/samples/spans.ts";
import type { TimeRange } from "../core/types.ts";
import { formatCounted } from "../model/words/format.ts";
import { pastedIds } from "../model/words/pasted-ids.ts";
import { Contexts } from "../requests/contexts.ts";
import { HeldCore } from "../requests/held-core.ts";
import { type ReadSpans, spansOf } from "../requests/read-spans.ts";
import { namedSpans } from "../requests/traces/named-spans.ts";
import { readTraceFile, type TraceFile } from "../traces/read.ts";
import { openInput } from "./node-source.ts";
import { systemWords } from "./system-error.ts";
import { inputName, note, progress, say, sayDiagnostics } from "./terminal.ts";

/** Options about traces and context. */
export interface ContextChoice {
  trace?: readonly string[] | undefined;
  inferred?: boolean | undefined;
  /** The only time whose context is inferred. */
  around?: TimeRange | undefined;
  /** Read the spans that the recordings know. */
  spans?: boolean;
}

/** All trace files need spans. `counts`: each number of spans is printed. */
export function contextsOf({ trace, ...choice }: ContextChoice, counts = true): Contexts<string> {
  const readTrace = (path: string, spans: Spans, number: number) => readTracePath(spans, path, number, counts);
  return new Contexts({ ...choice, traces: trace ?? [], readTrace, strict: true });
}

async function readTracePath(spans: Spans, path: string, number: number, counts: boolean): Promise<TraceFile | null> {
  progress.show(() => `reading ${inputName(path)}`);
  try {
    const input = await openInput(path);
    try {
      const file = await readTraceFile(path, input.source, spans, number);
      sayDiagnostics(file.diagnostics);
      if (counts && file.spans > 0) note(`spanflame: ${inputName(path)}: ${formatCounted(file.spans, "span")}`);
      return file;
    } finally {
      await input.close();
    }
  } catch (error) {
    const isId = path !== "-" && pastedIds(path, true) !== null;
    const like = isId && !existsSync(path) ? `; did you mean --trace-id ${path}?` : "";
    say(`spanflame: error: ${inputName(path)}: ${systemWords(error)}${like}`);
    return null;
  }
}

/** The spans that the recordings know by their events, with `sampled` also those that only samples have. */
export async function recordedTraces(core: Core, sampled = false): Promise<ReadSpans> {
  const spans = await openSpans(core);
  return spansOf(spans, "recordings", sampled ? namedSpans(new HeldCore(core), spans) : []);
}
