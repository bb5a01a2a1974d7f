/** Numbers of samples of a profile that carry a span id, the id of a request, and each attribute. */
import type { ProfileSummary } from "../../core/types.ts";
import { formatCount, formatCounted } from "../words/format.ts";

export interface CoverageRow {
  /** `span id`, `request id`, or an attribute's key. */
  name: string;
  samples: number;
}

/** The ids first, then attributes in the order the recording knows them. */
export function coverageRows({
  samplesWithSpan,
  samplesWithRoot,
  inferredSpan = 0,
  inferredRoot = 0,
  samplesWithAttribute,
}: ProfileSummary): CoverageRow[] {
  const inferred = [
    { name: "span, inferred", samples: inferredSpan },
    { name: "request, inferred", samples: inferredRoot },
  ];
  return [
    { name: "span id", samples: samplesWithSpan },
    { name: "request id", samples: samplesWithRoot },
    ...inferred.filter(({ samples }) => samples > 0),
    ...Object.entries(samplesWithAttribute).map(([name, samples]) => ({ name, samples })),
  ];
}

/** `228 of 279 samples carry a span id, 12 more have an inferred span`. */
export function coverageWords({ samples, samplesWithSpan, inferredSpan = 0 }: ProfileSummary): string {
  if (inferredSpan === 0) return recordedWords(samples, samplesWithSpan);
  if (samplesWithSpan > 0)
    return `${recordedWords(samples, samplesWithSpan)}, ${formatCount(inferredSpan)} more ${inferredSpan === 1 ? "has" : "have"} an inferred span`;
  return `${formatCount(inferredSpan)} of ${formatCounted(samples, "sample")} ${inferredSpan === 1 ? "has" : "have"} a span by inference, from their thread and time`;
}

function recordedWords(samples: number, samplesWithSpan: number): string {
  if (samplesWithSpan === 0) return "No sample carries a span id";
  if (samplesWithSpan === samples)
    return samples === 1 ? "The sample carries a span id" : "Every sample carries a span id";
  return `${formatCount(samplesWithSpan)} of ${formatCounted(samples, "sample")} ${samplesWithSpan === 1 ? "carries" : "carry"} a span id`;
}
