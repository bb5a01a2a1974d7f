import { describe, expect, it } from "vitest";
import { profileSummary } from "../../../test/kit/otlp/profile.ts";
import { NO_CAUSES } from "../why/causes.ts";
import type { WhySummary } from "../why/summary.ts";
import { whyWords } from "./why-text.ts";

const PROFILE = profileSummary({ type: "wall", samples: 400 });
const TABS = [{ type: "wall", label: "Wall", about: "", profile: PROFILE, setting: "", limits: [] }];
const START = 1_700_000_000_000_000_000n;

function whyOf(part: Partial<WhySummary>): WhySummary {
  return {
    everything: false,
    totals: { samples: 40, value: 40n },
    observations: 40,
    split: [],
    top: [],
    threads: [],
    threadCount: 1,
    states: [],
    pauses: { time: { from: START, to: START + 2_000_000_000n }, samples: 0, pauses: 0, nanos: 0 },
    pausesKnown: true,
    gaps: { count: 0, nanos: 0 },
    standingOut: [],
    story: null,
    causes: NO_CAUSES,
    findings: [],
    waited: null,
    blocked: [],
    pools: null,
    ...part,
  };
}

const timeOf = (part: Partial<WhySummary>) =>
  whyWords(whyOf(part), PROFILE, TABS as never).time.map(({ name, figure }) => `${name}: ${figure}`);

describe("a selection in time", () => {
  it("has what pauses cover of it, and its samples in them", () => {
    const time = { from: START, to: START + 2_000_000_000n };
    const gaps = { count: 1, nanos: 1_200_000_000 };
    expect(timeOf({ pauses: { time, samples: 3, pauses: 2, nanos: 98_000_000 }, gaps })).toEqual([
      "Duration (first to last sample): 2 s",
      "GC pauses: 2 pauses, 98 ms, 4.9 % of that",
      "Samples in GC pauses: 3 of 40",
      "Without samples: 1 stretch, 1.2 s",
    ]);
  });

  it("says of a recording without pauses only that, and nothing of samples without a time", () => {
    expect(timeOf({ pausesKnown: false })).toEqual([
      "Duration (first to last sample): 2 s",
      "GC pauses: none recorded",
    ]);
    expect(timeOf({ everything: true }).slice(0, 1)).toEqual(["Duration (first to last sample): 2 s"]);
    expect(timeOf({ pauses: { time: null, samples: 0, pauses: 0, nanos: 0 } })).toEqual([]);
  });
});
