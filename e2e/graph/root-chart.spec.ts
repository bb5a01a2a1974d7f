/** The flame chart of samples: lanes of spans and threads, gaps, keys, zoom in the address, axe. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import type { ChartScene } from "../../src/ui/views/chart/chart-canvas.ts";
import { buildChunk } from "../../test/kit/jfr/jfr-builder.ts";
import { cpuChunk } from "../../test/kit/jfr/jfr-types.ts";
import { expectNothingByAxe } from "../kit/axe.ts";
import { shownTime } from "../kit/chart.ts";
import { drop, expect, showView, tabTo, test } from "../kit/page.ts";

const fileOf = (name: string) => ({
  name,
  bytes: readFileSync(new URL(`../../fixtures/traces/${name}`, import.meta.url)),
});
const RECORDING = fileOf("ddctx-jdk17.jfr");
const TRACE = fileOf("ddctx-jdk17.captured.datadog.json.gz");

const current = (page: Page) => page.getByTestId("chart-current");

/** Titles of lanes, and the boxes at the top of each: name, and whether it lies in the shown time. */
async function lanesOf(page: Page) {
  await expect(current(page)).toBeVisible();
  return await page
    .getByTestId("chart-rows")
    .locator("canvas")
    .evaluate((canvas) => {
      const { columns } = (canvas as unknown as { __data__: ChartScene }).__data__.chart;
      const { lanes, lane, depth, duration, start, span, names, name } = columns;
      return lanes.map(({ title }, at) => {
        const boxes = [...lane.keys()].filter((box) => lane[box] === at);
        return {
          title,
          names: [...new Set(boxes.map((box) => names[name[box]]))],
          levels: Math.max(...boxes.map((box) => depth[box])) + 1,
          isWithin: boxes.every((box) => start[box] >= 0 && start[box] + duration[box] <= span + 1),
        };
      });
    });
}

/** The chart of the first trace in the list, with its first span as the filter. */
async function openRoot(page: Page): Promise<void> {
  await page.goto("./#view=trace");
  await drop(page, RECORDING, TRACE);
  await page.getByTestId("traces-row").first().click();
  await page.getByTestId("spans").focus();
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("span-filter")).toHaveAttribute("aria-pressed", "true");
  await page.getByTestId("view-chart").click();
  await expect(current(page)).toBeVisible();
}

test("a span has the spans of its trace above a lane for each of its threads", async ({ page }) => {
  await openRoot(page);
  const lanes = await lanesOf(page);
  expect(lanes[0]!.title).toBe("Spans of the trace");
  expect(lanes[0]!.names).toContain("GET /stream");
  const threads = lanes.filter(({ title }) => !/^(Spans|GC pauses)/.test(title));
  // States, then stacks.
  expect(threads.map(({ levels }) => levels > 3)).toEqual([false, true]);
  expect(lanes.every(({ isWithin }) => isWithin)).toBe(true);
  await expect(current(page)).toHaveAttribute("aria-label", "GET /stream");
  await expect(current(page)).toHaveAttribute("aria-description", /from \+0:00\.000.*, total .*, self /);
});

test("keys lead from lane to lane and zoom to a millisecond; the zoom is in the address", async ({ page }) => {
  await openRoot(page);
  const whole = await shownTime(page);
  const rows = page.getByTestId("chart-rows");
  await rows.focus();
  const label = () => current(page).getAttribute("aria-label");
  const first = await label();
  await rows.press("ArrowDown");
  await expect.poll(label).not.toBe(first);
  await rows.press("Space");
  await expect(page).toHaveURL(/[#&]chart=\d+-\d+/);
  await rows.press("Home");
  await expect.poll(() => shownTime(page)).toEqual(whole);
  await expect(page).not.toHaveURL(/[#&]chart=/);
  for (let i = 0; i < 16; i++) await rows.press("+");
  await expect(page.getByTestId("chart-shown")).toHaveText("1 ms");
  const zoomOf = () => (/[#&]chart=(\d+)-(\d+)/.exec(page.url()) ?? []).slice(1).map(BigInt);
  // The address follows the keys one by one: it is copied once it has the last of them, 1 ms.
  await expect.poll(() => zoomOf().reduce((from, to) => to - from, 0n)).toBe(1_000_000n);
  const link = page.url();
  const shown = await shownTime(page);
  await page.goto("about:blank");
  await page.goto(link);
  await drop(page, RECORDING, TRACE);
  await expect.poll(() => shownTime(page)).toEqual(shown);
});

test("a recording alone has a chart of its threads, and says what it leaves out", async ({ page }) => {
  await page.goto("./#view=flame");
  await drop(page, RECORDING);
  await page.getByTestId("view-chart").click();
  const lanes = await lanesOf(page);
  expect(lanes.map(({ title }) => title)).not.toContain("Spans of the trace");
  expect(lanes.filter(({ title }) => title !== "GC pauses").length).toBeGreaterThan(1);
  expect(lanes.every(({ isWithin }) => isWithin)).toBe(true);
});

test("a span of the waterfall, and the header of a request, lead to the chart", async ({ page }) => {
  await page.goto("./#view=trace");
  await drop(page, RECORDING, TRACE);
  await page.getByTestId("traces-row").first().click();
  await page.getByTestId("span-chart").click();
  await expect(page).toHaveURL(/[#&]span=\d+/);
  await expect(page.getByTestId("view-chart")).toHaveAttribute("aria-selected", "true");
  await expect(current(page)).toBeVisible();
  await page.getByTestId("view-flame").click();
  await page.getByTestId("selection-chart").click();
  await expect(page.getByTestId("view-chart")).toHaveAttribute("aria-selected", "true");
  // The chart of a request has all of its samples, not those of its root span alone.
  await page.getByTestId("view-trace").click();
  await page.getByTestId("request-chart").click();
  await expect(page).toHaveURL(/[#&]root=\d+/);
  await expect(page).not.toHaveURL(/[#&]span=/);
  await expect(current(page)).toBeVisible();
});

test("the panel of a span is beside the waterfall or below it, and covers no column", async ({ page }) => {
  await page.goto("./#view=trace");
  await drop(page, RECORDING, TRACE);
  await page.getByTestId("traces-row").first().click();
  const grid = page.getByRole("treegrid");
  for (const width of [1440, 1280, 1024, 820, 768, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(page.getByTestId("span-panel")).toBeVisible();
    const past = () =>
      grid.evaluate((element) => {
        const ends = [...element.querySelectorAll("[role=columnheader]")].map(
          (head) => head.getBoundingClientRect().right,
        );
        return Math.max(...ends) - element.getBoundingClientRect().right;
      });
    await expect.poll(past).toBeLessThan(1);
  }
});

test("a frame opens its detail, and the sandwich is of its function; names are those of the other views", async ({
  page,
}) => {
  await openRoot(page);
  const lanes = await lanesOf(page);
  const names = lanes.flatMap(({ names }) => names);
  expect(names).toContain("demo.Shop$$Lambda.run");
  expect(names.filter((name) => name.includes("/0x"))).toEqual([]);
  await expect(page.getByTestId("chart-width")).toContainText("Width of a sample: ");
  const rows = page.getByTestId("chart-rows");
  await rows.focus();
  // From the spans to the thread, and down two frames.
  const label = () => current(page).getAttribute("aria-label");
  while ((await label()) !== "java.lang.Thread.run") {
    const before = await label();
    await rows.press("ArrowRight");
    await expect.poll(label).not.toBe(before);
  }
  await rows.press("ArrowDown");
  await expect.poll(label).toBe("demo.Shop$$Lambda.run");
  await rows.press("Enter");
  await expect(page.getByTestId("chart-side-name")).toHaveText("demo.Shop$$Lambda.run");
  await expect(page.getByTestId("sample-stack").getByRole("listitem")).toHaveText([
    "demo.Shop$$Lambda.run",
    "java.lang.Thread.run",
  ]);
  await expectNothingByAxe(page);
  await expect(page.getByTestId("view-chart")).toHaveAttribute("aria-selected", "true");
  await showView(page, "sandwich");
  await expect(page.getByTestId("sandwich-name")).toHaveText("demo.Shop$$Lambda.run");
});

test("of many samples without a selection it asks for one: a request by key, or the first of them", async ({
  page,
}) => {
  const samples = Array.from({ length: 25_000 }, (_, i) => ({
    stack: { frames: [{ className: "shop/Order", method: "sum" }] },
    thread: { javaName: "t", javaId: 1n, osName: "t", osId: 1n },
    weight: 1n,
    span: BigInt(1 + (i % 9)),
    root: BigInt(1 + (i % 9)),
  }));
  await page.goto("./#view=flame");
  await drop(page, { name: "many.jfr", bytes: buildChunk(cpuChunk(samples, {}, [])).bytes });
  await showView(page, "chart");
  const ask = page.getByTestId("chart-ask");
  await expect(ask).toContainText("25,000 samples are too many to tell apart.");
  await expect(page.getByTestId("slow-request").first()).toBeVisible();
  await expectNothingByAxe(page);
  await page.getByTestId("chart-first").click();
  await expect(page.getByTestId("chart-left")).toContainText("The chart has the first 20,000 of 25,000 samples.");
  await page.reload();
  await drop(page, { name: "many.jfr", bytes: buildChunk(cpuChunk(samples, {}, [])).bytes });
  await tabTo(page, page.getByTestId("slow-request").first());
  await page.keyboard.press("Enter");
  await expect(ask).toHaveCount(0);
  await expect(page.getByTestId("chart-rows")).toBeVisible();
  await expect(page.getByTestId("view-chart")).toHaveAttribute("aria-selected", "true");
});

for (const scheme of ["light", "dark"] as const) {
  test(`axe finds nothing, and a phone has room for it, ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await openRoot(page);
    await expectNothingByAxe(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(current(page)).toBeVisible();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await expectNothingByAxe(page);
  });
}
