import { describe, expect, it } from "vitest";
import type { Why } from "../../core/view-types.ts";
import { roundPercent, shortFunction, whySentence } from "./sentence.ts";
import type { Peers, Story } from "./story.ts";

const MS = 1_000_000n;

function whyOf(part: Partial<Why> = {}): Why {
  return {
    everything: false,
    totals: { samples: 60, value: 60n },
    split: [],
    top: [],
    threads: [],
    threadCount: 1,
    states: [],
    pauses: { time: { from: 0n, to: 414n * MS }, samples: 0, pauses: 1, nanos: 16_560_000 },
    pausesKnown: true,
    gaps: { count: 0, nanos: 0 },
    standingOut: [],
    ...part,
  };
}

const PARTS: Story["parts"] = [
  { name: "demo.Ops$Pricing.compute", caller: "", state: "running", share: 0.71 },
  { name: "demo.Ops$Db.query", caller: "demo.Shop.checkout", state: "asleep", share: 0.12 },
  { name: "demo.Ops$Rank.sort", caller: "", state: "blocked", share: 0.04 },
];
const PEERS: Peers = {
  key: "trace endpoint",
  value: "POST /checkout",
  requests: 11,
  medianNanos: 115_000_000,
  difference: null,
};

function storyOf(part: Partial<Story> = {}): Story {
  return {
    profile: 1,
    samples: 60,
    parts: PARTS,
    inLibraries: false,
    states: [],
    peers: PEERS,
    peerFilter: {},
    ...part,
  };
}

describe("the sentence of a selection", () => {
  it("has the extent, the hot paths, the pauses and the other requests", () => {
    expect(whySentence(whyOf(), storyOf())).toBe(
      "≥ 414 ms: 71 % in Ops$Pricing.compute (CPU), 12 % asleep in Shop.checkout → Ops$Db.query, 4 % GC pauses. " +
        "Other POST /checkout requests (11): median ≥ 115 ms.",
    );
  });

  it("tells what differs most from the other requests", () => {
    const difference = { name: "demo.Ops$Pricing.compute", share: 0.71, otherShare: 0.4 };
    expect(whySentence(whyOf(), storyOf({ peers: { ...PEERS, medianNanos: null, difference } }))).toMatch(
      /Other POST \/checkout requests \(11\): too few for a median, 40 % in Ops\$Pricing\.compute where this one has 71 %\.$/,
    );
  });

  it("ranks nothing with few samples", () => {
    expect(whySentence(whyOf({ pausesKnown: false }), storyOf({ samples: 4 }))).toBe(
      "≥ 414 ms. Only 4 samples: too few to rank. Other POST /checkout requests (11): median ≥ 115 ms.",
    );
  });

  it("states that little time is in application code", () => {
    expect(whySentence(whyOf({ pausesKnown: false }), storyOf({ parts: [], inLibraries: true, peers: null }))).toBe(
      "≥ 414 ms. Few samples are in application code: set your packages under View.",
    );
  });

  it("states that no function is hot", () => {
    const parts: Story["parts"] = [{ name: "a.B.c", caller: "", state: "running", share: 0.009 }];
    expect(whySentence(whyOf({ pausesKnown: false }), storyOf({ parts, peers: null }))).toBe(
      "≥ 414 ms. No function of the application has 1 %.",
    );
  });

  it("has the whole recording's length as it is, and nothing of times that are unknown", () => {
    expect(whySentence(whyOf({ everything: true, pausesKnown: false }), null)).toBe("414 ms.");
    const pauses = { time: null, samples: 0, pauses: 0, nanos: 0 };
    expect(whySentence(whyOf({ pauses }), storyOf({ peers: null, parts: PARTS.slice(0, 1) }))).toBe(
      "71 % in Ops$Pricing.compute (CPU).",
    );
  });

  it("makes names from the recording safe to show", () => {
    const parts: Story["parts"] = [{ name: "a.B\u202e.c", caller: "", state: "other", share: 1 }];
    expect(whySentence(whyOf({ pausesKnown: false }), storyOf({ parts, peers: null }))).toContain("in B\\u202e.c");
  });
});

it("short names have class and method", () => {
  expect(shortFunction("com.acme.shop.Cart.total")).toBe("Cart.total");
  expect(shortFunction("total")).toBe("total");
});

it("percents are whole from one percent on", () => {
  expect([0.714, 0.01, 0.004, 0.0004, 0].map(roundPercent)).toEqual(["71 %", "1 %", "0.4 %", "<0.1 %", "0 %"]);
});
