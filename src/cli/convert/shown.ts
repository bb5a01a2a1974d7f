/** `spanflame convert` to outputs for people: the report as one page, the graph as a picture. */

import type { Core } from "../../core/core.ts";
import { EMPTY_QUERY } from "../../model/query/query.ts";
import { nativeWords } from "../../model/recording/native-words.ts";
import { formatCounted } from "../../model/words/format.ts";
import { measured, usually } from "../../model/words/measure.ts";
import { chosenProfile, offeredProfiles } from "../../node/read.ts";
import type { ReportCalls } from "../../report/calls.ts";
import { type Ask, pictureOf, reportOf } from "../../report/shown.ts";
import type { ReadTraces } from "../../requests/contexts.ts";
import { HeldCore } from "../../requests/held-core.ts";
import { directly } from "../../requests/questions/direct.ts";
import { nativeCountsOf } from "../../requests/symbols.ts";
import { SpanRequests } from "../../requests/traces/span-requests.ts";
import { type Conversion, infers, isReport, type Writing } from "./conversion.ts";
import { Output } from "./output.ts";

/** What was written: samples of a profile, bytes of the file. */
interface Shown {
  samples: number;
  type: string;
  size: number;
}

/** What was read beside samples: trace files, and the selected calls of dumps. */
interface Beside {
  traces: ReadTraces | null;
  calls?: ReportCalls | null;
}

/** Writes a report or a picture; null where the recording has no samples at all. `names`: of its files. */
export async function writeShown(
  core: Core,
  conversion: Conversion,
  names: string[],
  { path, files }: Pick<Writing, "path" | "files">,
  { traces, calls = null }: Beside,
): Promise<Shown | null> {
  const { values, chipped } = conversion;
  const [first, ...others] = subjectsOf(core, conversion);
  if (first === undefined) return null;
  const held = new HeldCore(core);
  const spans = isReport(conversion) ? await SpanRequests.of(held, traces?.files ?? []) : SpanRequests.ofNone(held);
  const profiles = core.profiles();
  const ask: Ask = directly({ held, calls: null, spans, profiles: () => profiles });
  const { views } = core;
  const time = { time: views.timeBounds(), rows: views.timeRows() };
  const overview = { ...time, profiles, files: core.files(), traces: spans.overview() };
  const query = { ...EMPTY_QUERY, ...chipped, inferred: infers(conversion) };
  const beside = { calls: async () => calls, native: () => nativeWords(nativeCountsOf(held)) };
  const job = { names, overview, query, profiles: [first, ...others], ...beside, alone: true } as const;
  const shown = isReport(conversion) ? await reportOf(ask, job, new Date()) : await pictureOf(ask, job, false);
  const gzip = values.gzip === true || /\.gz$/i.test(path);
  const output = new Output(files.open(path), { gzip, framed: false });
  let size = 0;
  for (const part of shown.parts) size += output.text(part);
  output.close();
  const [only] = shown.profiles;
  const type = shown.profiles.length === 1 && only ? only.type : formatCounted(shown.profiles.length, "profile");
  return { samples: shown.samples, type, size };
}

/** The profile that is named; of a report without a name all. */
function subjectsOf(core: Core, conversion: Conversion) {
  const { type, event, value } = conversion.values;
  if (isReport(conversion) && type === undefined && event === undefined && value === undefined)
    return offeredProfiles(core).map(usually);
  const chosen = chosenProfile(core, conversion.values);
  return chosen === null ? [] : [measured(chosen.profile, chosen.measure)];
}
