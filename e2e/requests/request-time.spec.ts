/** Where the time of a selection went: its button, samples, pauses, keys, addresses, report and sizes. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expectNothingByAxe } from "../kit/axe.ts";
import { exportFile } from "../kit/export.ts";
import { drop, expect, test } from "../kit/page.ts";

const fileOf = (name: string) => ({
  name: name.split("/").at(-1) ?? name,
  bytes: readFileSync(new URL(`../../fixtures/${name}`, import.meta.url)),
});
const TRACED = [fileOf("traces/ddctx-jdk17.jfr"), fileOf("traces/ddctx-jdk17.captured.datadog.json.gz")];
const AGENT = [fileOf("recorded/ddagent-jdk17.jfr")];
const CHECKOUT = "attr=trace+endpoint%3DPOST+%2Fcheckout";
const SIZES = [390, 1024, 1440, 1920];

const total = (page: Page) => page.getByTestId("request-time-total");

async function open(page: Page, hash: string, files: typeof TRACED): Promise<void> {
  // Another hash alone would keep the files of before.
  await page.goto("about:blank");
  await page.goto(`./#${hash}`);
  await drop(page, ...files);
}

/** Opens the first part with samples; the selection has as many as its button says. */
async function openPart(page: Page): Promise<void> {
  const part = page.getByTestId(/^span-part-(?!gc)[a-z]+$/).first();
  const samples = await part.getAttribute("data-samples");
  await part.click();
  await expect(page.getByTestId("view-flame")).toHaveAttribute("aria-selected", "true");
  await expect(page.getByTestId("total-samples")).toHaveAttribute("data-exact", String(samples));
}

test("the header of an endpoint opens its time, beside the other requests", async ({ page }) => {
  await open(page, CHECKOUT, TRACED);
  const button = page.getByTestId("selection-time");
  await expect(button).toBeEnabled();
  await button.focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/view=operations/);
  await expect(page).toHaveURL(/operations=time/);
  await expect(page.getByRole("heading", { name: "Where the time went: the selection" })).toBeVisible();
  const requests = Number(await total(page).getAttribute("data-requests"));
  expect(requests).toBeGreaterThan(5);
  // The trace has 60 requests.
  await expect(page.getByTestId("request-time-rest")).toContainText(`${60 - requests} other requests`);
  await page.getByTestId("request-time-which").getByText("Slowest 5 %").click();
  await expect(total(page)).toHaveAttribute("data-requests", String(Math.ceil(requests / 20)));
  await expect(page.getByTestId("request-time-rest")).toContainText("of the selection");
  // The address has it all.
  await expect(page).toHaveURL(/span-map=slowest-5/);
  await page.reload();
  await drop(page, ...TRACED);
  await expect(total(page)).toHaveAttribute("data-requests", String(Math.ceil(requests / 20)));
  await openPart(page);
});

test("all requests, an operation, a root and a thread open the samples that they count", async ({ page }) => {
  await open(page, "view=operations&operations=time", TRACED);
  await expect(page.getByRole("heading", { name: "Where the time went: all requests" })).toBeVisible();
  await openPart(page);
  await expect(page).toHaveURL(/spans=requests/);
  await expect(page.getByTestId("selection-name")).toHaveText("all requests");
  for (const hash of ["spans=of-pricing.compute", "attr=thread.name%3Dworker-1", "frame=java"]) {
    await open(page, `view=operations&operations=time&${hash}`, TRACED);
    await expect(total(page)).toBeVisible();
    await openPart(page);
  }
});

test("a root without a trace file has its time from its samples", async ({ page }) => {
  await open(page, "root=4260687975460354386", AGENT);
  await page.getByTestId("selection-time").click();
  await expect(total(page)).toHaveAttribute("data-requests", "1");
  await expect(page.getByTestId("request-time")).toContainText("to its end as the recording states it");
  await expect(page.getByTestId("request-time-rest")).toContainText("other requests");
  await openPart(page);
});

test("pauses open the chart at the longest of them; parts without samples have a reason", async ({ page }) => {
  await open(page, "view=operations&operations=time", AGENT);
  await expect(total(page)).toBeVisible();
  for (const part of await page.getByTestId("request-time").getByRole("listitem").all()) {
    await expect(part.locator("button, [data-testid^=span-without]").first()).toBeVisible();
  }
  const gc = page.getByTestId("span-part-gc");
  await gc.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("view-chart")).toHaveAttribute("aria-selected", "true");
  await expect(page).toHaveURL(/root=\d+/);
  await expect(page).toHaveURL(/chart=\d+-\d+/);
  await expect(page.getByRole("tabpanel", { name: "Flame chart" })).toContainText("GC pauses");
  await page.getByTestId("undo").click();
  await expect(page).not.toHaveURL(/root=\d+/);
});

test("the report has the requests of the filter", async ({ page }) => {
  await open(page, "spans=of-pricing.compute", TRACED);
  await page.getByTestId("selection-time").click();
  const requests = Number(await total(page).getAttribute("data-requests"));
  const { bytes } = await exportFile(page, "format-html");
  const html = bytes.toString();
  expect(html).toContain(`pricing.compute: ${requests} requests`);
  const list = /<table id="request-list">(.*?)<\/table>/s.exec(html)?.[1] ?? "";
  const rows = list.match(/<tr><th scope="row">/g) ?? [];
  expect(rows).toHaveLength(Math.min(50, requests));
  expect(list.match(/pricing\.compute/g)).toHaveLength(rows.length);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`is clean by axe in ${colorScheme} at every width, without a scroll to the side`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await open(page, `view=operations&operations=time&${CHECKOUT}`, TRACED);
    for (const width of SIZES) {
      await page.setViewportSize({ width, height: 900 });
      await expect(total(page)).toBeVisible();
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect([width, over <= 0]).toEqual([width, true]);
      await expect(page.getByTestId("selection-time")).toBeVisible();
      await page.screenshot({ path: test.info().outputPath(`time-${colorScheme}-${width}.png`) });
      await expectNothingByAxe(page);
    }
  });
}
