import { describe, expect, it } from "vitest";
import { columnsOf } from "../../test/kit/chart.ts";
import { chartOf } from "../model/chart/chart.ts";
import { APPLICATION, cssOf, FOUND, QUIET, toneNumber } from "../model/flame/colour.ts";
import { type ChartSubject, chartPicture } from "./chart-picture.ts";

const COLUMNS = {
  ...columnsOf(
    [
      { name: "a.Shop.run", depth: 0, start: 0, end: 100e6 },
      { name: "a.Db.<init>", depth: 1, start: 25e6, end: 75e6, suspended: 10e6 },
      { name: "a.Idle.wait", depth: 0, start: 100e6, end: 200e6, lane: 1 },
    ],
    200e6,
    ["main", "other"],
  ),
  origin: BigInt(Date.UTC(2024, 1, 3)) * 1_000_000n,
  pauses: { from: Float64Array.of(50e6), to: Float64Array.of(60e6) },
};

function drawn(changes: Partial<ChartSubject> = {}, dark = false) {
  const tones = new Uint8Array(3).fill(toneNumber(APPLICATION));
  const window = { from: 0, to: 200e6 };
  const subject = { chart: chartOf(COLUMNS), window, title: "POST <b>", tones, found: null, ...changes };
  return [...chartPicture(subject, dark).parts].join("");
}

const boxes = (svg: string, fill: string) =>
  [...svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="17" fill="([^"]+)"/g)]
    .filter((match) => match[4] === fill)
    .map(([, x, y, width]) => [Number(x), Number(y), Number(width)]);

describe("the picture of a chart", () => {
  it("has each box at its time, in its row, and stripes over its pauses", () => {
    const svg = drawn();
    const [run, init, wait] = boxes(svg, cssOf(APPLICATION, false));
    // 1568 pixels for 200 ms; a pixel is left free between neighbours.
    expect([run![0], run![2]]).toEqual([16, 783]);
    expect([init![0], init![2]]).toEqual([16 + 196, 391]);
    expect(init![1]).toBe(run![1]! + 18);
    // The title of the second lane is between them.
    expect([wait![0], wait![1]]).toEqual([16 + 784, init![1]! + 36]);
    expect(boxes(svg, "url(#pause)")).toEqual([
      [408, run![1], 78.4],
      [408, init![1], 78.4],
    ]);
  });

  it("has its words escaped: title, time, lanes, frames", () => {
    const svg = drawn();
    for (const words of ["POST &lt;b&gt;", "2024-02-03 00:00:00.000 UTC · 200 ms", ">main<", ">other<", "+0:00.04"])
      expect(svg).toContain(words);
    expect(svg).toContain("a.Db.&lt;init&gt; · Java · from +0:00.025 · total 50 ms (25.0 %)");
    expect(svg).not.toContain("<b>");
  });

  it("has the visible part of the time, and the matches of a search", () => {
    const found = Uint8Array.of(0, 1, 0);
    const svg = drawn({ window: { from: 50e6, to: 100e6 }, found });
    expect(boxes(svg, cssOf(FOUND, false))).toEqual([[16, expect.any(Number), 783]]);
    expect(boxes(svg, cssOf(QUIET, false))[0]).toEqual([16, expect.any(Number), 1567]);
    expect(svg).toContain("+0:00.050, 50 ms of 200 ms");
  });
});
