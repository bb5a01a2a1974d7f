/** Questions about the samples of a core that reports and pictures are made of (src/report/shown.ts). */
import { rowValues } from "../core/answers/row-values.ts";
import { outlineOf } from "../core/outline.ts";
import type { Filter, FramesRequest, ProfileSummary } from "../core/types.ts";
import type { OutlineKeys, RegroupRequest } from "../core/view-types.ts";
import { type WhyContext, why } from "../core/why.ts";
import { withoutRuns } from "../model/query/shape.ts";
import { nativeWords } from "../model/recording/native-words.ts";
import { summaryOf } from "../model/why/summary.ts";
import type { Query } from "./api/api.ts";
import type { HeldCore } from "./held-core.ts";
import { nativeCountsOf } from "./symbols.ts";
import type { SpanRequests, TraceRequests } from "./traces/span-requests.ts";

export function shownQuestions(held: HeldCore, profiles: readonly ProfileSummary[], spans: SpanRequests) {
  const context = (): WhyContext => ({ profiles: [...profiles], marks: held.core.views.marks(), whole: new Map() });
  const ofTraces =
    <Name extends keyof TraceRequests>(name: Name) =>
    (...given: Parameters<TraceRequests[Name]>) =>
      spans.ask(name, given);
  return {
    totals: (query: Query) => held.look(query).totals(),
    frames: (query: Query, request: FramesRequest) => held.look(query).frames(request),
    regroup: (query: Query, request: RegroupRequest) => held.look(query).regroup(request),
    top: (query: Query, order: "self", offset: number, limit: number) => held.look(query).top(order, offset, limit),
    valuesOf: (query: Query, rows: { names: readonly string[] }) => rowValues(held.look(query), rows),
    outline: (filter: Filter, keys: OutlineKeys) => outlineOf(held, profiles, filter, keys),
    why: (query: Query) => {
      held.look(withoutRuns(query));
      return why(held, query, context());
    },
    story: (query: Query, own: string) => {
      held.look(withoutRuns(query));
      return summaryOf(held, why, query, context(), { own });
    },
    spans: ofTraces("spans"),
    time: ofTraces("time"),
    requests: ofTraces("choiceTime"),
    operations: (most: number) => spans.ask("operations", ["p95", false, 0, most]),
    native: (isPart: boolean) => (isPart ? "" : nativeWords(nativeCountsOf(held))),
  };
}
