/** How long the requests of each endpoint took: the figures of the explorer, of Overview and of Operations. */
import { useMemo } from "react";
import type { RankBy } from "../../../core/types.ts";
import { ENDPOINT_KEYS } from "../../../model/lists/request-keys.ts";
import type { Measured } from "../../../model/words/measure.ts";
import type { EndpointRow } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer } from "../answers/use-answer.ts";

/** Null for values that are no endpoints, and until it is known. Another profile may be that of another recording. */
export function useEndpointTimes(by: RankBy | null, profile: Measured): EndpointRow[] | null {
  const isAsked = by?.kind === "attribute" && ENDPOINT_KEYS.includes(by.key) && profile.exact !== "calls";
  const question = useMemo(() => (isAsked ? { profile } : null), [isAsked, profile]);
  const answered = useAnswer(question, () => viewer.ofTraces("endpointTimes"), true);
  return isAsked ? (answered?.answer ?? null) : null;
}
