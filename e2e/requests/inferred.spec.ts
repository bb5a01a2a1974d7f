/** Inferred context: the toggle, coverage before and after, the filter by it, and where the time of a span went. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expectNothingByAxe } from "../kit/axe.ts";
import { drop, expect, showProfile, showView, test } from "../kit/page.ts";

const fileOf = (name: string) => ({
  name,
  bytes: readFileSync(new URL(`../../fixtures/traces/${name}`, import.meta.url)),
});
const RECORDING = fileOf("ddctx-jdk17.jfr");

const toggle = (page: Page) => page.getByTestId("inferred-toggle");
const coverage = (page: Page) => page.getByTestId("context-coverage");

async function turnOn(page: Page): Promise<void> {
  await page.getByTestId("inferred-context").focus();
  await page.keyboard.press("Enter");
  await toggle(page).focus();
  await page.keyboard.press("Space");
  await expect(page).not.toHaveURL(/inferred=/);
  await expect(page.getByTestId("inferred-context")).toHaveText("Context: inferred");
}

test("context is inferred at first, with coverage before and after; a key turns it off and on", async ({ page }) => {
  await page.goto("./#view=trace");
  await drop(page, RECORDING);
  await expect(page.getByTestId("inferred-context")).toHaveText("Context: inferred");
  await page.getByTestId("inferred-context").click();
  await expect(toggle(page)).toBeChecked();
  const rows = await coverage(page).locator("tbody tr").allTextContents();
  const shares = rows.map((row) => [...row.matchAll(/([\d.]+) %/g)].map(([, share]) => Number(share)));
  expect(shares.every(([own = 0, after = 0]) => after >= own)).toBe(true);
  expect(shares.some(([own = 0, after = 0]) => after > own)).toBe(true);
  await expectNothingByAxe(page);
  await page.getByTestId("context-only").getByText("Inferred").click();
  await expect(page).toHaveURL(/attr=spanflame\.context/);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("list", { name: "Active filters" })).toContainText("inferred");
  // Without inference no sample has the mark: the filter goes with it.
  await page.getByTestId("inferred-context").click();
  await toggle(page).click();
  await expect(page).toHaveURL(/inferred=no/);
  await expect(page).not.toHaveURL(/attr=/);
  await expect(page.getByTestId("inferred-context")).toHaveText("Context: off");
  await turnOn(page);
});

test("a recording that states no context has no button for it", async ({ page }) => {
  await page.goto("./#view=trace");
  await drop(page, {
    name: "jdk.jfr",
    bytes: readFileSync(new URL("../../fixtures/recorded/jdk17-profile.jfr", import.meta.url)),
  });
  await expect(page.getByTestId("total-samples")).toBeVisible();
  await expect(page.getByTestId("inferred-context")).toHaveCount(0);
});

test("inferred context is marked in totals, in the header of a selection, in the waterfall and in the export dialog", async ({
  page,
}) => {
  await page.goto("./#inferred=no&trace-sort=samples&view=trace");
  await drop(page, RECORDING, fileOf("ddctx-jdk17.captured.datadog.json.gz"));
  await expect(page.getByTestId("traces-total")).toBeVisible();
  await showProfile(page, "sleep");
  await expect(page.getByTestId("total-inferred")).toHaveCount(0);
  await turnOn(page);
  await expect(page.getByTestId("total-inferred")).toHaveText(/^[\d,]+ of them inferred$/);
  await page.getByTestId("traces-row").first().click();
  await page.getByTestId("span-filter").click();
  await expect(page.locator('[data-testid^="split-"][data-tip*="is inferred"]').first()).toBeAttached();
  await expect(page.getByTestId("span-panel")).toContainText(/\d+ of them inferred/);
  await page.getByTestId("export").click();
  await expect(page.getByTestId("export-inferred")).toContainText("marked with spanflame.context=inferred");
  await expectNothingByAxe(page);
});

test("inferred context is marked in the tooltip and the line of a frame, and in the rows of lists", async ({
  page,
}) => {
  await page.goto("./#inferred=no&by=root&type=sleep&view=flame");
  await drop(page, RECORDING);
  const frame = page.locator('[data-testid=flame] g.frame[aria-label*="Lambda.run"]').first();
  await frame.hover({ force: true });
  await expect(page.getByTestId("frame-tip")).toContainText("of total");
  await expect(page.getByTestId("frame-tip")).not.toContainText("inferred");
  await turnOn(page);
  await expect(page.getByTestId("total-inferred")).toBeVisible();
  await page.keyboard.press("Escape");
  await frame.hover({ force: true });
  const words = /with inferred context \([\d.]+ %\)/;
  await expect(page.getByTestId("frame-tip")).toHaveText(words);
  await expect(page.getByTestId("frame-detail")).toHaveText(words);
  // Every sample of a sleep has its root by inference: the events carry no id.
  const rows = page.getByTestId("rank-row").filter({ has: page.getByTestId("rank-inferred") });
  await expect(rows.first()).toContainText(/(\d+) samples? · \1 inferred/);
  await showView(page, "sandwich");
  const focus = page.getByTestId("callers-of").getByTestId("frame-detail");
  await expect(focus).toHaveText(words);
  await expectNothingByAxe(page);
});

test("inferred context is marked in the rows of the tree, of the top functions and of a difference", async ({
  page,
}) => {
  await page.goto("./#inferred=no&type=sleep&view=tree");
  await drop(page, RECORDING);
  const marks = (table: string) => page.getByTestId(table).getByTestId("row-inferred");
  await expect(page.getByTestId("tree").getByRole("row").nth(2)).toBeVisible();
  await expect(marks("tree")).toHaveCount(0);
  await turnOn(page);
  await expect(marks("tree").first()).toHaveText(/^[\d.]+ % inferred$/);
  const row = page
    .getByTestId("tree")
    .getByRole("row")
    .filter({ has: page.getByTestId("row-inferred") });
  await expect(row.first()).toHaveAttribute("title", /\n.* with inferred context \([\d.]+ %\)$/);
  await expectNothingByAxe(page);
  // The top frame of every stack is the same in both tables, and so is the value of its samples with inferred context.
  await showView(page, "top");
  await expect(marks("top").first()).toHaveText(/^[\d.]+ % inferred$/);
  await page.getByTestId("traces-row").or(page.getByTestId("rank-row")).first().click();
  await page.getByTestId("view-diff").click();
  await expect(page.getByTestId("diff-own")).toContainText(/of them inferred/);
  await page.locator('[data-testid=flame] g.frame[aria-label*="Lambda.run"]').first().hover({ force: true });
  await expect(page.getByTestId("frame-tip")).toHaveText(/selection: .* with inferred context/);
  await page.getByTestId("diff-shape").getByText("functions").click();
  await expect(marks("changed").first()).toHaveText(/^[\d.]+ % inferred$/);
  await expectNothingByAxe(page);
});
