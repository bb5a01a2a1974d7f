/** A trace file without a recording: its traces, critical paths, operations and the graph of its spans. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expectNothingByAxe, GRAPH, ROWS } from "../kit/axe.ts";
import { drop, expect, test } from "../kit/page.ts";

const fileOf = (name: string) => ({
  name,
  bytes: readFileSync(new URL(`../../fixtures/traces/${name}`, import.meta.url)),
});
const TRACE = fileOf("apctx-jdk17.whole.otlp.json.gz");
const RECORDING = fileOf("apctx-jdk17.jfr");

const alone = (page: Page) => page.getByTestId("spans-alone");
const frame = (page: Page, name: string) => page.getByTestId("flame").locator(`g.frame[aria-label*="${name}"]`);

async function openAlone(page: Page, hash = ""): Promise<void> {
  await page.goto(`./${hash}`);
  await drop(page, TRACE);
  await expect(alone(page)).toContainText("No recording is open: graphs show the time of spans. Drop a recording");
}

for (const width of [1440, 390]) {
  test(`it opens on its traces, and a trace has bars and its critical path, by mouse, at ${width} px`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 844 });
    await openAlone(page);
    await expect(page.getByTestId("traces-total")).toHaveText(/^36 traces with 186 spans\./);
    await expectNothingByAxe(page, { without: [ROWS] });
    await page.getByTestId("traces-row").filter({ hasText: "GET /search" }).first().click();
    await expect(page.getByTestId("spans-row")).toHaveCount(4);
    await expect(page.getByTestId("span-bar")).toHaveCount(4);
    await expect(page.getByTestId("span-path").first()).toBeAttached();
    // Nothing is said of samples, of which a trace file has none.
    await expect(page.getByTestId("span-time")).toHaveCount(0);
    await expect(page.getByLabel(/^Trace /)).not.toContainText("sample");
    await expect(page.getByTestId("span-panel")).toContainText("critical path");
    // The graph has the trace alone, whose frames are its spans.
    await page.getByTestId("view-flame").click();
    await expect(frame(page, "demo-shop: servlet.request GET /search")).toBeVisible();
    await expect(frame(page, "index.lookup")).toBeAttached();
    await expect(frame(page, "GET /stream")).toHaveCount(0);
    await expect(page.getByTestId("total-samples")).toHaveCount(0);
    await expectNothingByAxe(page, { without: [ROWS, GRAPH] });
  });
}

test("its views are opened by keys, and those that need samples are not there", async ({ page }) => {
  await openAlone(page);
  await expect(page.getByTestId("traces")).toBeVisible();
  for (const view of ["overview", "events"]) await expect(page.getByTestId(`view-${view}`)).toHaveCount(0);
  await page.keyboard.press("2");
  await expect(frame(page, "servlet.request GET /stream")).toBeVisible();
  await page.keyboard.press("4");
  await expect(page.getByTestId("operations-total")).toHaveText("6 endpoints, 36 requests.");
  await expect(page.getByTestId("operations")).not.toContainText("CPU per request");
  await expect(page.getByTestId("operations-time")).toHaveCount(0);
  await page.keyboard.press("3");
  await expect(page.getByTestId("view-chart")).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("5");
  await page.getByTestId("traces").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("spans-row").first()).toBeVisible();
  await page.getByTestId("spans").focus();
  await page.getByTestId("span-filter").press("Enter");
  await expect(page.getByTestId("span-filter")).toHaveAttribute("aria-pressed", "true");
});

test("a link to a view that needs samples shows the traces, and an id its trace", async ({ page }) => {
  await openAlone(page, "#view=overview");
  await expect(page.getByTestId("traces")).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.keyboard.insertText("682e99a6a789306440fa150972353919");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("trace-total")).toContainText("682e99a6a789306440fa150972353919");
});

test("with the recording that is dropped later it is as if both were dropped together", async ({ page }) => {
  await openAlone(page);
  await page.getByTestId("traces-row").first().click();
  await expect(page.getByTestId("spans-row")).toHaveCount(2);
  await drop(page, RECORDING);
  await expect(page.getByTestId("tab-cpu")).toBeVisible();
  await expect(alone(page)).toHaveCount(0);
  await expect(page.getByTestId("tab-span-time")).toHaveCount(0);
  await expect(page.getByTestId("view-overview")).toBeVisible();
  // The trace that was open is still the filter.
  await expect(page.getByTestId("spans-row")).toHaveCount(2);
  await expect(page.getByTestId("span-time")).toBeVisible();
});
