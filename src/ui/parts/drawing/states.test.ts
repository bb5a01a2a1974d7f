/** Every drawing of a thread's state takes its colour from the tokens, and each state has one. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { BREAKDOWN } from "../../../model/span-time/breakdown.ts";

const UI = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, UI), "utf8");
const TOKENS = [...read("primitives/theme/tokens.css").matchAll(/--state-[\w-]+(?=:)/g)].map(([name]) => name);
const SHEETS = readdirSync(UI, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".css"));

describe("colours of states", () => {
  it("are one for each part of the time", () => {
    const css = read("parts/drawing/TimeBar.module.css");
    expect(css).not.toMatch(/#[0-9a-f]{3}/);
    for (const part of BREAKDOWN)
      expect(css, part).toMatch(new RegExp(`data-part="${part}"\\](?:,\n[^{]+)? \\{\n  --part: [^;]*var\\(--state-`));
    const used = [...css.matchAll(/var\((--state-[\w-]+)\)/g)].map(([, name = ""]) => name);
    expect(new Set(used)).toEqual(new Set(TOKENS));
    expect(used.length).toBe(TOKENS.length);
  });

  it("are those of the table in bars, waterfall, timeline, heat map, strips of the JVM and charts", () => {
    const elsewhere = SHEETS.filter((path) => read(path).includes("--part:"));
    expect(elsewhere).toEqual(["parts/drawing/TimeBar.module.css"]);
    const marks = SHEETS.filter((path) => read(path).includes("--state-stop") && !path.endsWith("tokens.css"));
    expect(marks.sort()).toEqual([
      "parts/drawing/TimeBar.module.css",
      "parts/timeline/CallTimeline.module.css",
      "parts/timeline/HeatView.module.css",
      "parts/timeline/JvmStrips.module.css",
      "parts/timeline/TimelineMarks.module.css",
      "views/chart/ChartPanel.module.css",
      "views/chart/FlameChart.module.css",
    ]);
    const bar = read("views/trace/SpanTrack.module.css");
    expect(bar).toContain("background: var(--part)");
  });
});
