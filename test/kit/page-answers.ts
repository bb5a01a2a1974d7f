/** The answers of the page in Node: a recording of the fixtures, and a trace file beside it. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { bytesSource } from "../../src/bytes/byte-source.ts";
import type { Core } from "../../src/core/core.ts";
import { readInputs } from "../../src/input/open.ts";
import { SpanRequests } from "../../src/requests/span-requests.ts";
import { inferContexts, readTraces } from "../../src/requests/trace-reading.ts";
import { Traces } from "../../src/requests/traces.ts";
import { emptyCore } from "./read-store.ts";

export interface PageAnswers {
  core: Core;
  spans: SpanRequests;
}

/** `trace`: null for none. The core is that of the tests of the file, so the answers end with the next ones. */
export async function answersOf(recording: string, trace: string | null, isInferred: boolean): Promise<PageAnswers> {
  const core = await emptyCore();
  const traces = trace === null ? [] : [{ name: basename(trace), blob: new Blob([readFileSync(trace)]) }];
  const files = await readTraces(core, traces);
  if (isInferred) await inferContexts(core, files);
  await readInputs(core, [{ name: basename(recording), source: bytesSource(readFileSync(recording)) }]);
  return { core, spans: new SpanRequests(await Traces.of(core, files.files, () => core), () => core) };
}
