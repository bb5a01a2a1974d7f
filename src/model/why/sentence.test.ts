import { describe, expect, it } from "vitest";
import type { Why } from "../../core/view-types.ts";
import type { BreakdownName, BreakdownPart } from "../span-time/breakdown.ts";
import { shortFunction, type ToldTime, toldTime, whySentence } from "./sentence.ts";
import { isOfRequests, type Peers, type Story } from "./story.ts";

const MS = 1_000_000n;

function whyOf(part: Partial<Why> = {}): Why {
  return {
    everything: false,
    totals: { samples: 60, value: 60n },
    observations: 60,
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
    kind: "wall",
    isOnCpu: false,
    onCpu: null,
    samples: 60,
    totals: { samples: 60, value: 60n },
    aside: { samples: 0, value: 0n },
    nanos: null,
    parts: PARTS,
    ofStates: PARTS,
    inLibraries: false,
    states: [],
    peers: PEERS,
    peerFilter: {},
    ...part,
  };
}

describe("the sentence of a selection", () => {
  it("has the hot paths, the pauses and the other requests", () => {
    expect(whySentence(whyOf(), storyOf())).toBe(
      "71.0 % running or ready to run in Ops$Pricing.compute, 12.0 % asleep in Shop.checkout → Ops$Db.query, " +
        "GC pauses for 4.0 % of the time. " +
        "Other POST /checkout requests (11): median ≥ 115 ms.",
    );
  });

  it("tells what differs most from the other requests", () => {
    const difference = { name: "demo.Ops$Pricing.compute", share: 0.71, otherShare: 0.4 };
    expect(whySentence(whyOf(), storyOf({ peers: { ...PEERS, medianNanos: null, difference } }))).toMatch(
      /Other POST \/checkout requests \(11\): too few for a median, 40\.0 % in Ops\$Pricing\.compute where this one has 71\.0 %\.$/,
    );
  });

  it("ranks nothing with few samples", () => {
    expect(whySentence(whyOf({ pausesKnown: false }), storyOf({ samples: 4 }))).toBe(
      "Only 4 samples: too few to rank. Other POST /checkout requests (11): median ≥ 115 ms.",
    );
  });

  it("states that little time is in application code", () => {
    expect(whySentence(whyOf({ pausesKnown: false }), storyOf({ parts: [], inLibraries: true, peers: null }))).toBe(
      "Few samples are in application code: set your packages under View.",
    );
  });

  it("states that no function is hot", () => {
    const parts: Story["parts"] = [{ name: "a.B.c", caller: "", state: "running", share: 0.009 }];
    expect(whySentence(whyOf({ pausesKnown: false }), storyOf({ parts, peers: null }))).toBe(
      "No function of the application has 1 %.",
    );
  });

  it("has the whole recording's length as it is, and nothing of times that are unknown", () => {
    expect(whySentence(whyOf({ everything: true, pausesKnown: false }), null)).toBe("414 ms.");
    // Beside its parts the page has the length of the recording, which is not that of its samples.
    expect(whySentence(whyOf({ everything: true, pausesKnown: false }), storyOf({ peers: null }))).toMatch(
      /^71\.0 % running/,
    );
    const pauses = { time: null, samples: 0, pauses: 0, nanos: 0 };
    expect(whySentence(whyOf({ pauses }), storyOf({ peers: null, parts: PARTS.slice(0, 1) }))).toBe(
      "71.0 % running or ready to run in Ops$Pricing.compute.",
    );
  });

  it("makes names from the recording safe to show", () => {
    const parts: Story["parts"] = [{ name: "a.B\u202e.c", caller: "", state: "other", share: 1 }];
    expect(whySentence(whyOf({ pausesKnown: false }), storyOf({ parts, peers: null }))).toContain("in B\\u202e.c");
  });
});

describe("the sentence of requests", () => {
  const part = (name: BreakdownName, ms: number, low = ms): BreakdownPart => {
    return { part: name, nano: BigInt(ms) * MS, low: BigInt(low) * MS, high: 300n * MS, measured: 0n, samples: 9 };
  };
  const timeOf = (how: Partial<ToldTime> = {}): ToldTime => ({
    ...{ requests: 1, counted: 1, duration: 249_000_000, source: "files", unknownRoots: 0 },
    breakdown: [part("cpu", 30), part("runnable", 187), part("sleep", 32)],
    rest: { counted: 2, of: "operation", breakdown: [part("runnable", 70)] },
    ...how,
  });
  const story = storyOf({ peers: null, onCpu: { name: "demo.Ops$Pricing.compute", caller: "" } });

  it("has the parts of their time, and calls only what CPU samples prove the processor's", () => {
    expect(whySentence(whyOf(), story, timeOf())).toBe(
      "249 ms: 75.1 % ready to run but without a processor in Ops$Pricing.compute (others 35 ms), " +
        "12.9 % asleep in Shop.checkout → Ops$Db.query, " +
        "12.0 % on CPU in Ops$Pricing.compute.",
    );
    const chance = [part("runnable", 249, 0)];
    expect(whySentence(whyOf(), story, timeOf({ breakdown: chance, rest: null }))).toBe(
      "249 ms: 100 % running or ready to run in Ops$Pricing.compute.",
    );
  });

  it("compares with others only where their samples tell", () => {
    const others = (...breakdown: BreakdownPart[]) =>
      whySentence(whyOf(), story, timeOf({ rest: { counted: 2, of: "operation", breakdown } }));
    expect(others(part("unsampled", 500))).not.toContain("others");
    expect(others(part("runnable", 10), part("unsampled", 400))).not.toContain("others");
    expect(others(part("cpu", 500))).toContain("(others 0 ns)");
    expect(others(part("runnable", 70), part("unsampled", 20))).toContain("(others 35 ms)");
  });

  it("states what their duration is of", () => {
    const breakdown = [part("running", 200), part("gc", 4), part("lock", 10), part("unsampled", 35)];
    const first = (how: Partial<ToldTime>) => whySentence(whyOf(), story, timeOf({ breakdown, rest: null, ...how }));
    expect(first({ source: "roots" })).toBe(
      "≥ 249 ms: 80.3 % running or ready to run in Ops$Pricing.compute, 14.1 % not sampled, 1.6 % GC pauses.",
    );
    expect(first({ isSpan: true })).toMatch(/^249 ms with its child spans: /);
    expect(first({ requests: 3, counted: 3 })).toMatch(/^3 requests of 83 ms on average: 80\.3 % /);
  });

  it("begins with the largest part, and has the function of each that one is known of", () => {
    const breakdown = [part("sleep", 60), part("unknown", 40), part("gc", 120), part("socket", 29)];
    const causes = { waits: [], waited: 0, allocates: { name: "demo.Json.text", caller: "demo.Json.render" } };
    const told = (more: Partial<Story>) =>
      whySentence({ ...whyOf(), causes }, storyOf({ peers: null, ...more }), timeOf({ breakdown, rest: null }));
    expect(told({})).toBe(
      "249 ms: 48.2 % GC pauses, most allocated in Json.render → Json.text, 24.1 % asleep in Shop.checkout → Ops$Db.query, " +
        "11.6 % reading or writing.",
    );
    // A wait of no known kind is told with its function.
    const ofStates: Story["parts"] = [{ name: "demo.Json.grow", caller: "", state: "waiting", share: 0.2 }];
    expect(told({ ofStates })).toContain("24.1 % asleep, 16.1 % in another wait in Json.grow.");
    expect(whySentence(whyOf(), null, timeOf({ breakdown: [part("unknown", 249)], rest: null }))).toBe(
      "249 ms: 100 % in another wait.",
    );
  });

  it("has what events state, however few samples there are", () => {
    const lock = { ...part("lock", 200), measured: 200n * MS };
    const breakdown = [lock, part("sleep", 49, 2)];
    const wait = {
      state: "blocked" as const,
      profile: 2,
      name: "demo.Tax.rate",
      caller: "demo.Bill.pay",
      nanos: 2e8,
      threads: 1,
    };
    const causes = { waits: [wait], waited: 2e8, allocates: null };
    const few = storyOf({ samples: 3, peers: null });
    expect(whySentence({ ...whyOf(), causes }, few, timeOf({ breakdown, rest: null }))).toBe(
      "249 ms: 80.3 % blocked in Bill.pay → Tax.rate. Only 3 samples: too few to rank the rest.",
    );
    expect(whySentence({ ...whyOf(), causes }, null, timeOf({ breakdown, rest: null }))).toMatch(
      /^249 ms: 80\.3 % blocked in Bill\.pay → Tax\.rate, 19\.7 % asleep\.$/,
    );
  });

  it("is that of selections of whole requests", () => {
    const filters = [
      { localRoot: 1n },
      { span: [1n, 2n], rawNames: true },
      { spans: {} },
      {},
      { localRoot: 1n, not: {} },
    ];
    expect(filters.map(isOfRequests)).toEqual([true, true, true, false, false]);
    expect(toldTime({ localRoot: 1n }, timeOf())).toMatchObject({ requests: 1, isSpan: false });
    expect(toldTime({ localRoot: [1n, 2n] }, timeOf({ unknownRoots: 1 }))).toBeNull();
  });
});

it("says of CPU samples that they were on a processor", () => {
  expect(whySentence(whyOf(), storyOf({ isOnCpu: true, peers: null }))).toContain(
    "71.0 % on CPU in Ops$Pricing.compute",
  );
});

it("short names have class and method", () => {
  expect(shortFunction("com.acme.shop.Cart.total")).toBe("Cart.total");
  expect(shortFunction("total")).toBe("total");
});
