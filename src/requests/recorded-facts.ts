/** Facts that tell what an open recording cannot show, from its samples and measurements. */
import { jvmCpuNanos } from "../core/answers/series.ts";
import type { ProfileSummary } from "../core/types.ts";
import { TRUNCATED_PATTERN } from "../model/query/truncated.ts";
import type { RecordedFacts } from "../model/recording/doubts.ts";
import { canInfer } from "../model/trace/coverage.ts";
import type { HeldCore } from "./held-core.ts";

/** `stacks`: they were read. */
export function recordedFacts(held: HeldCore, profiles: readonly ProfileSummary[], stacks = true): RecordedFacts {
  const { core } = held;
  const { views } = core;
  const files = core.files();
  const frames = [{ pattern: TRUNCATED_PATTERN }];
  const own = stacks ? profiles.filter(({ samples }) => samples > 0) : [];
  const threads = views.seriesSummary().filter(({ series }) => series === "threads");
  return {
    ...{ profiles, files, cut: new Map(own.map(({ id }) => [id, held.totals(id, { frames }).samples])) },
    canInfer: canInfer({ profiles, files, eventTypes: core.eventTypes() }),
    jvmCpuNanos: jvmCpuNanos(views.measured()),
    threads: Math.max(0, ...threads.map(({ most }) => most)),
  };
}
