import { describe, expect, it } from "vitest";
import type { FrameFigures, FrameParams } from "../model/calls/params/params.ts";
import { callsSection, type ReportCall } from "./calls.ts";

const HOSTILE = '</details><img src=x onerror="alert(1)">\u202e';
const FIGURES: FrameFigures = { invocations: 3, total: 30_000_000n, self: 20_000_000n, suspended: 5_000_000n };
const PARAMS: FrameParams = {
  frames: FIGURES,
  params: [
    {
      name: "sql",
      stated: null,
      ...FIGURES,
      count: 3,
      signatures: 2,
      other: null,
      groups: [
        { signature: "select ?", ...FIGURES, count: 2, values: [] },
        { signature: "?", ...FIGURES, count: 1, values: [{ id: 0, text: HOSTILE, length: 9, ...FIGURES }] },
      ],
    },
  ],
};
const CALL: ReportCall = {
  id: "web/1:1:8:0",
  title: HOSTILE,
  name: "",
  thread: "http-1",
  red: true,
  start: Date.UTC(2024, 1, 3),
  duration: 1500,
  net: 1400,
  suspension: 100,
  cpu: null,
  memory: 2048,
  frames: 7,
  params: [{ name: "tenant", values: ["acme", HOSTILE] }],
};

describe("the calls of a report", () => {
  const html = callsSection({ count: 4, duration: 3000, suspension: 200, rows: [CALL], params: PARAMS });

  it("have their figures, and sums of all", () => {
    expect(html).toContain("4 calls, 3 s in all, of which 200 ms suspended. The 1 slowest:");
    expect(html).toContain("<td>1.5 s</td><td>1.4 s</td><td>100 ms</td><td></td><td>2 KiB</td><td>7</td>");
    expect(html).toContain("(failed)");
  });

  it("have parameters by signature, and single values as they are", () => {
    expect(html).toContain("sql: select ? (2 values)");
    expect(html).toContain("<td>30 ms</td><td>20 ms</td><td>15 ms</td><td>3</td>");
    expect(html).toContain("<dt><bdi>tenant</bdi></dt><dd><bdi>acme</bdi></dd>");
  });

  it("are text, whatever is in them", () => {
    expect(html).not.toContain("<img");
    expect(html).not.toContain("\u202e");
    expect(html.match(/<\/details>/g)).toHaveLength(1);
  });
});
