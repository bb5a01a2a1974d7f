/** Every event of a request: by type, in order, with fields, stack and histogram. */
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { expectNothingByAxe } from "../kit/axe.ts";
import { expect, openFixture, tab, test } from "../kit/page.ts";

const AGENT = fileURLToPath(new URL("../../fixtures/recorded/ddagent-jdk17.jfr", import.meta.url));
const REQUEST = "#root=1630705100213871486";
const LOCK = "jdk.JavaMonitorEnter";

const typeRow = (page: Page, type: string) => page.locator(`[data-testid=event-types-row][data-id="${type}"]`);

/** The events of the request are there, and those of everything that was read. */
async function openEvents(page: Page): Promise<void> {
  await openFixture(page, AGENT, REQUEST);
  await page.getByTestId("view-events").click();
  await expect(page.getByTestId("events")).toHaveAttribute("aria-busy", "false");
  await expect(page.getByTestId("event-types-row").first()).toBeVisible();
}

test("a request leads to its events by type, to those of one type, to a stack and to the thread's graph", async ({
  page,
}) => {
  await openEvents(page);
  // As `spanflame events` says.
  const lock = typeRow(page, LOCK);
  await expect(lock).toHaveText(/12[.]5 ms\s*1\s*12[.]5 ms.*12[.]5 ms.*jdk[.]JavaMonitorEnter/);
  await expect(typeRow(page, "datadog.Endpoint")).toBeVisible();
  await lock.click();
  await expect(page.getByTestId("events-of")).toHaveText(LOCK);
  const row = page.getByTestId("event-list-row").first();
  await expect(row).toContainText("12.5 ms");
  await expect(row).toContainText("worker-3");
  await expect(page.getByTestId("event-histogram")).toHaveAttribute("aria-label", /^Histogram of duration: 1 event/);
  await row.click();
  await expect(page.getByTestId("event-stack")).toContainText("Thread.run");
  await page.getByTestId("event-flame").click();
  await expect(page.getByTestId("view-flame")).toHaveAttribute("aria-selected", "true");
  await expect(page).toHaveURL(/thread[.]id%3D33&time=\d{19}-\d{19}/);
  await page.goBack();
  await expect(page.getByTestId("events-of")).toHaveText(LOCK);
});

test("by keyboard: a type, an event with its stack, and back", async ({ page }) => {
  await openEvents(page);
  const types = page.getByTestId("event-types");
  await types.focus();
  await page.keyboard.press("Home");
  const first = await page.getByTestId("event-types-row").first().getAttribute("data-id");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("events-of")).toHaveText(first ?? "");
  await page.getByTestId("event-list").focus();
  await expect(page.getByTestId("event-list-row").first()).toBeVisible();
  await page.keyboard.press("Enter");
  const detail = page.getByTestId("event-detail");
  await expect(detail).toBeFocused();
  await expect(page.getByTestId("event-fields")).toContainText("worker-3");
  await page.keyboard.press("Escape");
  await expect(detail).toHaveCount(0);
  await expect(page.getByTestId("event-list")).toBeFocused();
});

test("the search finds by type, field and thread; an order and a field are in the address", async ({ page }) => {
  await openEvents(page);
  await page.getByTestId("events-search").fill("objectsample");
  const sample = typeRow(page, "datadog.ObjectSample");
  await expect(page.getByTestId("event-types-row")).toHaveCount(1);
  const count = (await page.getByTestId("events-count").textContent()) ?? "";
  await sample.click();
  await expect(page.getByTestId("events-figures")).toContainText(count);
  await page.getByTestId("events-field").selectOption("size");
  await expect(page.getByTestId("event-histogram")).toHaveAttribute(
    "aria-label",
    /^Histogram of size: 10 events, .* [KM]?i?B$/,
  );
  const bins = page.getByTestId("event-bin");
  await expect
    .poll(() =>
      bins.evaluateAll((all) => all.reduce((sum, bin) => sum + Number((bin as HTMLElement).dataset.count), 0)),
    )
    .toBe(Number.parseInt(count, 10));
  await expect(page.getByTestId("event-list-row").first()).toContainText(/\d [KM]?i?B/);
  await expect(page).toHaveURL(/events=datadog.ObjectSample&events-by=size&events-find=objectsample/);
  await page.getByTestId("events-search").fill("nothing has this");
  await expect(page.getByTestId("events-figures")).toHaveText("no event in the selection");
  await page.getByTestId("events-all").click();
  await expect(page.getByTestId("events-note")).toHaveText("No event has these words.");
});

test("the events of a type become a profile, by a field that is chosen", async ({ page }) => {
  await openEvents(page);
  await typeRow(page, "datadog.ObjectSample").click();
  await page.getByTestId("events-field").selectOption("weight");
  await page.getByTestId("events-profile").click();
  await expect(tab(page, "datadog.ObjectSample.weight")).toHaveAttribute("aria-selected", "true");
  await expect(page.getByTestId("view-flame")).toHaveAttribute("aria-selected", "true");
  await expect(page).toHaveURL(/event=datadog.ObjectSample%3Dweight/);
});

for (const scheme of ["light", "dark"] as const) {
  test(`a type with a histogram and a detail can be used by everyone, ${scheme}, also on a phone`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await openEvents(page);
    await expectNothingByAxe(page);
    await typeRow(page, "datadog.ObjectSample").click();
    await page.getByTestId("events-field").selectOption("size");
    await expect(page.getByTestId("event-histogram")).toBeVisible();
    await page.getByTestId("event-list-row").first().click();
    // It stays open while the window changes.
    for (const [width, height] of [
      [1200, 800],
      [390, 844],
      [1100, 800],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await expect(page.getByTestId("event-stack")).toBeVisible();
      await expectNothingByAxe(page);
    }
  });
}
