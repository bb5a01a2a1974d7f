/** The waterfall: axis, samples on the bars, critical path, width of the names; opening a trace selects it. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import type { ViewName } from "../../src/model/query/query.ts";
import { expectNothingByAxe } from "../kit/axe.ts";
import { drop, expect, showProfile, test } from "../kit/page.ts";

const fileOf = (name: string) => ({
  name,
  bytes: readFileSync(new URL(`../../fixtures/traces/${name}`, import.meta.url)),
});
const RECORDING = fileOf("ddctx-jdk17.jfr");
const TRACE = fileOf("ddctx-jdk17.captured.datadog.json.gz");

const spans = (page: Page) => page.getByTestId("spans-row");
const names = (page: Page) => page.getByTestId("name-edge");

async function openList(page: Page): Promise<void> {
  await page.goto("./#view=trace&trace-sort=samples");
  await drop(page, RECORDING, TRACE);
  await expect(page.getByTestId("traces-total")).toHaveText(/^60 traces/);
}

/** Opens the trace with most samples, by mouse. */
async function openTrace(page: Page): Promise<void> {
  await openList(page);
  await page.getByTestId("traces-row").first().click();
  await expect(page.getByTestId("span-mark").first()).toBeAttached();
}

test("the head warns if the trace states another process than the recording", async ({ page }) => {
  const open = async (runtime: string) => {
    const event = { attachments: [RECORDING.name], tags_profiler: `service:demo-shop,runtime-id:${runtime}` };
    await page.goto("./#view=trace");
    await drop(page, RECORDING, { name: "event.json", bytes: Buffer.from(JSON.stringify(event)) }, TRACE);
    await page.getByTestId("traces-row").first().click();
    await expect(page.getByTestId("trace-total")).toContainText("span");
  };
  await open("another");
  await expect(page.getByTestId("trace-others")).toHaveText(/states another instance of the service/);
  await open("52e452a6-3c10-4057-9109-190bcab10144");
  await expect(page.getByTestId("trace-others")).toHaveCount(0);
});

for (const width of [1440, 390]) {
  test(`opening a trace selects it, by mouse, at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await openTrace(page);
    await expect(page).toHaveURL(/root=\d+.*trace=[0-9a-f]{32}/);
    const chip = page.getByTestId("chip");
    await expect(chip).toHaveText(/^traceGET \/.+ [\d.]+ m?s$/);
    // The header has the duration that the trace states, and the list.
    const duration = /[\d.]+ m?s$/.exec((await chip.textContent()) ?? "")![0];
    await expect(page.getByTestId("selection-duration")).toHaveText(duration);
    await expect(page.getByTestId("trace-total")).toContainText(`, ${duration},`);
    await page.getByTestId("view-overview").click();
    await expect(page.getByTestId("request-bars")).toBeVisible();
    await page.getByTestId("view-flame").click();
    await expect(chip).toHaveText(/^trace/);
    // It is one step back.
    await page.keyboard.press("Control+z");
    await expect(chip).toHaveCount(0);
  });

  test(`opening a trace selects it, and spans are selected, by keys, at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await openList(page);
    await page.getByTestId("traces").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("chip")).toHaveText(/^trace/);
    await page.getByTestId("spans").focus();
    await page.keyboard.press("ArrowDown");
    const id = await spans(page).nth(1).getAttribute("data-id");
    await page.getByTestId("span-filter").press("Enter");
    await expect(page).toHaveURL(new RegExp(`[#&]span=${id}&`));
    await expect(page.getByTestId("span-filter")).toHaveAttribute("aria-pressed", "true");
    await page.getByTestId("span-filter").press("Enter");
    await expect(page).not.toHaveURL(/span=/);
    await page.getByTestId("spans").focus();
    await page.keyboard.press("Home");
    await page.getByTestId("span-filter-below").press("Enter");
    await expect(page.getByTestId("chip")).toHaveText(/^trace/);
    await expect(page.getByTestId("span-filter-below")).toHaveAttribute("aria-pressed", "true");
  });

  test(`its controls are large enough to be hit, at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await openTrace(page);
    await expect(page.getByTestId("span-time")).toBeVisible();
    await expectNothingByAxe(page, { targetsOf: "[aria-label^='Trace ']" });
  });

  test(`the names are as wide as they are made, by mouse and by keys, and stay so, at ${width} px`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 844 });
    await openTrace(page);
    const shown = async () => Number(await names(page).getAttribute("aria-valuenow"));
    const before = await shown();
    // In a narrow window the bars have the larger part.
    if (width === 1440) expect(before).toBe(320);
    else expect(before).toBeLessThan(width / 2);
    await names(page).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowLeft");
    await expect(names(page)).toHaveAttribute("aria-valuenow", String(before + 16));
    const { x, y } = (await names(page).boundingBox())!;
    await page.mouse.move(x + 12, y + 20);
    await page.mouse.down();
    await page.mouse.move(x - 28, y + 40, { steps: 4 });
    await page.mouse.up();
    await expect(names(page)).toHaveAttribute("aria-valuenow", String(before - 24));
    // The column is as wide, and the bars begin after it.
    const cell = await spans(page).first().getByRole("gridcell").first().boundingBox();
    expect(Math.round(cell!.width)).toBe(before - 24);
    await page.getByTestId("all-traces").click();
    await page.getByTestId("traces-row").nth(1).click();
    await expect(names(page)).toHaveAttribute("aria-valuenow", String(before - 24));
    await names(page).press("End");
    await names(page).press("Enter");
    await expect(names(page)).toHaveAttribute("aria-valuenow", String(before));
  });
}

test("bars have an axis, samples in the colours of states, pauses, and the critical path", async ({ page }) => {
  await openTrace(page);
  await expect(page.getByTestId("trace-axis")).toContainText(/^time0\d+ ms/);
  await expect(page.getByTestId("trace-colours")).toContainText("critical path");
  // All at one time: rows of waits and what is beside the rows may come between.
  const rows = await spans(page).evaluateAll((found) =>
    found.map((row) => {
      const ends = (testId: string) =>
        [...row.querySelectorAll(`[data-testid="${testId}"]`)].map((each) => each.getBoundingClientRect());
      const [bar, marks, path] = ["span-bar", "span-mark", "span-path"].map((testId) =>
        ends(testId).map(({ left, right }) => ({ left, right })),
      );
      return { bar: bar![0]!, marks: marks!, path: path! };
    }),
  );
  expect(rows.length).toBeGreaterThan(2);
  for (const { bar, marks } of rows) {
    for (const mark of marks) {
      expect(mark.left).toBeGreaterThan(bar.left - 3);
      expect(mark.right).toBeLessThan(bar.right + 5);
    }
  }
  const path = rows.flatMap((row) => row.path).reduce((sum, { left, right }) => sum + right - left, 0);
  const root = rows[0]!.bar;
  expect(Math.abs(path - (root.right - root.left))).toBeLessThan(2 * rows.length);
  // One palette: a mark has the colour of its part beside the figures.
  const part = await page.getByTestId("span-mark").first().getAttribute("data-part");
  const colours = await page
    .locator(`[data-part="${part}"]`)
    .evaluateAll((found) => [...new Set(found.map((each) => getComputedStyle(each).getPropertyValue("--part")))]);
  expect(colours).toHaveLength(1);
});

test("a pause of the collector is a band through all rows of its process", async ({ page }) => {
  await openList(page);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("6b0242b4000000001e0c84dd47d02d77");
  await page.keyboard.press("Enter");
  await page.getByTestId("view-trace").click();
  await expect(page.getByTestId("span-pause").first()).toBeAttached();
  // It stopped the threads of all spans.
  const others = async () => (await page.getByTestId("span-pause").count()) - (await spans(page).count());
  await expect.poll(others).toBe(0);
});

test("a span without a CPU sample opens in Wall, with its children too", async ({ page }) => {
  await openList(page);
  await page.getByTestId("traces-row").filter({ hasText: "GET /report/{id}" }).first().click();
  await showProfile(page, "cpu");
  await spans(page).filter({ hasText: "db.query" }).first().click();
  await page.getByTestId("span-filter").click();
  await expect(page.getByTestId("tab-wall")).toHaveAttribute("aria-selected", "true");
  await page.getByTestId("view-flame").click();
  await expect(page.getByTestId("total-samples")).not.toHaveAttribute("data-exact", "0");
});

test("the list closes beside the waterfall and Overview, opens if it is asked for, and comes back after", async ({
  page,
}) => {
  await openList(page);
  const list = page.getByTestId("rank-row").first();
  await expect(list).toBeVisible();
  await page.getByTestId("traces-row").first().click();
  await expect(spans(page).first()).toBeVisible();
  await expect(list).toBeHidden();
  await page.getByTestId("list-toggle").click();
  await expect(list).toBeVisible();
  await page.getByTestId("list-toggle").click();
  await expect(list).toBeHidden();
  const at = async (view: ViewName, visible: boolean) => {
    await page.getByTestId(`view-${view}`).click();
    await expect(list).toBeVisible({ visible });
  };
  await at("flame", true);
  await at("trace", false);
  await at("overview", false);
  await at("flame", true);
});

test("a service without a recording says so, in the colours and in its rows", async ({ page }) => {
  const start = 1_795_310_259_283_110_559n;
  const span = (fields: string, meta: string) =>
    `{"trace_id":77,"type":null,"error":0,"metrics":{},"meta":{"runtime-id":"${meta}"},${fields}}`;
  const home = "52e452a6-3c10-4057-9109-190bcab10144";
  const text = `[[${[
    span(
      `"service":"demo-shop","name":"servlet.request","resource":"GET /report/{id}","span_id":4363492849726332109,"parent_id":0,"start":${start},"duration":81023175`,
      home,
    ),
    span(
      `"service":"payments","name":"http.request","resource":"POST /pay","span_id":5,"parent_id":4363492849726332109,"start":${start + 9_000_000n},"duration":30000000`,
      "elsewhere",
    ),
  ].join(",")}]]`;
  await page.goto("./#view=trace");
  await drop(page, RECORDING, { name: "two.json", bytes: Buffer.from(text) });
  await page.getByTestId("view-trace").click();
  await expect(page.getByTestId("trace-colours")).toContainText("payments no recording");
  await expect(page.getByTestId("trace-colours")).not.toContainText("demo-shop no recording");
  await expect(spans(page).filter({ hasText: "POST /pay" })).toContainText("no recording");
});
