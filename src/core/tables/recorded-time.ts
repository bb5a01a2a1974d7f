/** Times that files state for themselves: in the headers of chunks, or in the profiles of messages. */
import type { FileSummary, TimeRange } from "../types.ts";

type Timed = Pick<FileSummary, "chunks" | "messages">;

const END_OF_TIME = (1n << 64n) - 1n;

/** When the file's recorder ran, in the order of time; null if a chunk or message states no duration. */
export function recordedRanges({ chunks, messages }: Timed): TimeRange[] | null {
  const stated = chunks.length > 0 ? chunks : messages;
  if (stated.length === 0 || stated.some(({ durationNano }) => durationNano <= 0n)) return null;
  return stated
    .map(({ startUnixNano: from, durationNano }) => ({ from, to: least(from + durationNano, END_OF_TIME) }))
    .sort((a, b) => (a.from < b.from ? -1 : 1));
}

/** The ranges, joined where they are no farther apart than `gap`. They are in the order of time. */
function joined(ranges: readonly TimeRange[], gap: bigint): TimeRange[] {
  const parts: TimeRange[] = [];
  for (const { from, to } of ranges) {
    const part = parts.at(-1);
    if (part === undefined || from - part.to > gap) parts.push({ from, to });
    else if (to > part.to) part.to = to;
  }
  return parts;
}

/** When the file's recorder ran, as parts that are separated by more time than was recorded in all. */
export function recordedParts(file: Timed): TimeRange[] | null {
  const ranges = recordedRanges(file);
  return ranges && joined(ranges, lengthOf(ranges));
}

/** Nanoseconds in which the file's recorder ran, each once, as far as they are within `time`; null if unknown. */
export function recordedNanos(file: Timed, time?: TimeRange): bigint | null {
  const ranges = recordedRanges(file);
  if (ranges === null) return null;
  const within = joined(ranges, 0n).map(({ from, to }) => ({
    from: time === undefined || time.from < from ? from : time.from,
    to: time === undefined || time.to > to ? to : time.to,
  }));
  return lengthOf(within.filter(({ from, to }) => to > from));
}

/** Begin of the file's first chunk or profile, and the time to the end of its last; 0n if it states none. */
export function recordedSpan({ chunks, messages }: Timed): { startUnixNano: bigint; durationNano: bigint } {
  let start = 0n;
  let end = 0n;
  for (const { startUnixNano, durationNano } of [...chunks, ...messages]) {
    if (startUnixNano !== 0n && (start === 0n || startUnixNano < start)) start = startUnixNano;
    if (startUnixNano + durationNano > end) end = startUnixNano + durationNano;
  }
  return { startUnixNano: start, durationNano: end - start };
}

/** From the begin of the first file to the end of the last; null if no file states its time. */
export function recordedTime(files: readonly Timed[]): TimeRange | null {
  const spans = files.map(recordedSpan).filter(({ startUnixNano }) => startUnixNano !== 0n);
  const [first, ...others] = spans.map(({ startUnixNano: from, durationNano }) => ({ from, to: from + durationNano }));
  if (first === undefined) return null;
  return others.reduce((all, { from, to }) => ({ from: least(all.from, from), to: to > all.to ? to : all.to }), first);
}

function lengthOf(ranges: readonly TimeRange[]): bigint {
  return ranges.reduce((sum, { from, to }) => sum + (to - from), 0n);
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
