/** Generated names: normalised in the views, as recorded if that is asked for, and normalised in exports by choice. */
import type { Page } from "@playwright/test";
import { PROFILER } from "../../src/model/query/run-rules.ts";
import { coreOf, profileIn } from "../kit/core.ts";
import { fixture } from "../kit/expected.ts";
import { exportFile, openExport } from "../kit/export.ts";
import { drawnFrames } from "../kit/flame.ts";
import { expect, openFixture, showView, test } from "../kit/page.ts";

const RECORDING = fixture("recorded/ap46-jdk17-all.jfr");
const NORMALISED = "demo.Shop$$Lambda.run";
const RAW = /^demo\.Shop\$\$Lambda\$\d+\.0x[0-9a-f]{16}\.run$/;

const rowsOf = (page: Page) =>
  page.getByTestId("top-row").evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset.id ?? ""));

test("B5: the view menu shows names as recorded, and so does a link", async ({ page }) => {
  await openFixture(page, RECORDING, "#search=Shop\\$\\$Lambda");
  const names = async () => (await drawnFrames(page)).map(({ name }) => name);
  await expect.poll(names).toContain(NORMALISED);

  await page.getByTestId("view-menu").click();
  await page.getByTestId("raw-names").check();
  await expect.poll(async () => (await names()).filter((name) => RAW.test(name)).length).toBeGreaterThan(1);
  expect(await names()).not.toContain(NORMALISED);
  await expect(page).toHaveURL(/raw-names=true/);

  const core = await coreOf([RECORDING]);
  core.select(profileIn(core, "cpu").id, { rawNames: true });
  const expected = core.views.top("self", 0, 10, { last: PROFILER }).rows.map(({ name }) => name);
  await page.keyboard.press("Escape");
  await showView(page, "top");
  await expect.poll(async () => (await rowsOf(page)).slice(0, 10)).toEqual(expected);

  await page.getByTestId("view-flame").click();
  await page.getByTestId("view-menu").click();
  await page.getByTestId("raw-names").uncheck();
  await expect.poll(names).toContain(NORMALISED);
});

test("an export has names as recorded, or normalised ones where that is chosen", async ({ page }) => {
  await openFixture(page, RECORDING);
  const text = async (...checked: string[]) => (await exportFile(page, ...checked)).bytes.toString("utf8");
  const recorded = await text("format-collapsed");
  expect(recorded).toMatch(/demo\.Shop\$\$Lambda\$\d+\.0x[0-9a-f]{16}\.run/);

  await openExport(page);
  await expect(page.getByTestId("export-normalise-names")).not.toBeChecked();
  await page.keyboard.press("Escape");
  const normalised = await text("format-collapsed", "export-normalise-names");
  expect(normalised).toContain(NORMALISED);
  expect(normalised).not.toMatch(/0x[0-9a-f]{16}/);
});
