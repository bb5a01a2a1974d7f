/** Questions about the samples of a core that reports and pictures are made of (src/report/shown.ts). */
import { rowValues } from "../core/answers/row-values.ts";
import type { Core } from "../core/core.ts";
import { outlineOf } from "../core/outline.ts";
import type { Filter, FramesRequest, ProfileSummary } from "../core/types.ts";
import type { OutlineKeys, RegroupRequest } from "../core/view-types.ts";
import { type WhyContext, why } from "../core/why.ts";
import { WHOLE, withoutRuns } from "../model/query/shape.ts";
import { nativeWords } from "../model/recording/native-words.ts";
import { summaryOf } from "../model/why/summary.ts";
import type { Query } from "./api/api.ts";
import { nativeCountsOf } from "./symbols.ts";
import type { SpanRequests, TraceRequests } from "./traces/span-requests.ts";

/** `core`: throws where the recording was closed meanwhile. */
export function shownQuestions(core: () => Core, profiles: readonly ProfileSummary[], spans: SpanRequests) {
  const look = ({ profile, measure, filter, shape = WHOLE }: Query): Core["views"] => {
    const { views } = core();
    views.choose(profile, filter, measure);
    views.shape(shape);
    return views;
  };
  const context = (): WhyContext => ({ profiles: [...profiles], marks: core().views.marks(), whole: new Map() });
  const ofTraces =
    <Name extends keyof TraceRequests>(name: Name) =>
    (...given: Parameters<TraceRequests[Name]>) =>
      spans.ask(name, given);
  return {
    totals: (query: Query) => look(query).totals(),
    frames: (query: Query, request: FramesRequest) => look(query).frames(request),
    regroup: (query: Query, request: RegroupRequest) => look(query).regroup(request),
    top: (query: Query, order: "self", offset: number, limit: number) => look(query).top(order, offset, limit),
    valuesOf: (query: Query, rows: { names: readonly string[] }) => rowValues(look(query), rows),
    outline: (filter: Filter, keys: OutlineKeys) => outlineOf(core(), profiles, filter, keys),
    why: (query: Query) => {
      look(withoutRuns(query));
      return why(core(), query, context());
    },
    story: (query: Query, own: string) => {
      look(withoutRuns(query));
      return summaryOf(core(), why, query, context(), { own });
    },
    spans: ofTraces("spans"),
    time: ofTraces("time"),
    requests: ofTraces("choiceTime"),
    operations: (most: number) => spans.ask("operations", ["p95", false, 0, most]),
    native: (isPart: boolean) => (isPart ? "" : nativeWords(nativeCountsOf(core()))),
  };
}
