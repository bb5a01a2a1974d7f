import { beforeEach, describe, expect, it } from "vitest";
import { columnsOf } from "../../../test/kit/flame.ts";
import { LOOK } from "../query/look.ts";
import { classOf } from "./frame-classes.ts";
import { isInRow, legendOf, shareWords } from "./legend.ts";
import { forgetRoots } from "./package-roots.ts";

const PICTURE = `
  - 100
    java.lang.Thread.run 90
      org.apache.tomcat.Worker.run 50
        shop.Cart.total 40
      shop.Cart.rest 30
    com.acme.deep.Main.main 6
`;

function drawing() {
  const columns = columnsOf(PICTURE);
  columns.self.set([0, 10, 10, 40, 30, 6]);
  columns.hiddenValue[0] = 4;
  return columns;
}

const figures = (rows: ReturnType<typeof legendOf>) => rows.map(({ label, value }) => `${label} ${value}`);

beforeEach(forgetRoots);

describe("the legend", () => {
  it("has families first, and the application's package roots below it", () => {
    const rows = legendOf(drawing(), LOOK, false);
    expect(figures(rows)).toEqual(["Application 76", "shop 70", "com.acme 6", "Libraries 10", "JDK 10", "Hidden 4"]);
    expect(rows.filter(({ isPart }) => isPart).map(({ label }) => label)).toEqual(["shop", "com.acme"]);
  });

  it("says how many samples have such a frame, each counted once", () => {
    const rows = legendOf(drawing(), LOOK, false);
    expect(rows.map(({ label, total }) => `${label} ${total}`)).toEqual([
      "Application 76",
      "shop 70",
      "com.acme 6",
      "Libraries 50",
      "JDK 90",
      "Hidden 4",
    ]);
    expect(shareWords({ total: 0, value: 0 }, 0)).toBe("");
    expect(rows.map((row) => shareWords(row, 100)).slice(2, 4)).toEqual(["6.0 %", "50.0 % (self 10.0 %)"]);
    const nested = columnsOf("- 10\n  shop.A.b 10\n    java.util.C.d 8\n      shop.A.e 7\n        com.acme.F.g 4");
    expect(legendOf(nested, LOOK, false).map(({ label, total }) => `${label} ${total}`)).toEqual([
      "Application 10",
      "shop 10",
      "com.acme 4",
      "JDK 8",
    ]);
  });

  it("names the only package in the row of its family", () => {
    const columns = columnsOf("- 9\n  java.lang.Thread.run 9\n    com.acme.Main.main 5");
    expect(legendOf(columns, LOOK, false).map(({ label }) => label)).toEqual(["Application: com.acme", "JDK"]);
  });

  it("goes by frame type or by family alone", () => {
    expect(figures(legendOf(drawing(), { ...LOOK, colouring: "kind" }, false))).toEqual(["Java 96", "Hidden 4"]);
    expect(figures(legendOf(drawing(), { ...LOOK, colouring: "origin" }, false))).toEqual([
      "Application 76",
      "Libraries 10",
      "JDK 10",
      "Hidden 4",
    ]);
  });

  it("goes by the tops of the stacks where they come first", () => {
    expect(figures(legendOf(drawing(), { ...LOOK, colouring: "origin" }, true))).toEqual([
      "Application 6",
      "Libraries 0",
      "JDK 90",
      "Hidden 4",
    ]);
  });

  it("never has two rows of one colour: roots that share a hue share a row", () => {
    const names = Array.from({ length: 30 }, (_, i) => `  p${i}.A.b ${30 - i}`);
    const columns = columnsOf(["- 465", ...names].join("\n"));
    columns.self.set([0, ...names.map((_, i) => 30 - i)]);
    const parts = legendOf(columns, LOOK, false).filter(({ isPart }) => isPart);
    expect(parts).toHaveLength(5);
    const colours = parts.flatMap(({ tones }) => tones.map(({ light }) => light));
    expect(new Set(colours).size).toBe(colours.length);
    expect(parts.reduce((sum, { value }) => sum + value, 0)).toBe(465);
    for (const { label } of parts) expect(label).toMatch(/^p\d+, p\d+ \+\d$/);
  });

  it("knows which frames a row highlights", () => {
    const rows = legendOf(drawing(), LOOK, false);
    const colour = classOf(LOOK);
    const lit = (label: string) => {
      const key = rows.find((row) => row.label === label)?.key ?? "";
      return ["shop.A.b", "com.acme.x.A.b", "java.util.A.b"].map((name) => isInRow(key, colour(name, "jvm")));
    };
    expect(lit("Application")).toEqual([true, true, false]);
    expect(lit("shop")).toEqual([true, false, false]);
    expect(lit("JDK")).toEqual([false, false, true]);
    expect(lit("Hidden")).toEqual([false, false, false]);
  });
});
