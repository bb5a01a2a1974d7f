/** Numbers of samples of a profile that carry a span id, a local root, and each attribute. */
import type { ProfileSummary } from "../../core/types.ts";
import { formatCount, formatCounted } from "../words/format.ts";

export interface CoverageRow {
  /** `span id`, `local root`, or an attribute's key. */
  name: string;
  samples: number;
}

/** The ids first, then attributes in the order the recording knows them. */
export function coverageRows({
  samplesWithSpan,
  samplesWithRoot,
  samplesWithAttribute,
}: ProfileSummary): CoverageRow[] {
  return [
    { name: "span id", samples: samplesWithSpan },
    { name: "local root", samples: samplesWithRoot },
    ...Object.entries(samplesWithAttribute).map(([name, samples]) => ({ name, samples })),
  ];
}

/** `228 of 279 samples carry a span id`. */
export function coverageWords({ samples, samplesWithSpan }: ProfileSummary): string {
  if (samplesWithSpan === 0) return "No sample carries a span id";
  if (samplesWithSpan === samples)
    return samples === 1 ? "The sample carries a span id" : "Every sample carries a span id";
  return `${formatCount(samplesWithSpan)} of ${formatCounted(samples, "sample")} ${samplesWithSpan === 1 ? "carries" : "carry"} a span id`;
}
