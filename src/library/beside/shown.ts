/** Reports and pictures of a selection. Loaded with the first of them. */
import { SpanflameError } from "../../core/instance/error.ts";
import type { Filter } from "../../core/types.ts";
import { EMPTY_QUERY } from "../../model/query/query.ts";
import { nativeWords } from "../../model/recording/native-words.ts";
import { measured, usually } from "../../model/words/measure.ts";
import { type Ask, callsOf, pictureOf, reportOf } from "../../report/shown.ts";
import type { Calls } from "../../requests/calls/calls.ts";
import { directly } from "../../requests/questions/direct.ts";
import { nativeCountsOf } from "../../requests/symbols.ts";
import type { SpanRequests } from "../../requests/traces/span-requests.ts";
import type { RecordingCore, Wanted } from "../held-core.ts";
import type { PictureOptions, ReportOptions } from "../options.ts";

interface Beside {
  held: RecordingCore;
  /** Of the inputs. */
  names: readonly string[];
  spans: SpanRequests;
  calls: Calls | null;
  /** Context was inferred. */
  inferred: boolean;
}

export async function shownText(
  { held, names, spans, calls, inferred }: Beside,
  { profile, measure, filter, shape }: Wanted,
  how: ReportOptions | Required<PictureOptions>,
): Promise<string> {
  const profiles = held.profiles();
  const offered = profiles.filter(({ id, empty }) => (profile === null ? empty !== true : id === profile));
  const [first, ...others] = offered.map((each) => (profile === null ? usually(each) : measured(each, measure)));
  if (first === undefined) throw new SpanflameError("profile.missing", "the recording has no samples to show");
  const ask: Ask = directly({ held, calls, spans, profiles: held.profiles });
  const { views } = held.core;
  const time = { time: views.timeBounds(), rows: views.timeRows() };
  const overview = { ...time, profiles, files: held.core.files(), traces: spans.overview() };
  const query = { ...EMPTY_QUERY, filter, shape, inferred };
  const beside = {
    calls: async (of: Filter) => calls && callsOf(ask, of),
    native: () => nativeWords(nativeCountsOf(held)),
  };
  const job = { names, overview, query, profiles: [first, ...others], ...beside, alone: true } as const;
  const { parts } =
    "dark" in how ? await pictureOf(ask, job, how.dark) : await reportOf(ask, job, how.now ?? new Date());
  return [...parts].join("");
}
