/**
 * Windows of observations without a time: each was taken while its message was recorded, or else its file. Its row has
 * the begin of the window as `time`, and the end as `time_end`. Both are on one date: rows are asked, and removed, by
 * dates.
 */
import { recordedSpan } from "../../core/tables/recorded-time.ts";
import type { FileSummary } from "../../core/types.ts";
import type { Observations } from "./observations.ts";

/** Of observations [first, last) of a core. Nanoseconds since 1970; the end is exclusive. */
export interface Window {
  first: number;
  last: number;
  from: bigint;
  to: bigint;
}

const NANOS_OF_MICRO = 1000n;
const DAY = 86_400_000_000_000n;

type Files = readonly Pick<FileSummary, "chunks" | "messages" | "samples">[];

/** Windows of files whose observations begin with `first`. What states no begin has none. */
export function windowsOf(files: Files, first: number): Window[] {
  const found: Window[] = [];
  let end = first;
  for (const file of files) {
    const span = recordedSpan(file);
    let next = end;
    end += file.samples;
    for (const { samples, startUnixNano, durationNano } of file.messages)
      add(samples, startUnixNano === 0n ? span : { startUnixNano, durationNano });
    add(end - next, span);

    function add(samples: number, { startUnixNano: from, durationNano }: typeof span): void {
      const [first, last] = [next, Math.min(end, next + samples)];
      next = last;
      // A moment is a window, too.
      const to = from + (durationNano > NANOS_OF_MICRO ? durationNano : NANOS_OF_MICRO);
      const midnight = from - (from % DAY) + DAY;
      if (from !== 0n && first < last) found.push({ first, last, from, to: to < midnight ? to : midnight });
    }
  }
  return found;
}

/** Windows of the observations of a core. */
export class Windows {
  readonly list: readonly Window[];
  /** By observation: the number of its window, from 1 on; 0 for none. */
  readonly numbers: Uint32Array;

  constructor(list: readonly Window[], { time, rows }: Observations) {
    this.list = list;
    const numbers = new Uint32Array(rows);
    for (const [i, { first, last }] of list.entries())
      for (let row = first; row < last; row++) if ((time[2 * row]! | time[2 * row + 1]!) === 0) numbers[row] = i + 1;
    this.numbers = numbers;
  }

  of(observation: number): Window | undefined {
    return this.list[this.numbers[observation]! - 1];
  }

  /** Begins and ends by number, in microseconds; 0 for none. A window has all of its first and its last one. */
  micros(): { from: Uint32Array; to: Uint32Array } {
    const words = (micros: bigint[]) => new Uint32Array(BigInt64Array.from([0n, ...micros]).buffer);
    return {
      from: words(this.list.map(({ from }) => from / NANOS_OF_MICRO)),
      to: words(this.list.map(({ to }) => (to + NANOS_OF_MICRO - 1n) / NANOS_OF_MICRO)),
    };
  }
}
