import { expect, it } from "vitest";
import type { Finding } from "../model/why/findings.ts";
import { poolWords } from "../model/why/why-text.ts";
import { isSelection, notesSection, overviewSection, type ReportTime } from "./overview.ts";

const part = (name: ReportTime["breakdown"][number]["part"], nano: bigint) => ({
  ...{ part: name, nano, low: nano, high: nano, measured: nano, samples: 0 },
});
const TIME = {
  ...{ requests: 1, counted: 1, cpu: null, duration: 50_000_000, source: "files", unknownRoots: 0 },
  breakdown: [part("cpu", 40_000_000n), part("lock", 9_900_000n), part("sleep", 100_000n)],
  rest: { counted: 2, duration: 200_000_000, of: "operation", breakdown: [part("cpu", 50n), part("gc", 50n)] },
} as ReportTime;

const WORDS = {
  ...{ sentence: "x", headline: "5 CPU samples", confidence: "Few.", missing: null, pools: null },
  findings: [],
};

const rects = (svg: string) =>
  [...svg.matchAll(/<rect data-part="(\w+)" x="([\d.]+)" width="([\d.]+)"/g)].map(([, name, x, width]) => [
    name,
    Number(x),
    Number(width),
  ]);

it("draws a request and the average of the others on one scale, and names the parts above a hundredth", () => {
  const html = overviewSection({ words: { ...WORDS, sentence: "50 ms: <b>" }, time: TIME, slowest: [] });
  expect(rects(html)).toEqual([
    ["cpu", 0, 400],
    ["lock", 400, 99],
    ["sleep", 499, 1],
    ["cpu", 0, 500],
    ["gc", 500, 500],
  ]);
  expect(html).toContain("100 ms on average of 2 other requests of this operation");
  expect(html.match(/<li>/g)).toHaveLength(2);
  expect(html).toContain("CPU 80.0 %");
  expect(html).toContain("50 ms: &lt;b&gt;");
});

it("has no bar without the time of requests, and says when there is a selection", () => {
  const path = { name: "shop.Taxes.rateOf", caller: "" };
  const parts = [{ part: "lock", nano: 9_000_000_000n } as const, { part: "cpu", nano: 1_000_000_000n } as const];
  const row = { name: "http-<*", threads: 6, nano: 10_000_000_000n, parts, path };
  const pools = { rows: [row], idle: [{ name: "timer", threads: 1 }] };
  const plain = overviewSection({ words: { ...WORDS, pools: poolWords(pools) }, time: null, slowest: [] });
  expect(plain).not.toContain("<svg");
  expect(plain).toContain("Idle or shorter: timer.");
  expect(plain).toContain(
    "http-&lt;*</bdi></th><td>6 threads</td><td>10 s</td><td>90.0 % blocked in Taxes.rateOf</td>",
  );
  expect([{}, { rawNames: true }, { span: 1n }].map(isSelection)).toEqual([false, false, true]);
});

it("lists the slowest requests, where the time went, and findings, in this order, as text", () => {
  const slow = { name: "GET /<a>", duration: "5 ms", cause: "CPU", alike: "the only one", clock: "10:00:00", id: "0b" };
  const finding = { name: "Locks <b>", figure: "9 %", tone: "warning", why: "Waits.", advice: "Split." } as const;
  const words = { ...WORDS, findings: [{ ...finding, share: null, finding: {} as Finding }] };
  const html = overviewSection({ words, time: null, slowest: [slow] }, "<p>where</p>");
  expect(html).toMatch(/5 CPU samples\. Few\..*GET \/&lt;a&gt;.*<p>where<\/p>.*Locks &lt;b&gt;.*9 %.*Waits\. Split\./s);
  expect(overviewSection({ words: WORDS, time: null, slowest: [] })).toContain("No findings");
});

it("lists the endpoints of a whole recording after its slowest requests", () => {
  const endpoints = { title: "Endpoints by CPU", about: "time", rows: [["GET /<a>", "9 ms", "5.0 %", "4"]] };
  const html = overviewSection({ words: WORDS, time: null, slowest: [], endpoints });
  expect(html).toMatch(
    /Endpoints by CPU.*GET \/&lt;a&gt;<\/bdi><\/th><td>9 ms<\/td><td>5.0 %<\/td><td>4<\/td>.*Findings/s,
  );
});

it("has the notes of the timeline as text, with times from the beginning of the recording", () => {
  const zero = 1_790_000_000_000_000_000n;
  const note = { from: zero + 4_000_000_000n, to: zero + 5_000_000_000n, text: "pool <full>" };
  const html = notesSection([note], { zeros: [{ from: zero }] });
  expect(html).toContain("pool &lt;full&gt;");
  expect(html).toContain("+0:04");
  expect(notesSection([], { zeros: [] })).toBe("");
});
