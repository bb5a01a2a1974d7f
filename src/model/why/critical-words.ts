/** Words for what a stretch of the critical path did. */
import { PART_WORDS } from "../span-time/words.ts";
import { holderName, onWords } from "../waits/state-words.ts";
import { WAIT_PARTS } from "../waits/wait-rows.ts";
import { byDuration } from "../waits/waits.ts";
import { formatCounted, formatNanos } from "../words/format.ts";
import type { CriticalFrames } from "./critical-frames.ts";
import { shortFunction } from "./sentence.ts";

/** A wait tells a stretch from this share on. */
const LEAST_WAIT = 0.5;

/** `lock 8.1 ms for Stock, held by POST /reindex (request 0x…)`, `CPU in Pricing.total (3 of 4 samples)`, or "". */
export function criticalWords({ from, to, samples, hottest, wait }: CriticalFrames): string {
  const length = Number(to - from);
  if (wait !== null && (hottest === null || wait.nanos >= LEAST_WAIT * length)) {
    const [longest] = wait.of.held.toSorted(byDuration);
    const part = WAIT_PARTS[wait.of.kind];
    const held = longest === undefined ? "" : `, held by ${holderName(longest)}${longest.certain ? "" : " (likely)"}`;
    return `${part === undefined ? wait.of.kind : PART_WORDS[part].name} ${formatNanos(wait.nanos)}${onWords(wait.of)}${held}`;
  }
  if (hottest === null) return "";
  const where = hottest.function === "" ? "" : ` in ${shortFunction(hottest.function)}`;
  return `${PART_WORDS[hottest.part].name}${where} (${hottest.samples} of ${formatCounted(samples, "sample")})`;
}
