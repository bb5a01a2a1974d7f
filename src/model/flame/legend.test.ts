import { describe, expect, it } from "vitest";
import { columnsOf } from "../../../test/kit/flame.ts";
import { LOOK } from "../query/look.ts";
import { classOf } from "./frame-classes.ts";
import { legendOf } from "./legend.ts";

const PICTURE = `
  - 100
    java.lang.Thread.run 90
      org.apache.tomcat.Worker.run 50
        shop.Cart.total 40
      shop.Cart.rest 30
    shop.Main.main 6
`;

function drawing() {
  const columns = columnsOf(PICTURE);
  columns.self.set([0, 10, 10, 40, 30, 6]);
  columns.hiddenValue[0] = 4;
  return columns;
}

const figures = (rows: ReturnType<typeof legendOf>) =>
  Object.fromEntries(rows.map(({ label, value }) => [label, value]));

describe("the legend", () => {
  it("has the self value of each colour, and that of hidden frames", () => {
    expect(figures(legendOf(drawing(), LOOK, false))).toEqual({
      shop: 76,
      JDK: 10,
      "org.apache.tomcat": 10,
      hidden: 4,
    });
    expect(figures(legendOf(drawing(), { ...LOOK, colouring: "kind" }, false))).toEqual({ Java: 96, hidden: 4 });
    expect(figures(legendOf(drawing(), { ...LOOK, colouring: "origin" }, false))).toEqual({
      "application code": 76,
      JDK: 10,
      library: 10,
      hidden: 4,
    });
  });

  it("goes by the tops of the stacks where they come first", () => {
    expect(figures(legendOf(drawing(), { ...LOOK, colouring: "origin" }, true))).toEqual({
      JDK: 90,
      "application code": 6,
      library: 0,
      hidden: 4,
    });
  });

  it("names the heaviest, and how many more there are", () => {
    const names = Array.from({ length: 20 }, (_, i) => `  p${i}.A.b ${20 - i}`);
    const columns = columnsOf(["- 210", ...names].join("\n"));
    columns.self.set([0, ...names.map((_, i) => 20 - i)]);
    const rows = legendOf(columns, LOOK, false);
    expect(rows).toHaveLength(13);
    expect(rows.at(-1)).toEqual({ label: "8 more", tone: null, value: 36 });
  });
});

describe("whose code a frame is", () => {
  const origin = (name: string, own = "") => classOf({ ...LOOK, colouring: "origin", own })(name, "jvm").label;

  it("is guessed from well-known names, until prefixes say it", () => {
    expect(["java.util.A.b", "io.netty.A.b", "com.acme.A.b", "main"].map((name) => origin(name))).toEqual([
      "JDK",
      "library",
      "application code",
      "not said",
    ]);
    expect(["io.netty.A.b", "com.acme.A.b", "java.util.A.b"].map((name) => origin(name, "io.netty, x"))).toEqual([
      "application code",
      "library",
      "JDK",
    ]);
    expect(origin("iox.A.b")).toBe("application code");
  });
});
