/** The answers of the page in Node: a recording of the fixtures, and trace files beside it. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { bytesSource } from "../../src/bytes/byte-source.ts";
import type { Core } from "../../src/core/core.ts";
import { readInputs } from "../../src/input/open.ts";
import type { InputFile } from "../../src/requests/api/api.ts";
import { Contexts, type ReadTraces } from "../../src/requests/contexts.ts";
import { FileSource } from "../../src/requests/file-source.ts";
import { HeldCore } from "../../src/requests/held-core.ts";
import { openFiles } from "../../src/requests/open-files.ts";
import { tracesInto } from "../../src/requests/trace-reading.ts";
import { SpanRequests } from "../../src/requests/traces/span-requests.ts";
import { emptyCore } from "./core/read-store.ts";

export interface PageAnswers {
  core: Core;
  spans: SpanRequests;
}

/** `trace`: null for none. The core is that of the tests of the file, so the answers end with the next ones. */
export async function answersOf(recording: string, trace: string | null, isInferred: boolean): Promise<PageAnswers> {
  const core = await emptyCore();
  const traces = trace === null ? [] : [{ name: basename(trace), blob: new Blob([readFileSync(trace)]) }];
  const read = await readBeside(core, recording, traces, isInferred);
  return { core, spans: await SpanRequests.of(new HeldCore(core), read?.files ?? []) };
}

/** Reads a recording and trace files as the page does; the spans of the trace files. */
export async function readBeside(
  core: Core,
  recording: string,
  traces: InputFile[],
  inferred = false,
): Promise<ReadTraces | null> {
  const opened = traces.map(({ name, blob }) => ({ name, source: new FileSource(blob), opened: undefined }));
  const contexts = new Contexts({ traces: opened, readTrace: tracesInto(core), inferred });
  const source = bytesSource(readFileSync(recording));
  const recordings = () => readInputs(core, [{ name: basename(recording), source }]);
  await openFiles(core, { contexts, recordings });
  return contexts.traces;
}
