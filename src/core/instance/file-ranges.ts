/** The observation range of each file. Files are read in sequence, so each has a contiguous range. */
import type { FileSummary, Filter, TimeRange } from "../types.ts";

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

/** What was read. */
interface Read {
  files: readonly FileSummary[];
  /** Of the observations with a time; the first is above the last without any. */
  wasm: {
    earliest: { value: bigint };
    latest: { value: bigint };
    /** The selection has parts of waits, which have other numbers than the waits (assembly/store/held/divided.ts). */
    hasCopies: { value: number | boolean };
    copyFrom(observation: number): number;
  };
}

/**
 * Null where the filter is not about time or files. A missing file has no observations. Where no observation has a
 * time, a range of time has those of the messages that it contains.
 */
export function windowOf({ time, file }: Filter, { files, wasm }: Read): Window | null {
  if (time === undefined && file === undefined) return null;
  const own = file === undefined ? { first: 0, last: NO_MORE } : observationsOf(file, files);
  if (file !== undefined && wasm.hasCopies.value)
    [own.first, own.last] = [wasm.copyFrom(own.first) >>> 0, wasm.copyFrom(own.last) >>> 0];
  if (time === undefined || hasTimes(wasm)) return { ...(time ?? ALWAYS), ...own };
  const { first, last } = observationsWithin(time, files);
  return { ...ALWAYS, first: Math.max(first, own.first), last: Math.max(first, Math.min(last, own.last)) };
}

const ALWAYS = { from: 0n, to: END_OF_TIME };

/** Whether some observation has a time. */
export function hasTimes({ earliest, latest }: Read["wasm"]): boolean {
  return BigInt.asUintN(64, earliest.value) <= BigInt.asUintN(64, latest.value);
}

/** Of the messages within a range of time, which follow each other; none where others are between them. */
function observationsWithin({ from, to }: TimeRange, files: readonly FileSummary[]): { first: number; last: number } {
  const found = { first: 0, last: 0 };
  let base = 0;
  for (const { messages, samples } of files) {
    let first = base;
    for (const message of messages) {
      const [start, last] = [message.startUnixNano, first + message.samples];
      const isWithin = start > 0n && start >= from && start + message.durationNano <= to && last > first;
      if (isWithin && found.last > 0 && found.last < first) return { first: 0, last: 0 };
      if (isWithin && found.last === 0) found.first = first;
      if (isWithin) found.last = last;
      first = last;
    }
    base += samples;
  }
  return found;
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
