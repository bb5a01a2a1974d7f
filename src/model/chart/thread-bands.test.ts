/** What threads did over time: events before samples, samples up to the next one, and pixels of any width. */
import { describe, expect, it } from "vitest";
import { profileSummary } from "../../../test/kit/otlp/profile.ts";
import type { ReadSample, SampleReader } from "../../core/samples/sample-reader.ts";
import { BREAKDOWN } from "../span-time/breakdown.ts";
import { type Bands, bandAt, NO_PART, pixelsOf, stayAround, threadBands } from "./thread-bands.ts";

const BASE = 1_700_000_000_000_000_000n;
const PROFILES = ["cpu", "wall", "lock-contention", "park"].map((type, id) =>
  profileSummary({ id, type, unit: ["cpu", "wall"].includes(type) ? "samples" : "nanoseconds" }),
);
const [CPU, WALL, LOCK, PARK] = [0, 1, 2, 3];
const MARKS = {
  start: BASE,
  pauses: { at: new Float64Array(), nanos: new Float64Array(), text: new Uint32Array(), file: new Uint32Array() },
};

type Taken = [
  profile: number,
  at: number,
  nanos: number,
  more?: { state?: string; thread?: number; link?: number; frames?: string[] },
];

function bandsOf(taken: readonly Taken[]): Bands {
  const reader: Pick<SampleReader, "eachOf" | "attribute" | "bitsOf"> = {
    eachOf(profiles, _, visit) {
      for (const [set, [profile, at, nanos, { thread = 1, link = 0 } = {}]] of taken.entries()) {
        const sample = { time: BASE + BigInt(at), nanos: BigInt(nanos), thread, link, set, stack: set };
        if (profiles.has(profile)) visit(profile, { ...sample, event: "", observations: 1 } as ReadSample);
      }
    },
    attribute: (set) => taken[set]?.[3]?.state ?? "",
    bitsOf: (stack, of) => (taken[stack]?.[3]?.frames ?? []).reduce((bits, name) => bits | of(name), 0),
  };
  const asked = { profiles: PROFILES, marks: MARKS, filter: {}, threads: new Set([1]), base: BASE };
  return threadBands(reader as SampleReader, asked).get(1)!;
}

/** `park 10-20!`: part and times; `!` where an event states it. */
const words = ({ from, to, part, measured }: Bands) =>
  [...from].map((start, i) => `${BREAKDOWN[part[i]!]} ${start}-${to[i]}${measured[i] === 1 ? "!" : ""}`);

describe("bands of a thread", () => {
  it("are events, between them CPU samples, and wall samples in the rest", () => {
    const bands = bandsOf([
      [WALL, 0, 10, { state: "RUNNABLE" }],
      [WALL, 10, 10, { state: "SLEEPING" }],
      [WALL, 30, 10, { state: "RUNNABLE" }],
      [CPU, 32, 5],
      [LOCK, 5, 20],
    ]);
    const expected = ["runnable 0-5", "lock 5-25!", "runnable 30-32", "cpu 32-37", "runnable 37-40"];
    expect(words(bands)).toEqual(expected);
  });

  it("reach a sample that is late by less than half a period, in any order of reading", () => {
    const [late, gone] = [14, 60].map((next) =>
      bandsOf([
        [WALL, next, 10],
        [WALL, 0, 10],
      ]),
    );
    expect(words(late!)).toEqual(["running 0-14", "running 14-24"]);
    expect(words(gone!)).toEqual(["running 0-10", "running 60-70"]);
  });

  it("are idle where a thread waits for its next task, whatever it calls for that", () => {
    const frames = ["jdk.internal.misc.Unsafe.park", "java.util.concurrent.ThreadPoolExecutor.getTask"];
    const bands = bandsOf([
      [PARK, 0, 10, { frames }],
      [PARK, 10, 10, { frames: frames.slice(0, 1) }],
    ]);
    expect(words(bands)).toEqual(["idle 0-10!", "park 10-20!"]);
  });

  it("do not overlap where events do, and have those of their thread alone", () => {
    const bands = bandsOf([
      [PARK, 0, 100],
      [LOCK, 40, 20],
      [PARK, 0, 100, { thread: 2 }],
    ]);
    expect(words(bands)).toEqual(["park 0-40!", "lock 40-60!", "park 60-100!"]);
  });

  it("remember when their event began, and the request", () => {
    const { at, link } = bandsOf([
      [LOCK, 0, 10, { link: 3 }],
      [WALL, 5, 10, { link: 4 }],
    ]);
    expect([...at]).toEqual([0, 5]);
    expect([...link]).toEqual([3, 4]);
  });
});

describe("pixels", () => {
  const bands = bandsOf([
    [PARK, 0, 100, { link: 1 }],
    [LOCK, 100, 300, { link: 2 }],
    [PARK, 900, 1],
  ]);
  const states = ({ part }: { part: Uint8Array }) =>
    Array.from(part, (each) => (each === NO_PART ? "-" : BREAKDOWN[each]));

  it("have the state that took most of their time, and how much of it is known", () => {
    const pixels = pixelsOf(bands, 0, 1000, 2);
    expect(states(pixels)).toEqual(["lock", "park"]);
    expect([...pixels.density].map((share) => Number(share.toFixed(3)))).toEqual([0.8, 0.002]);
    expect([...pixels.link]).toEqual([2, 0]);
  });

  it("keep the shortest band over hours, and have each nanosecond of a narrow time", () => {
    const hours = 3_600_000_000_000 * 5;
    expect(states(pixelsOf(bands, 0, hours, 4))).toEqual(["lock", "-", "-", "-"]);
    expect(states(pixelsOf(bands, 899, 902, 3))).toEqual(["-", "park", "-"]);
    expect(states(pixelsOf(bands, 98, 102, 4))).toEqual(["park", "park", "lock", "lock"]);
    expect(states(pixelsOf(bands, 2000, 3000, 2))).toEqual(["-", "-"]);
  });
});

describe("the band at a moment", () => {
  const bands = bandsOf([
    [WALL, 0, 10],
    [WALL, 10, 10],
    [LOCK, 40, 10],
  ]);

  it("is the one around it, else the nearest within reach", () => {
    expect([0, 10, 22, 37, 30, 45].map((moment) => bandAt(bands, moment, 4))).toEqual([0, 1, 1, 2, -1, 2]);
  });

  it("is one stay with the samples beside it in the same state", () => {
    expect(stayAround(bands, 1)).toEqual({ from: 0, to: 20, rows: 2 });
    expect(stayAround(bands, 2)).toEqual({ from: 40, to: 50, rows: 1 });
  });
});
