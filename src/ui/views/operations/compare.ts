/** Comparison of some spans with the rest of theirs, in the Diff of a profile that can have samples of them. */
import { profileOfKind } from "../../../core/tables/kinds.ts";
import type { SpanChoice } from "../../../core/types.ts";
import type { QueryAction } from "../../../model/query/query.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";

export function compareSpans({ profile, tabs }: Pick<ViewProps, "profile" | "tabs">, spans: SpanChoice): QueryAction {
  const able = tabs.flatMap((tab) => (tab.profile !== null && hasContext(tab.profile) ? [tab.profile] : []));
  // Waits explain most slow requests.
  const first = profileOfKind(able, "wall") ?? profileOfKind(able, "cpu") ?? able[0];
  const type = able.some((each) => each.type === profile.type) ? undefined : first?.type;
  return { kind: "compare-spans", spans, ...(type !== undefined && { type }) };
}

function hasContext(profile: NonNullable<ViewProps["tabs"][number]["profile"]>): boolean {
  const { samplesWithSpan, samplesWithRoot, inferredSpan = 0, inferredRoot = 0 } = profile;
  return samplesWithSpan + samplesWithRoot + inferredSpan + inferredRoot > 0;
}
