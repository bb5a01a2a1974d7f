/** The list and the graph do not move under the pointer while roots are chosen and frames searched. */
import type { Locator, Page } from "@playwright/test";
import { fixture } from "../kit/expected.ts";
import { chips, expect, openFixture, showProfile, tab, test } from "../kit/page.ts";

const DD = fixture("recorded/dd152-jdk17-all.jfr");

const topOf = async (of: Locator) => (await of.boundingBox())?.y ?? Number.NaN;
const firstRow = (page: Page) => page.getByTestId("rank-row").first();
const graph = (page: Page) => page.getByTestId("flame").first();

/** Chooses a row; comes back when everything that depends on the choice has been answered. */
async function choose(page: Page, index: number): Promise<void> {
  await page.getByTestId("rank-row").nth(index).click();
  await expect(page.getByTestId("selection")).toHaveAttribute("aria-busy", "false");
  await expect(page.getByTestId("scope").or(page.getByTestId("scope-none")).first()).toBeVisible();
}

for (const [width, height] of [
  [1440, 900],
  [1024, 768],
]) {
  test(`M21: choosing roots moves neither the list nor the graph, ${width} wide`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await openFixture(page, DD);
    const list = await topOf(firstRow(page));
    await choose(page, 0);
    expect(await topOf(firstRow(page))).toBe(list);
    // The header of the selection has appeared above the graph, once.
    const top = await topOf(graph(page));
    for (const index of [1, 2, 3, 4]) {
      await choose(page, index);
      expect(await topOf(firstRow(page))).toBe(list);
      expect(await topOf(graph(page))).toBe(top);
    }
    for (const type of ["wall", "cpu"]) {
      await showProfile(page, type);
      await expect(tab(page, type)).toHaveAttribute("aria-selected", "true");
      expect(await topOf(firstRow(page))).toBe(list);
    }
    await page.getByTestId("clear").click();
    await expect(chips(page)).toHaveCount(0);
    expect(await topOf(firstRow(page))).toBe(list);
  });

  test(`M21: neither a search nor an error in it moves the graph, ${width} wide`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await openFixture(page, DD);
    const top = await topOf(graph(page));
    await page.getByTestId("search").fill("java");
    await expect(page.getByTestId("search-only")).toBeVisible();
    expect(await topOf(graph(page))).toBe(top);
    await page.getByTestId("search").fill("java(");
    await expect(page.getByTestId("search-found")).toContainText("(");
    expect(await topOf(graph(page))).toBe(top);
    const frames = page.getByTestId("flame").locator("g.frame");
    const bottom = await topOf(page.getByTestId("frame-detail"));
    await frames.nth(3).hover({ force: true });
    expect(await topOf(page.getByTestId("frame-detail"))).toBe(bottom);
  });
}
