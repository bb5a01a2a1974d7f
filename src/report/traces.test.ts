/** The trace of a report: escaped texts, no inline styles, and all spans up to the limit. */
import { describe, expect, it } from "vitest";
import { REPORT_SPANS, type ReportTrace, type ReportTraces, timeSections, tracesSection } from "./traces.ts";

const HOSTILE = '</table><img src=x onerror="alert(1)">\u202e';

function traceOf(count: number): ReportTrace {
  const zeros = () => new Uint32Array(count);
  const times = (value: number) => new Float64Array(count).fill(value);
  return {
    trace: "0".repeat(32),
    name: HOSTILE,
    service: HOSTILE,
    resource: "",
    start: 0n,
    duration: 1_000_000,
    spans: count,
    errors: 1,
    depth: zeros().map((_, i) => Math.min(i, 1)),
    from: times(0),
    length: times(500_000),
    self: times(500_000),
    critical: times(1),
    nameOf: zeros(),
    resourceOf: zeros(),
    serviceOf: zeros(),
    texts: [HOSTILE],
    status: new Uint8Array(count).fill(2),
    profiles: [{ samples: times(3), inferred: times(1) }],
  };
}

const OF = {
  time: {
    name: HOSTILE,
    duration: 1_000_000,
    samples: 3,
    inferredSamples: 2,
    breakdown: [{ part: "cpu" as const, nano: 1_000_000n, low: 5n, high: 1_000_000n, measured: 0n, samples: 3 }],
  },
  operations: { of: "requests" as const, source: "files" as const, count: 0, rows: [] },
  coverage: [{ type: HOSTILE, samples: 4, own: 1, inferred: 2 }],
  inferredBy: { scope: 2, trace: 0, neighbours: 0 },
};

const LONGEST = { operation: HOSTILE, service: HOSTILE, start: 0n, duration: 7_000, id: 11n };

const written = (traces: ReportTraces) => timeSections(traces) + tracesSection(traces);

describe("the trace of a report", () => {
  const html = written({ ...OF, trace: traceOf(2) });

  it("escapes every text and has no inline style", () => {
    expect(html).not.toContain("<img");
    expect(html).not.toContain("\u202e");
    expect(html).not.toContain("style=");
  });

  it("has the waterfall, the parts with their intervals, and coverage before and after", () => {
    expect(html.match(/<rect /g)).toHaveLength(2);
    expect(html).toContain("<td>5 ns – 1 ms</td>");
    expect(html).toContain("<td>25.0 %</td><td>75.0 %</td>");
    expect(html).toContain("2 by scope");
    expect(html).toContain("<td>3 (1 inferred)</td>");
    expect(html).toContain("5 samples, 2 of them inferred");
  });

  it("has so many spans at most", () => {
    const many = tracesSection({ ...OF, trace: traceOf(REPORT_SPANS + 5) });
    expect(many.match(/<rect /g)).toHaveLength(REPORT_SPANS);
    expect(many).toContain(`The first ${REPORT_SPANS}:`);
  });
});

describe("the time of requests", () => {
  it("is beside that of the others, with escaped names", () => {
    const [cpu] = OF.time.breakdown;
    if (cpu === undefined) throw new Error("no part");
    const rest = { breakdown: [{ ...cpu, nano: 300_000n }], counted: 3 };
    const requests = { ...OF.time, source: "files" as const, requests: 1000, counted: 2, rest, longest: [LONGEST] };
    const html = written({ ...OF, requests, trace: null, time: null });
    expect(html).toContain("Where the time of the requests went");
    expect(html).toContain("1,000 requests, of which 2, spread evenly, are counted");
    expect(html).toMatch(/500 µs.*100 µs/s);
    expect(html).toContain("The longest 1 of 1,000.");
    expect(html).toContain("000000000000000b");
    expect(html).not.toContain("<img");
    expect(html).not.toContain("<img");
    expect(written({ ...OF, trace: null, time: null })).not.toContain("of the requests");
  });
});
