import { describe, expect, it } from "vitest";
import { columnsOf } from "../../test/kit/flame.ts";
import { answerOf, subjectOf } from "../../test/kit/report-subject.ts";
import { APPLICATION, cssOf } from "../model/flame/colour.ts";
import { LOOK } from "../model/query/look.ts";
import type { QueryState } from "../model/query/query.ts";
import { flamePicture } from "./picture.ts";

const TREE = `
  - 120
    demo.Shop.run 120
      query 70
      render 30
`;

function drawn(query: Partial<QueryState> = {}, dark = false, picture = TREE) {
  const { parts, frames } = flamePicture(subjectOf(120, query), answerOf(columnsOf(picture)), dark);
  return { svg: [...parts].join(""), frames };
}

const rects = (svg: string) =>
  [...svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="17" fill="([^"]+)"\/>/g)].map(
    ([, x, y, width, fill]) => ({ x: Number(x), y: Number(y), width: Number(width), fill }),
  );

describe("the picture", () => {
  it("has a box for each frame, as wide as it weighs, children below their parent", () => {
    const { svg, frames } = drawn();
    const [all, run, query, render] = rects(svg);
    expect(frames).toBe(4);
    expect(rects(svg)).toHaveLength(4);
    expect(all?.width).toBe(1567);
    expect([query?.width, render?.width]).toEqual([
      Number(((1568 * 70) / 120 - 1).toFixed(2)),
      Number((1568 / 4 - 1).toFixed(2)),
    ]);
    expect(query?.y).toBe((run?.y ?? 0) + 18);
    expect(render?.x).toBeCloseTo(16 + (1568 * 70) / 120, 1);
    expect([...svg.matchAll(/data-value="(\d+)"/g)].map(([, value]) => Number(value))).toEqual([120, 120, 70, 30]);
  });

  it("says over the graph what it shows", () => {
    const { svg } = drawn({ filter: { span: [7n] }, search: "que<ry" });
    for (const words of ["cpu · shop.jfr", "60.0 % of the profile", "filtered: span 7", "search: /que&lt;ry/"])
      expect(svg).toContain(words);
    expect(drawn().svg).toContain("not filtered");
    expect(drawn({ grouping: "callers" }).svg).toContain("callers, from the functions on top");
  });

  it("marks what is looked for, and has colours for night", () => {
    const [, run, query] = rects(drawn({ search: "query" }).svg);
    expect(query?.fill).not.toBe(run?.fill);
    expect(drawn({}, true).svg).toContain('fill="#14171b"');
  });

  it("grows the way the page's graph does", () => {
    const look = { ...LOOK, up: true };
    const down = rects(drawn().svg);
    const up = rects(drawn({ look }).svg);
    expect(up.map(({ y }) => y)).toEqual(down.map(({ y }) => (down[0]?.y ?? 0) + (down[3]?.y ?? 0) - y));
    expect(up.map(({ x, width }) => [x, width])).toEqual(down.map(({ x, width }) => [x, width]));
  });

  it("has the page's colours, and says what they are unless something is looked for", () => {
    const look = { ...LOOK, colouring: "origin" as const, own: "demo., que<ry" };
    const { svg } = drawn({ look });
    const [, run] = rects(svg);
    expect(run?.fill).toBe(cssOf(APPLICATION, false));
    expect(svg).toContain("Coloured by origin of the code (application: demo., que&lt;ry)");
    expect(svg).toContain(`fill="${cssOf(APPLICATION, false)}" stroke="`);
    expect(drawn({ look, search: "query" }).svg).not.toContain("Coloured by");
    expect(drawn().svg).toContain("Coloured by package:");
  });

  it("asks nothing of where it is shown: no style, no script, no address but its own name", () => {
    const { svg } = drawn();
    expect(svg).not.toMatch(/<style|style=|<script|href|url\(|onload/);
    expect([...svg.matchAll(/https?:[^"]*/g)].map(([address]) => address)).toEqual(["http://www.w3.org/2000/svg"]);
  });

  it("cuts labels to their boxes by letter, wide ones by two", () => {
    const narrow = (name: string) => drawn({}, false, `\n- 100\n  wide 96\n  ${name} 4\n`).svg;
    expect(narrow("abcdefghijkl")).toContain(">abcdefg…</text>");
    expect(narrow("漢字漢字漢字漢字")).toContain(">漢字漢…</text>");
  });
});
