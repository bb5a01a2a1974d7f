import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { columnsOf } from "../../test/kit/flame.ts";
import { answerOf, subjectOf } from "../../test/kit/report-subject.ts";
import type { TopRow } from "../core/types.ts";
import { APPLICATION, APPLICATION_TONES, JDK, JDK_TONES, LIBRARY } from "../model/flame/colour.ts";
import { forgetRoots } from "../model/flame/package-roots.ts";
import { EMPTY_QUERY, type QueryState } from "../model/query/query.ts";
import { fromData, type ReportData, toData } from "./data.ts";
import { escapeText, scriptJson, scriptJsonParts } from "./escape.ts";
import { reportHtml } from "./html.ts";
import type { Selected } from "./selection.ts";

const TREE = `
  - 120
    run 120
      query 70
      render 30
      parse 15
      log 5
`;
const HOSTILE = [
  "</script><script>alert(1)</script>",
  "<!--<script>",
  `"><img src=x onerror='alert(1)'>&amp;`,
  "line\u2028paragraph\u2029bidi\u202enul\u0000",
  "half \ud800 a pair",
];

const TIME = { from: 1_787_400_000_000_000_000n, to: 1_787_400_000_420_000_000n };
const SELECTION: Selected = {
  outline: {
    split: [],
    time: TIME,
    roots: 1,
    medianNanos: null,
    spans: 3,
    threads: ["worker-1", "<b>"],
    threadCount: 3,
    threadNames: new Map(),
    endpoint: "POST /<checkout>",
    operation: "servlet.request",
  },
  pauses: { time: TIME, samples: 0, pauses: 1, nanos: 21_000_000 },
  pausesKnown: true,
};

function report(names: string[] = [], top: TopRow[] = [], query: Partial<QueryState> = {}, more = false): string {
  const columns = columnsOf(TREE);
  columns.names = columns.names.map((name, i) => names[i - 1] ?? name);
  const subject = subjectOf(120, query);
  const graph = { subject, answer: answerOf(columns), top: { count: 200, rows: top } };
  const parts = reportHtml({
    graphs: more
      ? [graph, { ...graph, subject: { ...subject, profile: { ...subject.profile, type: "wall" } } }]
      : [graph],
    selection: SELECTION,
    now: new Date(Date.UTC(2026, 7, 22, 14)),
  });
  return [...parts].join("");
}

const elements = (html: string, name: string) => [...html.matchAll(new RegExp(`<${name}[\\s>]`, "gi"))].length;
const dataOf = (html: string): ReportData =>
  JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html)?.[1] ?? "");

describe("the report", () => {
  it("says what it is about: recording, totals, filters, when and by what it was made", () => {
    const html = report([], [], { filter: { span: [255n], frames: [{ pattern: "a<b", exclude: true }] } });
    expect(html).toContain("<title>cpu · shop.jfr</title>");
    expect(html).not.toContain("someone");
    expect(html).toContain('data-samples="120" data-value="120"');
    expect(html).toMatch(/120 samples · .*60\.0 % of the profile/);
    expect(html).toContain("span 255 (0x00000000000000ff)");
    expect(html).toContain("no frame /a&lt;b/");
    expect(html).toContain("on 2026-08-22 14:00:00 UTC");
    expect(html).toContain("6 frames, all shown");
  });

  it("allows its own script and style and nothing else", () => {
    const html = report();
    const hashOf = (text = "") => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
    const style = /<style>(.*?)<\/style>/s.exec(html)?.[1];
    const script = /<script>(.*?)<\/script>/s.exec(html)?.[1];
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1];
    expect(policy).toBe(
      `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; base-uri 'none'; form-action 'none'`,
    );
    expect(script?.length).toBeGreaterThan(1000);
    expect(html).not.toMatch(/https?:|\bsrc=|\bhref=|style="/);
  });

  it("has the extent of the selection, its pauses and threads, as text", () => {
    const html = report();
    expect(html).toMatch(/<dt>Duration<\/dt><dd><bdi>420 ms, 2026-.* – 2026-/);
    expect(html).toContain("<dt>GC pauses</dt><dd><bdi>1 pause, 21 ms, 5.0 % of the extent</bdi></dd>");
    expect(html).toContain("<bdi>worker-1, &lt;b&gt;, 1 more</bdi>");
    expect(html).toContain("<bdi>POST /&lt;checkout&gt;</bdi>");
  });

  it("has a graph, a table and totals for each profile", () => {
    const html = report([], [], {}, true);
    expect(html).toContain("<title>POST /&lt;checkout&gt; · shop.jfr</title>");
    for (const id of ["graph", "data", "top", "totals", "graph-title"]) {
      expect(html.split(`id="${id}"`)).toHaveLength(2);
      expect(html.split(`id="${id}-2"`)).toHaveLength(2);
    }
    expect(html).toContain('<a href="#graph-title-2">wall</a>');
    expect(elements(report(), "table")).toBe(elements(html, "table") - 2);
  });

  it("has hostile names as text, in the table and in the data", () => {
    const rows = HOSTILE.map((name) => ({ name, self: 1n, total: 2n }));
    const plain = report();
    const html = report(HOSTILE, rows);
    for (const name of ["script", "img", "style", "meta"]) expect(elements(html, name)).toBe(elements(plain, name));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: their absence is the point
    expect(html).not.toMatch(/[\u0000\u2028\u2029\u202e\ud800]/);
    expect(dataOf(html).names).toEqual(["", ...HOSTILE]);
    expect(html).toContain("The 5 heaviest of 200 functions");
  });
});

describe("its data", () => {
  it("comes back as it went in", () => {
    const columns = columnsOf(TREE);
    columns.hiddenFrames[2] = 4;
    columns.hiddenValue[2] = 1.5;
    const { profile } = subjectOf(120);
    const answer = { ...answerOf(columns), hiddenFrames: 4, hiddenValue: 1.5, framesInFocus: 10 };
    const data: ReportData = JSON.parse(scriptJson(toData(answer, profile, EMPTY_QUERY)));
    const read = fromData(data);
    expect(read.answer).toEqual(answer);
    expect(read.profile).toEqual({
      unit: profile.unit,
      meaning: profile.meaning,
      value: profile.value,
      samples: profile.samples,
      period: profile.period,
      periodUnit: profile.periodUnit,
      measures: profile.measures,
      measure: 0,
    });
  });

  it("has the colours and the direction of the page", () => {
    // Hues are given in the order of the packages that are seen, also by the tests before.
    forgetRoots();
    const columns = columnsOf("\n- 9\n  java.lang.Thread.run 9\n    shop.Cart.total 5\n      acme.Tax.of 4\n");
    const graph = (query: Partial<QueryState>) =>
      fromData(toData(answerOf(columns), subjectOf(9).profile, { ...EMPTY_QUERY, ...query }));
    const look = {
      up: true,
      colouring: "origin",
      own: "shop.",
      rawNames: false,
      folded: true,
      profiler: false,
    } as const;
    const { up, toneOf } = graph({ look });
    expect([up, ...[1, 2, 3].map(toneOf)]).toEqual([true, JDK, APPLICATION, LIBRARY]);
    const [jdk, shop, acme] = [1, 2, 3].map(graph({}).toneOf);
    expect(JDK_TONES).toContainEqual(jdk);
    const hues = [shop, acme].map((tone) =>
      APPLICATION_TONES.findIndex((tones) => tones.some((t) => t.light === tone.light)),
    );
    expect(new Set(hues).size).toBe(2);
    expect(hues).not.toContain(-1);
    const html = report([], [], { look });
    expect(html).toContain("Coloured by origin of the code (application: shop.)");
    expect(elements(html, "svg")).toBeGreaterThan(0);
    expect(report()).toContain("Coloured by package");
  });

  it("is written in parts as it would be in one", () => {
    const data = { text: "<", none: [], many: Array.from({ length: 5000 }, (_, i) => i), pairs: [[1, 2]] };
    const parts = [...scriptJsonParts(data)];
    expect(parts.join("")).toBe(scriptJson(data));
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThan(11_000);
  });

  it("cuts names that would fill it", () => {
    const columns = columnsOf(TREE);
    columns.names = Array.from({ length: 20_000 }, (_, i) => `${i}${"n".repeat(4000)}`);
    const { names } = toData(answerOf(columns), subjectOf(120).profile, EMPTY_QUERY);
    expect(names.join("").length).toBeLessThan(2_100_000);
    expect(names[19_999]).toMatch(/^19999n+…$/);
  });
});

it("text is escaped for HTML and XML", () => {
  expect(escapeText(`<a b="c" d='e'>&`)).toBe("&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;");
  expect(escapeText("x\ud800y\uffffz\u{1f600}")).toBe("x\\ud800y\\uffffz\u{1f600}");
});
