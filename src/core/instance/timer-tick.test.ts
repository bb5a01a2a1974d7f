import { describe, expect, it } from "vitest";
import * as ShortGaps from "../../../assembly/abi/short-gaps.ts";
import { tickOf } from "./timer-tick.ts";

const MILLI = 1e6;

/** Numbers from 0 to below 1, the same in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Stretches of a thread on a processor: ms of each and of the break after it, on average. */
type Load = readonly [run: number, rest: number];
const LOADS: readonly Load[] = [
  [1, 5],
  [3, 10],
  [10, 30],
  [50, 20],
  [1e6, 1],
];

interface Sampler {
  /** Ms of CPU time between two samples, and of the clock between two checks of the timer; 0 checks always. */
  interval: number;
  tick: number;
  /** Ms that a sample is late at most. */
  jitter?: number;
}

/** Times of the samples of one thread, in ms. */
function samplesOf([run, rest]: Load, { interval, tick, jitter = 0.05 }: Sampler, count: number, seed: number) {
  const next = numbers(seed);
  const random = (mean: number) => -mean * Math.log(1 - next());
  const times: number[] = [];
  let [at, cpu, due] = [random(10), 0, interval * next()];
  while (times.length < count) {
    const end = at + Math.max(0.01, random(run));
    // When the kernel checks the timer: at each tick, or exactly when it expires.
    const following = (from: number) =>
      tick === 0 ? at + Math.max(0, due - cpu) : (Math.floor(from / tick) + 1) * tick;
    for (let check = following(at); check < end && times.length < count; check = following(check)) {
      const used = cpu + check - at;
      if (used + 1e-9 < due) continue;
      times.push(check + jitter * next());
      while (due <= used + 1e-9) due += interval;
    }
    cpu += end - at;
    at = end + random(rest);
  }
  return times;
}

/** Bins of the distances of several threads. */
function binsOf(threads: readonly (readonly number[])[]): Uint32Array {
  const bins = new Uint32Array(ShortGaps.GAP_BINS);
  for (const times of threads) {
    const sorted = [...times].sort((a, b) => a - b);
    for (const [i, time] of sorted.slice(1).entries()) {
      bins[Math.min(ShortGaps.GAP_BINS - 1, Math.floor(((time - sorted[i]!) * MILLI) / ShortGaps.GAP_NANOS))]!++;
    }
  }
  return bins;
}

/** Ticks that are found, in ms, for each load: of one thread, and of many with few samples each. */
function found(sampler: Sampler): number[] {
  const ticks = LOADS.flatMap((load, i) =>
    [
      [1, 200],
      [20, 20],
    ].map(([threads = 0, count = 0]) => {
      const all = Array.from({ length: threads }, (_, t) => samplesOf(load, sampler, count, 1 + t + 100 * i));
      return tickOf(binsOf(all), sampler.interval * MILLI) / MILLI;
    }),
  );
  return [...new Set(ticks)];
}

describe("tickOf", () => {
  it.each([1, 2, 3])("finds a tick of 4 ms under an interval of %s ms", (interval) => {
    expect(found({ interval, tick: 4 })).toEqual([4]);
  });

  it("finds the other ticks of kernels", () => {
    expect(found({ interval: 2, tick: 10 })).toEqual([10]);
    expect(found({ interval: 0.5, tick: 1, jitter: 0.015 })).toEqual([1]);
    expect(found({ interval: 2, tick: 10 / 3 })).toEqual([3.333333]);
  });

  it.each([
    [5, 4],
    [10, 4],
    [10, 10],
    [20, 10],
    [4, 4],
  ])("leaves an interval of %s ms at a tick of %s ms as stated", (interval, tick) => {
    expect(found({ interval, tick })).toEqual([0]);
  });

  it.each([0.5, 1, 2, 3, 5, 9, 10, 20])("leaves exact timers of %s ms as stated, also of idle threads", (interval) => {
    expect(found({ interval, tick: 0 })).toEqual([0]);
  });

  it("concludes nothing from few samples", () => {
    const few = samplesOf([1e6, 1], { interval: 2, tick: 4 }, 100, 1);
    expect(tickOf(binsOf([few]), 2 * MILLI)).toBe(0);
    expect(tickOf(binsOf([few, few]), 2 * MILLI)).toBe(4 * MILLI);
  });

  it("needs a heap, not only that short distances are missing", () => {
    const next = numbers(7);
    const bins = new Uint32Array(ShortGaps.GAP_BINS);
    for (let i = 0; i < 2000; i++) bins[250 + Math.floor(next() * 700)]!++;
    expect(tickOf(bins, 2 * MILLI)).toBe(0);
  });
});
