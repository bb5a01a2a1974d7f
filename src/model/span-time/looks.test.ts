/** Time on no thread from the looks of a sampler: samplers are made that take some threads, and the time is known. */
import { describe, expect, it } from "vitest";
import { Looks } from "./looks.ts";
import { offTime, seenOff, statedOff } from "./off-thread.ts";

const MS = 1_000_000;
const START = 1_800_000_000_000_000_000n;
const REQUEST = 7;
const OTHER = 8;

interface Sampler {
  /** A look each so many ms, over as many ms. */
  step: number;
  length: number;
  /** What each thread works for at a time: 0 for nothing, null if it is not there. */
  threads: ((ms: number) => number | null)[];
  /** Whether a look takes a thread. */
  takes?: (look: number, thread: number) => boolean;
  /** Whether threads that work for nothing are taken. */
  all?: boolean;
  /** Ms of CPU samples of the first thread, which worked for the request. */
  cpu?: number[];
  /** Ms of more wall samples of it. */
  more?: number[];
}

function sampled({ step, length, threads, takes = () => true, all = false, cpu = [], more = [] }: Sampler) {
  const rows: { time: bigint; thread: number; link: number; looks?: number }[] = [];
  for (const [looks, times] of [cpu, more].entries()) {
    for (const ms of times) rows.push({ time: START + BigInt(ms * MS + 10), thread: 0, link: REQUEST, looks });
  }
  for (let look = 0; look * step < length; look++) {
    for (const [thread, works] of threads.entries()) {
      const link = works(look * step);
      if (link === null || (link === 0 && !all) || !takes(look, thread)) continue;
      rows.push({ time: START + BigInt(look * step * MS + thread * 1000), thread, link });
    }
  }
  const looks = Looks.of({
    base: START,
    at: Float64Array.from(rows, ({ time }) => Number(time - START)),
    thread: Uint32Array.from(rows, ({ thread }) => thread),
    link: Uint32Array.from(rows, ({ link }) => link),
    looks: Uint32Array.from(rows, ({ looks = 1 }) => looks),
  });
  if (looks === null) throw new Error("no looks");
  return looks;
}

/** Ms on no thread of the request, which lasts from one ms to another. */
function offOf(sampler: Sampler, from: number, to: number) {
  const looks = sampled(sampler);
  const extent = { start: START + BigInt(from * MS), end: START + BigInt(to * MS) };
  const { nano, low, high } = offTime(seenOff(looks, new Set([REQUEST]), extent, { aside: [], pauses: [] }));
  return { nano: nano / MS, low: low / MS, high: high / MS };
}

const busy = () => OTHER;
/** Works for the request in the first tenth and the last tenth of 200 ms. */
const callbacks = (ms: number) => (ms < 20 || (ms >= 180 && ms < 200) ? REQUEST : OTHER);

describe("looks of a sampler of wall time", () => {
  it("tell how long no thread worked for a request, between its callbacks", () => {
    for (const all of [false, true]) {
      const off = offOf({ step: 5, length: 1000, threads: [callbacks, busy, () => 0], all }, 0, 200);
      expect(off.low).toBeLessThan(160);
      expect(off.high).toBeGreaterThan(160);
      expect(Math.abs(off.nano - 160)).toBeLessThan(10);
      expect(off.high - off.low).toBeLessThan(100);
    }
  });

  it("say nothing against a request that is always on its thread, however few threads a look takes", () => {
    const takes = (look: number, thread: number) => (look * 7 + thread * 3) % 4 !== 0;
    for (const all of [false, true]) {
      const always = (ms: number) => (ms < 300 ? REQUEST : OTHER);
      const threads = [always, busy, busy, () => 0];
      expect(offOf({ step: 5, length: 1000, threads, takes, all }, 0, 300)).toMatchObject({ nano: 0, low: 0 });
    }
  });

  it("count where the sampler found nobody at all: it follows only threads that work for requests", () => {
    const alone = (ms: number) => (callbacks(ms) === REQUEST || ms >= 400 ? callbacks(ms) : 0);
    const off = offOf({ step: 5, length: 1000, threads: [alone] }, 0, 200);
    expect(off.nano === 0 || Math.abs(off.nano - 160) < 10).toBe(true);
    // Or the sampler did not look: between two samples of a request nobody knows.
    expect(off.low).toBe(0);
    expect(off.high).toBeGreaterThan(160);
  });

  it("claim nothing of a thread that looks left out between two samples of the request", () => {
    const starved = (ms: number) => (ms < 200 ? REQUEST : 0);
    const takes = (look: number, thread: number) => thread !== 0 || look < 4 || look > 30;
    for (const all of [false, true]) {
      const off = offOf({ step: 5, length: 1000, threads: [starved, busy, () => 0], takes, all }, 0, 200);
      expect(off).toMatchObject({ nano: 0, low: 0 });
    }
  });

  it("are fewer than a starved thread has time: CPU samples prove that it was there", () => {
    const starved = (ms: number) => (ms >= 100 && ms < 300 ? REQUEST : 0);
    const takes = (look: number, thread: number) => thread !== 0 || look < 20 || (look > 30 && look < 40) || look > 65;
    const sampler = { step: 5, length: 1000, threads: [starved, busy, () => 0], takes, all: true };
    expect(offOf(sampler, 100, 300)).toMatchObject({ nano: 0, low: 0 });
    expect(offOf(sampler, 100, 300).high).toBeGreaterThan(100);
    expect(offOf({ ...sampler, cpu: [103, 298] }, 100, 300).high).toBeLessThan(30);
  });

  it("may take a thread twice, when it has a processor again: before that it may have been there", () => {
    const late = (ms: number) => (ms >= 100 && ms < 200 ? REQUEST : 0);
    const takes = (look: number, thread: number) => thread !== 0 || look < 20 || look >= 30;
    const sampler = { step: 5, length: 1000, threads: [late, busy, () => 0], takes, all: true };
    expect(offOf(sampler, 100, 200)).toMatchObject({ nano: 0, low: 0 });
    expect(offOf({ ...sampler, more: [151] }, 100, 200)).toEqual(offOf(sampler, 100, 200));
  });

  it("are none without a step", () => {
    const one = { base: START, at: Float64Array.of(0), thread: Uint32Array.of(0), link: Uint32Array.of(1) };
    expect(Looks.of({ ...one, looks: Uint32Array.of(1) })).toBeNull();
  });
});

describe("stated activations", () => {
  it("leave the time on no thread; before the first one a thread may have been kept from its processor", () => {
    const off = statedOff(
      100,
      [
        [10, 20],
        [15, 40],
        [90, 120],
      ],
      { others: [], pauses: [[50, 55]] },
    );
    expect(offTime(off)).toMatchObject({ nano: 55, low: 45, high: 60, measured: 55 });
  });
});
