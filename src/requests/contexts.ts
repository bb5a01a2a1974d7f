/** Spans of trace files, and inference of context, which may use them: the steps around a reading. */

import type { Core } from "../core/core.ts";
import { keepContexts } from "../core/samples/contexts.ts";
import { openSpans, rowsOf, type Spans } from "../core/samples/spans.ts";
import type { TimeRange } from "../core/types.ts";
import { inference } from "../model/context/infer.ts";
import { spanTraceIds } from "../model/trace/id-index.ts";
import type { TraceFile } from "../traces/read.ts";
import type { TracesOverview } from "./api/traces-api.ts";
import { HeldCore } from "./held-core.ts";
import { type ReadSpans, spansOf } from "./read-spans.ts";
import { divideWaits } from "./waits.ts";

/** The spans of trace files. */
export interface ReadTraces extends ReadSpans {
  /** Those with spans; the table has them by number. */
  files: (TracesOverview["files"][number] & { number: number })[];
}

interface Choice<File> {
  traces?: readonly File[];
  /** Reads a trace file into the table of spans; its number is from 1 on. Null if it cannot be read. */
  readTrace?(file: File, table: Spans, number: number): Promise<TraceFile | null>;
  /** Nothing more is read if a trace file has no span. */
  strict?: boolean;
  /** The context of events without ids is inferred at the end of each recording. */
  inferred?: boolean | undefined;
  /** The only time whose context is inferred. */
  around?: TimeRange | undefined;
  /** The spans that the recordings know are read. */
  spans?: boolean | undefined;
}

export class Contexts<File = never> {
  traces: ReadTraces | null = null;
  private readonly choice: Choice<File>;

  constructor(choice: Choice<File>) {
    this.choice = choice;
  }

  /** Before the recordings; false if they are not to be read. */
  async begin(core: Core): Promise<boolean> {
    const { traces = [], readTrace, strict = false, inferred, around, spans } = this.choice;
    if (readTrace !== undefined && traces.length > 0) this.traces = await readTraces(core, traces, readTrace);
    if (strict && (this.traces?.files.length ?? 0) < traces.length) {
      this.traces = null;
      return false;
    }
    if (inferred === true) await inferContexts(core, this.traces, around && { around });
    else if (spans === true) await keepContexts(core, null);
    return true;
  }

  /** After the recordings. */
  async end(core: Core): Promise<void> {
    if (this.choice.inferred === true) await nameStatedTraces(core, this.traces);
  }
}

/** Messages have the trace ids that the scopes of the recordings state. */
export async function nameStatedTraces(core: Core, traces: ReadTraces | null): Promise<void> {
  const table = await openSpans(core);
  const columns = table.columns();
  const ids = spanTraceIds(traces?.tree ?? null, columns, rowsOf(columns, "recordings"));
  if (ids.id.length > 0) table.nameTraces(ids);
}

/** Fills the table of spans; null without any span. Messages that are written have their trace ids. */
export async function readTraces<File>(
  core: Core,
  traces: readonly File[],
  read: NonNullable<Choice<File>["readTrace"]>,
): Promise<ReadTraces | null> {
  const table = await openSpans(core);
  const files: ReadTraces["files"] = [];
  for (const [i, each] of traces.entries()) {
    const file = await read(each, table, i + 1);
    if (file !== null && file.spans > 0)
      files.push({ name: file.name, format: file.format, spans: file.spans, number: i + 1 });
  }
  if (files.length === 0) return null;
  const found = spansOf(table, "files");
  table.nameTraces(found.tree);
  return { ...found, files };
}

/** `what`: of the recording that is read (core/samples/contexts.ts). */
export async function inferContexts(
  core: Core,
  traces: ReadTraces | null,
  what?: Parameters<typeof keepContexts>[2],
): Promise<void> {
  const source = traces && { ...traces, text: (index: number) => traces.spans.string(index) };
  await keepContexts(core, inference(source), what);
  core.views.divideWaits = () => divideWaits(new HeldCore(core));
}
