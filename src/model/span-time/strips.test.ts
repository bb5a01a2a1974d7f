/** Marks for the bars of spans: states, times on the clock of the trace, merging; bands of pauses. */
import { expect, test } from "vitest";
import { profileSummary } from "../../../test/kit/otlp/profile.ts";
import type { ReadSample, SampleReader } from "../../core/samples/sample-reader.ts";
import type { ProfileSummary } from "../../core/types.ts";
import { BREAKDOWN } from "./breakdown.ts";
import { pauseBands, type StripsRequest, stripsOf } from "./strips.ts";

const PROFILES = ["cpu", "wall", "lock-contention:jdk.X", "alloc-samples"].map(
  (type, id): ProfileSummary =>
    profileSummary({ id, type, unit: ["cpu", "wall"].includes(type) ? "samples" : "nanoseconds" }),
);
const [CPU, WALL, LOCK, ALLOCATION] = [0, 1, 2, 3] as const;
const NO_MARKS = { start: 0n, pauses: { ...pausesOf([]), text: new Uint32Array() } };

function pausesOf(pauses: readonly [at: number, nanos: number, file: number][]) {
  return {
    at: Float64Array.from(pauses, ([at]) => at),
    nanos: Float64Array.from(pauses, ([, nanos]) => nanos),
    file: Uint32Array.from(pauses, ([, , file]) => file),
  };
}

interface Taken {
  profile: number;
  span: bigint;
  time: bigint;
  weight?: bigint;
  event?: string;
  /** The recorder's state, and the leaf of the stack. */
  state?: string;
  leaf?: string;
}

/** A reader of these samples. */
function readerOf(samples: readonly Taken[]): SampleReader {
  const reader: Pick<SampleReader, "eachOf" | "attribute" | "bitsOf"> = {
    eachOf(profiles, { span }, visit) {
      for (const [i, { profile, weight = 1n, event = "", ...rest }] of samples.entries()) {
        if (!profiles.has(profile) || !(span as bigint[]).includes(rest.span)) continue;
        const quantity = { observations: Number(weight), nanos: weight };
        visit(profile, { ...rest, ...quantity, event, set: i, stack: i, link: 0, root: 0n } as ReadSample);
      }
    },
    attribute: (set) => samples[set]?.state ?? "",
    bitsOf: (stack, of) => of(samples[stack]?.leaf ?? ""),
  };
  return reader as SampleReader;
}

function strip(samples: readonly Taken[], asked: Partial<StripsRequest> = {}): string[] {
  const spans = [
    { id: 7n, place: 0, zero: 1000n },
    { id: 8n, place: 3, zero: 900n },
    { id: 7n, place: 5, zero: 0n },
  ];
  const request = { spans, duration: 1000, profiles: PROFILES, marks: NO_MARKS, ...asked };
  const { place, at, length, part, count } = stripsOf(readerOf(samples), request);
  return [...place].map((span, i) => `${span} ${BREAKDOWN[part[i]!]} ${at[i]}+${length[i]} ×${count[i]}`);
}

test("samples have the state of their thread, and events their duration, on the clock of the trace", () => {
  expect(
    strip([
      { profile: WALL, span: 8n, time: 1000n, state: "RUNNABLE" },
      { profile: CPU, span: 7n, time: 1500n },
      { profile: WALL, span: 7n, time: 1200n, leaf: "java.lang.Thread.sleep" },
      { profile: LOCK, span: 7n, time: 1300n, weight: 50n, event: "jdk.JavaMonitorEnter" },
      { profile: LOCK, span: 7n, time: 1400n, weight: 60n, event: "jdk.JavaMonitorWait" },
      { profile: ALLOCATION, span: 7n, time: 1300n },
      { profile: CPU, span: 9n, time: 1300n },
    ]),
  ).toEqual(["0 sleep 200+0 ×1", "0 lock 300+50 ×1", "0 wait 400+60 ×1", "0 cpu 500+0 ×1", "3 runnable 100+0 ×1"]);
});

test("a sample in a pause of the collector is in that state", () => {
  const marks = { start: 1000n, pauses: { ...pausesOf([[100, 50, 0]]), text: new Uint32Array(1) } };
  expect(strip([{ profile: WALL, span: 7n, time: 1120n, state: "RUNNABLE" }], { marks })).toEqual(["0 gc 120+0 ×1"]);
});

test("marks of a state that are nearer than a thousandth of the trace are one, however many samples there are", () => {
  const samples = Array.from({ length: 5000 }, (_, i): Taken => {
    return { profile: CPU, span: 7n, time: 1000n + BigInt(i), weight: 2n };
  });
  const found = strip(samples, { duration: 1_000_000 });
  expect(found).toEqual([0, 1, 2, 3, 4].map((step) => `0 cpu ${1000 * step}+0 ×2000`));
});

test("times outside of the trace, by another clock, are at its ends", () => {
  expect(
    strip([
      { profile: CPU, span: 7n, time: 1n },
      { profile: LOCK, span: 7n, time: 1900n, weight: 5000n },
    ]),
  ).toEqual(["0 cpu 0+0 ×1", "0 lock 900+100 ×1"]);
});

test("without a span nothing is asked", () => {
  expect(strip([{ profile: CPU, span: 7n, time: 1n }], { spans: [] })).toEqual([]);
});

test("pauses are cut to the trace, on its clock, and are of their recording; those of others are left out", () => {
  const pauses = pausesOf([
    [0, 100, 0],
    [100, 50, 1],
    [300, 100, 0],
    [400, 1, 2],
    [500, 900, 0],
    [2000, 5, 0],
  ]);
  const marks = { start: 1000n, pauses: { ...pauses, text: new Uint32Array(6) } };
  const bands = pauseBands(marks, [1050n, 1000n, null], 600);
  expect([...bands.from]).toEqual([0, 100, 250, 450]);
  expect([...bands.to]).toEqual([50, 150, 350, 600]);
  expect([...bands.file]).toEqual([0, 1, 0, 0]);
});
