/** Words about native libraries and files of symbols. */
import { formatCount, formatPercent } from "../../../model/words/format.ts";
import type { FileStatus, LibraryRow, LibraryStatus } from "../../../symbols/library-rows.ts";

export const LIBRARY_STATUS: Record<LibraryStatus, string> = {
  resolved: "named",
  partial: "partly named",
  missing: "no symbols",
  mismatch: "other build id",
  unusable: "no names",
  unread: "not read",
  "no-build-id": "no build id",
};

export const FILE_STATUS: Record<FileStatus, string> = {
  used: "used",
  mismatch: "other build id",
  "not-needed": "not needed by this recording",
  unreadable: "cannot be used",
  "not-elf": "no file of symbols",
};

/** Samples of all profiles. */
export function samplesOf(weights: LibraryRow["weights"]): bigint {
  return weights.reduce((sum, { samples }) => sum + samples, 0n);
}

/** `478 of 505 frames (95 %)`. */
export function framesWords(rows: readonly Pick<LibraryRow, "frames" | "resolved">[]): string {
  const all = rows.reduce((sum, { frames }) => sum + frames, 0n);
  const named = rows.reduce((sum, { resolved }) => sum + resolved.frames, 0n);
  return `${formatCount(named)} of ${formatCount(all)} frames (${formatPercent(named, all)})`;
}
