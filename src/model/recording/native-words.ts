/** Words about native frames that are known by address, and about the counters of a profiler. */
import { formatCount, formatCounted, formatPercent } from "../words/format.ts";

/** Counters whose names begin so are about such frames. */
const ABOUT_FRAMES = "remote_symbolication_";

export interface NativeFigures {
  frames: bigint;
  addresses: number;
  libraries: { withBuildId: number; withoutBuildId: number };
  resolved: { frames: bigint };
}

/** `2,848 at 343 addresses of 6 libraries (5 with a build id), 505 (17.7 %) have names`; "" if there are none. */
export function nativeWords({ frames, addresses, libraries, resolved }: NativeFigures): string {
  if (frames === 0n) return "";
  const { withBuildId, withoutBuildId } = libraries;
  const where = `${formatCounted(addresses, "address", "addresses")} of ${formatCounted(withBuildId + withoutBuildId, "library", "libraries")}`;
  const named = `${formatCount(resolved.frames)} (${formatPercent(resolved.frames, frames)}) have names`;
  return `${formatCount(frames)} at ${where} (${formatCount(withBuildId)} with a build id), ${named}`;
}

/** Those about native frames, then the number of the others: `libs_with_build_id 23, and 112 others`. */
export function counterWords(counters: Readonly<Record<string, number>> = {}): string {
  const all = Object.entries(counters);
  const named = all.filter(([name]) => name.startsWith(ABOUT_FRAMES));
  const others = all.length - named.length;
  const parts = named.map(([name, count]) => `${name} ${formatCount(count)}`);
  if (others > 0) parts.push(named.length === 0 ? formatCounted(others, "counter") : formatCounted(others, "other"));
  return parts.join(", ");
}
