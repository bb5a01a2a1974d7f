/** Operations: their table, the comparison of the slowest, the map of spans, its region, keys and addresses. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expectNothingByAxe } from "../kit/axe.ts";
import { drop, expect, test } from "../kit/page.ts";

const fileOf = (name: string) => ({
  name,
  bytes: readFileSync(new URL(`../../fixtures/traces/${name}`, import.meta.url)),
});
const RECORDING = fileOf("ddctx-jdk17.jfr");
const TRACE = fileOf("ddctx-jdk17.captured.datadog.json.gz");

const rows = (page: Page) => page.getByTestId("operations-row");
const listed = (page: Page) => page.getByTestId("region-spans-row");

async function openOperations(page: Page, hash = ""): Promise<void> {
  await page.goto(`./#view=operations${hash}`);
  await drop(page, RECORDING, TRACE);
  await page.getByTestId("view-operations").click();
}

/** Drags over the map, by shares of its width and height from the upper left corner. */
async function dragOver(page: Page, from: [number, number], to: [number, number]): Promise<void> {
  // A region that is dragged before the spans are counted is lost.
  await expect(page.getByTestId("region-total")).toHaveAttribute("data-count");
  const box = await page.getByTestId("span-map").boundingBox();
  if (box === null) throw new Error("no map");
  const at = ([x, y]: [number, number]) => [box.x + x * box.width, box.y + y * box.height] as const;
  await page.mouse.move(...at(from));
  await page.mouse.down();
  await page.mouse.move(...at(to), { steps: 4 });
  await page.mouse.up();
}

test("the requests stay by endpoint when a trace file comes, with the durations that it states", async ({ page }) => {
  await page.goto("./#view=operations");
  await drop(page, RECORDING);
  const total = page.getByTestId("operations-total");
  await expect(total).toHaveText("6 endpoints, 60 requests.");
  await expect(page.getByTestId("operations-by")).toHaveCount(0);
  await expect(rows(page).first()).toContainText("≥");
  const names = () => rows(page).evaluateAll((all) => all.map((row) => row.getAttribute("data-id")).sort());
  const before = await names();
  await page.goto("about:blank");
  await openOperations(page);
  await expect(rows(page).first()).toContainText(/GET \/stream.*10.*232 ms.*285 ms/);
  await expect(total).toHaveText("6 endpoints, 60 requests.");
  expect(await names()).toEqual(before);
  await expectNothingByAxe(page);
});

test("the table has the durations of each operation, in any order", async ({ page }) => {
  await openOperations(page);
  await page.getByTestId("operations-by").getByText("operation").click();
  await expect(page).toHaveURL(/operations-by=operation/);
  await expect(page.getByTestId("operations-total")).toHaveText("13 operations, 310 spans.");
  // As `spanflame spans --by operation` has it.
  await expect(rows(page).filter({ hasText: "pricing.compute" })).toContainText(/10.*33\.1 ms.*74 ms.*74 ms/);
  await page.getByTestId("operation-sort-spans").click();
  await expect(rows(page).first()).toHaveAttribute("data-id", "micro.step");
  await page.getByTestId("operation-sort-operation").click();
  const first = (await rows(page).first().getAttribute("data-id")) ?? "";
  await page.getByTestId("operation-sort-operation").click();
  await expect(rows(page).first()).toHaveAttribute("data-id", "servlet.request");
  expect(first < "servlet.request").toBe(true);
  await expect(page).toHaveURL(/operation-sort=-operation/);
  await expectNothingByAxe(page);
});

test("the slowest 5 % are compared with the rest in one click, and undone", async ({ page }) => {
  await openOperations(page);
  await rows(page).first().getByTestId("operation-compare").click();
  await expect(page.getByTestId("view-diff")).toHaveAttribute("aria-selected", "true");
  await expect(page).toHaveURL(/spans=requests%2Cslowest-5%2Cof-GET\+%2Fstream/);
  await expect(page.getByTestId("baseline")).toHaveValue("spans");
  await expect(page.getByTestId("baseline")).toContainText("the other requests of GET /stream");
  const count = async (id: string) => Number(/[\d,]+/.exec((await page.getByTestId(id).textContent()) ?? "")?.[0]);
  await expect.poll(() => count("diff-own")).toBeGreaterThan(0);
  expect(await count("diff-base")).toBeGreaterThan(await count("diff-own"));
  await page.getByTestId("undo").click();
  await expect(page).not.toHaveURL(/[#&]spans=/);
  await page.goBack();
  await page.goBack();
  await expect(rows(page).first()).toBeVisible();
});

test("the samples of an operation are a filter of every view", async ({ page }) => {
  await openOperations(page, "&operations-by=operation");
  await rows(page).filter({ hasText: "pricing.compute" }).click();
  await expect(page.getByTestId("operations-active")).toHaveText("pricing.compute");
  await page.getByTestId("operations-filter").click();
  await expect(page.getByTestId("chip")).toContainText("pricing.compute");
  await page.getByTestId("view-flame").click();
  // Its own samples, as the command line counts them: it has no spans below it.
  await expect(page.getByTestId("total-samples")).toHaveAttribute("data-exact", "29");
});

test("the active row is the selection's endpoint", async ({ page }) => {
  const name = "dd152-jdk17-all.jfr";
  await page.goto("./#view=operations&by=endpoint");
  await drop(page, { name, bytes: readFileSync(new URL(`../../fixtures/recorded/${name}`, import.meta.url)) });
  await page.getByTestId("view-operations").click();
  await expect(rows(page).first()).toBeVisible();
  await expect(page.getByRole("columnheader").first()).toHaveText("endpoint");
  for (const index of [2, 1]) {
    const operation = (await rows(page).nth(index).getAttribute("data-id")) ?? "";
    await page.getByTestId("rank-row").filter({ hasText: operation }).click();
    await expect(page.getByTestId("operations-active")).toHaveText(operation);
    await page.getByTestId("clear").click();
  }
});

test("dragging over the map lists the spans of the region, and compares them", async ({ page }) => {
  await openOperations(page);
  await expect(rows(page).first()).toBeVisible();
  await page.getByTestId("operations").focus();
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("span-map")).toHaveAttribute("data-spans", "10");
  await expect(page.getByTestId("region-total")).toHaveAttribute("data-count", "10");
  await dragOver(page, [0.02, 0.02], [0.98, 0.6]);
  const total = page.getByTestId("region-total");
  // While they are counted there is no number.
  await expect(total).toHaveAttribute("data-count", /^[1-9]$/);
  const found = Number(await total.getAttribute("data-count"));
  await expect(listed(page).first()).toBeVisible();
  await expect(page).toHaveURL(/span-map=start-\d+-\d+%2Ctook-/);
  await expectNothingByAxe(page);
  // The address opens the same region.
  await page.reload();
  await drop(page, RECORDING, TRACE);
  await page.getByTestId("view-operations").click();
  await expect(total).toHaveAttribute("data-count", String(found));
  await page.getByTestId("region-compare").click();
  await expect(page.getByTestId("view-diff")).toHaveAttribute("aria-selected", "true");
  await expect(page.getByTestId("baseline")).toHaveValue("spans");
});

test("keys move and resize a region; Enter selects it and Escape clears it", async ({ page }) => {
  await openOperations(page, "&operations=map&operations-by=operation");
  const map = page.getByTestId("span-map");
  await expect(map).toHaveAttribute("data-spans", "310");
  await map.focus();
  await page.keyboard.press("ArrowRight");
  const region = page.getByTestId("span-region");
  const left = async () => (await region.boundingBox())?.x ?? 0;
  const first = await left();
  await page.keyboard.press("ArrowRight");
  await expect.poll(left).toBeGreaterThan(first);
  const width = async () => (await region.boundingBox())?.width ?? 0;
  const before = await width();
  await page.keyboard.press("Shift+ArrowRight");
  await expect.poll(width).toBeGreaterThan(before);
  await expect(page.getByTestId("region-total")).toHaveAttribute("data-count", "310");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("region-total")).not.toHaveAttribute("data-count", "310");
  await expect(page).toHaveURL(/span-map=start-/);
  await page.keyboard.press("Escape");
  await expect(region).toHaveCount(0);
  await expect(page.getByTestId("region-total")).toHaveAttribute("data-count", "310");
  await expect(listed(page).first()).toBeVisible();
  await page.getByTestId("region-spans").focus();
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("trace-total")).toBeVisible();
});

test("roots that no trace knows last from their first sample to the end that the recording states", async ({
  page,
}) => {
  await page.goto("./#view=flame");
  const name = "dd152-jdk17-all.jfr";
  await drop(page, { name, bytes: readFileSync(new URL(`../../fixtures/recorded/${name}`, import.meta.url)) });
  await page.getByTestId("view-operations").click();
  await expect(page.getByTestId("operations-total")).toHaveText("3 endpoints, 48 requests.");
  await expect(page.getByRole("tabpanel", { name: "Requests by operation" })).toContainText(
    "from its first sample to its end as the recording states it, else to its last sample",
  );
  await rows(page).filter({ hasText: "GET /search" }).click();
  await page.getByTestId("operations-slowest").click();
  await expect(page.getByTestId("baseline")).toContainText("the other requests of GET /search");
  await expect(page.getByTestId("diff-own")).toBeVisible();
});

test("without a trace file the recording's spans have rows, on a phone and in the dark", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("./#view=flame");
  await drop(page, fileOf("jdkscope-jdk25.jfr"));
  await page.getByTestId("view-operations").click();
  await expect(rows(page).first()).toBeVisible();
  await expect(page.getByTestId("operations-total")).toHaveText("1 endpoint, 36 requests.");
  await expectNothingByAxe(page);
  await page.getByTestId("operations-by").getByText("operation").click();
  await expect(page.getByTestId("operations-total")).toContainText("186 spans.");
  await expectNothingByAxe(page);
});

test("where the time of requests went adds up, opens its samples, and is compared with the others", async ({
  page,
}) => {
  // A link may have the name that the trace file states for all requests.
  await openOperations(page, "&operations=time&span-map=of-servlet.request");
  const total = page.getByTestId("request-time-total");
  await expect(total).toHaveAttribute("data-requests", "60");
  await expect(page.getByTestId("request-time-rest")).toHaveCount(0);
  await page.getByTestId("request-time-which").getByText("Slowest 5 %").click();
  await expect(total).toHaveAttribute("data-requests", "3");
  await expect(page.getByTestId("request-time-rest")).toContainText("57 other requests");
  await expectNothingByAxe(page);
  // The address has it all.
  await page.reload();
  await drop(page, RECORDING, TRACE);
  await expect(total).toHaveAttribute("data-requests", "3");
  const part = page.getByTestId(/^span-part-[a-z]+$/).first();
  const samples = Number(await part.getAttribute("data-samples"));
  await part.click();
  await expect(page.getByTestId("view-flame")).toHaveAttribute("aria-selected", "true");
  await expect(page).toHaveURL(/spans=requests%2Cslowest-5%2Cof-servlet\.request/);
  await expect(page.getByTestId("total-samples")).toHaveAttribute("data-exact", String(samples));
});

test("the time of a region's requests is one click from the map", async ({ page }) => {
  await openOperations(page, "&operations=map");
  await dragOver(page, [0.1, 0.02], [0.9, 0.4]);
  await expect(page.getByTestId("region-total")).toContainText("duration");
  const count = await page.getByTestId("region-total").getAttribute("data-count");
  await page.getByTestId("region-time").click();
  await expect(page.getByTestId("request-time-total")).toBeVisible();
  const requests = await page.getByTestId("request-time-total").getAttribute("data-requests");
  expect(Number(requests)).toBeLessThanOrEqual(Number(count));
  await page.getByTestId("request-time-clear").click();
  await expect(page.getByTestId("request-time-total")).not.toHaveAttribute("data-requests", String(requests));
});

test("the list has each request's time, endpoint, duration, cause and id, in the order of any of them", async ({
  page,
}) => {
  await openOperations(page, "&operations=list");
  const listed = page.getByTestId("request-list-row");
  await expect(page.getByTestId("request-list-total")).toHaveText("60 requests.");
  await expect(listed.first()).toContainText(
    /\d\d:\d\d:\d\d\.\d{3}.*GET \/stream.*285 ms.*\d % on no thread.*[0-9a-f]{16}/,
  );
  await expect(listed.filter({ hasText: /\d % .* in \S+\.\w+/ }).first()).toBeVisible();
  // A phone keeps the cause.
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 720 };
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(listed.first()).toHaveText(/^GET \/stream.*285 ms.*\d % on no thread.*result$/);
  await page.setViewportSize({ width, height });
  const first = async () => (await listed.first().getAttribute("data-id")) ?? "";
  const longest = await first();
  const seen = new Set([longest]);
  for (const sort of ["start", "operation", "cause", "id"]) {
    await page.getByTestId(`request-sort-${sort}`).click();
    await expect(page).toHaveURL(new RegExp(`span-sort=${sort}`));
    await expect.poll(async () => !seen.has(await first())).toBe(true);
    seen.add(await first());
  }
  await expectNothingByAxe(page);
  await page.getByTestId("request-list").focus();
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("trace-total")).toBeVisible();
});
