/** The observation range of each file. Files are read in sequence, so each has a contiguous range. */
import type { FileSummary, Filter } from "../types.ts";

/**
 * The range of a filter in the units of the core: ns since 1970 and numbers of observations, each start inclusive and
 * each end exclusive.
 */
export interface Window {
  from: bigint;
  to: bigint;
  first: number;
  last: number;
}

const END_OF_TIME = (1n << 64n) - 1n;
const NO_MORE = 2 ** 32 - 1;

/** Null where the filter is not about time or files. A missing file has no observations. */
export function windowOf({ time, file }: Filter, files: readonly FileSummary[]): Window | null {
  if (time === undefined && file === undefined) return null;
  const { from, to } = time ?? { from: 0n, to: END_OF_TIME };
  const { first, last } = file === undefined ? { first: 0, last: NO_MORE } : observationsOf(file, files);
  return { from, to, first, last };
}

/** Those of the first file of that name, or of all in the archive of that name. */
export function observationsOf(name: string, files: readonly FileSummary[]): { first: number; last: number } {
  let first = 0;
  let found = -1;
  for (let i = 0; i < files.length; i++) {
    const file = files[i];
    if (file === undefined) break;
    const isIn = file.name === name || file.name.startsWith(`${name}/`);
    if (found < 0 && isIn) found = i;
    if (found < 0) first += file.samples;
  }
  if (found < 0) return { first: 0, last: 0 };
  let last = first;
  for (let i = found; i < files.length; i++) {
    const file = files[i];
    // A second file of the same name counts as another file; the entries of an archive are consecutive.
    if (file === undefined || (i > found && !file.name.startsWith(`${name}/`))) break;
    last += file.samples;
  }
  return { first, last };
}
